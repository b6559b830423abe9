"""The shape of what a reader gives: entries of one statement, and the closed vocabularies they use.

Pure: no Django, no clock, no database. Both readers return a `Reading`; code decides the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Literal

Polarity = Literal["normal", "abnormal"]
Today = Literal["yes", "no", "unknown"]
Precision = Literal["day", "week", "month", "season", "year"]
SinceKind = Literal["date", "age", "phrase"]
Kind = Literal["observation", "question", "answer", "other"]
SignValue = bool | str | float | int

KINDS: tuple[Kind, ...] = ("observation", "question", "answer", "other")
PRECISIONS: tuple[Precision, ...] = ("day", "week", "month", "season", "year")


@dataclass(frozen=True)
class Since:
    """Since when, or when: a date cut to its precision, an age in months, or words that fix no date."""

    kind: SinceKind
    on: date | None = None
    precision: Precision | None = None
    low_months: int | None = None
    high_months: int | None = None


@dataclass(frozen=True)
class Entry:
    """One body system spoken of in one statement. `words` and `phrase` are verbatim."""

    category: str
    asserted: Polarity | None = None
    model_read: Polarity | None = None
    signs: dict[str, SignValue] = field(default_factory=dict)
    today: Today = "unknown"
    since: Since | None = None
    phrase: str | None = None
    words: str = ""
    subject: str | None = None  # name or kind word the entry is about, where the text named one
    why: tuple[str, ...] = ()  # which words decided, for "How this was read"


@dataclass(frozen=True)
class Reading:
    """What one statement holds: its kinds and zero or more entries, with what was dropped and why."""

    kinds: frozenset[Kind]
    entries: tuple[Entry, ...] = ()
    dropped: tuple[str, ...] = ()  # stable codes, one for each thing refused
    reader: str = "builtin"


@dataclass(frozen=True)
class ReadingContext:
    """What a reader may know beside the words.

    `spoken_on` is the subject's local *day* (after `day_starts_at`), `spoken_hour` 0-23 local,
    `species` person, cat, dog, rabbit, bird or other, `names` the household's subjects as (name, species).
    """

    language: Literal["en", "tr"]
    species: str
    spoken_on: date
    spoken_hour: int = 12
    born_on: date | None = None
    names: tuple[tuple[str, str], ...] = ()
