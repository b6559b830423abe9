"""What a visit's print holds: everything about one subject over some days, in a handful of queries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, OuterRef, Prefetch, Q, QuerySet, Subquery, prefetch_related_objects
from django.db.models.functions import JSONObject

from household.rules.permissions import Resource
from twin.forms import PROFILE_FIELDS
from twin.models import (
    CourseDay,
    CourseStatement,
    Event,
    Medicine,
    PersonProfile,
    ProfileVersion,
    Record,
    Subject,
)

MOST_FINDINGS = 500
MOST_EVENTS = 60
MOST_VERSIONS = 12
WITHDRAWN = "withdrawn"
Seen = Callable[[Resource, QuerySet[Any]], QuerySet[Any]]  # the rows of a queryset the reader may see


@dataclass(frozen=True)
class Report:
    """The rows of a print: each list holds only what the reader may see."""

    first: dt.date
    last: dt.date
    person: dict[str, Any] | None
    versions: list[ProfileVersion]
    medicines: list[Medicine]
    events: list[Event]
    courses: list[Record]
    chronic: list[Record]
    findings: list[Record]
    others: list[Record]
    is_cut: bool

    @property
    def open_courses(self) -> list[Record]:
        """Courses that are not over."""
        return [row for row in self.courses if row.lifecycle != "closed"]

    @property
    def closed_courses(self) -> list[Record]:
        """Courses that are over."""
        return [row for row in self.courses if row.lifecycle == "closed"]

    def by_polarity(self, polarity: str) -> list[Record]:
        """The days' findings of one polarity, oldest first."""
        return [row for row in self.findings if row.polarity == polarity]

    @property
    def rec_ids(self) -> list[str]:
        """The id of every record on it."""
        rows = [*self.courses, *self.chronic, *self.findings, *self.others]
        return list(dict.fromkeys(row.rec_id for row in rows))


def gather_report(subject_id: int, first: dt.date, last: dt.date, *, seen: Seen) -> Report:
    """Everything about a subject from `first` to `last`, both included, that `seen` lets through."""
    facts = _facts(subject_id, first, last, seen)
    rows = list(_rows(subject_id, first, last, seen))
    findings = [row for row in rows if _is_finding(row)]
    courses = sorted((row for row in rows if row.lifecycle != "day"), key=_course_order)
    _attach(courses, first, last, seen)
    chronic = [row for row in rows if row.kind == "background" or (row.chronic and row.lifecycle == "day")]
    others = [row for row in rows if row.lifecycle == "day" and row not in chronic and not _is_finding(row)]
    return Report(
        first=first,
        last=last,
        courses=courses,
        chronic=chronic,
        findings=sorted(findings, key=lambda row: (row.day, row.pk))[-MOST_FINDINGS:],
        others=others,
        is_cut=len(findings) > MOST_FINDINGS,
        **facts,
    )


def _is_finding(row: Record) -> bool:
    return row.kind == "symptom" and row.lifecycle == "day" and not row.chronic and row.is_observed


def _course_order(row: Record) -> tuple[bool, dt.date]:
    return row.lifecycle == "closed", row.started_on or row.opened_on or dt.date.min


def _rows(subject_id: int, first: dt.date, last: dt.date, seen: Seen) -> QuerySet[Record]:
    """Courses that touch these days, what is chronic, what was noted in them. The newest come first."""
    touches = Q(opened_on__lte=last) & (Q(ended_on=None) | Q(ended_on__gte=first))
    course = ~Q(lifecycle="day") & touches & ~Q(closed_reason=WITHDRAWN)
    noted = Q(lifecycle="day", day__range=(first, last)) | Q(
        ~Q(kind__in=["symptom", "history"]), lifecycle="day", sort_on__range=(first, last)
    )
    lasting = Q(kind="background") | Q(chronic=True, lifecycle="day")
    rows = Record.objects.standing().filter(course | noted | lasting, subject_id=subject_id)
    newest_first = F("sort_on").desc(nulls_first=True), "-id"
    return seen(Resource.OBSERVATION, rows).order_by(*newest_first)[: MOST_FINDINGS * 2]


def _attach(courses: Sequence[Record], first: dt.date, last: dt.date, seen: Seen) -> None:
    """Give every course its observed days and what was said of it in these days."""
    said = CourseStatement.objects.filter(day__range=(first, last)).select_related(
        "entry__statement__author", "entry__fill__author"
    )
    prefetch_related_objects(
        list(courses),
        Prefetch(
            "days",
            seen(Resource.OBSERVATION, CourseDay.objects.filter(day__lte=last)).order_by("day"),
            to_attr="seen_days",
        ),
        Prefetch(
            "course_statements",
            seen(Resource.OBSERVATION, said).order_by("said_at", "id"),
            to_attr="said",
        ),
    )


def _facts(subject_id: int, first: dt.date, last: dt.date, seen: Seen) -> dict[str, Any]:
    """Profile, medicines and events, each as the reader may see it, in one query."""
    mine = {"subject_id": OuterRef("pk")}
    versions = seen(Resource.PROFILE, ProfileVersion.objects.filter(**mine, measured_on__lte=last))
    given = Q(until_on=None) | Q(until_on__gte=first)
    medicines = Medicine.objects.filter(given, **mine, started_on__lte=last).filter(
        Q(ended_at=None) | Q(ended_at__date__gte=first)
    )
    events = Event.objects.filter(**mine, local_day__range=(first, last))
    person = seen(Resource.PROFILE, PersonProfile.objects.filter(**mine))
    row = (
        Subject.objects.filter(pk=subject_id)
        .annotate(
            known=Subquery(person.values(shape=JSONObject(**{n: n for n in PROFILE_FIELDS}))[:1]),
            measured=_array(versions.order_by("-version"), "id version measured_on values", MOST_VERSIONS),
            given=_array(
                seen(Resource.OBSERVATION, medicines).order_by("name", "started_on"),
                "id name dose unit schedule gives started_on until_on ended_at",
                MOST_EVENTS,
            ),
            happened=_array(
                seen(Resource.OBSERVATION, events).order_by("-at"),
                "id kind local_day place antecedent behaviour tried outcome minutes impact",
                MOST_EVENTS,
            ),
        )
        .get()
    )
    return {
        "person": row.known,
        "versions": [ProfileVersion(**_dated(raw)) for raw in row.measured],
        "medicines": [Medicine(**_dated(raw)) for raw in row.given],
        "events": [Event(**_dated(raw)) for raw in reversed(row.happened)],
    }


def _array(rows: QuerySet[Any], names: str, most: int) -> ArraySubquery:
    shape = JSONObject(**{name: name for name in names.split()})
    return ArraySubquery(rows.values(shape=shape)[:most])


def _dated(raw: dict[str, Any]) -> dict[str, Any]:
    """A row as JSON with its days as dates."""
    return {
        name: dt.date.fromisoformat(value[:10]) if value and name.endswith(("_on", "_day")) else value
        for name, value in raw.items()
    }
