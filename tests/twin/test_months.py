"""The page of a month: calendars with words beside them, for whoever may, in few queries."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.makers import a_cat, a_child, a_membership, a_person, a_record, signed_in
from tests.twin.test_medicines import a_medicine
from twin.models import Dose, FormFill
from twin.models.subjects import Subject

pytestmark = pytest.mark.django_db
MARCH = dt.date(2025, 3, 1)


def a_fill(subject: Subject, day: dt.date, **levels: str) -> None:
    FormFill.objects.create(
        subject=subject,
        client_id=str(uuid.uuid4()),
        turn=f"home:{uuid.uuid4()}"[:40],
        at=dt.datetime.combine(day, dt.time(20), tzinfo=dt.UTC),
        local_day=day,
        levels=levels,
    )


def test_a_month_shows_sleep_and_arousal_with_the_same_in_words() -> None:
    ana = a_person()
    child = a_child(ana)
    a_fill(child, MARCH, sleep="woke", arousal="very_high")
    a_fill(child, MARCH + dt.timedelta(days=1), sleep="good")
    a_record(child, "sleep", day=MARCH + dt.timedelta(days=2), signs={"poor_sleep": True})
    page = signed_in(ana).get(f"/book/{child.pk}/months?month=2025-03").content.decode()
    assert "March 2025" in page
    assert 'aria-label="Sleep quality, March 2025: looked at on 3 of 31 days.' in page
    assert (
        "<title>Saturday, 1 March: Woke at night</title>" in page
        or "<title>Saturday, March 1: Woke at night</title>" in page
    )
    assert "Out of control" in page
    assert "nobody looked" in page
    assert "?month=2025-02" in page and "?month=2025-04" in page


def test_medicines_of_the_month_are_counted_by_day() -> None:
    ana = a_person()
    cat = a_cat(ana)
    medicine = a_medicine(cat, ana)
    for hour, outcome in ((8, "given"), (20, "refused")):
        Dose.objects.create(
            medicine=medicine,
            subject=cat,
            client_id=str(hour),
            at=dt.datetime(2025, 3, 3, hour, tzinfo=dt.UTC),
            local_day=dt.date(2025, 3, 3),
            outcome=outcome,
        )
    page = signed_in(ana).get(f"/book/{cat.pk}/months?month=2025-03").content.decode()
    assert "Amoxicillin, March 2025: given 1, skipped or refused 1" in page
    assert "Amoxicillin" not in signed_in(ana).get(f"/book/{cat.pk}/months?month=2025-02").content.decode()


def test_any_row_of_the_form_can_be_asked_for() -> None:
    ana = a_person()
    cat = a_cat(ana)
    a_fill(cat, MARCH, mood="hiding")
    page = signed_in(ana).get(f"/book/{cat.pk}/months?month=2025-03&field=mood").content.decode()
    assert "Mood, March 2025: looked at on 1 of 31 days. Hiding 1" in page


@pytest.mark.parametrize("query", ["month=2025-13", "month=march", "field=pulse"])
def test_what_is_no_month_and_no_row_is_refused_with_words(query: str) -> None:
    ana = a_person()
    child = a_child(ana)
    answer = signed_in(ana).get(f"/book/{child.pk}/months?{query}")
    assert answer.status_code == 422
    assert "of the page." in answer.content.decode() or "on the page." in answer.content.decode()


def test_another_family_gets_nothing_and_a_full_month_asks_no_more() -> None:
    ana = a_person()
    child = a_child(ana)
    eve = a_person("Eve")
    a_child(eve, name="Noa")
    assert signed_in(eve).get(f"/book/{child.pk}/months").status_code == 404
    browser = signed_in(ana)
    for n in range(31):
        a_fill(child, MARCH + dt.timedelta(days=n), sleep="good", arousal="low")
    browser.get(f"/book/{child.pk}/months?month=2025-03")
    with CaptureQueriesContext(connection) as asked:
        assert browser.get(f"/book/{child.pk}/months?month=2025-03").status_code == 200
    assert len(asked) <= 10


def test_who_sees_from_a_day_on_sees_no_earlier_one() -> None:
    ana = a_person()
    child = a_child(ana)
    sam = a_person("Sam")
    member = a_membership(sam, child, "family")
    a_fill(child, MARCH, sleep="bad")
    address = f"/book/{child.pk}/months?month=2025-03"
    assert "Slept badly" in signed_in(sam).get(address).content.decode()
    type(member).objects.filter(pk=member.pk).update(data_from=MARCH + dt.timedelta(days=1))
    assert "Slept badly" not in signed_in(sam).get(address).content.decode()
