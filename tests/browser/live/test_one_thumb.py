"""A whole day is logged with one thumb on a small phone, in few taps, and all of it stands in the book.

A person's time is reckoned from taps, swipes and letters; no clock is read.
"""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.utils import timezone

from tests.browser.conftest import shot
from tests.browser.one_thumb import Thumb, log_a_day
from twin.models import Dose, Event, FormFill, Statement
from twin.services.days import day_of
from twin.services.medicines import define_medicine

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.django_db(transaction=True)]
MOST_TAPS, MOST_S = 30, 120


def test_a_whole_day_takes_few_taps_of_one_thumb(windows: Any) -> None:
    window = windows(is_mobile=True)
    now = timezone.now()
    define_medicine(
        person=window.ana,
        subject_id=window.leo.pk,
        client_id=str(uuid.uuid4()),
        now=now,
        name="Amoxicillin",
        dose=5,
        unit="ml",
        schedule={"kind": "times", "times": ["08:00", "20:00"]},
        started_on=day_of(window.leo, now),
    )
    thumb = Thumb(window.go())
    log_a_day(thumb, "Leo")
    shot(thumb.page, "one-thumb")
    print(
        f"\n{thumb.taps} taps, {thumb.swipes} swipes, {thumb.letters} letters,"
        f" {thumb.person_s:.0f} s of a person"
    )
    assert thumb.taps <= MOST_TAPS
    assert thumb.person_s <= MOST_S
    assert Statement.objects.filter(text="he limped, no idea which day").count() == 1
    assert len(FormFill.objects.get().levels) == 7
    assert Dose.objects.get().outcome == "given"
    assert Event.objects.count() == 2
    assert window.watched.faults == []
