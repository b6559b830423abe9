"""Events: added, read, corrected, undone; each once, and only by who may."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

import pytest

from household.models import AccessLog
from tests.makers import a_cat, a_child, a_household, a_membership, a_person, now, signed_in
from twin.models import Event, RoundRun
from twin.rules.events import KINDS
from twin.services.events import PAGE, UnknownKind, add_event, undo_event
from twin.services.filing import TooLate

pytestmark = pytest.mark.django_db
NOON = dt.datetime(2025, 3, 1, 12, tzinfo=dt.UTC)


def an_event(subject: Any, author: Any = None, **fields: Any) -> Event:
    values = {"kind": "meltdown", "at": NOON, "now": NOON, "client_id": str(uuid.uuid4()), **fields}
    return add_event(person=author or a_person(), subject_id=subject.pk, **values)


def filled(**fields: Any) -> dict[str, Any]:
    return {"client_id": str(uuid.uuid4()), "kind": "meltdown", "when": "now", "impact": "-2", **fields}


def test_an_event_is_kept_with_everything_that_was_said():
    leo = a_child()
    browser = signed_in(a_person())
    sent = filled(
        place="shop",
        antecedent="the music",
        behaviour="hands on his ears",
        tried="headphones",
        outcome="calm in the car",
        minutes="12",
    )
    response = browser.post(f"/book/{leo.pk}/events/add", sent)
    row = Event.objects.get()
    assert (response.status_code, response.headers["Location"]) == (302, f"/events/{row.pk}/tried")
    assert (row.kind, row.impact, row.minutes, row.author.name) == ("meltdown", -2, 12, "Ana")
    page = browser.get(f"/events/{row.pk}").content.decode()
    for words in ("shop", "the music", "hands on his ears", "headphones", "calm in the car", "−2 Hard"):
        assert words in page


def test_two_taps_are_enough_and_a_double_post_is_one_row():
    leo, browser, sent = a_child(), signed_in(a_person()), filled()
    places = {browser.post(f"/book/{leo.pk}/events/add", sent).headers["Location"] for _ in range(2)}
    assert len(places) == Event.objects.count() == 1


def test_the_same_client_id_of_another_person_is_another_event():
    leo = a_child()
    bo = a_person("Bo")
    a_membership(bo, leo)
    for person in (a_person(), bo):
        an_event(leo, person, client_id="same")
    assert Event.objects.count() == 2


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"kind": ""}, "kind"),
        ({"kind": "party"}, "kind"),
        ({"kind": "vet_visit"}, "kind"),
        ({"impact": "4"}, "impact"),
        ({"impact": "-4"}, "impact"),
        ({"impact": "x"}, "impact"),
        ({"minutes": "1441"}, "minutes"),
        ({"minutes": "-1"}, "minutes"),
        ({"when": "soon"}, "when"),
        ({"when": "at", "on": "", "clock": "10:00"}, "on"),
        ({"when": "at", "on": "2025-03-01", "clock": ""}, "clock"),
        ({"when": "at", "on": "2999-03-01", "clock": "10:00"}, "clock"),
        ({"place": "x" * 121}, "place"),
        ({"client_id": ""}, "client_id"),
    ],
)
def test_what_does_not_fit_is_said_and_what_was_typed_stays(fields, wrong):
    leo = a_child()
    response = signed_in(a_person()).post(f"/book/{leo.pk}/events/add", filled(tried="a long walk", **fields))
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {wrong}
    assert "a long walk" in response.content.decode()
    assert not Event.objects.exists()


@pytest.mark.parametrize(("pick", "minutes"), [("now", 0), ("half", 30), ("hour", 60), ("hours", 120)])
def test_a_tap_counts_back_from_now(pick, minutes):
    leo = a_child()
    before = now()
    signed_in(a_person()).post(f"/book/{leo.pk}/events/add", filled(when=pick))
    ago = Event.objects.get().at + dt.timedelta(minutes=minutes)
    assert before <= ago <= now()


def test_a_stated_time_is_the_subjects_own_clock_and_day():
    leo = a_child(time_zone="Europe/Istanbul")
    sent = filled(when="at", on="2025-03-02", clock="01:30")
    signed_in(a_person()).post(f"/book/{leo.pk}/events/add", sent)
    row = Event.objects.get()
    assert row.at == dt.datetime(2025, 3, 1, 22, 30, tzinfo=dt.UTC)
    assert row.local_day == dt.date(2025, 3, 1)


@pytest.mark.parametrize(
    ("clock", "hour_utc"),
    [("02:30", 1), ("03:30", 1)],  # 02:30 is skipped that night and lands after the jump
)
def test_a_time_the_clock_skipped_is_accepted(clock, hour_utc):
    leo = a_child(time_zone="Europe/Berlin")
    sent = filled(when="at", on="2025-03-30", clock=clock)
    assert signed_in(a_person()).post(f"/book/{leo.pk}/events/add", sent).status_code == 302
    assert Event.objects.get().at == dt.datetime(2025, 3, 30, hour_utc, 30, tzinfo=dt.UTC)


def test_the_list_goes_by_day_and_scrolls_without_losing_or_doubling_one():
    leo = a_child()
    for n in range(PAGE + 5):
        an_event(leo, at=NOON - dt.timedelta(hours=7 * n), place=f"place {n:02}.")
    browser = signed_in(a_person())
    first = browser.get(f"/book/{leo.pk}/events")
    more = first.context["more_url"]
    second = browser.get(more, headers={"HX-Request": "true"})
    assert b"<html" not in second.content and b"after=" not in second.content
    seen = (first.content + second.content).decode()
    assert [seen.count(f"place {n:02}.") for n in range(PAGE + 5)] == [1] * (PAGE + 5)


def test_an_unknown_place_in_the_list_is_404():
    leo = a_child()
    browser = signed_in(a_person())
    for after in ("99999", "x", "9" * 40):
        assert browser.get(f"/book/{leo.pk}/events?after={after}").status_code == 404


def test_a_correction_keeps_who_told_it_and_marks_both_days():
    leo = a_child()
    bo = a_person("Bo")
    a_membership(bo, leo)
    row = an_event(leo, bo)
    for day in (dt.date(2025, 2, 27), dt.date(2025, 3, 1)):
        RoundRun.objects.create(subject=leo, day=day, ran_at=NOON)
    sent = filled(when="at", on="2025-02-27", clock="09:00", behaviour="screamed", impact="-3")
    assert signed_in(a_person()).post(f"/events/{row.pk}/correct", sent).status_code == 302
    row.refresh_from_db()
    assert (row.author, row.behaviour, row.impact) == (bo, "screamed", -3)
    assert row.local_day == dt.date(2025, 2, 27)
    assert RoundRun.objects.filter(is_dirty=True).count() == 2


def test_a_correction_shows_what_was_kept():
    leo = a_child()
    row = an_event(leo, behaviour="cried", impact=-1)
    page = signed_in(a_person()).get(f"/events/{row.pk}/correct")
    assert "cried" in page.content.decode()
    assert page.context["form"]["impact"].value() == -1
    wrong = signed_in(a_person()).post(f"/events/{row.pk}/correct", filled(kind="", behaviour="cried more"))
    assert wrong.status_code == 422 and "cried more" in wrong.content.decode()


def test_undo_within_the_minute_takes_it_away_and_afterwards_is_refused():
    leo = a_child()
    browser = signed_in(a_person())
    browser.post(f"/book/{leo.pk}/events/add", filled())
    row = Event.objects.get()
    assert "data-undo" in browser.get(f"/events/{row.pk}").content.decode()
    assert browser.post(f"/events/{row.pk}/undo").status_code == 302
    assert not Event.objects.exists()
    old = an_event(leo)
    assert "data-undo" not in browser.get(f"/events/{old.pk}").content.decode()
    refused = browser.post(f"/events/{old.pk}/undo")
    assert refused.status_code == 409 and "correct" in refused.content.decode()
    assert browser.post(f"/events/{old.pk}/undo", {"held_s": "ages"}).status_code == 409
    assert Event.objects.count() == 1


def test_the_time_a_page_held_its_undo_is_not_counted():
    row = an_event(a_child())
    Event.objects.filter(pk=row.pk).update(created_at=now() - dt.timedelta(minutes=3))
    browser = signed_in(a_person())
    assert browser.post(f"/events/{row.pk}/undo", {"held_s": "60"}).status_code == 409
    assert browser.post(f"/events/{row.pk}/undo", {"held_s": "150"}).status_code == 302
    assert not Event.objects.exists()


@pytest.mark.parametrize(("seconds", "is_late"), [(0, False), (60, False), (61, True)])
def test_the_minute_is_sixty_seconds(seconds, is_late):
    row = an_event(a_child())
    later = NOON + dt.timedelta(seconds=seconds)
    if is_late:
        with pytest.raises(TooLate):
            undo_event(event_id=row.pk, now=later)
    else:
        undo_event(event_id=row.pk, now=later)
    assert Event.objects.exists() == is_late


def test_an_event_sent_again_after_it_was_taken_back_stays_away():
    leo, ana = a_child(), a_person()
    sent = filled(tried="a long walk")
    signed_in(ana).post(f"/book/{leo.pk}/events/add", sent)
    undo_event(event_id=Event.objects.get().pk, now=now())
    again = signed_in(ana).post(f"/book/{leo.pk}/events/add", sent, follow=True)
    assert "taken back before" in again.content.decode()
    assert not Event.objects.exists()
    assert Event.every.get().tried == ""


def test_undoing_twice_changes_nothing():
    row = an_event(a_child())
    for _ in range(2):
        undo_event(event_id=row.pk, now=NOON)


def test_a_service_refuses_a_kind_of_no_table():
    with pytest.raises(UnknownKind):
        an_event(a_child(), kind="party")


def test_another_family_gets_404_everywhere():
    a_household()
    leo = a_child()
    row = an_event(leo)
    eve = signed_in(a_person("Eve"))
    for page in (f"/book/{leo.pk}/events", f"/book/{leo.pk}/events/add", f"/events/{row.pk}"):
        assert eve.get(page).status_code == 404
    for page in (f"/book/{leo.pk}/events/add", f"/events/{row.pk}/correct", f"/events/{row.pk}/undo"):
        assert eve.post(page, filled()).status_code == 404
    assert Event.objects.get().kind == "meltdown"


@pytest.mark.parametrize(
    ("role", "adds", "sees_others"),
    [("family", True, True), ("therapist", True, True), ("teacher", True, False), ("child", True, False)],
)
def test_the_matrix_decides_who_adds_and_who_reads(role, adds, sees_others):
    leo = a_child()
    of_ana = an_event(leo)
    person = a_person("Ms. Kaya")
    a_membership(person, leo, role)
    browser = signed_in(person)
    added = browser.post(f"/book/{leo.pk}/events/add", filled())
    assert added.status_code == (302 if adds else 404)
    assert browser.get(f"/events/{of_ana.pk}").status_code == (200 if sees_others else 404)
    assert browser.post(f"/events/{of_ana.pk}/correct", filled()).status_code == 404
    if adds:
        own = Event.objects.get(author=person)
        assert browser.get(f"/events/{own.pk}").status_code == 200
        assert browser.post(f"/events/{own.pk}/correct", filled(impact="1")).status_code == 302
        listed = browser.get(f"/book/{leo.pk}/events").content.decode()
        assert f"/events/{own.pk}" in listed and (f'/events/{of_ana.pk}"' in listed) == sees_others


def test_a_therapists_look_is_written_down():
    leo = a_child()
    row = an_event(leo)
    a_membership(a_person("Dr. Ito"), leo, "therapist")
    signed_in(a_person("Dr. Ito")).get(f"/book/{leo.pk}/events")
    assert AccessLog.objects.get().row_ids == [f"event-{row.pk}"]


@pytest.mark.parametrize(("maker", "kind"), [(a_child, "person"), (a_cat, "animal")])
def test_the_chips_fit_the_subject(maker, kind):
    subject = maker()
    page = signed_in(a_person()).get(f"/book/{subject.pk}/events/add").content.decode()
    for key, event_kind in KINDS.items():
        assert (f'value="{key}"' in page) == (kind in event_kind.subject_kinds)


def test_todays_events_stand_on_today_and_an_empty_list_teaches():
    leo = a_child()
    browser = signed_in(a_person())
    assert f"/book/{leo.pk}/events/add" in browser.get(f"/book/{leo.pk}/events").content.decode()
    browser.post(f"/book/{leo.pk}/events/add", filled(kind="outing"))
    assert "Outing" in browser.get("/").content.decode()


@pytest.mark.parametrize("address", ["events", "events/add"])
def test_who_may_add_and_not_view_is_led_to_no_page_that_is_not_there(address):
    leo = a_child()
    for role, is_led in (("child", False), ("parent", True)):
        person = a_person(role)
        a_membership(person, leo, role)
        browser = signed_in(person)
        html = browser.get(f"/book/{leo.pk}/{address}").content.decode()
        assert (f'href="/book/{leo.pk}"' in html) is is_led
        assert (browser.get(f"/book/{leo.pk}").status_code == 200) is is_led
