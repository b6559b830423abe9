"""What an answer is written from: rows of one subject's book as values. Pure.

Everything in here may be seen by the person who asks; whoever fetches it makes sure of that. `ref` is the
public id a marker leads to, `matters` are the concepts in a row's words, `said` its folded words.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Fact:
    """One row, and what its words are about."""

    kind: str  # as in memory.models.asking.KINDS
    pk: int
    ref: str
    matters: frozenset[str] = frozenset()
    said: tuple[str, ...] = ()
    where: str = ""  # what its page is called by, where that is not its number


@dataclass(frozen=True)
class EventFact(Fact):
    """Something that happened. `place_matters` are the matters of its place and kind alone."""

    day: dt.date = dt.date.min
    what: str = ""  # its kind, a code
    place: str = ""
    before: str = ""
    looked: str = ""
    tried: str = ""
    ended: str = ""
    minutes: int | None = None
    impact: int = 0
    place_matters: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Use:
    """One counted use of a strategy; `event` is the pk of the event it was tried in."""

    strategy: int
    on: dt.date
    outcome: str
    event: int | None = None


@dataclass(frozen=True)
class StrategyFact(Fact):
    """A named way of helping, with its counts of all time."""

    name: str = ""
    how: str = ""
    lifecycle: str = "in_use"
    uses: int = 0
    successes: int = 0
    partials: int = 0
    last_on: dt.date | None = None
    name_matters: frozenset[str] = frozenset()  # the concepts in its name alone


@dataclass(frozen=True)
class DayFact(Fact):
    """What the book holds of one body system on one day, or (with no day) of earlier."""

    day: dt.date | None = None
    category: str = ""
    polarity: str = ""
    signs: Mapping[str, Any] = field(default_factory=dict)
    found: tuple[str, ...] = ()  # its signs as a page shows them
    checked: tuple[str, ...] = ()
    title: str = ""
    words: str = ""  # what was told, empty for taps
    since: str = ""  # for the past: when, in words
    course: int | None = None


@dataclass(frozen=True)
class CourseFact(Fact):
    """Something that lasts or lasted."""

    category: str = ""
    title: str = ""
    side: str = ""
    started_on: dt.date | None = None
    ended_on: dt.date | None = None
    lifecycle: str = "active"
    days: tuple[DayFact, ...] = ()
    seen: Mapping[str, int] = field(default_factory=dict)  # sign as shown: days on which it was there
    sign_days: Mapping[str, int] = field(default_factory=dict)  # the same by the sign's name
    observed: int = 0
    abnormal: int = 0

    @property
    def is_open(self) -> bool:
        """Whether it goes on."""
        return self.lifecycle != "closed"


@dataclass(frozen=True)
class DoseFact:
    """One dose as it went."""

    at: dt.datetime
    clock: str  # on the subject's clock
    day: dt.date
    outcome: str
    by: str = ""


@dataclass(frozen=True)
class MedicineFact(Fact):
    """A medicine, its latest doses (newest first), counts of all of them, and what is due."""

    name: str = ""
    dose: str = ""
    started_on: dt.date = dt.date.min
    until_on: dt.date | None = None
    is_ended: bool = False
    recent: tuple[DoseFact, ...] = ()
    given: int = 0
    skipped: int = 0
    refused: int = 0
    next_day: dt.date | None = None
    next_clock: str = ""
    is_overdue: bool = False

    def is_current(self, today: dt.date) -> bool:
        """Whether it is being given."""
        return not self.is_ended and (self.until_on is None or self.until_on >= today)


@dataclass(frozen=True)
class PatternFact(Fact):
    """What is generally so, with its counts."""

    text: str = ""
    lifecycle: str = ""
    both: int = 0
    antecedent_days: int = 0
    outcome_days: int = 0
    days: int = 0
    antecedent: str = ""
    outcome: str = ""


@dataclass(frozen=True)
class PassageFact(Fact):
    """A piece of a document."""

    title: str = ""
    what: str = ""
    writer: str = ""
    day: dt.date | None = None
    page: int = 0
    text: str = ""
    score: float = 0.0


@dataclass(frozen=True)
class SaidFact(Fact):
    """Something somebody said, word for word."""

    day: dt.date = dt.date.min
    by: str = ""
    role: str = ""
    text: str = ""
    has_records: bool = True
    records: tuple[int, ...] = ()


@dataclass(frozen=True)
class Measure:
    """One value of the usual, then and now, as a page shows it."""

    label: str
    name: str
    now: str
    was: str = ""
    is_drift: bool = False


@dataclass(frozen=True)
class ProfileFact(Fact):
    """A measurement of the usual."""

    day: dt.date = dt.date.min
    was_on: dt.date | None = None
    measures: tuple[Measure, ...] = ()


@dataclass(frozen=True)
class PersonFact(Fact):
    """What travels with a child: needs, likes, what never to do."""

    diagnoses: tuple[str, ...] = ()
    sensory: str = ""
    communication: str = ""
    interests: tuple[str, ...] = ()
    calming: tuple[str, ...] = ()
    never_do: tuple[str, ...] = ()


@dataclass(frozen=True)
class SettledNote(Fact):
    """Something ruled out or settled, by whom and until when."""

    is_ruled_out: bool = True
    category: str = ""
    text: str = ""
    by: str = ""
    since: dt.date = dt.date.min
    until: dt.date | None = None


@dataclass(frozen=True)
class Flag:
    """A red flag the question itself raises: what it is about and whom to call."""

    title: str
    text: str


@dataclass(frozen=True)
class Book:
    """Everything one answer may be written from."""

    name: str
    today: dt.date
    is_animal: bool = False
    age: str = ""
    breed: str = ""
    events: tuple[EventFact, ...] = ()  # newest first
    uses: tuple[Use, ...] = ()
    strategies: tuple[StrategyFact, ...] = ()
    days: tuple[DayFact, ...] = ()  # newest first
    courses: tuple[CourseFact, ...] = ()  # newest first
    medicines: tuple[MedicineFact, ...] = ()
    patterns: tuple[PatternFact, ...] = ()
    passages: tuple[PassageFact, ...] = ()
    said: tuple[SaidFact, ...] = ()  # newest first
    settled: tuple[SettledNote, ...] = ()
    profile: ProfileFact | None = None
    person: PersonFact | None = None
    flags: tuple[Flag, ...] = ()

    def fact(self, ref: str) -> Fact | None:
        """The row of a public id."""
        return next((one for one in self.facts() if one.ref == ref), None)

    def facts(self) -> tuple[Fact, ...]:
        """Every row."""
        single = tuple(one for one in (self.profile, self.person) if one is not None)
        return (
            *self.events,
            *self.strategies,
            *self.days,
            *self.courses,
            *self.medicines,
            *self.patterns,
            *self.passages,
            *self.said,
            *self.settled,
            *single,
        )
