"""What Today shows: who there is, what waits for an answer, what was noted, what is open."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db.models import Q

from household.access import Sight, visible
from household.models import Person
from household.rules.permissions import Resource
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
from twin.services.days import day_of
from twin.services.doses import Standing, standing, with_recent

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


def gather_today(person: Person, sight: Sight, *, now: dt.datetime) -> Today:
    """Everything Today shows this person, in ten queries however many subjects there are."""
    subjects = {
        pk: SubjectToday(
            one.subject, day_of(one.subject, now), hue=n % HUES + 1, may_add=Resource.OBSERVATION in one.adds
        )
        for n, (pk, one) in enumerate(sight.subjects.items())
    }
    if not subjects:
        return Today([], [], [])
    todays = Q()
    for pk, one in subjects.items():
        todays |= Q(subject_id=pk, day=one.day)
    for record in _noted(person, todays):
        subjects[record.subject_id].noted.append(record)
    for fill in _fills(person, subjects.values()):
        subjects[fill.subject_id].fills.append(fill)
    for course in _courses(person, subjects):
        subjects[course.record.subject_id].courses.append(course)
    _add_daily(person, subjects, now=now)
    return Today(list(subjects.values()), _questions(person), _agenda(person, todays))


def _add_daily(person: Person, subjects: dict[int, SubjectToday], *, now: dt.datetime) -> None:
    """Today's events, the medicines as they stand, and what a family counts, each with its subject."""
    todays = _local_days(subjects.values())
    for event in visible(person, Resource.OBSERVATION, Event.objects.filter(todays)).order_by("at", "pk"):
        subjects[event.subject_id].events.append(event)
    given = with_recent(Medicine.objects.filter(subject__in=subjects, ended_at=None))
    for row in visible(person, Resource.OBSERVATION, given).order_by("name", "pk"):
        subjects[row.subject_id].medicines.append(standing(row, subjects[row.subject_id].subject, now=now))
    links = TrackableSubject.objects.filter(subject__in=subjects, trackable__put_away_at=None)
    shown = visible(person, Resource.OBSERVATION, links.select_related("trackable"))
    for link in shown.order_by("trackable__name", "pk"):
        subjects[link.subject_id].trackables.append(link.trackable)
    logged = TrackableEntry.objects.filter(todays, undone_at=None)
    for entry in visible(person, Resource.OBSERVATION, logged):
        subjects[entry.subject_id].entries.append(entry)


def _local_days(subjects: Iterable[SubjectToday]) -> Q:
    todays = Q()
    for one in subjects:
        todays |= Q(subject_id=one.subject.pk, local_day=one.day)
    return todays


def _noted(person: Person, todays: Q) -> Sequence[Record]:
    rows = Record.objects.standing().filter(todays, kind="symptom", lifecycle="day")
    return list(visible(person, Resource.OBSERVATION, rows).order_by("id"))


def _fills(person: Person, subjects: Iterable[SubjectToday]) -> Sequence[FormFill]:
    rows = FormFill.objects.filter(_local_days(subjects)).select_related("author")
    return list(visible(person, Resource.OBSERVATION, rows).order_by("at"))


def _questions(person: Person) -> list[Question]:
    rows = Question.objects.filter(state="open").select_related("entry__statement", "subject")
    return list(visible(person, Resource.CONVERSATION, rows).order_by("deadline_at"))


def _agenda(person: Person, todays: Q) -> list[AgendaItem]:
    rows = AgendaItem.objects.filter(todays).select_related("subject", "course")
    return list(visible(person, Resource.OBSERVATION, rows).order_by("state", "subject_id", "rank"))


def _courses(person: Person, subjects: dict[int, SubjectToday]) -> list[CourseToday]:
    rows = list(visible(person, Resource.OBSERVATION, Record.objects.open_courses()).order_by("-id"))
    shown = {row.pk: CourseToday(row, 1, None) for row in rows if row.subject_id in subjects}
    first = min((one.day for one in subjects.values()), default=dt.date.min)
    days = CourseDay.objects.filter(course__in=shown, day__gt=first - dt.timedelta(days=SPARK_DAYS + 1))
    by_course: dict[int, dict[dt.date, CourseDay]] = {}
    for one in days.order_by("day"):
        by_course.setdefault(one.course_id, {})[one.day] = one
    for pk, course in shown.items():
        today = subjects[course.record.subject_id].day
        seen = by_course.get(pk, {})
        course.day_number = (today - (course.record.started_on or course.record.sort_on or today)).days + 1
        course.last_trajectory = seen[max(seen)].trajectory if seen else None
        course.points = spark_days(seen, today)
    return list(shown.values())


def spark_days(seen: dict[dt.date, CourseDay], today: dt.date) -> list[CourseDay | None]:
    """The last two weeks from the first day seen in them; None stands for a day nobody looked."""
    if not seen:
        return []
    first = max(min(seen), today - dt.timedelta(days=SPARK_DAYS - 1))
    return [seen.get(first + dt.timedelta(days=n)) for n in range((today - first).days + 1)]
