"""Characters the voice may still say today: reserved before, settled after, given back when it failed.

Each step is one statement, so that any number of requests at once never spend more than the allowance: the
row of the day is locked by whoever changes it, and PostgreSQL checks the condition again after waiting.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db import connection

from household.rules import registers as rules
from household.rules.days import day_bounds_ms, household_day
from household.services.registers import read_registers, to_ms
from voice.models import VoiceSpend
from voice.rules.refusals import NotReserved, OverAllowance

# %(most)s is null where the household set no allowance.
RESERVE = """
    INSERT INTO voice_voicespend AS spend (day, chars, reserved, hits, saved_chars)
    SELECT %(day)s, 0, %(count)s, 0, 0 WHERE %(most)s::bigint IS NULL OR %(count)s::bigint <= %(most)s::bigint
    ON CONFLICT (day) DO UPDATE SET reserved = spend.reserved + excluded.reserved
    WHERE %(most)s::bigint IS NULL OR spend.chars + spend.reserved + excluded.reserved <= %(most)s::bigint
"""
SETTLE = """
    UPDATE voice_voicespend SET reserved = reserved - %(count)s, chars = chars + %(spoken)s
    WHERE day = %(day)s AND reserved >= %(count)s
"""
HIT = """
    INSERT INTO voice_voicespend AS spend (day, chars, reserved, hits, saved_chars)
    VALUES (%(day)s, 0, 0, 1, %(count)s)
    ON CONFLICT (day) DO UPDATE
    SET hits = spend.hits + 1, saved_chars = spend.saved_chars + excluded.saved_chars
"""


@dataclass(frozen=True)
class Today:
    """The household's day, its allowance (None for no limit), and when the next day begins."""

    day: dt.date
    most: int | None
    free_at_ms: int


@dataclass
class Reservation:
    """Characters set aside on a day, until they are settled once."""

    day: dt.date
    count: int
    is_open: bool = True


def today(now: dt.datetime) -> Today:
    """The household day at `now` and what may be said on it."""
    held = read_registers()
    offset = rules.read(held, "utc_offset_minutes")
    day = household_day(to_ms(now), offset)
    return Today(day, rules.read(held, "voice_daily_chars"), day_bounds_ms(day, offset)[1])


def reserve(count: int, *, now: dt.datetime) -> Reservation:
    """Set characters aside before they are spoken. Raises OverAllowance."""
    day = today(now)
    if not _changed(RESERVE, day=day.day, count=count, most=day.most):
        raise OverAllowance(day.free_at_ms)
    return Reservation(day.day, count)


def settle(held: Reservation, spoken: int) -> None:
    """Count what was spoken, at most what was reserved, and give back the rest. Raises NotReserved."""
    if not held.is_open or not 0 <= spoken <= held.count:
        raise NotReserved
    held.is_open = False
    if not _changed(SETTLE, day=held.day, count=held.count, spoken=spoken):
        raise NotReserved


def refund(held: Reservation) -> None:
    """Give back what was reserved for words that were never heard. Raises NotReserved."""
    settle(held, 0)


def count_hit(count: int, *, now: dt.datetime) -> None:
    """Count a line that came from the cache and cost nothing."""
    _changed(HIT, day=today(now).day, count=count)


def left(*, now: dt.datetime) -> tuple[int | None, int]:
    """The characters that may still be said today (None for no limit), and when the next day begins."""
    day = today(now)
    if day.most is None:
        return None, day.free_at_ms
    spend = VoiceSpend.objects.filter(day=day.day).first()
    return max(0, day.most - (spend.chars + spend.reserved if spend else 0)), day.free_at_ms


def _changed(sql: str, **values: dt.date | int | None) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(sql, dict(values))
        return bool(cursor.rowcount == 1)
