"""One page of a subject's timeline, by the last row shown and not by counting."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q, QuerySet

from household.access import seen
from household.models import Person
from household.prepared import prepared
from household.rules.permissions import Resource
from twin.models import CourseDay, LedgerEntry, Record
from twin.models.records import RecordQuerySet
from twin.rules.cursor import Cursor

PAGE_SIZE = 20
COURSES_SHOWN = 12
STRETCHES = (dt.timedelta(weeks=1), dt.timedelta(weeks=8))


@dataclass(frozen=True)
class TimelineFilter:
    """What of the timeline is asked for; empty is all of it."""

    show: str = ""  # abnormal, normal, courses
    category: str = ""
    kind: str = ""

    @property
    def is_on(self) -> bool:
        """Whether anything is asked for in particular."""
        return bool(self.show or self.category or self.kind)

    def applied(self, rows: RecordQuerySet) -> RecordQuerySet:
        """The rows that were asked for."""
        if self.show in {"abnormal", "normal"}:
            rows = rows.filter(polarity=self.show)
        if self.show == "courses":
            rows = rows.filter(kind="symptom").exclude(lifecycle="day")
        if self.category:
            rows = rows.filter(category=self.category)
        return rows.filter(kind=self.kind) if self.kind else rows


def timeline_page(
    person: Person,
    wanted: TimelineFilter,
    *,
    subject_id: int | None = None,
    after: Cursor | None = None,
    today: dt.date | None = None,
) -> tuple[list[Record], Cursor | None]:
    """The next rows this person may see, newest first and the undated last; where to go on.

    Each has the entries behind it as `said`. With `today`, rows of several subjects, which no index holds in
    one order: some days are looked at first, and all of the past only where they do not fill a page.
    """
    found = _newest(person, wanted, subject_id=subject_id, after=after, today=today)
    more, page = len(found) > PAGE_SIZE, found[:PAGE_SIZE]
    _attach_said(person, page)
    return page, Cursor(page[-1].sort_on, page[-1].pk) if more else None


def _newest(
    person: Person,
    wanted: TimelineFilter,
    *,
    subject_id: int | None,
    after: Cursor | None,
    today: dt.date | None,
) -> list[Record]:
    given: dict[str, Any] = {"subject": subject_id} if subject_id is not None else {}
    if after and not after.on:
        return seen(person, Resource.OBSERVATION, _undated, wanted, **given, number=after.number)
    given |= {"on": after.on, "number": after.number} if after else {}
    begins = after.on if today and after and after.on else today
    for stretch in STRETCHES if begins else ():
        assert begins
        found = seen(person, Resource.OBSERVATION, _dated, wanted, **given, since=begins - stretch)
        if len(found) > PAGE_SIZE:
            return found
    return sorted(seen(person, Resource.OBSERVATION, _all, wanted, **given), key=_place)


def _place(row: Record) -> tuple[bool, int, int]:
    return row.sort_on is None, -row.sort_on.toordinal() if row.sort_on else 0, -row.pk


@prepared(most=PAGE_SIZE + 1)
def _all(wanted: TimelineFilter, **given: Any) -> tuple[RecordQuerySet, RecordQuerySet]:
    subject = {name: given[name] for name in ("subject",) if name in given}
    return _dated.build(wanted, **given), _undated.build(wanted, **subject)  # type: ignore[return-value]


@prepared(most=PAGE_SIZE + 1)
def _dated(
    wanted: TimelineFilter,
    *,
    subject: int | None = None,
    on: dt.date | None = None,
    number: int | None = None,
    since: dt.date | None = None,
) -> RecordQuerySet:
    rows = _wanted_rows(wanted, subject).filter(sort_on__isnull=False)
    if since is not None:
        rows = rows.filter(sort_on__gte=since)
    if on is not None:
        rows = rows.filter(Q(sort_on__lt=on) | Q(sort_on=on, id__lt=number))
    return rows.order_by("-sort_on", "-id")


@prepared(most=PAGE_SIZE + 1)
def _undated(
    wanted: TimelineFilter, *, subject: int | None = None, number: int | None = None
) -> RecordQuerySet:
    rows = _wanted_rows(wanted, subject).filter(sort_on=None)
    return (rows if number is None else rows.filter(id__lt=number)).order_by("-id")


def _wanted_rows(wanted: TimelineFilter, subject: int | None) -> RecordQuerySet:
    rows = wanted.applied(Record.objects.standing().shown())
    return rows if subject is None else rows.filter(subject=subject)


def _attach_said(person: Person, page: list[Record]) -> None:
    """Give every record the entries behind it in order, as far as this person may see them, as `said`."""
    behind: dict[int, list[LedgerEntry]] = {}
    for entry in seen(person, Resource.OBSERVATION, _behind, records=[row.pk for row in page]):
        behind.setdefault(entry.record_id or 0, []).append(entry)
    for row in page:
        row.said = behind.get(row.pk, [])  # type: ignore[attr-defined]


@prepared()
def _behind(*, records: list[int]) -> QuerySet[LedgerEntry]:
    filed = LedgerEntry.objects.filter(record__among=records, state="filed")
    return filed.order_by("said_at", "id").only("record", "words")


def courses_of(person: Person, subject_id: int) -> list[Record]:
    """A subject's courses as far as this person may see them, the open ones first and with `seen_days`."""
    found = seen(person, Resource.OBSERVATION, _courses, subject=subject_id)
    days: dict[int, list[CourseDay]] = {one.pk: [] for one in found if one.lifecycle != "closed"}
    for day in seen(person, Resource.OBSERVATION, _days, courses=list(days)) if days else ():
        days[day.course_id].append(day)
    for one in found:
        one.seen_days = days.get(one.pk, [])  # type: ignore[attr-defined]
    return found


@prepared(most=COURSES_SHOWN)
def _courses(*, subject: int) -> RecordQuerySet:
    in_turn = F("ended_on").desc(nulls_first=True), F("started_on").desc(nulls_last=True), "-id"
    rows = Record.objects.courses().standing().shown().filter(subject=subject)
    return rows.exclude(closed_reason="withdrawn").order_by(*in_turn)


@prepared()
def _days(*, courses: list[int]) -> QuerySet[CourseDay]:
    rows = CourseDay.objects.filter(course__among=courses).order_by("day")
    return rows.only("course", "day", "severity", "polarity", "trajectory")
