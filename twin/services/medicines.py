"""Medicines: defining one, changing how it is given, stopping it."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db import transaction

from household.models import Person
from twin.models import Dose, Medicine
from twin.rules.medicines import parse_schedule
from twin.services.days import day_of
from twin.services.filing import lock_subject

# A dose row names its medicine, not an amount: a change of these once doses exist begins a new row.
WHAT_IS_GIVEN = ("name", "dose", "unit")


@transaction.atomic
def define_medicine(
    *, person: Person, subject_id: int, client_id: str, now: dt.datetime, **fields: Any
) -> Medicine:
    """A new medicine; the same client id twice is one row. Raises InvalidSchedule."""
    parse_schedule(fields["schedule"])
    subject = lock_subject(subject_id)
    found = Medicine.objects.filter(author=person, client_id=client_id).first()
    if found is not None:
        return found
    return Medicine.objects.create(
        subject=subject, author=person, client_id=client_id, created_at=now, **fields
    )


@transaction.atomic
def change_medicine(
    *, person: Person, medicine_id: int, client_id: str, now: dt.datetime, **fields: Any
) -> Medicine:
    """Change how a medicine is given. Raises InvalidSchedule.

    Another dose, unit or name after the first dose ends the row and begins a new one, so that the history
    keeps saying what was given.
    """
    parse_schedule(fields["schedule"])
    lock_subject(Medicine.objects.values_list("subject_id", flat=True).get(pk=medicine_id))
    row = Medicine.objects.select_related("subject").get(pk=medicine_id)
    successor = Medicine.objects.filter(author=person, client_id=client_id).first()
    if successor is not None:
        return successor
    if _is_other(row, fields) and Dose.objects.filter(medicine=row).exists():
        row.ended_at = now
        row.save(update_fields=["ended_at"])
        fields["started_on"] = max(fields["started_on"], day_of(row.subject, now))
        return Medicine.objects.create(
            subject=row.subject, author=person, client_id=client_id, created_at=now, **fields
        )
    for name, value in fields.items():
        setattr(row, name, value)
    row.save(update_fields=list(fields))
    return row


@transaction.atomic
def stop_medicine(*, medicine_id: int, now: dt.datetime) -> Medicine:
    """Give it no more; its history stays. Stopping twice changes nothing."""
    row = Medicine.objects.select_for_update(of=("self",), no_key=True).get(pk=medicine_id)
    if row.ended_at is None:
        row.ended_at = now
        row.save(update_fields=["ended_at"])
    return row


def is_current(medicine: Medicine, today: dt.date) -> bool:
    """Whether it is still given, on the subject's day `today`."""
    return medicine.ended_at is None and (medicine.until_on is None or medicine.until_on >= today)


def _is_other(row: Medicine, fields: dict[str, Any]) -> bool:
    return any(getattr(row, name) != fields[name] for name in WHAT_IS_GIVEN)
