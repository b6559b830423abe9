"""What the demo's story is made of: people, subjects, what helps, and acts in time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from twin.rules.entries import Entry, Kind


@dataclass(frozen=True)
class Cast:
    """One member of the household by its key in the story; `role` holds for every subject."""

    key: str
    name: str
    role: str


@dataclass(frozen=True)
class Being:
    """One subject: the columns of its row, and a child's profile."""

    key: str
    created_at: dt.datetime
    columns: Mapping[str, Any]
    person: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Act:
    """Something that happened at a moment, under a label that stays whatever the seed."""

    at: dt.datetime
    label: str
    subject: str
    by: str


@dataclass(frozen=True)
class Said(Act):
    """A statement with its reading written beside it, so that no reader decides what the demo holds."""

    text: str
    kinds: frozenset[Kind]
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Filled(Act):
    """One fill of the tap form: {field: level}."""

    levels: Mapping[str, str]


@dataclass(frozen=True)
class Happened(Act):
    """An event in words, and the strategies tried in it with their outcomes."""

    kind: str
    minutes: int
    impact: int
    words: Mapping[str, str]  # place, antecedent, behaviour, tried, outcome
    uses: Mapping[str, str]


@dataclass(frozen=True)
class Began(Act):
    """A strategy or a medicine entered the book: the columns of its row."""

    what: str  # strategy, medicine
    columns: Mapping[str, Any]


@dataclass(frozen=True)
class Used(Act):
    """A strategy used outside any event."""

    strategy: str
    day: dt.date
    outcome: str


@dataclass(frozen=True)
class Given(Act):
    """One dose of a medicine."""

    medicine: str
    outcome: str


@dataclass(frozen=True)
class Measured(Act):
    """One profile version."""

    version: int
    values: Mapping[str, Any]


@dataclass(frozen=True)
class Closed(Act):
    """The round of one subject's day."""

    day: dt.date


@dataclass(frozen=True)
class Story:
    """The whole of it: acts in the order of time, and the moment at which it stops."""

    language: str
    zone: str
    household: str
    cast: tuple[Cast, ...]
    beings: tuple[Being, ...]
    acts: tuple[Act, ...]
    now: dt.datetime

    @property
    def began_at(self) -> dt.datetime:
        """When its first subject entered the book."""
        return min(being.created_at for being in self.beings)
