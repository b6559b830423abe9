"""The journal by day: the household's own days, each turn under the day it began."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from household.rules.days import day_bounds_ms, household_day
from memory.rules.journal.lines import Line

# How long past midnight a turn that began before it may go on.
EXCHANGE_SLACK_MS = 10 * 60 * 1000


@dataclass(frozen=True)
class Day:
    """One household day: its first ms and the first ms after it."""

    day: date
    start_ms: int
    end_ms: int


def day_of(at_ms: int, utc_offset_minutes: int | None) -> Day:
    """The household's day of an instant.

    To page the days newest first, look up the newest line before a bound, take its day, count its lines,
    and go on with the day's start as the bound.
    """
    day = household_day(at_ms, utc_offset_minutes)
    return Day(day, *day_bounds_ms(day, utc_offset_minutes))


def span(day: Day) -> tuple[int, int]:
    """The instants to read for a day: what began before it and what ends after it included."""
    return day.start_ms - EXCHANGE_SLACK_MS, day.end_ms + EXCHANGE_SLACK_MS


def of_day(lines: Iterable[Line], day: Day) -> list[Line]:
    """The lines of a day among those of its span: each turn whole under the day it began."""
    found = list(lines)
    began: dict[str, int] = {}
    for line in found:
        if line.turn:
            began[line.turn] = min(line.at_ms, began.get(line.turn, line.at_ms))
    return [line for line in found if day.start_ms <= began.get(line.turn, line.at_ms) < day.end_ms]
