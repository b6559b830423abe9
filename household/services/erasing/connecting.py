"""A connection of its own for the owner's work on files: autocommit, so that VACUUM may run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.conf import settings
from django.db import connections

LOCK_TIMEOUT = "100ms"  # readers queue behind a waiting rewrite: it gives way instead


@contextmanager
def owners_connection() -> Iterator[psycopg.Connection[Any]]:
    """The owner's connection to the current database, closed afterwards."""
    alias = "default" if settings.PROCESS_ROLE == "owner" else "owner"
    parameters = dict(connections[alias].get_connection_params())
    for name in ("cursor_factory", "context", "server_side_binding", "prepare_threshold", "pool"):
        parameters.pop(name, None)
    with psycopg.connect(**parameters, autocommit=True) as base:
        base.execute("SELECT set_config('lock_timeout', %s, false)", [LOCK_TIMEOUT])
        yield base
