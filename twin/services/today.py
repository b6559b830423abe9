"""What Today shows: who there is, what waits for an answer, what was noted, what is open."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import models
from django.db.models import Q, QuerySet

from household.access import Sight, visible
from household.models import Person
from household.rules.permissions import Resource
from household.services.together import fetch_together
from twin.models import (
    AgendaItem,
    CourseDay,
    Event,
    FormFill,
    Medicine,
    Question,
    Record,
    Subject,
    Trackable,
    TrackableEntry,
    TrackableSubject,
)
from twin.services.above import above
from twin.services.agenda import with_tried
from twin.services.days import day_of
from twin.services.doses import Standing, standing, with_recent

M = TypeVar("M", bound=models.Model)
SPARK_DAYS = 14
HUES = 6


@dataclass
class SubjectToday:
    """One subject on Today."""

    subject: Subject
    day: dt.date
    hue: int
    may_add: bool
    noted: list[Record] = field(default_factory=list)
    fills: list[FormFill] = field(default_factory=list)
    courses: list[CourseToday] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    medicines: list[Standing] = field(default_factory=list)
    trackables: list[Trackable] = field(default_factory=list)
    entries: list[TrackableEntry] = field(default_factory=list)


@dataclass
class CourseToday:
    """One open course with its last two weeks, unobserved days included."""

    record: Record
    day_number: int
    last_trajectory: str | None
    points: list[CourseDay | None] = field(default_factory=list)


@dataclass(frozen=True)
class Today:
    """The whole page."""

    subjects: list[SubjectToday]
    questions: list[Question]
    agenda: list[AgendaItem]
    crises: list[Any] = field(default_factory=list)


def gather_today(person: Person, sight: Sight, *, now: dt.datetime) -> Today:
    """Everything Today shows this person, in three queries however many subjects there are."""
    subjects = {
        pk: SubjectToday(
            one.subject, day_of(one.subject, now), hue=n % HUES + 1, may_add=Resource.OBSERVATION in one.adds
        )
        for n, (pk, one) in enumerate(sight.subjects.items())
    }
    if not subjects:
        return Today([], [], [])
    crises = _add_rows(person, subjects, now=now)
    todays = _todays(subjects, "day")
    return Today(list(subjects.values()), _questions(person), _agenda(person, todays), crises)


def _add_rows(person: Person, subjects: dict[int, SubjectToday], *, now: dt.datetime) -> list[Any]:
    """Everything of today in one query, each row to its subject; gives the cards the app above lent."""
    lent = above.crisis_rows(person)
    open_courses = visible(person, Resource.OBSERVATION, Record.objects.open_courses())
    links = visible(person, Resource.OBSERVATION, TrackableSubject.objects.filter(subject__in=subjects))
    counted = Trackable.objects.filter(pk__in=links.values("trackable_id"), put_away_at=None)
    noted, fills, courses, days, events, medicines, linked, trackables, entries, *more = fetch_together(
        _noted(person, _todays(subjects, "day")),
        _of_today(person, subjects, FormFill.objects.order_by("at")),
        open_courses.filter(subject__in=subjects).order_by("-id"),
        _spark_rows(open_courses, subjects),
        _of_today(person, subjects, Event.objects.order_by("at", "pk")),
        _medicines(person, subjects),
        links.order_by("pk"),
        counted.order_by("name", "pk"),
        _of_today(person, subjects, TrackableEntry.objects.filter(undone_at=None)),
        *([] if lent is None else [lent]),
    )
    for name, rows in (("noted", noted), ("fills", fills), ("events", events), ("entries", entries)):
        for row in rows:
            getattr(subjects[row.subject_id], name).append(row)
    for course in _courses(courses, days, subjects):
        subjects[course.record.subject_id].courses.append(course)
    for medicine in medicines:
        one = subjects[medicine.subject_id]
        one.medicines.append(standing(medicine, one.subject, now=now))
    pairs = {(link.subject_id, link.trackable_id) for link in linked}
    for pk, one in subjects.items():
        one.trackables = [row for row in trackables if (pk, row.pk) in pairs]
    crises = more[0] if more else []
    for card in crises:
        card.subject = subjects[card.subject_id].subject
    return crises


def _todays(subjects: dict[int, SubjectToday], field: str) -> Q:
    """Rows whose `field` is their subject's own present day; most subjects of a house share theirs."""
    by_day: dict[dt.date, list[int]] = {}
    for pk, one in subjects.items():
        by_day.setdefault(one.day, []).append(pk)
    todays = Q()
    for day, pks in by_day.items():
        todays |= Q(subject_id__in=pks, **{field: day})
    return todays


def _of_today(person: Person, subjects: dict[int, SubjectToday], rows: QuerySet[M]) -> QuerySet[M]:
    return visible(person, Resource.OBSERVATION, rows.filter(_todays(subjects, "local_day")))


def _noted(person: Person, todays: Q) -> QuerySet[Record]:
    rows = Record.objects.standing().filter(todays, kind="symptom", lifecycle="day")
    return visible(person, Resource.OBSERVATION, rows).order_by("id")


def _medicines(person: Person, subjects: dict[int, SubjectToday]) -> QuerySet[Medicine]:
    rows = with_recent(Medicine.objects.filter(subject__in=subjects, ended_at=None))
    return visible(person, Resource.OBSERVATION, rows).order_by("name", "pk")


def _spark_rows(courses: QuerySet[Record], subjects: dict[int, SubjectToday]) -> QuerySet[CourseDay]:
    first = min(one.day for one in subjects.values()) - dt.timedelta(days=SPARK_DAYS)
    return CourseDay.objects.filter(course__in=courses.values("pk"), day__gte=first).order_by("day")


def _questions(person: Person) -> list[Question]:
    rows = Question.objects.filter(state="open").select_related("entry__statement", "subject")
    return list(visible(person, Resource.CONVERSATION, rows).order_by("deadline_at"))


def _agenda(person: Person, todays: Q) -> list[AgendaItem]:
    rows = AgendaItem.objects.filter(todays).select_related("subject", "course")
    found = visible(person, Resource.OBSERVATION, rows).order_by("state", "subject_id", "rank")
    return with_tried(person, found)


def _courses(
    rows: Iterable[Record], days: Iterable[CourseDay], subjects: dict[int, SubjectToday]
) -> list[CourseToday]:
    by_course: dict[int, dict[dt.date, CourseDay]] = {}
    for one in days:
        by_course.setdefault(one.course_id, {})[one.day] = one
    shown = []
    for row in rows:
        today, seen = subjects[row.subject_id].day, by_course.get(row.pk, {})
        day_number = (today - (row.started_on or row.sort_on or today)).days + 1
        last = seen[max(seen)].trajectory if seen else None
        shown.append(CourseToday(row, day_number, last, spark_days(seen, today)))
    return shown


def spark_days(seen: dict[dt.date, CourseDay], today: dt.date) -> list[CourseDay | None]:
    """The last two weeks from the first day seen in them; None stands for a day nobody looked."""
    if not seen:
        return []
    first = max(min(seen), today - dt.timedelta(days=SPARK_DAYS - 1))
    return [seen.get(first + dt.timedelta(days=n)) for n in range((today - first).days + 1)]
