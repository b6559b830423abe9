"""The shapes the time reader passes around: a mention found, and the scene it is read in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from twin.rules.entries import Precision, Since, Today

Role = Literal["moment", "onset", "duration", "now", "frequency", "future", "age", "vague", "event"]

PHRASE = Since(kind="phrase")


@dataclass(frozen=True)
class TimeMention:
    """One run of time words: where it stands, what it means, and the rule that read it."""

    start: int
    end: int
    words: str
    role: Role
    since: Since | None
    today: Today | None
    why: str


@dataclass(frozen=True)
class Scene:
    """Who speaks of whom and when. `minute` counts from midnight of `day` and passes 1440 after it.

    `day_start` is the minute at which a subject's day begins (03:00 at home, 00:00 for plain dates);
    `past_only` reads dates backwards whatever the verb says.
    """

    day: date
    minute: int
    day_start: int = 180
    species: str = "other"
    born_on: date | None = None
    names: frozenset[str] = frozenset()
    past_only: bool = False


@dataclass(frozen=True)
class Hit:
    """What one rule read: tokens up to `end` (exclusive). `open` hits yield to a future verb beside them."""

    end: int
    role: Role
    since: Since | None
    today: Today | None
    why: str
    open: bool = False


def dated(on: date, precision: Precision) -> Since:
    """A date onset."""
    return Since(kind="date", on=on, precision=precision)


def aged(low: int, high: int) -> Since:
    """An age onset, in months."""
    return Since(kind="age", low_months=low, high_months=high)
