"""What rounds and rules made of the words: taken back now, and made again without them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.db.models import Max, Min

from memory.models import WorkingSet
from memory.rules.forgetting import HeldRecord, Reach, rounds_from
from twin.models import (
    Assessment,
    CourseStatement,
    Event,
    FormFill,
    Frame,
    FrameLog,
    LedgerEntry,
    Record,
    RoundRun,
    Statement,
    Subject,
)
from twin.services.days import last_closed_day, mark_dirty
from twin.services.rounds.night import Night
from twin.services.rounds.rewinding import rewind


def days_of(reach: Reach, held: Iterable[HeldRecord], subject_id: int) -> list[dt.date]:
    """The subject's days whose rounds knew what is forgotten; `held` are the records it touches."""
    entries = LedgerEntry.objects.filter(pk__in=reach.entries, subject=subject_id)
    found: set[dt.date | None] = set()
    for filed, day, spoken in entries.values_list("filed_day", "record__day", "local_day"):
        found |= {filed, day} if filed or day else {spoken}
    found |= {one.first_day for one in held if not one.is_course}
    for model, rows in ((Event, reach.events), (FormFill, reach.fills)):
        mine = model._base_manager.filter(pk__in=rows, subject=subject_id)
        found |= set(mine.values_list("local_day", flat=True))
    asked = LedgerEntry.objects.filter(question__answered_by__in=reach.statements, subject=subject_id)
    found |= set(asked.values_list("local_day", flat=True))
    return sorted(day for day in found if day is not None)


def take_back(subject: Subject, days: Iterable[dt.date]) -> dt.date | None:
    """Rewind the subject's rounds to before the first of these days. Gives the day they run again from.

    Courses that began since are emptied: a night that opens one again fills it from what remains.
    """
    known = list(days)
    first = rounds_from(known, last_closed_day(subject))
    if first is None:
        return None
    withdrawn = _withdrawn(subject)
    rewind(Night(subject, first))
    CourseStatement.objects.filter(subject=subject, day__gte=first).delete()  # the nights note them again
    emptied = Record.objects.filter(pk__in=_withdrawn(subject) - withdrawn)
    CourseStatement.objects.filter(course__in=emptied).delete()  # also of days before it opened
    for course in emptied:
        course.signs, course.context, course.turns, course.horizons = {}, {}, [], None
        course.time_phrase = course.sort_on = None  # `rewinding.drop_forgotten` knows it by this
        course.save()
    FrameLog.objects.filter(subject=subject, day__gte=first).delete()
    Frame.objects.filter(subject=subject, day__gte=first).delete()
    return first


def _withdrawn(subject: Subject) -> set[int]:
    rows = Record.objects.filter(subject=subject, lifecycle="closed", closed_reason="withdrawn")
    return set(rows.values_list("pk", flat=True))


def run_again(subject: Subject, first: dt.date | None, days: Iterable[dt.date]) -> None:
    """Let the rounds from the first day on run again with what remains."""
    known = sorted(days)
    start = first or (known[0] if known else None)
    if start is not None:
        mark_dirty(subject, start)


def frames_citing(subject: Subject, records: Iterable[int]) -> None:
    """Take frames that name a record without a day, and have the last round lay out a new one."""
    cited = "|".join(f"rec_{pk:06d}" for pk in sorted(records))
    if cited:
        FrameLog.objects.filter(subject=subject, body__regex=cited).delete()
        Frame.objects.filter(subject=subject, body__regex=cited).delete()
    last = RoundRun.objects.filter(subject=subject).aggregate(last=Max("day"))["last"]
    if last is not None and not Frame.objects.filter(subject=subject).exists():
        mark_dirty(subject, last)


def assessments(subject: Subject, since: dt.datetime | None) -> int:
    """Delete the summaries made since the words were told: those before cannot know them."""
    rows = Assessment.objects.filter(subject=subject)
    found = rows.filter(created_at__gte=since) if since is not None else rows
    return found.delete()[0]


def told_since(reach: Reach, subject_id: int) -> dt.datetime | None:
    """When the first of what is forgotten came into the house; None where that cannot be told."""
    moments = [
        model._base_manager.filter(pk__in=rows, subject=subject_id).aggregate(first=Min(column))["first"]
        for model, rows, column in (
            (Statement, reach.statements, "created_at"),
            (FormFill, reach.fills, "at"),
            (Event, reach.events, "created_at"),
            (Record, reach.records | reach.refolds, "created_at"),
        )
    ]
    known = [one for one in moments if one is not None]
    return min(known) if known and not reach.documents else None


def working_sets(subjects: Iterable[int]) -> int:
    """Drop what running conversations hold of these subjects: the next question gathers it anew."""
    return WorkingSet.objects.filter(subject__in=list(subjects)).delete()[0]
