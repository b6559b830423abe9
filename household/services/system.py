"""How the box is doing, for the parents' page: what lives, what waits, what is kept."""

from __future__ import annotations

import datetime as dt
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.models import Max

from household.access import visible
from household.models import Backup, Job, Person
from household.rules.backups import Kept, predating
from household.rules.permissions import Resource
from household.services.backups.keys import key_file
from household.services.health import WORKER_SILENT_AFTER, Health, is_schema_current

LOW_DISK_BYTES = 2 * 2**30
STATE = """SELECT pg_database_size(current_database()), (SELECT count(*) FROM huey_task),
    (SELECT max(at) FROM household_heartbeat)"""


@dataclass(frozen=True)
class Storage:
    """Bytes: of the database, free on its disk, and of that disk."""

    database: int
    free: int
    total: int

    @property
    def is_low(self) -> bool:
        """Whether less than 2 GiB are free."""
        return self.free < LOW_DISK_BYTES


@dataclass(frozen=True)
class KeptBackup:
    """One backup, whether its file is there, and how many forgettings came after it."""

    row: Backup
    is_there: bool
    forgotten_since: int


@dataclass(frozen=True)
class System:
    """Everything the page shows."""

    health: Health
    beat_at: dt.datetime | None
    storage: Storage
    queued: int
    jobs: tuple[Job, ...]
    rounds: tuple[dict[str, Any], ...]
    backups: tuple[KeptBackup, ...]
    is_sealing: bool
    fingerprint: str  # of the certificate authority, where the box serves TLS itself

    @property
    def lacks_backup(self) -> bool:
        """Whether there is no backup at all yet."""
        return not self.backups


def system_of(person: Person, *, now: dt.datetime) -> System:
    """The state of the box as one person may see it: rounds of their own subjects only."""
    size, queued, beat_at = _asked_at_once()
    disk = shutil.disk_usage(settings.HOME if settings.HOME.exists() else Path("/"))
    is_awake = beat_at is not None and beat_at >= now - WORKER_SILENT_AFTER
    return System(
        health=Health(database=True, schema=is_schema_current(), worker=is_awake),
        beat_at=beat_at,
        storage=Storage(database=size, free=disk.free, total=disk.total),
        queued=queued,
        jobs=tuple(Job.objects.exclude(state="done").order_by("-due_at")[:20]),
        rounds=_rounds(person),
        backups=_backups(),
        is_sealing=key_file().exists(),
        fingerprint=_fingerprint(),
    )


def _fingerprint() -> str:
    if not (settings.HOME / "tls" / "ca.pem").exists():
        return ""
    from household.box import certificates  # only a box that serves TLS needs what it imports

    return certificates.fingerprint(settings.HOME)


def _asked_at_once() -> tuple[int, int, dt.datetime | None]:
    """Bytes of the database, tasks in the queue, and the worker's last sign of life."""
    with connection.cursor() as cursor:
        cursor.execute(STATE)
        size, queued, beat_at = cursor.fetchone()
    return int(size), int(queued), beat_at


def _rounds(person: Person) -> tuple[dict[str, Any], ...]:
    """The last closed day of each subject."""
    rounds = visible(person, Resource.OBSERVATION, apps.get_model("twin", "RoundRun").objects.all())
    last = rounds.values("subject_id", "subject__name").annotate(day=Max("day"), ran_at=Max("ran_at"))
    return tuple({**row} for row in last.order_by("subject__name"))


def _backups() -> tuple[KeptBackup, ...]:
    rows = list(Backup.objects.order_by("-made_at")[:40])
    forgotten = apps.get_model("memory", "Forgetting").objects.values_list("asked_at", flat=True)
    since = rows[-1].made_at if rows else None
    after = predating(
        [Kept(row.name, row.made_at) for row in rows], forgotten.filter(asked_at__gte=since) if since else ()
    )
    place = settings.HOME / "backups"
    there = {path.name for path in place.iterdir()} if place.exists() else set()
    return tuple(KeptBackup(row, row.name in there, after.get(row.name, 0)) for row in rows)
