"""The 2x2 table of one pair of levels, and what it comes to. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

WINDOW_DAYS = 365
RECENT_DAYS = 56  # the last eight weeks

Values = Mapping[str, bool]  # what one day says of each level; a level that is not there is unknown


class Pair(NamedTuple):
    """An antecedent, and an outcome `lag` days later."""

    antecedent: str
    outcome: str
    lag: int


@dataclass(frozen=True)
class Table:
    """On how many days both were known, each held, and both held."""

    both: int = 0
    antecedent_days: int = 0
    outcome_days: int = 0
    days: int = 0

    def __add__(self, other: Table) -> Table:
        return Table(
            self.both + other.both,
            self.antecedent_days + other.antecedent_days,
            self.outcome_days + other.outcome_days,
            self.days + other.days,
        )

    def __sub__(self, other: Table) -> Table:
        return Table(
            self.both - other.both,
            self.antecedent_days - other.antecedent_days,
            self.outcome_days - other.outcome_days,
            self.days - other.days,
        )

    @property
    def base_rate(self) -> float:
        """The share of all counted days that have the outcome."""
        return self.outcome_days / self.days if self.days else 0.0

    @property
    def lift(self) -> float:
        """How many times likelier the outcome is after the antecedent than on any day; 0 where unknown."""
        if not self.antecedent_days or not self.outcome_days:
            return 0.0
        return self.both * self.days / (self.antecedent_days * self.outcome_days)


NOTHING = Table()


@dataclass(frozen=True)
class Counts:
    """A pair's table over the window, and over its last eight weeks."""

    year: Table = NOTHING
    recent: Table = NOTHING


def day_table(pair: Pair, before: Values, on: Values) -> Table:
    """What one day adds: `on` is the outcome's day, `before` the antecedent's (the same without a lag)."""
    antecedent, outcome = before.get(pair.antecedent), on.get(pair.outcome)
    if antecedent is None or outcome is None:
        return NOTHING
    return Table(int(antecedent and outcome), int(antecedent), int(outcome), 1)


def table_on(pair: Pair, days: Mapping[date, Values], on: date) -> Table:
    """What the day `on` adds to a pair's table; a day that nobody kept adds nothing."""
    outcome = days.get(on)
    before = outcome if not pair.lag else days.get(on - timedelta(days=pair.lag))
    return day_table(pair, before, outcome) if outcome is not None and before is not None else NOTHING


def counts_at(pair: Pair, days: Mapping[date, Values], through: date) -> Counts:
    """A pair's counts over the windows that end with `through`, counted afresh."""
    year, recent = NOTHING, NOTHING
    for back in range(WINDOW_DAYS):
        if (one := table_on(pair, days, through - timedelta(days=back))) is not NOTHING:
            year += one
            if back < RECENT_DAYS:
                recent += one
    return Counts(year, recent)


def moved_on(counts: Counts, pair: Pair, days: Mapping[date, Values], to: date) -> Counts:
    """The counts of the windows that end with `to`, from those of the day before: one day in, one out."""
    coming = table_on(pair, days, to)
    gone = table_on(pair, days, to - timedelta(days=WINDOW_DAYS))
    aged = table_on(pair, days, to - timedelta(days=RECENT_DAYS))
    if coming is gone is aged is NOTHING:
        return counts
    return Counts(counts.year + coming - gone, counts.recent + coming - aged)


def edges(to: date, pairs: Iterable[Pair]) -> frozenset[date]:
    """The days whose values `moved_on` reads: nothing else of the history is needed for a night."""
    lags = {0, *(pair.lag for pair in pairs)}
    ends = (to, to - timedelta(days=WINDOW_DAYS), to - timedelta(days=RECENT_DAYS))
    return frozenset(end - timedelta(days=lag) for end in ends for lag in lags)
