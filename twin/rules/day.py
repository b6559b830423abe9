"""A subject's local day: where it begins and ends, which day an instant belongs to, and what is due when.

A day is named by the date on which it starts, at `day_starts_at` on the subject's clock, and lasts until the
next one starts. So days never overlap and leave no gap, whatever the clock does in between. Pure: time comes
in as a value.
"""

from __future__ import annotations

from bisect import bisect_left
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

DAY_STARTS_AT = time(3, 0)
ANSWER_AT_LEAST = timedelta(hours=4)
ROUND_AFTER_DAY = timedelta(minutes=30)
DAYS_AT_ONCE = 31

_ONE_DAY = timedelta(days=1)


def from_local(naive: datetime, *, zone: str) -> datetime:
    """The UTC instant of a local wall time.

    A time that occurs twice means the first occurrence (the second with `fold=1`); one that the clock skipped
    is read as if the clock had not been changed yet, so it lands as far after the jump as it was written into
    it.
    """
    return naive.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def local_day(at: datetime, *, zone: str, day_starts_at: time) -> date:
    """The local day that holds the aware instant `at`: 01:30 belongs to the evening before."""
    day = at.astimezone(ZoneInfo(zone)).date()
    while _day_start(day, zone, day_starts_at) > at:
        day -= _ONE_DAY
    while _day_start(day + _ONE_DAY, zone, day_starts_at) <= at:
        day += _ONE_DAY
    return day


def day_bounds(day: date, *, zone: str, day_starts_at: time) -> tuple[datetime, datetime]:
    """First instant of the local day and first instant after it, in UTC.

    A date the zone skipped altogether is a short day, even an empty one whose bounds are one instant.
    """
    return _day_start(day, zone, day_starts_at), _day_start(day + _ONE_DAY, zone, day_starts_at)


def question_deadline(asked_at: datetime, *, zone: str, day_starts_at: time) -> datetime:
    """Until when a clarifying question waits: the end of the local day, and at least four hours."""
    day = local_day(asked_at, zone=zone, day_starts_at=day_starts_at)
    _, day_end = day_bounds(day, zone=zone, day_starts_at=day_starts_at)
    return max(day_end, asked_at.astimezone(UTC) + ANSWER_AT_LEAST)


def round_due_at(day: date, *, zone: str, day_starts_at: time) -> datetime:
    """When the round of a local day may run: thirty minutes after that day ends."""
    return day_bounds(day, zone=zone, day_starts_at=day_starts_at)[1] + ROUND_AFTER_DAY


def days_due(
    last_closed: date | None,
    first: date,
    now: datetime,
    *,
    zone: str,
    day_starts_at: time,
    limit: int = DAYS_AT_ONCE,
) -> tuple[date, ...]:
    """The days whose round is due at `now` and has not run, oldest first, at most `limit`.

    They begin after `last_closed`, and never before `first`, the subject's first day in the book.
    """
    day = first if last_closed is None else max(first, last_closed + _ONE_DAY)
    due: list[date] = []
    while len(due) < limit and round_due_at(day, zone=zone, day_starts_at=day_starts_at) <= now:
        due.append(day)
        day += _ONE_DAY
    return tuple(due)


def _day_start(day: date, zone: str, day_starts_at: time) -> datetime:
    """First instant of `day` whose clock shows `day_starts_at`, or later where the clock skipped that."""
    wall = datetime.combine(day, day_starts_at.replace(tzinfo=None, fold=0))
    start = from_local(wall, zone=zone)
    jump = start.astimezone(ZoneInfo(zone)).replace(tzinfo=None) - wall
    return start if not jump else _clock_change(start - jump, start, zone)


def _clock_change(before: datetime, after: datetime, zone: str) -> datetime:
    """The second at which the zone's offset changed, between two instants that differ in it."""
    local = ZoneInfo(zone)
    new_offset = after.astimezone(local).utcoffset()
    seconds = range(int((after - before).total_seconds()) + 1)
    changed = bisect_left(
        seconds,
        True,
        key=lambda s: (before + timedelta(seconds=s)).astimezone(local).utcoffset() == new_offset,
    )
    return before + timedelta(seconds=changed)
