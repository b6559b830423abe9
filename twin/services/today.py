"""What Today shows: who there is, what waits for an answer, what was noted, what is open."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q, QuerySet

from household.access import Sight, seen, sees_all, visible
from household.models import Person
from household.prepared import prepared
from household.rules.permissions import Resource
from household.services.together import Part, fetch_together, made_once
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
    return Today(list(subjects.values()), _questions(person), _agenda(person, subjects), crises)


def _add_rows(person: Person, subjects: dict[int, SubjectToday], *, now: dt.datetime) -> list[Any]:
    """Everything of today in one query, each row to its subject; gives the cards the app above lent."""
    lent = above.crisis_rows(person)
    noted, fills, courses, days, events, medicines, linked, trackables, entries, *more = fetch_together(
        *_lists(person, subjects),
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


def _lists(person: Person, subjects: dict[int, SubjectToday]) -> Sequence[QuerySet[Any] | Part]:
    """What today's rows are asked by: made once for whoever sees all of everybody, all of one day."""
    days = {one.day for one in subjects.values()}
    first = min(days) - dt.timedelta(days=SPARK_DAYS)
    if len(days) == 1 and sees_all(person, Resource.OBSERVATION):
        return _whole_lists.parts(pks=list(subjects), day=min(days), first=first)
    return _querysets(
        lambda rows: visible(person, Resource.OBSERVATION, rows),
        lambda field: _todays(subjects, field),
        first,
    )


@made_once
def _whole_lists(*, pks: Any, day: Any, first: Any) -> Sequence[QuerySet[Any]]:
    return _querysets(lambda rows: rows.filter(subject_id__among=pks), lambda field: Q(**{field: day}), first)


def _querysets(
    narrow: Callable[[QuerySet[Any]], QuerySet[Any]], todays: Callable[[str], Q], first: Any
) -> Sequence[QuerySet[Any]]:
    """What was noted, filled in, is open, was seen of it, happened, is taken, counted, and counted today."""
    open_courses = narrow(Record.objects.open_courses())
    links = narrow(TrackableSubject.objects.all())
    counted = Trackable.objects.filter(pk__in=links.values("trackable_id"), put_away_at=None)
    noted = Record.objects.standing().filter(todays("day"), kind="symptom", lifecycle="day")
    return [
        narrow(noted).order_by("id"),
        narrow(FormFill.objects.filter(todays("local_day"))).order_by("at"),
        open_courses.order_by("-id"),
        CourseDay.objects.filter(course__in=open_courses.values("pk"), day__gte=first).order_by("day"),
        narrow(Event.objects.filter(todays("local_day"))).order_by("at", "pk"),
        narrow(with_recent(Medicine.objects.filter(ended_at=None))).order_by("name", "pk"),
        links.order_by("pk"),
        counted.order_by("name", "pk"),
        narrow(TrackableEntry.objects.filter(todays("local_day"), undone_at=None)),
    ]


def _todays(subjects: dict[int, SubjectToday], field: str) -> Q:
    """Rows whose `field` is their subject's own present day; most subjects of a house share theirs."""
    by_day: dict[dt.date, list[int]] = {}
    for pk, one in subjects.items():
        by_day.setdefault(one.day, []).append(pk)
    todays = Q()
    for day, pks in by_day.items():
        todays |= Q(subject_id__in=pks, **{field: day})
    return todays


def _questions(person: Person) -> list[Question]:
    return seen(person, Resource.CONVERSATION, _open_questions)


@prepared()
def _open_questions() -> QuerySet[Question]:
    rows = Question.objects.filter(state="open").select_related("entry__statement", "subject")
    return rows.order_by("deadline_at")


def _agenda(person: Person, subjects: dict[int, SubjectToday]) -> list[AgendaItem]:
    """What is to be asked today; the day of each subject is its own."""
    days = [one.day for one in subjects.values()]
    rows = seen(person, Resource.OBSERVATION, _asked, first=min(days), last=max(days))
    return with_tried(person, [row for row in rows if row.day == subjects[row.subject_id].day])


@prepared()
def _asked(*, first: dt.date, last: dt.date) -> QuerySet[AgendaItem]:
    rows = AgendaItem.objects.filter(day__gte=first, day__lte=last).select_related("subject", "course")
    return rows.order_by("state", "subject_id", "rank")


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
