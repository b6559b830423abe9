"""Today at a glance: is everyone all right, and what comes next. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

# What one course says of its subject, by its last trajectory.
WORSE = frozenset({"worsening", "onset"})
BETTER = frozenset({"improving", "normal"})


class Condition(StrEnum):
    """How one subject is, in one word."""

    WORSE = "worse"
    GOING_ON = "going_on"
    BETTER = "better"
    NOTED = "noted"
    QUIET = "quiet"
    UNSEEN = "unseen"


class Next(StrEnum):
    """What is to be done next, the most urgent first."""

    QUESTION = "question"
    LATE_DOSE = "late_dose"
    AGENDA = "agenda"
    DOSE = "dose"
    NOTE = "note"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Waiting:
    """What waits today: counts, and when the next dose is due."""

    questions: int = 0
    agenda: int = 0
    late_doses: int = 0
    next_dose_at: dt.datetime | None = None
    unnoted: int = 0


def condition_of(
    trajectories: Sequence[str | None], *, noted: Iterable[str | None], is_looked: bool
) -> Condition:
    """How a subject is: its open courses first, then what was noted today."""
    if any(one in WORSE for one in trajectories):
        return Condition.WORSE
    if trajectories:
        return Condition.BETTER if all(one in BETTER for one in trajectories) else Condition.GOING_ON
    if "abnormal" in list(noted):
        return Condition.NOTED
    return Condition.QUIET if is_looked else Condition.UNSEEN


def next_of(waiting: Waiting) -> Next:
    """The one thing to do next."""
    order = (
        (waiting.late_doses, Next.LATE_DOSE),
        (waiting.questions, Next.QUESTION),
        (waiting.agenda, Next.AGENDA),
        (waiting.next_dose_at is not None, Next.DOSE),
        (waiting.unnoted, Next.NOTE),
    )
    return next((what for waits, what in order if waits), Next.NOTHING)
