"""What a parent decides about a course by hand: that it is over, or that it is there for long."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db import transaction

from household.models import Person
from household.rules.text import sanitise
from twin.models import CourseDay, CourseMove, Record
from twin.rules.lifecycle import CourseState, ObservedDay, RefusedClosing, close_by_hand
from twin.services.days import day_of
from twin.services.filing import lock_subject

REASON_LIMIT = 500
LONG_TERM, NOT_LONG_TERM = "long_term", "not_long_term"  # lines of the log that move nothing


@transaction.atomic
def close_course(*, person: Person, course_id: int, reason: str, now: dt.datetime) -> Record:
    """Close a course, with who and why in its log; the same closing twice is one. Raises RefusedClosing."""
    subject = lock_subject(Record.objects.values_list("subject_id", flat=True).get(pk=course_id))
    course = Record.objects.select_for_update(no_key=True).get(pk=course_id)
    said = sanitise(reason).strip()[:REASON_LIMIT]
    if course.lifecycle == "closed" and (course.closed_by_id, course.closed_reason) == (person.pk, said):
        return course
    today = day_of(subject, now)
    days = _days(course)
    change = close_by_hand(_state(course, days, today), days, reason=said, today=today)
    course.lifecycle, course.closed_by, course.closed_reason = "closed", person, said
    course.ended_on = max(change.ended_on or today, course.started_on or dt.date.min)
    course.changed_at = now
    course.save(update_fields=["lifecycle", "closed_by", "closed_reason", "ended_on", "changed_at"])
    CourseMove.objects.create(
        course=course, subject=subject, day=today, was=change.was, became="closed", reason=said, by=person
    )
    return course


@transaction.atomic
def mark_chronic(*, course_id: int, chronic: bool, now: dt.datetime, person: Person | None = None) -> Record:
    """Say that a course is there for long, or is not: one that is may settle and never closes by itself.

    It leaves a line in the course's log. Saying it twice changes nothing. Raises RefusedClosing for a course
    that is over, or for none.
    """
    subject = lock_subject(Record.objects.values_list("subject_id", flat=True).get(pk=course_id))
    course = Record.objects.select_for_update(no_key=True).get(pk=course_id)
    if course.lifecycle in ("day", "closed"):
        raise RefusedClosing("not_a_course" if course.lifecycle == "day" else "closed_already")
    if course.chronic != chronic:
        course.chronic, course.changed_at = chronic, now
        course.save(update_fields=["chronic", "changed_at"])
        CourseMove.objects.create(
            course=course,
            subject=subject,
            day=day_of(subject, now),
            was=course.lifecycle,
            became=course.lifecycle,
            reason=LONG_TERM if chronic else NOT_LONG_TERM,
            by=person,
        )
    return course


def _state(course: Record, days: Sequence[ObservedDay], today: dt.date) -> CourseState:
    """The course as a re-run of its rounds would see it."""
    began = days[0].day if days else course.opened_on or today
    return CourseState(course.lifecycle, began, course.chronic)  # type: ignore[arg-type]


def _days(course: Record) -> list[ObservedDay]:
    rows = CourseDay.objects.filter(course=course).order_by("day")
    return [ObservedDay(one.day, one.polarity) for one in rows]  # type: ignore[arg-type]
