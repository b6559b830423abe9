"""When a medicine is due, overdue or too soon. Pure.

A schedule is one of three forms, stored as JSON:

    {"kind": "times", "times": ["08:00", "20:00"]}   at these times on the subject's clock, every day
    {"kind": "every", "hours": 8}                    so many hours after the last dose
    {"kind": "needed"}                               when needed, never due

Times of day are wall times: after a clock change the morning dose stays in the morning. Hours are real hours.
A time the clock skips that night comes right after the jump, one that occurs twice is due once. Days, and
with them the first and the last one, are the subject's local days.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Literal

from twin.rules.day import day_bounds, from_local, local_day

Outcome = Literal["given", "skipped", "refused"]
OUTCOMES: tuple[Outcome, ...] = ("given", "skipped", "refused")

GRACE = timedelta(minutes=30)  # how late a dose may be before it is overdue
LOOK_BACK = timedelta(hours=24)  # an older dose was missed, and is not asked for any more
TIMES_A_DAY = 12
_ENOUGH = 0.8  # of an interval of hours
_TIME = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])\Z")
_ONE_DAY = timedelta(days=1)


class InvalidSchedule(ValueError):
    """A schedule that is none of the three forms; `path` names the member at fault."""

    def __init__(self, path: str, code: str) -> None:
        super().__init__(f"{path}: {code}")
        self.path = path
        self.code = code


@dataclass(frozen=True)
class Schedule:
    """One of the three forms; `times` are in order, `every` is set for the second."""

    kind: Literal["times", "every", "needed"]
    times: tuple[time, ...] = ()
    every: timedelta | None = None


@dataclass(frozen=True)
class Course:
    """A medicine's schedule and clock: first and last local day, and since when it stands in the book."""

    schedule: Schedule
    zone: str
    day_starts_at: time
    started_on: date
    until_on: date | None
    known_since: datetime

    @property
    def first_moment(self) -> datetime:
        """When its first local day begins."""
        return day_bounds(self.started_on, zone=self.zone, day_starts_at=self.day_starts_at)[0]

    def covers(self, at: datetime) -> bool:
        """Whether the medicine is to be given on the local day of this instant."""
        day = local_day(at, zone=self.zone, day_starts_at=self.day_starts_at)
        return self.started_on <= day and (self.until_on is None or day <= self.until_on)


@dataclass(frozen=True)
class Dose:
    """A dose that was given, skipped or refused. `due_at` names the due time it settles, if known."""

    at: datetime
    outcome: Outcome = "given"
    due_at: datetime | None = None


@dataclass(frozen=True)
class Due:
    """What Today shows: the dose that is overdue, if one is, and the next one after it."""

    overdue_at: datetime | None
    next_at: datetime | None


@dataclass(frozen=True)
class TooSoon:
    """Why a dose would be too soon: the last one given, and from when on the next one may be."""

    last_at: datetime
    allowed_at: datetime


def parse_schedule(raw: Mapping[str, Any]) -> Schedule:
    """The schedule of its JSON form. Raises InvalidSchedule."""
    kind = raw.get("kind")
    expected = {"times": {"kind", "times"}, "every": {"kind", "hours"}, "needed": {"kind"}}
    if not isinstance(kind, str) or kind not in expected:
        raise InvalidSchedule("kind", "unknown")
    if extra := set(raw) - expected[kind]:
        raise InvalidSchedule(min(extra), "unknown")
    if kind == "times":
        return Schedule("times", times=_parse_times(raw.get("times")))
    if kind == "every":
        return Schedule("every", every=_parse_hours(raw.get("hours")))
    return Schedule("needed")


def due(course: Course, doses: Sequence[Dose], now: datetime) -> Due:
    """What is overdue and what is next at `now`. A dose skipped or refused settles its time too."""
    match course.schedule.kind:
        case "times":
            return _due_by_clock(course, doses, now)
        case "every":
            return _due_by_interval(course, doses, now)
        case _:
            return Due(None, None)


def next_dose(course: Course, doses: Sequence[Dose], now: datetime) -> datetime | None:
    """The next due time after `now`, None where there is none."""
    return due(course, doses, now).next_at


def overdue(course: Course, doses: Sequence[Dose], now: datetime) -> datetime | None:
    """The due time that passed without a dose, more than half an hour and less than a day ago."""
    return due(course, doses, now).overdue_at


def too_soon(
    schedule: Schedule, doses: Sequence[Dose], at: datetime, *, min_gap: timedelta | None = None
) -> TooSoon | None:
    """The warning before a dose is saved, None where enough time has passed since the last one given.

    Enough is `min_gap` where the household set one, else most of the interval, or half the shortest pause
    between two times of day. A dose is too soon also before a later one that is in the book already.
    """
    gap = min_gap if min_gap is not None else usual_gap(schedule)
    given = [dose.at for dose in doses if dose.outcome == "given" and abs(dose.at - at) < gap]
    if not given:
        return None
    return TooSoon(max(given), max(given) + gap)


def usual_gap(schedule: Schedule) -> timedelta:
    """The pause that a schedule itself asks for between two doses; none where it is given as needed."""
    if schedule.every is not None:
        return schedule.every * _ENOUGH
    minutes = sorted(each.hour * 60 + each.minute for each in schedule.times)
    if not minutes:
        return timedelta(0)
    pauses = [
        later - earlier for earlier, later in zip(minutes, [*minutes[1:], minutes[0] + 1_440], strict=True)
    ]
    return timedelta(minutes=min(pauses) / 2)


def due_times(course: Course, start: datetime, end: datetime) -> tuple[datetime, ...]:
    """The due times of a medicine given at times of day, from `start` until before `end`, in order."""
    first = local_day(start, zone=course.zone, day_starts_at=time(0)) - _ONE_DAY
    days = [first + _ONE_DAY * n for n in range((end - start).days + 4)]
    at = {
        from_local(datetime.combine(day, each), zone=course.zone)
        for day in days
        for each in course.schedule.times
    }
    return tuple(sorted(each for each in at if start <= each < end and course.covers(each)))


def _due_by_clock(course: Course, doses: Sequence[Dose], now: datetime) -> Due:
    """A dose settles the due time it names, else the nearest one; what came before that was missed."""
    slots = due_times(course, now - LOOK_BACK - _ONE_DAY, now + _ONE_DAY * 3)
    settled = [at for dose in doses if (at := dose.due_at or _nearest(slots, dose.at))]
    waiting = [slot for slot in slots if slot > max(settled, default=course.known_since - GRACE)]
    late = [slot for slot in waiting if now - LOOK_BACK < slot <= now - GRACE]
    return Due(max(late, default=None), min((slot for slot in waiting if slot > now - GRACE), default=None))


def _due_by_interval(course: Course, doses: Sequence[Dose], now: datetime) -> Due:
    """So many hours after the last dose, and at once before the first."""
    interval = course.schedule.every or _ONE_DAY
    last = max((dose.at for dose in doses), default=None)
    at = max(course.known_since, course.first_moment) if last is None else last + interval
    if not course.covers(at):
        return Due(None, None)
    if at > now - GRACE:
        return Due(None, at)
    return Due(at if course.covers(now) else None, None)


def _nearest(slots: Sequence[datetime], at: datetime) -> datetime | None:
    return min(slots, key=lambda slot: abs(slot - at), default=None)


def _parse_times(raw: object) -> tuple[time, ...]:
    if not isinstance(raw, list) or not 1 <= len(raw) <= TIMES_A_DAY:
        raise InvalidSchedule("times", "not_a_list_of_times")
    found = [_TIME.match(each) if isinstance(each, str) else None for each in raw]
    times = tuple(sorted({time(int(each[1]), int(each[2])) for each in found if each}))
    if len(times) != len(raw):
        raise InvalidSchedule("times", "not_a_time_or_twice")
    return times


def _parse_hours(raw: object) -> timedelta:
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not 0.5 <= raw <= 24 * 60:
        raise InvalidSchedule("hours", "out_of_range")
    return timedelta(hours=raw)
