"""Running rounds: one day under its lease, everything that is due, everything that is late."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Generator
from contextlib import closing
from itertools import islice

from django.db import transaction
from django.db.models import Min

from twin.models import RoundRun, Subject
from twin.rules.day import days_due
from twin.services.days import day_of, first_day, last_closed_day
from twin.services.filing import lock_subject
from twin.services.rounds.courses import merge_day, move_courses
from twin.services.rounds.leases import LeaseHeld, held_lease, take_lease
from twin.services.rounds.night import Night, Step
from twin.services.rounds.outlook import age_questions, make_agenda, make_frame
from twin.services.rounds.proposing import propose
from twin.services.rounds.questions import adjudicate, expire_questions
from twin.services.rounds.rewinding import close_again, drop_forgotten, rewind

log = logging.getLogger("hearthbook.rounds")

# A round that ran within this time after it was due was no catching up.
NIGHTLY = dt.timedelta(days=1)
# In order; each gives counts of what it did. An app above this one adds its step when it is loaded.
STEPS: list[tuple[str, Step]] = [
    ("deadlines", expire_questions),
    ("courses", merge_day),
    ("adjudication", adjudicate),
    ("lifecycle", move_courses),
    ("frame", make_frame),
    ("agenda", make_agenda),
    ("ageing", age_questions),
]


def run_round(*, subject_id: int, day: dt.date, now: dt.datetime) -> RoundRun:
    """Close one subject's local day. Running it again changes nothing. Raises LeaseHeld."""
    with held_lease(subject_id, now=now), transaction.atomic():
        return _close(subject_id, day, now=now)


def _close(subject_id: int, day: dt.date, *, now: dt.datetime) -> RoundRun:
    """One day's whole effect, in the caller's transaction; a day that stands closed is left as it is."""
    subject = lock_subject(subject_id)
    held = RoundRun.objects.filter(subject=subject, day=day).first()
    if held is not None and not held.is_dirty:
        return held
    night = Night(subject, day)
    if held is not None:
        rewind(night)
        late = RoundRun.objects.filter(subject=subject, day__gte=day).order_by("day")
        days = [run.day for run in late]
    else:
        days = _days_until(subject, day)
    runs = {one: _run_steps(Night(subject, one, night.pool, night.closings), now=now) for one in days}
    drop_forgotten(night)
    return runs[day]


def _days_until(subject: Subject, day: dt.date) -> list[dt.date]:
    """`day` and every day before it that is not closed yet: no day is ever left out."""
    last = last_closed_day(subject)
    first = first_day(subject) if last is None else last + dt.timedelta(days=1)
    return [first + dt.timedelta(days=n) for n in range((day - first).days)] + [day]


def _run_steps(night: Night, *, now: dt.datetime) -> RoundRun:
    close_again(night)
    counts = {name: dict(step(night)) for name, step in STEPS}
    return RoundRun.objects.update_or_create(
        subject=night.subject,
        day=night.day,
        defaults={"counts": counts, "ran_at": now, "is_dirty": False},
    )[0]


def due_days(subject: Subject, *, now: dt.datetime) -> list[dt.date]:
    """The days of one subject to run, oldest first: dirty ones, then those that ended and are not closed."""
    dirty = RoundRun.objects.filter(subject=subject, is_dirty=True).aggregate(first=Min("day"))["first"]
    ended = days_due(
        last_closed_day(subject),
        first_day(subject),
        now,
        zone=subject.time_zone,
        day_starts_at=subject.day_starts_at,
    )
    return ([dirty] if dirty else []) + list(ended)


def catch_up(subject: Subject, *, now: dt.datetime) -> Generator[RoundRun, None, None]:
    """Run every due day of a subject in order, one by one. Raises LeaseHeld."""
    with held_lease(subject.pk, now=now) as owner:
        take_back_ahead(subject, now=now)
        while days := due_days(subject, now=now):
            for day in days:
                if not take_lease(subject.pk, owner, now=now):
                    raise LeaseHeld
                with transaction.atomic():
                    run = _close(subject.pk, day, now=now)
                yield run


def take_back_ahead(subject: Subject, *, now: dt.datetime) -> int:
    """Take back the rounds of days that have not ended, run while the clock was ahead. Gives how many.

    They would stand in the way of the real ones until the clock came there again. A clock that is behind
    sees days to come as well: theirs ran in the night after each, and stay.
    """
    today = day_of(subject, now)
    ahead = RoundRun.objects.filter(subject=subject, day__gte=today)
    first = ahead.order_by("day").first()
    if first is None or first.ran_at <= Night(subject, first.day).due_at + NIGHTLY:
        return 0
    with transaction.atomic():
        night = Night(lock_subject(subject.pk), today)
        rewind(night)
        count = ahead.delete()[0]
        for day in sorted({move.day for move in night.closings}):
            close_again(Night(night.subject, day, night.pool, night.closings))
        drop_forgotten(night)
        # The last real night is run again, so that the page shows how things stand since it.
        RoundRun.objects.filter(subject=subject, day=today - dt.timedelta(days=1)).update(is_dirty=True)
    log.warning(
        "subject %s: %d rounds of days to come are taken back: the clock was ahead", subject.pk, count
    )
    return count


def run_due(*, now: dt.datetime, most: int | None = None) -> int:
    """Run what is due for every subject, `most` days of each where it is given. Counts days.

    A subject that another worker holds is left to it.
    """
    done = 0
    for subject in Subject.objects.order_by("id"):
        try:
            with closing(catch_up(subject, now=now)) as nights:
                closed = sum(1 for _ in islice(nights, most))
        except LeaseHeld:
            log.info("subject %s: another worker runs its round", subject.pk)
            continue
        if closed:
            propose(subject, now=now)
        done += closed
    return done
