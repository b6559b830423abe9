"""How the box is doing."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from household.models import Heartbeat

WORKER_SILENT_AFTER = dt.timedelta(minutes=5)


@dataclass(frozen=True)
class Health:
    """What works and what does not."""

    database: bool
    schema: bool
    worker: bool

    @property
    def is_well(self) -> bool:
        """Whether pages can be served: the worker may be away for a while."""
        return self.database and self.schema

    def public(self) -> dict[str, bool]:
        """What anybody on the network may know."""
        return {"ok": self.is_well, "database": self.database, "schema": self.schema, "worker": self.worker}


def is_worker_alive(*, now: dt.datetime) -> bool:
    """Whether a worker gave a sign of life in the last five minutes."""
    return Heartbeat.objects.filter(at__gte=now - WORKER_SILENT_AFTER).exists()


class Schema:
    """Whether this process found the schema current; it stays so while the process lives."""

    is_current = False


def is_schema_current() -> bool:
    """Whether every migration of this build is applied."""
    if not Schema.is_current:
        executor = MigrationExecutor(connection)
        Schema.is_current = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return Schema.is_current


def health_of(*, now: dt.datetime) -> Health:
    """The state of database, schema and worker."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        schema = is_schema_current()
        return Health(database=True, schema=schema, worker=schema and is_worker_alive(now=now))
    except DatabaseError:
        return Health(database=False, schema=False, worker=False)


def beat(*, worker: str, now: dt.datetime) -> None:
    """Note that a worker is alive, and drop those long gone."""
    Heartbeat.objects.update_or_create(worker=worker, defaults={"at": now})
    Heartbeat.objects.filter(at__lt=now - dt.timedelta(days=1)).delete()
