"""How long devices were talked with: each row rises to the greatest anybody said."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import connection
from django.db.models import Max

from household.access import Sight, seen_through
from household.models import Device, TimeSpent
from household.rules.days import household_day
from household.rules.limits import DeviceDay, TimeRow, merge_time_rows, time_rows
from household.services.registers import read_setting, to_ms

WRITE = """
    INSERT INTO household_timespent AS t (device, day, child_id, used_ms, extra_minutes)
    SELECT r.device, r.day, %s, r.used_ms, r.extra
    FROM unnest(%s::text[], %s::date[], %s::bigint[], %s::int[]) AS r(device, day, used_ms, extra)
    ON CONFLICT (device, day) DO UPDATE SET used_ms = greatest(t.used_ms, excluded.used_ms),
        extra_minutes = greatest(t.extra_minutes, excluded.extra_minutes)
    WHERE (t.used_ms, t.extra_minutes) IS DISTINCT FROM
        (greatest(t.used_ms, excluded.used_ms), greatest(t.extra_minutes, excluded.extra_minutes))
"""


@dataclass
class TimeAnswer:
    """The latest day of a child's devices, and the rows that were not the device's to write."""

    rows: list[TimeRow] = field(default_factory=list)
    forbidden: list[DeviceDay] = field(default_factory=list)
    skewed: list[DeviceDay] = field(default_factory=list)


def exchange_time(
    *, device: Device, rows: Sequence[TimeRow], may_grant: bool, now: dt.datetime
) -> TimeAnswer:
    """Merge a device's rows: its own, and minutes a grown-up added only where `may_grant`.

    Rows of other devices are told to it, never by it: they change nothing. Raises DeviceEnded.
    """
    with seen_through(device, now=now) as sight:
        last = household_day(to_ms(now), read_setting("utc_offset_minutes")) + dt.timedelta(days=1)
        held = _held(sorted({row.day for row in rows}), [row.device for row in rows])
        pushed = time_rows(rows)
        changed = {at: row for at, row in merge_time_rows(held, pushed).items() if held.get(at) != row}
        answer = TimeAnswer()
        for at, row in list(changed.items()):
            before = held.get(at) or TimeRow(*at)
            if at[0] != str(device.pk) or (row.extra_minutes > before.extra_minutes and not may_grant):
                answer.forbidden.append(at)
                del changed[at]
            elif row.day > last:
                answer.skewed.append(at)
                del changed[at]
        _write(list(changed.values()), device)
        answer.rows = _latest(device, sight)
    return answer


def _held(days: list[dt.date], devices: list[str]) -> dict[DeviceDay, TimeRow]:
    rows = TimeSpent.objects.filter(day__in=days, device__in=devices)
    return time_rows(TimeRow(row.device, row.day, row.used_ms, row.extra_minutes) for row in rows)


def _write(rows: Sequence[TimeRow], device: Device) -> None:
    if rows:
        columns = zip(*[(row.device, row.day, row.used_ms, row.extra_minutes) for row in rows], strict=True)
        with connection.cursor() as cursor:
            cursor.execute(WRITE, [device.child_id, *map(list, columns)])


def _latest(device: Device, sight: Sight) -> list[TimeRow]:
    """The document that travels: the rows of the child's latest day."""
    wanted = TimeSpent.objects.filter(child_id__in=list(sight.subjects))
    if device.child_id is None:
        wanted = wanted | TimeSpent.objects.filter(device=str(device.pk))
    day = wanted.aggregate(day=Max("day"))["day"]
    rows = wanted.filter(day=day).order_by("device")
    return [TimeRow(row.device, row.day, row.used_ms, row.extra_minutes) for row in rows]
