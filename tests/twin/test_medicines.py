"""Medicines: defined by a parent, changed, stopped."""

from __future__ import annotations

import pytest

from tests.makers import a_child, a_person, signed_in
from tests.twin.medicine_makers import (
    AT_8_AND_20,
    EVERY_8,
    MONDAY,
    a_medicine,
    at,
    filled,
    give,
)
from twin.models import Dose, Medicine
from twin.rules.medicines import InvalidSchedule
from twin.services.medicines import change_medicine

pytestmark = pytest.mark.django_db


# --- defining -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "schedule"),
    [
        ({}, AT_8_AND_20),
        ({"time_0": "20:00", "time_1": "08:00"}, AT_8_AND_20),
        ({"time_1": "08:00"}, {"kind": "times", "times": ["08:00"]}),
        ({"schedule": "every", "hours": "8"}, EVERY_8),
        ({"schedule": "needed"}, {"kind": "needed"}),
    ],
)
def test_a_parent_defines_a_medicine_with_each_schedule(fields, schedule):
    leo = a_child()
    response = signed_in(a_person()).post(f"/book/{leo.pk}/medicines/add", filled(**fields))
    row = Medicine.objects.get()
    assert (response.status_code, response.headers["Location"]) == (302, f"/medicines/{row.pk}")
    assert row.schedule == schedule


def test_defining_twice_is_one_medicine():
    leo, browser, sent = a_child(), signed_in(a_person()), filled()
    places = {browser.post(f"/book/{leo.pk}/medicines/add", sent).headers["Location"] for _ in range(2)}
    assert len(places) == Medicine.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 121}, "name"),
        ({"dose": "-1"}, "dose"),
        ({"dose": "lots"}, "dose"),
        ({"dose": "NaN"}, "dose"),
        ({"schedule": "sometimes"}, "schedule"),
        ({"time_0": "", "time_1": ""}, "time_0"),
        ({"time_0": "25:00"}, "time_0"),
        ({"schedule": "every", "hours": ""}, "hours"),
        ({"schedule": "every", "hours": "0.1"}, "hours"),
        ({"schedule": "every", "hours": "9999"}, "hours"),
        ({"gap_hours": "-1"}, "gap_hours"),
        ({"started_on": ""}, "started_on"),
        ({"until_on": "2025-03-02"}, "until_on"),
    ],
)
def test_a_medicine_that_does_not_fit_says_so_and_keeps_what_was_typed(fields, wrong):
    leo = a_child()
    response = signed_in(a_person()).post(
        f"/book/{leo.pk}/medicines/add", filled(gives="the school nurse", **fields)
    )
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {wrong}
    assert "the school nurse" in response.content.decode()
    assert not Medicine.objects.exists()


def test_a_service_refuses_a_schedule_of_no_form():
    with pytest.raises(InvalidSchedule):
        a_medicine(a_child(), schedule={"kind": "moon"})


def test_changing_when_it_is_given_keeps_the_row_and_another_dose_begins_a_new_one():
    leo = a_child()
    row = a_medicine(leo)
    browser = signed_in(a_person())
    browser.post(f"/medicines/{row.pk}/change", filled(time_1="21:00"))
    row.refresh_from_db()
    assert row.schedule["times"] == ["08:00", "21:00"]
    give(row, at(8))
    browser.post(f"/medicines/{row.pk}/change", filled(dose="7.5", gap_hours="6"))
    old, new = Medicine.objects.order_by("pk")
    assert (old.pk, old.dose, old.ended_at is None) == (row.pk, 5, False)
    assert (new.dose, new.min_gap_minutes, new.ended_at) == (7.5, 360, None)
    assert old.doses.count() == 1 and new.doses.count() == 0


def test_a_change_posted_twice_begins_one_new_line():
    row = a_medicine(a_child())
    give(row, at(8))
    for _ in range(2):
        change_medicine(
            person=a_person(),
            medicine_id=row.pk,
            client_id="change",
            now=at(9),
            name="Amoxicillin",
            dose=7,
            unit="ml",
            schedule=AT_8_AND_20,
            started_on=MONDAY.date(),
        )
    assert Medicine.objects.count() == 2


def test_the_form_shows_a_medicine_as_it_is():
    row = a_medicine(a_child(), schedule={"kind": "times", "times": [f"{n:02}:00" for n in range(6, 12)]})
    form = signed_in(a_person()).get(f"/medicines/{row.pk}/change").context["form"]
    assert [f"{field.value():%H:%M}" for field in form.time_fields[:6]] == row.schedule["times"]


def test_a_stopped_medicine_keeps_its_history_and_takes_no_dose():
    leo = a_child()
    row = a_medicine(leo)
    give(row, at(8))
    browser = signed_in(a_person())
    assert browser.get(f"/medicines/{row.pk}/stop").status_code == 200
    assert Medicine.objects.get().ended_at is None
    for _ in range(2):
        assert browser.post(f"/medicines/{row.pk}/stop").status_code == 302
    refused = browser.post(f"/medicines/{row.pk}/dose", {"client_id": "late"})
    assert refused.status_code == 409 and "not given any more" in refused.content.decode()
    assert Dose.objects.count() == 1
    assert "Earlier medicines" in browser.get(f"/book/{leo.pk}/medicines").content.decode()
    assert "Amoxicillin" not in browser.get("/").content.decode()
