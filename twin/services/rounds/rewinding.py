"""Taking back what rounds derived, so that they can run again in order with what came late."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db.models import F, Q

from twin.models import CourseDay, CourseMove, LedgerEntry, Record
from twin.models.records import OPEN_LIFECYCLES
from twin.rules.lifecycle import CourseState, ObservedDay, RefusedClosing, close_by_hand
from twin.services.filing import file_entry
from twin.services.folding import refold, sources_of
from twin.services.rounds.courses import regrade, retell_onset, show_latest, turns_of
from twin.services.rounds.night import Night

# A closing that a person decided: the round's own has this one reason.
_BY_HAND = Q(by__isnull=False) | Q(became="closed") & ~Q(reason="recovered")
# What a person said of a course without moving it: that it is there for long.
_REMARK = Q(was=F("became"))


def rewind(night: Night) -> None:
    """Take back what the rounds from this day on derived. What a person did stays, and is done again."""
    subject, day = night.subject, night.day
    _part_adjudicated(night)
    moves = CourseMove.objects.filter(subject=subject, day__gte=day).exclude(_REMARK)
    night.closings.extend(moves.filter(_BY_HAND).select_related("by").order_by("day", "id"))
    moves.exclude(pk__in=[move.pk for move in night.closings]).delete()
    CourseDay.objects.filter(subject=subject, day__gte=day).delete()
    Record.objects.filter(subject=subject, lifecycle="day", day__gte=day, course__isnull=False).update(
        course=None
    )
    for course in Record.objects.courses().filter(subject=subject).order_by("id"):
        last = course.moves.filter(day__lt=day).exclude(_REMARK).order_by("-day", "-id").first()
        if last is not None:
            _restore(course, last)
        elif course.opened_on and course.opened_on >= day:
            _shelve(course, night, course.opened_on)


def _part_adjudicated(night: Night) -> None:
    """Let the undated entries that these rounds placed wait for them again, with their phrase only."""
    before = Night(night.subject, night.day - dt.timedelta(days=1)).due_at
    undated = Q(today="unknown", resolved__isnull=True) | Q(resolved__today="unknown")
    rows = LedgerEntry.objects.filter(
        undated, subject=night.subject, state="filed", adjudicate=False, question__closed_at__gt=before
    ).select_related("record")
    for row in rows.order_by("id"):
        if row.record is None or row.record.kind == "history":
            row.adjudicate = True
            row.save(update_fields=["adjudicate"])
            continue
        joined = row.record
        file_entry(row, subject=night.subject, now=row.filed_at or night.ended_at, has_been_asked=True)
        remaining = sources_of(joined)
        if remaining:
            refold(joined, remaining, subject=night.subject)
            regrade(joined)
        else:
            joined.delete()


def _shelve(course: Record, night: Night, opened_on: dt.date) -> None:
    """A course that is not one any more, unless a night opens it again: then it is found in the pool."""
    night.pool.setdefault((course.category or "", course.site), {})[course.pk] = opened_on
    CourseDay.objects.filter(course=course).delete()
    Record.objects.filter(course=course).update(course=None)
    course.lifecycle, course.closed_reason, course.turns = "closed", "withdrawn", []
    course.ended_on = course.started_on or opened_on
    course.save(update_fields=["lifecycle", "closed_reason", "ended_on", "turns"])


def _restore(course: Record, last: CourseMove) -> None:
    """The course as it stood before the days that were taken back."""
    course.lifecycle, course.turns = last.became, turns_of(course)
    if course.lifecycle in OPEN_LIFECYCLES:
        course.ended_on, course.closed_reason, course.closed_by = None, "", None
    course.save(update_fields=["lifecycle", "ended_on", "closed_reason", "closed_by", "turns"])
    retell_onset(course)
    latest = course.days.order_by("-day").select_related("record").first()
    if latest is not None:
        show_latest(course, latest.record)


def close_again(night: Night) -> None:
    """What a person closed on this day is closed again, as they did: before the day's round."""
    for move in night.closings:
        course = Record.objects.get(pk=move.course_id)
        if move.day != night.day or course.lifecycle not in OPEN_LIFECYCLES:
            continue
        days = _observed(course, night.day)
        try:
            closing = close_by_hand(_state(course, days, night), days, reason=move.reason, today=night.day)
        except RefusedClosing:
            continue
        course.lifecycle, course.closed_reason, course.closed_by = "closed", move.reason, move.by
        course.ended_on = max(closing.ended_on or night.day, course.started_on or dt.date.min)
        course.save(update_fields=["lifecycle", "closed_reason", "closed_by", "ended_on"])


def _observed(course: Record, today: dt.date) -> list[ObservedDay]:
    days = CourseDay.objects.filter(course=course, day__lte=today).order_by("day")
    return [ObservedDay(one.day, one.polarity) for one in days]  # type: ignore[arg-type]


def _state(course: Record, days: Sequence[ObservedDay], night: Night) -> CourseState:
    started = days[0].day if days else course.opened_on or night.day
    return CourseState(course.lifecycle, started, course.chronic)  # type: ignore[arg-type]


def drop_forgotten(night: Night) -> None:
    """Delete the courses that a forgetting emptied and that no night opened again; they say nothing."""
    left = [pk for courses in night.pool.values() for pk in courses]
    emptied = Record.objects.filter(pk__in=left, lifecycle="closed", sort_on=None, signs={})
    emptied.filter(closed_reason="withdrawn").delete()
