"""The journal by day: the household's own days, each turn under the day it began."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from household.rules.days import DAY_MS, day_bounds_ms, household_day
from memory.rules.journal.lines import Line

# How long past midnight a turn that began before it may go on.
EXCHANGE_SLACK_MS = 10 * 60 * 1000
NOTHING: Mapping[str, int] = MappingProxyType({})


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


def of_day(lines: Iterable[Line], day: Day, *, began: Mapping[str, int] = NOTHING) -> list[Line]:
    """The lines of a day among those of its span: each turn whole under the day it began.

    What a turn says later than the slack past its day stands under the day it was said on. `began` names
    when turns began that may have done so before the span; others began with their first line here.
    """
    found = list(lines)
    first = dict(began)
    for line in found:
        if line.turn:
            first[line.turn] = min(line.at_ms, first.get(line.turn, line.at_ms))
    return [line for line in found if _is_of(day, line.at_ms, first.get(line.turn, line.at_ms))]


def unsure(lines: Iterable[Line], day: Day) -> frozenset[str]:
    """The turns whose beginning has to be known: they are heard of in the slack after a midnight."""
    edges = (day.start_ms, day.end_ms)
    return frozenset(
        line.turn
        for line in lines
        if line.turn and any(edge <= line.at_ms < edge + EXCHANGE_SLACK_MS for edge in edges)
    )


def _is_of(day: Day, at_ms: int, began_ms: int) -> bool:
    if day.start_ms <= began_ms < day.end_ms:
        return at_ms < day.end_ms + EXCHANGE_SLACK_MS
    is_said = day.start_ms <= at_ms < day.end_ms
    is_of_day_before = day.start_ms - DAY_MS <= began_ms < day.start_ms
    return is_said and not (is_of_day_before and at_ms < day.start_ms + EXCHANGE_SLACK_MS)
