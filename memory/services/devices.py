"""How far behind each paired device is, and how long each child talked with its companion today."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Sum

from household.access import sight_of
from household.models import Device, Person, TimeSpent
from household.rules import registers as rules
from household.rules.days import MINUTE_MS, household_day
from household.rules.permissions import Resource
from household.services.registers import read_registers, to_ms

MOST = 1_000  # beyond it the page says "more than"
# A device says at each sync up to where it has the house's changes and lines; what came later it lacks.
BEHIND = """
SELECT d.gid, changed.n, lines.n FROM household_device d, LATERAL (
    SELECT count(*) AS n FROM (
        (SELECT 1 FROM memory_memory m WHERE m.subject_id = coalesce(d.child_id, m.subject_id)
            AND m.subject_id = ANY (%(subjects)s::bigint[]) AND m.change > d.change_seen LIMIT %(most)s)
        UNION ALL
        (SELECT 1 FROM memory_tombstone t WHERE t.change > d.change_seen
            AND (t.subject_id IS NULL OR t.subject_id = coalesce(d.child_id, t.subject_id)) LIMIT %(most)s)
        LIMIT %(most)s) found
) changed, LATERAL (
    SELECT count(*) AS n FROM (
        SELECT 1 FROM memory_journalline l WHERE l.device <> 'home' AND l.device <> d.gid::text
            AND l.subject_id = ANY (CASE WHEN d.child_id IS NULL THEN %(subjects)s::bigint[]
                                    ELSE ARRAY[d.child_id] END)
            AND l.position > d.position_seen LIMIT %(most)s) found
) lines
WHERE d.gid = ANY (%(devices)s::uuid[])
"""


@dataclass(frozen=True)
class Lag:
    """What a device has not fetched yet: changes of memories, and lines."""

    changes: int = 0
    lines: int = 0

    @property
    def whole(self) -> int:
        """All of it."""
        return self.changes + self.lines

    @property
    def is_more(self) -> bool:
        """Whether counting stopped before the end."""
        return self.changes >= MOST or self.lines >= MOST


def lags(person: Person, devices: Sequence[Device]) -> dict[str, Lag]:
    """What each device lacks, by its id. Call it inside `seen_by`."""
    values: dict[str, Any] = {
        "subjects": sight_of(person).viewable(Resource.CONVERSATION),
        "devices": [str(device.pk) for device in devices],
        "most": MOST,
    }
    with connection.cursor() as cursor:
        cursor.execute(BEHIND, values)
        return {str(gid): Lag(changes, lines) for gid, changes, lines in cursor.fetchall()}


@dataclass(frozen=True)
class Spent:
    """One child's talk today: minutes used, minutes added, and the limit where there is one."""

    name: str
    minutes: int
    extra: int
    limit: int | None

    @property
    def whole(self) -> int | None:
        """What may be used today."""
        return None if self.limit is None else self.limit + self.extra


def spent_today(person: Person, *, now: dt.datetime) -> list[Spent]:
    """How long each child of this person talked on the household's day. Call it inside `seen_by`."""
    held = read_registers()
    today = household_day(to_ms(now), rules.read(held, "utc_offset_minutes"))
    sight = sight_of(person)
    children = {
        pk: sight.subjects[pk].subject
        for pk in sight.viewable(Resource.CONVERSATION)
        if sight.subjects[pk].species == "person"
    }
    rows = TimeSpent.objects.filter(day=today, child_id__in=list(children)).values("child_id")
    summed = rows.annotate(ms=Sum("used_ms"), extra=Sum("extra_minutes"))
    sums = {row["child_id"]: (int(row["ms"]), int(row["extra"])) for row in summed}
    found = []
    for pk, child in children.items():
        used_ms, extra = sums.get(pk, (0, 0))
        limit = rules.read(held, "daily_minutes", str(child.gid))
        found.append(Spent(child.name, used_ms // MINUTE_MS, extra, limit))
    return found
