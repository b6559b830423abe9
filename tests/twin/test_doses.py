"""Doses: due, given once, warned of too soon, corrected, drawn."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from household.access import seen_by
from tests.makers import a_cat, a_child, a_membership, a_person, now, signed_in
from tests.threads import at_once
from tests.twin.medicine_makers import (
    AT_8_AND_20,
    BERLIN,
    EVERY_8,
    MINUTE,
    MONDAY,
    a_medicine,
    at,
    filled,
    give,
    stands,
)
from twin.models import Dose, Medicine
from twin.services.doses import (
    DoseTooSoon,
    Stopped,
    UnknownOutcome,
    correct_dose,
    log_dose,
    remove_dose,
)
from twin.services.filing import TooLate
from twin.services.medicines import stop_medicine

pytestmark = pytest.mark.django_db


# --- due, overdue ---------------------------------------------------------------------------------


def test_the_next_dose_and_the_overdue_one_are_shown():
    row = a_medicine(a_child())
    assert stands(row, at(7)).due.next_at == at(8)
    assert stands(row, at(8, 29)).due.overdue_at is None
    assert stands(row, at(8, 31)).due.overdue_at == at(8)
    give(row, at(8, 40))
    assert stands(row, at(8, 41)).due.overdue_at is None
    assert stands(row, at(8, 41)).due.next_at == at(20)


@pytest.mark.parametrize("outcome", ["skipped", "refused"])
def test_a_dose_not_given_settles_its_time_and_is_never_too_soon(outcome):
    row = a_medicine(a_child())
    give(row, at(8, 40), outcome=outcome)
    assert stands(row, at(9)).due.next_at == at(20)
    assert give(row, at(9)).outcome == "given"


def test_an_overdue_dose_given_late_settles_its_own_time_and_not_the_next():
    row = a_medicine(a_child())
    give(row, at(14, 10))
    assert Dose.objects.get().due_at == at(8)
    assert stands(row, at(14, 11)).due.next_at == at(20)


@pytest.mark.parametrize(
    ("day", "night_hours"),
    [(dt.date(2025, 3, 29), 11), (dt.date(2025, 10, 25), 13), (dt.date(2025, 6, 1), 12)],
)
def test_the_morning_dose_stays_in_the_morning_over_both_clock_changes(day, night_hours):
    leo = a_child(time_zone="Europe/Berlin")
    row = a_medicine(leo, started_on=day, now=dt.datetime(day.year, day.month, day.day, tzinfo=dt.UTC))
    evening = dt.datetime.combine(day, dt.time(20), BERLIN)
    give(row, dt.datetime.combine(day, dt.time(8), BERLIN))
    give(row, evening)
    morning = stands(row, evening + MINUTE).due.next_at
    assert morning is not None and f"{morning.astimezone(BERLIN):%d %H:%M}" == f"{day.day + 1:02} 08:00"
    assert morning - evening.astimezone(dt.UTC) == dt.timedelta(hours=night_hours)


def test_hours_between_doses_are_real_hours_over_the_clock_change():
    leo = a_child(time_zone="Europe/Berlin")
    start = dt.datetime(2025, 3, 29, 22, tzinfo=dt.UTC)
    row = a_medicine(leo, schedule=EVERY_8, now=start, started_on=start.date())
    give(row, start)
    assert stands(row, start + MINUTE).due.next_at == start + dt.timedelta(hours=8)


def test_a_dose_at_half_past_one_belongs_to_the_evening_before():
    leo = a_child(time_zone="Europe/Berlin")
    row = a_medicine(leo, schedule={"kind": "needed"})
    assert give(row, dt.datetime(2025, 3, 30, 0, 30, tzinfo=dt.UTC)).local_day == dt.date(2025, 3, 29)
    assert give(row, dt.datetime(2025, 3, 30, 1, 30, tzinfo=dt.UTC)).local_day == dt.date(2025, 3, 30)


# --- one tap, too soon, twice ---------------------------------------------------------------------


def test_one_tap_on_today_gives_the_dose_and_offers_undo():
    leo = a_child()
    row = a_medicine(leo, schedule=EVERY_8)
    browser = signed_in(a_person())
    page = browser.get("/").content.decode()
    assert "Leo: Amoxicillin" in page and "overdue since" in page
    client_id = re.search(r'name="client_id" value="([^"]+)"><input type="hidden" name="back"', page)[1]
    sent = {"client_id": client_id, "outcome": "given", "back": "today"}
    done = browser.post(f"/medicines/{row.pk}/dose", sent, headers={"HX-Request": "true"})
    assert done.status_code == 200 and done.content.decode().strip().startswith("<li")
    assert "data-undo" in done.content.decode()
    again = browser.post(f"/medicines/{row.pk}/dose", sent)
    assert (again.status_code, again.headers["Location"]) == (302, "/")
    assert Dose.objects.count() == 1
    assert "overdue since" not in browser.get("/").content.decode()


def test_too_soon_is_said_before_it_is_saved_and_names_the_last_dose():
    leo = a_child(time_zone="Europe/Istanbul")
    row = a_medicine(leo, schedule=EVERY_8)
    bo = a_person("Bo")
    a_membership(bo, leo)
    moment = now() - dt.timedelta(hours=1)
    last = give(row, moment, bo)
    browser = signed_in(a_person())
    sent = {"client_id": "second"}
    warned = browser.post(f"/medicines/{row.pk}/dose", sent)
    words = warned.content.decode()
    assert warned.status_code == 409 and "by Bo" in words
    assert f"{moment.astimezone(ZoneInfo('Europe/Istanbul')):%H:%M}" in words
    assert Dose.objects.count() == 1
    assert browser.post(f"/medicines/{row.pk}/dose", {**sent, "despite": last.pk}).status_code == 302
    assert Dose.objects.count() == 2


def test_a_warning_set_aside_does_not_cover_another_dose_given_meanwhile():
    row = a_medicine(a_child(), schedule=EVERY_8)
    first = give(row, at(8))
    second = give(row, at(9), despite=first.pk)
    with pytest.raises(DoseTooSoon) as warned:
        give(row, at(9, 5), despite=first.pk)
    assert warned.value.last == second


@pytest.mark.parametrize(
    ("schedule", "gap", "minutes", "is_warned"),
    [
        (EVERY_8, None, 6 * 60, True),
        (EVERY_8, None, 6 * 60 + 25, False),  # four fifths of eight hours is 6 h 24 min
        (AT_8_AND_20, None, 5 * 60, True),
        (AT_8_AND_20, None, 6 * 60 + 1, False),
        ({"kind": "needed"}, None, 1, False),
        ({"kind": "needed"}, 240, 239, True),
        ({"kind": "needed"}, 240, 240, False),
        (EVERY_8, 0, 1, False),
    ],
)
def test_how_soon_is_too_soon(schedule, gap, minutes, is_warned):
    row = a_medicine(a_child(), schedule=schedule, min_gap_minutes=gap)
    give(row, at(8))
    moment = at(8) + dt.timedelta(minutes=minutes)
    if is_warned:
        with pytest.raises(DoseTooSoon):
            give(row, moment)
    else:
        give(row, moment)


def test_a_dose_told_late_is_warned_of_the_one_given_after_it():
    row = a_medicine(a_child(), schedule=EVERY_8)
    later = give(row, at(12))
    with pytest.raises(DoseTooSoon) as warned:
        give(row, at(8), now=at(13))
    assert warned.value.last == later


def test_the_same_client_id_of_two_devices_is_two_doses():
    row = a_medicine(a_child(), schedule={"kind": "needed"})
    for device in ("home", "tablet"):
        give(row, at(8), client_id="same", device=device)
    assert Dose.objects.count() == 2


@pytest.mark.parametrize(
    "fields", [{"outcome": "lost"}, {"when": "at", "on": "2999-01-01", "clock": "08:00"}]
)
def test_a_dose_that_does_not_fit_says_so(fields):
    row = a_medicine(a_child())
    response = signed_in(a_person()).post(f"/medicines/{row.pk}/dose", {"client_id": "c", **fields})
    assert response.status_code == 422 and not Dose.objects.exists()


def test_a_service_refuses_an_unknown_outcome_and_a_stopped_medicine():
    row = a_medicine(a_child())
    with pytest.raises(UnknownOutcome):
        give(row, at(8), outcome="lost")
    stop_medicine(medicine_id=row.pk, now=at(9))
    with pytest.raises(Stopped):
        give(row, at(10))
    assert give(row, at(8), now=at(10)).outcome == "given"  # it was, before it was stopped


# --- correcting and undoing -----------------------------------------------------------------------


def test_a_dose_is_corrected_by_who_gave_it_or_a_parent():
    leo = a_child()
    row = a_medicine(leo)
    bo = a_person("Bo")
    a_membership(bo, leo)
    dose = give(row, at(8), bo)
    sent = {"client_id": "c", "outcome": "refused", "when": "at", "on": "2025-03-03", "clock": "09:15"}
    assert leo.time_zone == "UTC"
    for person in (bo, a_person()):
        assert signed_in(person).post(f"/doses/{dose.pk}/correct", sent).status_code == 302
    dose.refresh_from_db()
    assert (dose.outcome, dose.at, dose.author) == ("refused", at(9, 15), bo)
    cy = a_person("Cy")
    a_membership(cy, leo)
    assert signed_in(cy).post(f"/doses/{dose.pk}/correct", sent).status_code == 404
    assert signed_in(cy).post(f"/doses/{dose.pk}/remove").status_code == 404


def test_a_correction_moves_the_day_and_the_time_it_settles():
    row = a_medicine(a_child())
    dose = give(row, at(14))
    assert dose.due_at == at(8)
    moved = correct_dose(dose_id=dose.pk, at=at(21, day=-1), outcome="given", now=at(15))
    assert (moved.local_day, moved.due_at) == (MONDAY.date() - dt.timedelta(days=1), None)


def test_a_wrong_correction_is_422():
    dose = give(a_medicine(a_child()), at(8))
    browser = signed_in(a_person())
    assert browser.get(f"/doses/{dose.pk}/correct").status_code == 200
    assert browser.post(f"/doses/{dose.pk}/correct", {"client_id": "c", "outcome": "lost"}).status_code == 422


@pytest.mark.parametrize(
    ("seconds", "by_parent", "is_late"), [(60, False, False), (61, False, True), (99_999, True, False)]
)
def test_taking_a_dose_out_is_for_its_minute_or_a_parent(seconds, by_parent, is_late):
    dose = give(a_medicine(a_child()), at(8))
    later = at(8) + dt.timedelta(seconds=seconds)
    if is_late:
        with pytest.raises(TooLate):
            remove_dose(dose_id=dose.pk, by_parent=by_parent, now=later)
    else:
        remove_dose(dose_id=dose.pk, by_parent=by_parent, now=later)
        remove_dose(dose_id=dose.pk, by_parent=by_parent, now=later)
    assert Dose.objects.exists() == is_late


def test_a_dose_sent_again_after_it_was_taken_out_stays_out():
    medicine, ana = a_medicine(a_child()), a_person()
    given = {"person": ana, "medicine_id": medicine.pk, "client_id": "once", "at": at(8), "now": at(8)}
    remove_dose(dose_id=log_dose(**given).pk, by_parent=True, now=at(8))
    assert log_dose(**given).undone_at == at(8)
    assert not Dose.objects.exists()


def test_a_late_undo_is_409_and_the_dose_stays():
    leo = a_child()
    row = a_medicine(leo)
    bo = a_person("Bo")
    a_membership(bo, leo)
    dose = give(row, at(8), bo)
    assert signed_in(bo).post(f"/doses/{dose.pk}/remove").status_code == 409
    assert signed_in(a_person()).post(f"/doses/{dose.pk}/remove").status_code == 302
    assert not Dose.objects.exists()


# --- who, and what is drawn -----------------------------------------------------------------------


def test_another_family_gets_404_everywhere():
    leo = a_child()
    row = a_medicine(leo)
    dose = give(row, at(8))
    eve = signed_in(a_person("Eve"))
    read = [f"/book/{leo.pk}/medicines", f"/medicines/{row.pk}"]
    both = [
        f"/book/{leo.pk}/medicines/add",
        f"/medicines/{row.pk}/change",
        f"/medicines/{row.pk}/stop",
        f"/medicines/{row.pk}/dose",
        f"/doses/{dose.pk}/correct",
    ]
    assert [eve.get(page).status_code for page in read + both] == [404] * 7
    posts = [eve.post(page, filled()).status_code for page in [*both, f"/doses/{dose.pk}/remove"]]
    assert posts == [404] * 6
    assert Medicine.objects.count() == Dose.objects.count() == 1


@pytest.mark.parametrize(
    ("role", "maker", "overrides", "reads", "gives"),
    [
        ("family", a_child, {}, 200, 302),
        ("therapist", a_child, {}, 200, 302),
        ("teacher", a_child, {}, 404, 404),
        ("teacher", a_child, {"observation:view": True}, 200, 302),
        ("therapist", a_child, {"observation:add": False}, 200, 404),
        ("child", a_child, {}, 404, 404),
        ("vet", a_cat, {}, 200, 302),
        ("vet", a_cat, {"observation:add": False}, 200, 404),
    ],
)
def test_the_matrix_decides_who_reads_and_who_gives(role, maker, overrides, reads, gives):
    subject = maker()
    row = a_medicine(subject)
    person = a_person("Dr. Ito")
    a_membership(person, subject, role, overrides=overrides)
    browser = signed_in(person)
    assert browser.get(f"/medicines/{row.pk}").status_code == reads
    assert browser.post(f"/medicines/{row.pk}/dose", {"client_id": "c"}).status_code == gives
    for page in (f"/book/{subject.pk}/medicines/add", f"/medicines/{row.pk}/change"):
        assert browser.post(page, filled()).status_code == 404


def test_thirty_days_are_drawn_and_said_in_words():
    leo = a_child()
    row = a_medicine(leo, schedule={"kind": "needed"})
    noon = now().replace(hour=12, minute=0) - dt.timedelta(days=2)
    for hours, outcome in ((0, "given"), (1, "given"), (24, "refused"), (24 * 40, "given")):
        give(row, noon - dt.timedelta(hours=hours), outcome=outcome, now=now())
    page = signed_in(a_person()).get(f"/medicines/{row.pk}")
    chart = page.context["chart"]
    assert chart.text == "In 30 days: given 2, skipped 0, refused 1"
    assert (len(chart.bars), len(chart.marks)) == (1, 1)
    assert [said for _day, said in chart.rows] == ["refused 1", "given 2"]
    assert f'aria-label="{chart.text}"' in page.content.decode()


def test_a_list_in_turkish_keeps_svg_numbers_with_points():
    person = a_person("Ana", language="tr")
    row = a_medicine(a_child(person), person, schedule={"kind": "needed"})
    give(row, now() - MINUTE, person, now=now())
    page = signed_in(person).get(f"/medicines/{row.pk}").content.decode()
    chart = page.split('<svg class="chart bars"')[1]
    numbers = re.findall(r'(?: x| y|width|height|cx|cy)="([^"]*)"', chart)
    assert any("." in one for one in numbers)
    assert not any("," in one for one in numbers)


# --- two at once ----------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_of_two_people_tapping_at_once_the_second_is_warned():
    leo = a_child()
    row = a_medicine(leo, schedule=EVERY_8)
    people = [a_person(), a_person("Bo")]
    a_membership(people[1], leo)

    def tap(person: Any) -> Dose:
        with seen_by(person, now=at(8)):
            return give(row, at(8), person)

    results = at_once(*[lambda person=person: tap(person) for person in people])
    assert sorted(type(one).__name__ for one in results) == ["Dose", "DoseTooSoon"]
    assert Dose.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_one_tap_sent_four_times_at_once_one_row_stays():
    row = a_medicine(a_child(), schedule=EVERY_8)
    person = a_person()

    def tap() -> Dose:
        with seen_by(person, now=at(8)):
            return give(row, at(8), person, client_id="tap")

    assert len({one.pk for one in at_once(tap, tap, tap, tap)}) == 1
    assert Dose.objects.count() == 1
