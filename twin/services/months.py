"""What a month holds of one subject: taps, told days, doses; in one query."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from household.access import visible
from household.models import Person
from household.rules.permissions import Resource
from household.services.together import fetch_together
from twin.models import Dose, FormFill, Medicine, Record, Subject
from twin.rules.months import CATEGORIES, Month, Told


@dataclass(frozen=True)
class MonthOfCare:
    """Rows of one month: fills, told severities by category and day, doses by medicine and day."""

    fills: Sequence[tuple[dt.date, Mapping[str, str]]]
    told: Mapping[str, Mapping[dt.date, Told]]
    medicines: Sequence[tuple[Medicine, Mapping[dt.date, Mapping[str, int]]]]


def gather_month(person: Person, subject: Subject, month: Month) -> MonthOfCare:
    """Everything this person may see of the month."""
    span = Q(subject=subject, local_day__gte=month.first, local_day__lte=month.last)
    records = Record.objects.standing().filter(
        subject=subject,
        kind="symptom",
        category__in=sorted(set(CATEGORIES.values())),
        day__gte=month.first,
        day__lte=month.last,
        is_observed=True,
    )
    fills, found, doses, medicines = fetch_together(
        visible(person, Resource.OBSERVATION, FormFill.objects.filter(span)).order_by("at"),
        visible(person, Resource.OBSERVATION, records).order_by("day", "id"),
        visible(person, Resource.OBSERVATION, Dose.objects.filter(span)).order_by("at"),
        visible(person, Resource.OBSERVATION, Medicine.objects.filter(subject=subject)).order_by(
            "name", "pk"
        ),
    )
    return MonthOfCare(
        fills=[(row.local_day, row.levels) for row in fills],
        told=_told(found),
        medicines=_doses(medicines, doses),
    )


def _told(records: Sequence[Record]) -> dict[str, dict[dt.date, Told]]:
    found: dict[str, dict[dt.date, Told]] = {}
    for row in records:
        if row.day is None or row.category is None:
            continue
        severity = 0 if row.polarity == "normal" else max(row.severity, 1)
        days = found.setdefault(row.category, {})
        if row.day not in days or days[row.day].severity < severity:
            days[row.day] = Told(severity)
    return found


def _doses(
    medicines: Sequence[Medicine], doses: Sequence[Dose]
) -> list[tuple[Medicine, dict[dt.date, dict[str, int]]]]:
    """The medicines of which anything was written down this month."""
    counts: dict[int, dict[dt.date, dict[str, int]]] = {}
    for dose in doses:
        day = counts.setdefault(dose.medicine_id, {}).setdefault(dose.local_day, {})
        day[dose.outcome] = day.get(dose.outcome, 0) + 1
    return [(row, counts[row.pk]) for row in medicines if row.pk in counts]
