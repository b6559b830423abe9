"""What strategies come to: how often they helped, in all and lately, and which is named first. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from memory.rules.counting.significance import wilson_lower

RECENT = timedelta(days=56)
LEAST_TO_COMPARE = 2  # uses on both sides, before two windows are held side by side
CHANGED_BY = 0.3


@dataclass(frozen=True)
class Use:
    """One use of a strategy; one whose outcome nobody knows yet does not count."""

    on: date
    outcome: str
    is_counted: bool = True


@dataclass(frozen=True)
class Tally:
    """How often a strategy was used, and how it went."""

    uses: int = 0
    successes: int = 0
    partials: int = 0
    failures: int = 0
    last_on: date | None = None

    @property
    def effectiveness(self) -> float | None:
        """(successes + half the partials) / uses, None where it was never used."""
        return (self.successes + self.partials / 2) / self.uses if self.uses else None

    @property
    def lower(self) -> float:
        """What it does at least: the Wilson lower bound, so that 1 of 1 does not beat 9 of 10."""
        return wilson_lower(self.successes + self.partials / 2, self.uses)


def tally(uses: Iterable[Use]) -> Tally:
    """The counts of some uses."""
    counted = [one for one in uses if one.is_counted]
    outcomes = [one.outcome for one in counted]
    return Tally(
        len(counted),
        outcomes.count("success"),
        outcomes.count("partial"),
        outcomes.count("failure"),
        max((one.on for one in counted), default=None),
    )


def recent(uses: Iterable[Use], today: date) -> Tally:
    """The counts of the last eight weeks."""
    return tally(one for one in uses if one.on > today - RECENT)


def earlier(uses: Iterable[Use], today: date) -> Tally:
    """The counts of the time before."""
    return tally(one for one in uses if one.on <= today - RECENT)


def change(before: Tally, lately: Tally) -> int:
    """1 where it helps more than it used to, -1 where less, 0 where neither or too little is known."""
    old, new = before.effectiveness, lately.effectiveness
    if old is None or new is None or min(before.uses, lately.uses) < LEAST_TO_COMPARE:
        return 0
    return (new - old >= CHANGED_BY) - (old - new >= CHANGED_BY)
