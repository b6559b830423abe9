"""The job queue: Huey on the same PostgreSQL, carrying ids only (traps: jobs are rows of ours).

The queue keeps no results and no errors, so no word of a family can rest in its tables; its tables
come from our migration, and its connection follows Django's current settings, tests included.
"""

from __future__ import annotations

from typing import Any

import psycopg
from django.db import close_old_connections, connections
from huey import Huey
from huey.storage import PostgresStorage

POLL_S = 60


def open_connection() -> psycopg.Connection[Any]:
    """A new autocommit connection to the database Django's default alias points at now."""
    parameters = dict(connections["default"].get_connection_params())
    for name in ("cursor_factory", "context", "server_side_binding", "prepare_threshold", "pool"):
        parameters.pop(name, None)
    return psycopg.connect(**parameters)


class Storage(PostgresStorage):
    """The queue's tables, reached again after the database was away."""

    def enqueue(self, data: bytes, priority: float | None = None) -> None:
        """Hand in a task; on a connection that broke meanwhile a second time, by a new one."""
        try:
            super().enqueue(data, priority)
        except psycopg.OperationalError:
            super().enqueue(data, priority)


queue = Huey(
    "hearthbook",
    storage_class=Storage,
    connection=open_connection,
    create_tables=False,
    results=False,
    store_none=False,
    utc=True,
    read_timeout=POLL_S,
)


@queue.pre_execute()
@queue.post_execute()
def _fresh_connections(task: object, *outcome: object) -> None:
    """Give every task a living database connection and take broken ones away after it."""
    close_old_connections()


@queue.post_execute()
def _rest(task: object, *outcome: object) -> None:
    """Where nothing else waits, end the worker's connection: at rest it would keep megabytes for nobody."""
    if not queue.immediate and queue.storage.queue_size() == 0:
        connections.close_all()
