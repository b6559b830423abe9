"""Medicines of a Monday, and what a form about them sends."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any
from zoneinfo import ZoneInfo

from tests.makers import a_person
from twin.models import Dose, Medicine
from twin.services.doses import (
    log_dose,
    standing,
    with_recent,
)
from twin.services.medicines import define_medicine

BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = dt.datetime(2025, 3, 3, tzinfo=dt.UTC)
EVERY_8 = {"kind": "every", "hours": 8}
AT_8_AND_20 = {"kind": "times", "times": ["08:00", "20:00"]}
MINUTE = dt.timedelta(minutes=1)


def at(hour: int, minute: int = 0, *, day: int = 0) -> dt.datetime:
    return MONDAY + dt.timedelta(days=day, hours=hour, minutes=minute)


def a_medicine(subject: Any, person: Any = None, **fields: Any) -> Medicine:
    values = {
        "client_id": str(uuid.uuid4()),
        "now": MONDAY,
        "name": "Amoxicillin",
        "dose": 5,
        "unit": "ml",
        "schedule": AT_8_AND_20,
        "started_on": MONDAY.date(),
        **fields,
    }
    return define_medicine(person=person or a_person(), subject_id=subject.pk, **values)


def give(medicine: Medicine, moment: dt.datetime, person: Any = None, **fields: Any) -> Dose:
    values = {"client_id": str(uuid.uuid4()), "now": moment, **fields}
    return log_dose(person=person or a_person(), medicine_id=medicine.pk, at=moment, **values)


def stands(medicine: Medicine, moment: dt.datetime) -> Any:
    row = with_recent(Medicine.objects.select_related("subject")).get(pk=medicine.pk)
    return standing(row, row.subject, now=moment)


def filled(**fields: Any) -> dict[str, Any]:
    return {
        "client_id": str(uuid.uuid4()),
        "name": "Amoxicillin",
        "dose": "5",
        "unit": "ml",
        "schedule": "times",
        "time_0": "08:00",
        "time_1": "20:00",
        "started_on": "2025-03-03",
        **fields,
    }
