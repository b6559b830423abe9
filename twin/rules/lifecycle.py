"""The life of a course: active, passive, dormant, closed. Pure.

Theory. A course is what a day becomes once a finding lasts. From then on every night asks one question: what
do the *observed* days say? A day nobody spoke of says nothing, so silence is never recovery.

    day      one day's finding, no course yet
    active   the finding stands, or has not been seen gone for long enough
    passive  seen gone: at least PASSIVE_NORMAL_DAYS observed normal days since the last abnormal one, and the
             course's quiet days to passive are over
    dormant  nobody spoke of it for DORMANT_AFTER days; the next word, good or bad, wakes it
    closed   over: at least CLOSED_DAYS calendar days since the last abnormal day, CLOSED_NORMAL_DAYS of them
             observed normal, and the quiet days to close are over; or a person closed it, with a reason

Quiet days (horizons) are a proposal, a table's or a model's. Floors are these constants: a proposal may ask
for more patience, never for less. A chronic course goes passive and never closes by itself. Closed is final:
the same finding later is a new course.

Apart from that the state is a function of the days alone, so a night run twice, or run again after late
words, gives the same. Silence is asked before closing: a course that is out of sight does not close out of
sight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from twin.rules.entries import Polarity

Lifecycle = Literal["day", "active", "passive", "dormant", "closed"]

PASSIVE_NORMAL_DAYS = 3
CLOSED_DAYS = 7
CLOSED_NORMAL_DAYS = 5
DORMANT_AFTER = 14

MOVES: Mapping[Lifecycle, frozenset[Lifecycle]] = {
    "day": frozenset({"active"}),
    "active": frozenset({"passive", "dormant", "closed"}),
    "passive": frozenset({"active", "dormant", "closed"}),
    "dormant": frozenset({"active", "passive", "closed"}),
    "closed": frozenset(),
}

_REASONS: Mapping[Lifecycle, str] = {"passive": "quiet", "dormant": "silent", "closed": "recovered"}


class RefusedClosing(ValueError):
    """A course was closed without a reason, twice, or before it was one; `code` says which."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Horizons:
    """Quiet days, counted from the last abnormal one, until a course may go passive and may close."""

    to_passive: int
    to_close: int


@dataclass(frozen=True)
class CourseState:
    """A course as it stands before tonight. `started_on` stands in where no day was abnormal."""

    lifecycle: Lifecycle
    started_on: date
    chronic: bool = False


@dataclass(frozen=True)
class ObservedDay:
    """A day on which somebody spoke of the finding, and what they found. Unobserved days have none."""

    day: date
    polarity: Polarity


@dataclass(frozen=True)
class Transition:
    """What a course was and became, and why. `ended_on` only when it closed: the last abnormal day."""

    was: Lifecycle
    became: Lifecycle
    reason: str
    ended_on: date | None = None

    @property
    def is_move(self) -> bool:
        """Whether anything changed."""
        return self.was != self.became


def clamp(horizons: Horizons) -> Horizons:
    """The horizons with the floors applied: never less patient, and never closing before going passive."""
    to_passive = max(horizons.to_passive, PASSIVE_NORMAL_DAYS)
    return Horizons(to_passive, max(horizons.to_close, CLOSED_DAYS, to_passive))


def next_lifecycle(
    course: CourseState, days: Sequence[ObservedDay], horizons: Horizons, today: date
) -> Transition:
    """What the course is at the end of `today`. Days after it are not looked at."""
    if course.lifecycle in ("closed", "day"):
        return Transition(course.lifecycle, course.lifecycle, "unchanged")
    known = [day for day in days if day.day <= today]
    last_abnormal = max((d.day for d in known if d.polarity == "abnormal"), default=course.started_on)
    became = _state(course, known, clamp(horizons), last_abnormal, today)
    reason = _REASONS.get(became) or ("woken" if course.lifecycle == "dormant" else "abnormal_again")
    return Transition(
        course.lifecycle,
        became,
        reason if became != course.lifecycle else "unchanged",
        last_abnormal if became == "closed" else None,
    )


def close_by_hand(
    course: CourseState, days: Sequence[ObservedDay], *, reason: str, today: date
) -> Transition:
    """A person's closing of any open course, chronic ones too. Raises RefusedClosing."""
    if course.lifecycle == "day":
        raise RefusedClosing("not_a_course")
    if course.lifecycle == "closed":
        raise RefusedClosing("closed_already")
    if not reason.strip():
        raise RefusedClosing("reason_missing")
    last = max(
        (d.day for d in days if d.polarity == "abnormal" and d.day <= today), default=course.started_on
    )
    return Transition(course.lifecycle, "closed", reason.strip(), last)


def _state(
    course: CourseState, known: Sequence[ObservedDay], floors: Horizons, last_abnormal: date, today: date
) -> Lifecycle:
    last_spoken = max((d.day for d in known), default=course.started_on)
    quiet = (today - last_abnormal).days
    normal_days = len({d.day for d in known if d.day > last_abnormal})
    if (today - last_spoken).days >= DORMANT_AFTER:
        return "dormant"
    if not course.chronic and quiet >= floors.to_close and normal_days >= CLOSED_NORMAL_DAYS:
        return "closed"
    if quiet >= floors.to_passive and normal_days >= PASSIVE_NORMAL_DAYS:
        return "passive"
    return "active"
