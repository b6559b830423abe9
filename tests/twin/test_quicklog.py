"""Quick logs: shown once, pressed without signing in, ended at once or with the author's right."""

from __future__ import annotations

import datetime as dt
import json
import re
import uuid
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from household.models import Membership
from tests.makers import a_cat, a_child, a_membership, a_person, now, signed_in
from tests.twin.test_medicines import EVERY_8, a_medicine, give
from tests.twin.test_trackables import BUS, SCALE, a_trackable
from twin.models import Dose, FormFill, QuickLog, TrackableEntry
from twin.services.medicines import stop_medicine
from twin.services.quicklog import Revoked, UnknownAction, hash_of, make_quick_log, revoke_quick_log
from twin.services.trackables import put_away
from twin.views.quicklog import PRESSES_A_MINUTE, WRONG_A_MINUTE

pytestmark = pytest.mark.django_db
NOON = dt.datetime(2025, 3, 3, 12, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def nobody_pressed_yet():
    cache.clear()


def a_button(subject: Any, action: dict[str, Any], person: Any = None) -> tuple[QuickLog, str]:
    made = make_quick_log(
        person=person or a_person(),
        subject_id=subject.pk,
        client_id=str(uuid.uuid4()),
        label="The button",
        action=action,
        now=NOON,
    )
    return made.row, f"/q/{made.token}"


def of_words(subject: Any, person: Any = None) -> dict[str, Any]:
    row = a_trackable(subject, person=person)
    return {"kind": "trackable", "id": row.pk, "values": {"f1": 1}}


def a_browser() -> Client:
    """Somebody without an account, with every check of forged requests on."""
    return Client(enforce_csrf_checks=True)


# --- making ---------------------------------------------------------------------------------------


def test_a_parent_makes_a_button_whose_address_and_code_are_shown_once():
    leo = a_child()
    medicine = a_medicine(leo)
    browser = signed_in(a_person())
    sent = {"client_id": "one", "action": f"dose:{medicine.pk}", "label": "Kitchen"}
    page = browser.post(f"/book/{leo.pk}/buttons", sent).content.decode()
    token = re.search(r"/q/([\w-]+)", page)[1]
    row = QuickLog.objects.get()
    assert row.token_hash == hash_of(token) and token not in row.token_hash
    assert (row.label, row.action) == ("Kitchen", {"kind": "dose", "id": medicine.pk})
    assert "<svg" in page and 'class="qr"' in page and "style=" not in page.split('class="qr"')[1][:2000]
    listed = browser.get(f"/book/{leo.pk}/buttons").content.decode()
    assert "Kitchen" in listed and token not in listed


def test_making_one_twice_is_one_button_with_one_address():
    leo = a_child()
    browser = signed_in(a_person())
    sent = {"client_id": "one", "action": "form:arousal:high"}
    found = {re.search(r"/q/([\w-]+)", browser.post(f"/book/{leo.pk}/buttons", sent).content.decode())[1]}
    found.add(re.search(r"/q/([\w-]+)", browser.post(f"/book/{leo.pk}/buttons", sent).content.decode())[1])
    assert len(found) == QuickLog.objects.count() == 1
    assert QuickLog.objects.get().label == "Arousal: Wound up"


def test_everything_one_press_can_do_is_offered():
    leo = a_child()
    medicine, words = a_medicine(leo), a_trackable(leo)
    bus, school = a_trackable(leo, fields=[BUS]), a_trackable(leo, fields=[SCALE])
    both = a_trackable(leo, fields=[BUS, SCALE])
    page = signed_in(a_person()).get(f"/book/{leo.pk}/buttons").content.decode()
    keys = set(re.findall(r'<option value="([^"]+)"', page))
    assert f"dose:{medicine.pk}" in keys
    assert {f"trackable:{words.pk}:0", f"trackable:{bus.pk}:1", f"trackable:{school.pk}:4"} <= keys
    assert not any(key.startswith(f"trackable:{both.pk}:") for key in keys)
    assert "form:sleep:woke" in keys


@pytest.mark.parametrize("action", ["", "dose:99999", "form:arousal:purple", "walk"])
def test_an_action_nobody_offered_is_422(action):
    leo = a_child()
    sent = {"client_id": "one", "action": action, "label": "typed before"}
    response = signed_in(a_person()).post(f"/book/{leo.pk}/buttons", sent)
    assert response.status_code == 422 and "typed before" in response.content.decode()
    assert not QuickLog.objects.exists()


def test_a_service_refuses_what_is_anothers_or_over():
    leo, mavi = a_child(), a_cat()
    medicine = a_medicine(leo)
    with pytest.raises(UnknownAction):
        a_button(mavi, {"kind": "dose", "id": medicine.pk})
    with pytest.raises(UnknownAction):
        a_button(mavi, of_words(leo))
    with pytest.raises(UnknownAction):
        a_button(leo, {"kind": "walk"})
    stop_medicine(medicine_id=medicine.pk, now=NOON)
    with pytest.raises(UnknownAction):
        a_button(leo, {"kind": "dose", "id": medicine.pk})


def test_a_form_sent_again_after_its_button_was_ended_makes_none():
    leo = a_child()
    made = {"person": a_person(), "subject_id": leo.pk, "client_id": "one", "label": "x", "now": NOON}
    action = of_words(leo)
    row = make_quick_log(**made, action=action).row
    revoke_quick_log(quick_log_id=row.pk, now=NOON)
    with pytest.raises(Revoked):
        make_quick_log(**made, action=action)
    assert QuickLog.objects.count() == 1


# --- pressing -------------------------------------------------------------------------------------


def test_a_press_gives_a_dose_as_its_author_and_answers_in_json():
    leo = a_child()
    row, url = a_button(leo, {"kind": "dose", "id": a_medicine(leo, schedule=EVERY_8).pk})
    response = a_browser().post(url, {"client_id": "42"})
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")
    assert response.json() == {"ok": True, "text": "Logged: The button", "label": "The button"}
    dose = Dose.objects.get()
    assert (dose.author.name, dose.client_id, dose.device) == ("Ana", "42", f"quick-{row.pk}")
    row.refresh_from_db()
    assert row.used_at is not None
    assert "Set-Cookie" not in response


def test_a_press_logs_an_entry_and_a_tap_of_the_form():
    leo = a_child()
    _, words = a_button(leo, of_words(leo))
    _, form = a_button(leo, {"kind": "form", "field": "sleep", "level": "woke"})
    assert [a_browser().post(url).status_code for url in (words, form)] == [200, 200]
    assert TrackableEntry.objects.get().values == {"f1": 1}
    assert FormFill.objects.get().levels == {"sleep": "woke"}


@pytest.mark.parametrize("how", ["form", "json", "header"])
def test_a_repeated_press_with_the_same_id_is_one_row(how):
    leo = a_child()
    _, url = a_button(leo, of_words(leo))
    for _ in range(3):
        match how:
            case "form":
                response = a_browser().post(url, {"client_id": "42"})
            case "json":
                response = a_browser().post(url, json.dumps({"client_id": 42}), "application/json")
            case _:
                response = a_browser().post(url, headers={"Idempotency-Key": "42"})
        assert response.status_code == 200
    assert TrackableEntry.objects.get().client_id == "42"


def test_two_buttons_with_the_same_id_are_two_rows():
    leo = a_child()
    action = of_words(leo)
    for _ in range(2):
        a_browser().post(a_button(leo, action)[1], {"client_id": "42"})
    assert TrackableEntry.objects.count() == 2


def test_plain_words_are_answered_to_who_asks_for_them():
    leo = a_child()
    _, url = a_button(leo, of_words(leo))
    response = a_browser().post(url, headers={"Accept": "text/plain"})
    assert response["Content-Type"].startswith("text/plain")
    assert response.content.decode() == "Logged: The button\n"


@pytest.mark.parametrize("body", ["{", "[]", '"x"', "\x00", '{"client_id": {"a": 1}}'])
def test_a_body_that_says_nothing_useful_is_still_a_press(body):
    leo = a_child()
    _, url = a_button(leo, of_words(leo))
    assert a_browser().post(url, body, "application/json").status_code == 200
    assert TrackableEntry.objects.count() == 1


def test_opened_in_a_browser_it_asks_first_and_then_logs():
    leo = a_child()
    _, url = a_button(leo, of_words(leo))
    page = a_browser().get(url)
    assert page.status_code == 200 and not TrackableEntry.objects.exists()
    assert page["Referrer-Policy"] == "no-referrer"
    client_id = re.search(r'name="client_id" value="([^"]+)"', page.content.decode())[1]
    for _ in range(2):
        done = a_browser().post(url, {"client_id": client_id}, headers={"Accept": "text/html"})
        assert done.status_code == 200 and "Logged" in done.content.decode()
    assert TrackableEntry.objects.count() == 1


def test_too_soon_is_409_saves_nothing_and_can_be_set_aside():
    leo = a_child()
    medicine = a_medicine(leo, schedule=EVERY_8)
    last = give(medicine, now() - dt.timedelta(hours=1))
    _, url = a_button(leo, {"kind": "dose", "id": medicine.pk})
    refused = a_browser().post(url, {"client_id": "a"})
    said = refused.json()
    assert refused.status_code == 409
    assert (said["ok"], said["code"], said["despite"]) == (False, "too_soon", last.pk)
    assert "by Ana" in said["text"]
    page = a_browser().post(url, {"client_id": "a"}, headers={"Accept": "text/html"}).content.decode()
    assert f'name="despite" value="{last.pk}"' in page
    assert Dose.objects.count() == 1
    assert a_browser().post(url, {"client_id": "a", "despite": last.pk}).status_code == 200
    assert Dose.objects.count() == 2


def test_what_is_over_is_409():
    leo = a_child()
    medicine, words = a_medicine(leo), of_words(leo)
    urls = [a_button(leo, {"kind": "dose", "id": medicine.pk})[1], a_button(leo, words)[1]]
    stop_medicine(medicine_id=medicine.pk, now=now() - dt.timedelta(minutes=1))
    put_away(trackable_id=words["id"], now=NOON)
    assert [a_browser().post(url).status_code for url in urls] == [409, 409]


def test_it_speaks_its_authors_language():
    person = a_person("Ana", language="tr")
    leo = a_child(person)
    _, url = a_button(leo, of_words(leo, person), person)
    assert '<html lang="tr"' in a_browser().get(url).content.decode()


# --- refusing -------------------------------------------------------------------------------------


def test_a_wrong_or_ended_address_is_404():
    leo = a_child()
    row, url = a_button(leo, of_words(leo))
    assert a_browser().post("/q/nothing").status_code == 404
    assert a_browser().get("/q/nothing").status_code == 404
    browser = signed_in(a_person())
    assert browser.post(f"/buttons/{row.pk}/revoke").status_code == 302
    assert [a_browser().post(url).status_code, a_browser().get(url).status_code] == [404, 404]
    assert not TrackableEntry.objects.exists()


@pytest.mark.parametrize("how", ["ended", "inactive", "deleted", "not allowed"])
def test_it_ends_with_its_authors_right_to_add(how):
    leo = a_child()
    bo = a_person("Bo")
    membership = a_membership(bo, leo, "parent")
    _, url = a_button(leo, of_words(leo), bo)
    assert a_browser().post(url).status_code == 200
    match how:
        case "ended":
            membership.ends_at = now() - dt.timedelta(seconds=1)
            membership.save()
        case "inactive":
            bo.is_active = False
            bo.save()
        case "deleted":
            Membership.objects.filter(person=bo).delete()
            bo.delete()
        case _:
            membership.role, membership.overrides = "therapist", {"observation:add": False}
            membership.save()
    assert [a_browser().post(url).status_code, a_browser().get(url).status_code] == [404, 404]
    assert TrackableEntry.objects.count() == 1


def test_only_a_press_writes():
    leo = a_child()
    _, url = a_button(leo, of_words(leo))
    for method in ("put", "patch", "delete"):
        assert getattr(a_browser(), method)(url).status_code == 405


def test_a_button_that_sticks_is_slowed_down():
    leo = a_child()
    _, url = a_button(leo, of_words(leo))
    codes = [a_browser().post(url, {"client_id": "42"}).status_code for _ in range(PRESSES_A_MINUTE + 1)]
    assert codes == [200] * PRESSES_A_MINUTE + [429]


def test_who_tries_addresses_is_slowed_down_and_finds_nothing():
    leo = a_child()
    _, url = a_button(leo, of_words(leo))
    codes = [a_browser().post(f"/q/{n}").status_code for n in range(WRONG_A_MINUTE + 2)]
    assert codes == [404] * (WRONG_A_MINUTE + 1) + [429]
    refused = a_browser().post(url)
    assert (refused.status_code, refused["Retry-After"]) == (429, "60")


def test_only_parents_make_see_and_end_buttons():
    leo = a_child()
    row, _ = a_button(leo, of_words(leo))
    for name, role in (("Gran", "family"), ("Dr. Ito", "therapist"), ("Eve", None)):
        person = a_person(name)
        if role:
            a_membership(person, leo, role)
        browser = signed_in(person)
        assert browser.get(f"/book/{leo.pk}/buttons").status_code == 404
        sent = {"client_id": "c", "action": "form:sleep:woke"}
        assert browser.post(f"/book/{leo.pk}/buttons", sent).status_code == 404
        assert browser.post(f"/buttons/{row.pk}/revoke").status_code == 404
    row.refresh_from_db()
    assert row.revoked_at is None and QuickLog.objects.count() == 1
