"""What an invitation may promise, how long it stands, and when a membership it makes ends."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from household.rules.permissions import ANIMALS_ONLY, Role

LASTS = timedelta(days=7)
SCHOOL_YEAR_BEGINS = (9, 1)  # month, day


class Standing(StrEnum):
    """What became of an invitation."""

    OPEN = "open"
    USED = "used"
    REVOKED = "revoked"
    EXPIRED = "expired"


class NotForSubject(ValueError):
    """The role cannot be given on one of the subjects: a vet cares for animals only."""


class EndsBefore(ValueError):
    """The membership would end before it began."""


class NotForParents(ValueError):
    """A parent sees all of it for good: no window, no end."""


def standing(
    *, used_at: datetime | None, revoked_at: datetime | None, expires_at: datetime, now: datetime
) -> Standing:
    """What an invitation is at `now`; from the very instant of `expires_at` it is expired."""
    if used_at is not None:
        return Standing.USED
    if revoked_at is not None:
        return Standing.REVOKED
    return Standing.OPEN if now < expires_at else Standing.EXPIRED


def check_role(role: Role, species: Iterable[str]) -> None:
    """Refuse a vet for a child. Raises NotForSubject."""
    if role in ANIMALS_ONLY and "person" in set(species):
        raise NotForSubject(role.value)


def check_limits(role: Role, *, ends_at: datetime | None, data_from: date | None) -> None:
    """Refuse to narrow a parent. Raises NotForParents."""
    if role == Role.PARENT and (ends_at is not None or data_from is not None):
        raise NotForParents


def check_end(ends_at: datetime | None, *, now: datetime) -> None:
    """Refuse an end that has passed. Raises EndsBefore."""
    if ends_at is not None and ends_at <= now:
        raise EndsBefore(ends_at.isoformat())


def end_of(last_day: date, zone: str) -> datetime:
    """The first instant after a membership's last day, at home."""
    return datetime.combine(last_day + timedelta(days=1), time.min, ZoneInfo(zone))


def last_day_of(ends_at: datetime, zone: str) -> date:
    """The last day of a membership that ends at this instant, at home."""
    return (ends_at.astimezone(ZoneInfo(zone)) - timedelta(microseconds=1)).date()


def school_year_of(day: date) -> date:
    """The first day of the school year a day lies in."""
    begins = date(day.year, *SCHOOL_YEAR_BEGINS)
    return begins if day >= begins else date(day.year - 1, *SCHOOL_YEAR_BEGINS)
