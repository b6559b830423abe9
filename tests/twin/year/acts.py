"""What can happen on a day of the script, as values."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from twin.rules.entries import Entry

YEAR = 2026
BERLIN, NEW_YORK = "Europe/Berlin", "America/New_York"


@dataclass(frozen=True)
class Act:
    """Something on a day, at a local wall time; hours from 24 on are the small hours of the next date."""

    day: str  # MM-DD, the subject's own day in the script's order
    clock: str = "18:00"
    date: str = ""  # the wall's date, where it is not `day`
    is_second: bool = False  # the second time the clock shows it, on the night it is put back

    @property
    def wall(self) -> dt.datetime:
        """The local wall time."""
        hour, minute = map(int, self.clock.split(":"))
        midnight = dt.datetime.combine(date_of(self.date or self.day), dt.time())
        return (midnight + dt.timedelta(hours=hour, minutes=minute)).replace(fold=int(self.is_second))


@dataclass(frozen=True, kw_only=True)
class Say(Act):
    """Words, already read into entries. `said` is the date on which they were said, where they come late."""

    entries: tuple[Entry, ...] = ()
    said: str = ""
    text: str = "words"
    is_answer: bool = False


@dataclass(frozen=True, kw_only=True)
class Tap(Act):
    """One tap of the form. Taps of one day are one fill."""

    field: str
    level: str


@dataclass(frozen=True, kw_only=True)
class AnswerAgenda(Act):
    """A tap on the day's question about a course of this category."""

    category: str
    choice: str


@dataclass(frozen=True, kw_only=True)
class Undo(Act):
    """The last words taken back, at once."""


@dataclass(frozen=True, kw_only=True)
class Move(Act):
    """The household's clock is another zone's from here on; the wall time is the old zone's."""

    zone: str


@dataclass(frozen=True, kw_only=True)
class Measure(Act):
    """A new version of the steady-state profile."""

    values: dict[str, float]


@dataclass(frozen=True, kw_only=True)
class Chronic(Act):
    """A person says that an open course is there for long."""

    category: str


@dataclass(frozen=True, kw_only=True)
class Propose(Act):
    """A model proposes how long quiet must last."""

    category: str
    to_passive: int
    to_close: int


@dataclass(frozen=True, kw_only=True)
class Close(Act):
    """A person closes an open course."""

    category: str
    reason: str


def date_of(day: str) -> dt.date:
    """The date of MM-DD in the script's year."""
    month, number = map(int, day.split("-"))
    return dt.date(YEAR, month, number)


def days_from(first: str, *, count: int) -> list[str]:
    """So many days on end, the first one named."""
    start = date_of(first)
    return [f"{start + dt.timedelta(days=n):%m-%d}" for n in range(count)]
