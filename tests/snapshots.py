"""The whole database as a value, for tests that say nothing changed."""

from __future__ import annotations

from typing import Any

from django.db import connection

ALWAYS_MOVING = {"django_session", "huey_task", "huey_schedule", "household_heartbeat"}


def database_snapshot(*, without: frozenset[str] = frozenset()) -> dict[str, list[Any]]:
    """Every row of every table, as text, in a stable order."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1"
        )
        tables = [name for (name,) in cursor.fetchall() if name not in ALWAYS_MOVING | without]
        snapshot = {}
        for table in tables:
            cursor.execute(f'SELECT to_jsonb(t)::text FROM "{table}" t ORDER BY 1')
            snapshot[table] = [row for (row,) in cursor.fetchall()]
        return snapshot
