"""Naive local times of a file as instants, both nights of the clock change included. Pure.

A time that occurs twice is the first pass, unless something says otherwise: an interval whose end would not
come after its start ends in the second pass; of two rows at one such time the later one, by its number, is
the second. A time the clock skipped is moved past the jump.
"""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from twin.rules.day import from_local


class NotATime(ValueError):
    """The text is no date or time."""


def parse_time(text: str) -> datetime:
    """A date and time as it was written, with its zone where it names one. Raises NotATime."""
    try:
        return datetime.fromisoformat(text.strip().replace(" ", "T", 1))
    except ValueError:
        raise NotATime(text) from None


def parse_date(text: str) -> date:
    """A day as it was written; of a date with a time the day. Raises NotATime."""
    return parse_time(text).date()


def is_twice(naive: datetime, zone: str) -> bool:
    """Whether the clock shows this time twice."""
    first, second = (naive.replace(tzinfo=ZoneInfo(zone), fold=fold) for fold in (0, 1))
    before, after = first.utcoffset(), second.utcoffset()
    return before is not None and after is not None and before > after


def instant(written: datetime, *, zone: str, fold: int = 0) -> datetime:
    """The instant of a written time; `fold` 1 is the second pass of one that occurs twice."""
    if written.tzinfo is not None:
        return written.astimezone(ZoneInfo("UTC"))
    return from_local(written.replace(fold=fold if is_twice(written, zone) else 0), zone=zone)


def interval(start: datetime, end: datetime, *, zone: str, fold: int = 0) -> tuple[datetime, datetime]:
    """Both instants of an interval; an end that would not come after its start is the second pass."""
    begin, finish = instant(start, zone=zone, fold=fold), instant(end, zone=zone)
    return (begin, finish) if finish > begin else (begin, instant(end, zone=zone, fold=1))
