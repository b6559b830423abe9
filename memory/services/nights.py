"""The whole night of a household: the twin's round with what memory adds, and what is due when."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Iterator, Sequence

from twin.models import RoundRun, Subject
from twin.services.rounds.leases import LeaseHeld
from twin.services.rounds.night import Step
from twin.services.rounds.run import STEPS, catch_up, due_days, run_round

log = logging.getLogger("hearthbook.rounds")

NIGHT_STEPS: Sequence[tuple[str, Step]] = STEPS


def run_night(*, subject_id: int, day: dt.date, now: dt.datetime) -> RoundRun:
    """Close one subject's day with every step there is. Raises LeaseHeld."""
    return run_round(subject_id=subject_id, day=day, now=now, steps=NIGHT_STEPS)


def run_due(*, now: dt.datetime) -> Iterator[RoundRun]:
    """Run whatever is due for every subject; a subject that another worker holds is left to it."""
    for subject in Subject.objects.order_by("id"):
        try:
            yield from catch_up(subject, now=now, steps=NIGHT_STEPS)
        except LeaseHeld:
            log.info("subject %s: another worker runs its round", subject.pk)


def is_overdue(*, now: dt.datetime) -> bool:
    """Whether some subject has a day to close."""
    return any(due_days(subject, now=now) for subject in Subject.objects.order_by("id"))
