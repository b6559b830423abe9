"""One at a time: a backup and the rewriting that follows a forgetting wait for each other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

# A dump is an old snapshot: while it runs a forgetting's bytes cannot go, so neither begins during the other.
BYTES_LOCK = 4_871_005


@contextmanager
def alone() -> Iterator[None]:
    """Hold the lock that dumps and rewrites share, for the whole session; waits for whoever has it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [BYTES_LOCK])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [BYTES_LOCK])
