"""A professional's caseload: each subject's last days, what changed since the last visit, and the feed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet, Window
from django.db.models.functions import RowNumber

from household.access import Sight, seen, visible
from household.models import AccessLog, Person
from household.prepared import prepared
from household.rules.permissions import Resource, Role
from twin.models import Event, LedgerEntry, Record, Subject
from twin.services.days import day_of
from twin.services.events import add_event, correct_event
from twin.services.today import HUES

LAST_DAYS = 3
NOTED_SHOWN = 3
VISIT_GAP = dt.timedelta(minutes=30)  # looks closer together than this are one visit


class UnknownPart(ValueError):
    """The school log has no such part of the day, or no such answer."""


@dataclass
class CaseSubject:
    """One subject of the caseload; `since` is the last visit, None on the first."""

    subject: Subject
    hue: int
    day: dt.date
    may_add: bool
    may_hand_in: bool
    is_teacher: bool
    since: dt.datetime | None = None
    new_entries: int = 0
    noted: list[Record] = field(default_factory=list)
    courses: list[Record] = field(default_factory=list)
    opened: int = 0
    closed: int = 0

    @property
    def is_unchanged(self) -> bool:
        """Whether nothing came since the last visit."""
        return not (self.new_entries or self.opened or self.closed)


def gather_caseload(person: Person, sight: Sight, *, now: dt.datetime) -> list[CaseSubject]:
    """The cards, in a handful of queries however many subjects there are."""
    cards = {
        pk: CaseSubject(
            subject=one.subject,
            hue=number % HUES + 1,
            day=day_of(one.subject, now),
            may_add=Resource.OBSERVATION in one.adds,
            may_hand_in=Resource.DOCUMENT in one.adds,
            is_teacher=Role.TEACHER in one.roles,
        )
        for number, (pk, one) in enumerate(sight.subjects.items())
    }
    if not cards:
        return []
    for pk, since in _last_visits(person, cards, now=now).items():
        cards[pk].since = since
    _add_noted(person, cards)
    _add_courses(person, cards)
    _add_changes(person, cards)
    return list(cards.values())


def _last_visits(person: Person, pks: Iterable[int], *, now: dt.datetime) -> dict[int, dt.datetime]:
    """When the person last looked at each subject, this visit left out."""
    rows: list[Any] = _visits.rows_of(pks, person=person.pk, before=now - VISIT_GAP)
    return dict(rows)


@prepared()
def _visits(*, person: int, before: dt.datetime) -> Any:
    rows = AccessLog.objects.filter(person=person, at__lt=before)
    return rows.values_list("subject_id").annotate(last=Max("at"))


def _add_noted(person: Person, cards: dict[int, CaseSubject]) -> None:
    first = min(card.day for card in cards.values()) - dt.timedelta(days=LAST_DAYS)
    for record in seen(person, Resource.OBSERVATION, _noted, first=first):
        card, day = cards[record.subject_id], record.day
        if day is not None and day > card.day - dt.timedelta(days=LAST_DAYS):
            card.noted.append(record)


@prepared()
def _noted(*, first: dt.date) -> QuerySet[Record]:
    """The newest few of each subject from the days after `first`."""
    rows = Record.objects.standing().shown().filter(kind="symptom", lifecycle="day")
    place = Window(RowNumber(), partition_by="subject_id", order_by=("-day", "-pk"))
    rows = rows.filter(day__gt=first, sort_on__isnull=False).order_by("-day", "-pk")
    return rows.annotate(place=place).filter(place__lte=NOTED_SHOWN)


def _add_courses(person: Person, cards: dict[int, CaseSubject]) -> None:
    for record in seen(person, Resource.OBSERVATION, _open_courses):
        cards[record.subject_id].courses.append(record)


@prepared()
def _open_courses() -> QuerySet[Record]:
    return Record.objects.open_courses().shown().order_by("-started_on", "-pk")


def _add_changes(person: Person, cards: dict[int, CaseSubject]) -> None:
    """How much of what the person may see came since their last visit, their own words left out."""
    for pk, card in cards.items():
        if card.since is None:
            continue
        since_day = day_of(card.subject, card.since)
        told = LedgerEntry.objects.filter(subject=pk, state="filed", filed_at__gt=card.since)
        told = told.exclude(statement__author=person).exclude(fill__author=person)
        card.new_entries = visible(person, Resource.OBSERVATION, told).count()
        courses = Record.objects.standing().filter(subject=pk, kind="symptom").exclude(lifecycle="day")
        seen = visible(person, Resource.OBSERVATION, courses)
        card.opened = seen.filter(opened_on__gte=since_day).count()
        card.closed = seen.filter(lifecycle="closed", ended_on__gte=since_day).count()


# The school log: which part of the day, and how it was. A tap is an event of school with its impact.
PARTS = ("morning", "day")
ANSWERS = (2, 1, 0, -1, -2)


@transaction.atomic
def log_school(
    *, person: Person, subject: Subject, part: str, impact: int, words: str, now: dt.datetime
) -> Event:
    """Keep how school was; another tap of the same part the same day corrects it. Raises UnknownPart."""
    if part not in PARTS or impact not in ANSWERS:
        raise UnknownPart(part)
    client_id = f"school-{subject.pk}-{day_of(subject, now).isoformat()}-{part}"
    said = {"impact": impact, "place": words}
    Event.every.filter(author=person, client_id=client_id, undone_at__isnull=False).delete()  # tapped anew
    row = add_event(
        person=person, subject_id=subject.pk, client_id=client_id, kind="school", at=now, now=now, **said
    )
    if row.impact != impact:
        row = correct_event(event_id=row.pk, kind="school", at=row.at, **said)
    return row


def school_today(person: Person, subject: Subject, *, now: dt.datetime) -> dict[str, int]:
    """What this person tapped of today, by part."""
    day = day_of(subject, now)
    keys = {f"school-{subject.pk}-{day.isoformat()}-{part}": part for part in PARTS}
    rows = Event.objects.filter(author=person, subject=subject, client_id__in=keys)
    return {keys[row.client_id]: row.impact for row in rows}
