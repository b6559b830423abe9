"""Working as the owner for a moment, inside a process that is the web."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connections


@contextmanager
def as_owner() -> Iterator[None]:
    """Let this thread's default connection be the owner's for a block; never inside a transaction.

    Jobs run as the owner, for whom row-level security is enabled but not forced. A process that is the
    owner already just goes on.
    """
    if settings.PROCESS_ROLE == "owner":
        yield
        return
    web = connections["default"]
    if web.in_atomic_block:
        raise RuntimeError("as_owner() inside a transaction would leave it half-way")
    connections["default"] = connections["owner"]
    try:
        yield
    finally:
        connections["default"].close()
        connections["default"] = web
