"""Doses: given, skipped or refused; and how each medicine stands now."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db import transaction
from django.db.models import Count, OuterRef, QuerySet
from django.db.models.functions import JSONObject

from household.models import Person
from twin.models import Dose, Medicine, Subject
from twin.rules import medicines as rules
from twin.rules.doses import answered
from twin.rules.events import CLOCKS_DIFFER_BY, NotYet
from twin.rules.routing import may_undo
from twin.services.days import day_of
from twin.services.filing import TooLate, lock_subject

RECENT = 2 * rules.TIMES_A_DAY  # as many as two days can hold


class Stopped(ValueError):
    """The medicine is not given any more."""


class UnknownOutcome(ValueError):
    """A dose is given, skipped or refused."""


class DoseTooSoon(ValueError):
    """Another dose was given shortly before (or after): it is named, and may be set aside knowingly."""

    def __init__(self, last: Dose, allowed_at: dt.datetime) -> None:
        super().__init__("too soon")
        self.last = last
        self.allowed_at = allowed_at


@dataclass(frozen=True)
class PastDose:
    """One of a medicine's latest doses."""

    pk: int
    at: dt.datetime
    outcome: rules.Outcome
    due_at: dt.datetime | None
    author_id: int | None
    author: str


@dataclass(frozen=True)
class Standing:
    """A medicine with its latest doses, newest first, and what is due of it."""

    medicine: Medicine
    subject: Subject
    due: rules.Due
    recent: tuple[PastDose, ...]


def with_recent(rows: QuerySet[Medicine]) -> QuerySet[Medicine]:
    """Medicines with their latest doses, in the same query."""
    latest = Dose.objects.filter(medicine=OuterRef("pk")).order_by("-at", "-pk")
    shape = JSONObject(
        pk="pk",
        at="at",
        outcome="outcome",
        due_at="due_at",
        author_id="author_id",
        author="author__name",
    )
    return rows.annotate(recent=ArraySubquery(latest.values(shape=shape)[:RECENT]))


def standing(medicine: Medicine, subject: Subject, *, now: dt.datetime) -> Standing:
    """How a medicine loaded by `with_recent` stands at `now`; a stopped one has nothing due."""
    recent = tuple(_past_dose(raw) for raw in medicine.recent)  # type: ignore[attr-defined]
    doses = [rules.Dose(dose.at, dose.outcome, dose.due_at) for dose in recent]
    due = rules.Due(None, None)
    if medicine.ended_at is None:
        due = rules.due(course_of(medicine, subject), doses, now)
    return Standing(medicine, subject, due, recent)


def course_of(medicine: Medicine, subject: Subject) -> rules.Course:
    """A medicine's schedule on its subject's clock."""
    return rules.Course(
        schedule=rules.parse_schedule(medicine.schedule),
        zone=subject.time_zone,
        day_starts_at=subject.day_starts_at,
        started_on=medicine.started_on,
        until_on=medicine.until_on,
        known_since=medicine.created_at,
    )


@transaction.atomic
def log_dose(
    *,
    person: Person,
    medicine_id: int,
    client_id: str,
    at: dt.datetime,
    now: dt.datetime,
    outcome: str = "given",
    despite: int | None = None,
    device: str = "home",
) -> Dose:
    """Keep one dose; the same client id twice is one row.

    `despite` is the dose that a warning named and the person set aside; a warning that names another one
    comes again. Raises DoseTooSoon, Stopped, NotYet, UnknownOutcome.
    """
    medicine = Medicine.objects.get(pk=medicine_id)
    subject = lock_subject(medicine.subject_id)
    found = Dose.every.filter(author=person, device=device, client_id=client_id).first()
    if found is not None:
        return found
    went = _checked(outcome, at, now)
    if medicine.ended_at is not None and at > medicine.ended_at:
        raise Stopped
    if outcome == "given":
        _warn(medicine, at, despite=despite)
    return Dose.objects.create(
        medicine=medicine,
        subject=subject,
        author=person,
        device=device,
        client_id=client_id,
        at=at,
        local_day=day_of(subject, at),
        outcome=outcome,
        due_at=_settles(medicine, subject, at, went),
    )


@transaction.atomic
def correct_dose(*, dose_id: int, at: dt.datetime, outcome: str, now: dt.datetime) -> Dose:
    """Say when it really was, or how it went; who gave it stays. Raises NotYet, UnknownOutcome."""
    went = _checked(outcome, at, now)
    subject = lock_subject(Dose.objects.values_list("subject_id", flat=True).get(pk=dose_id))
    row = Dose.objects.select_related("medicine").get(pk=dose_id)
    row.at, row.outcome, row.local_day = at, outcome, day_of(subject, at)
    row.due_at = _settles(row.medicine, subject, at, went, but=row.pk)
    row.save(update_fields=["at", "outcome", "local_day", "due_at"])
    return row


@transaction.atomic
def remove_dose(
    *, dose_id: int, by_parent: bool, now: dt.datetime, held: dt.timedelta = dt.timedelta(0)
) -> None:
    """Take a dose out that was not given at all: within its minute, or by a parent. Raises TooLate."""
    row = Dose.objects.filter(pk=dose_id).first()
    if row is None:
        return
    if not by_parent and not may_undo("filed", row.at, now, held=held):
        raise TooLate
    row.undone_at = now  # a dose sent again must not come back
    row.save(update_fields=["undone_at"])


def doses_by_day(doses: QuerySet[Dose], *, first: dt.date) -> dict[dt.date, dict[str, int]]:
    """How many doses of each outcome every day has, from `first` on."""
    found: dict[dt.date, dict[str, int]] = {}
    rows = doses.filter(local_day__gte=first).values_list("local_day", "outcome")
    for day, outcome, count in rows.annotate(count=Count("pk")).order_by("local_day"):
        found.setdefault(day, {})[outcome] = count
    return found


def _checked(outcome: str, at: dt.datetime, now: dt.datetime) -> rules.Outcome:
    if outcome not in rules.OUTCOMES:
        raise UnknownOutcome(outcome)
    if at > now + CLOCKS_DIFFER_BY:
        raise NotYet
    return rules.OUTCOMES[rules.OUTCOMES.index(outcome)]


def _warn(medicine: Medicine, at: dt.datetime, *, despite: int | None) -> None:
    schedule = rules.parse_schedule(medicine.schedule)
    minutes = medicine.min_gap_minutes
    gap = rules.usual_gap(schedule) if minutes is None else dt.timedelta(minutes=minutes)
    near = list(
        Dose.objects.filter(medicine=medicine, outcome="given", at__gt=at - gap, at__lt=at + gap)
        .select_related("author")
        .order_by("at", "pk")
    )
    early = rules.too_soon(schedule, [rules.Dose(dose.at) for dose in near], at, min_gap=gap)
    if early is not None and near[-1].pk != despite:
        raise DoseTooSoon(near[-1], early.allowed_at)


def _settles(
    medicine: Medicine, subject: Subject, at: dt.datetime, outcome: rules.Outcome, *, but: int = 0
) -> dt.datetime | None:
    """The due time this dose answers, as its medicine stood then."""
    before = Dose.objects.filter(medicine=medicine, at__lte=at).exclude(pk=but)
    doses = [
        rules.Dose(dose.at, dose.outcome, dose.due_at)  # type: ignore[arg-type]
        for dose in before.order_by("-at", "-pk")[:RECENT]
    ]
    return answered(rules.due(course_of(medicine, subject), doses, at), at, outcome)


def _past_dose(raw: dict[str, Any]) -> PastDose:
    due_at = raw["due_at"]
    return PastDose(
        pk=raw["pk"],
        at=dt.datetime.fromisoformat(raw["at"]),
        outcome=raw["outcome"],
        due_at=dt.datetime.fromisoformat(due_at) if due_at else None,
        author_id=raw["author_id"],
        author=raw["author"] or "",
    )
