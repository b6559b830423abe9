"""The household's settings, the matrix page, the account page and the pages of refusal."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.hashers import check_password
from django.test import Client, RequestFactory

from household.models import Household, Register
from household.rules.permissions import MATRIX, Resource
from household.services.registers import read_setting
from household.views.system import failed
from tests.housemate import PASSPHRASE
from tests.makers import a_child, a_household, a_membership, a_person, signed_in, text_of

pytestmark = pytest.mark.django_db
LIMITS = (
    "daily_minutes",
    "quiet_from",
    "quiet_to",
    "voice_daily_chars",
    "tokens_per_window",
    "token_window_hours",
    "log_retention_days",
)


def limits(**values: str) -> dict[str, str]:
    return {"card": "limits", **{f"limits-{name}": values.get(name, "") for name in LIMITS}}


def home(**values: str) -> dict[str, str]:
    filled = {"name": "The mill", "time_zone": "Asia/Kathmandu", "language": "tr", **values}
    return {"card": "home", **{f"home-{name}": value for name, value in filled.items()}}


@pytest.fixture
def ana() -> Client:
    return signed_in(a_person("Ana"))


@pytest.mark.parametrize("path", ["/household", "/household/matrix", "/account"])
def test_a_guest_is_sent_to_the_sign_in_page(client: Client, path: str):
    a_household()
    assert client.get(path).headers["Location"] == f"/accounts/login/?next={path}"


@pytest.mark.parametrize("role", [None, "family", "therapist", "teacher", "child"])
def test_only_parents_see_and_change_the_household(role: str | None):
    leo = a_child()
    eve = a_person("Eve")
    if role:
        a_membership(eve, leo, role)
    browser = signed_in(eve)
    for path in ("/household", "/household/matrix"):
        assert browser.get(path).status_code == 404
    assert browser.post("/household", home()).status_code == 404
    assert Household.objects.get().name == "The house"


def test_whoever_made_the_household_may_set_it_up_before_anybody_is_in_the_book(ana: Client):
    assert ana.get("/household").status_code == 200
    assert signed_in(a_person("Eve")).get("/household").status_code == 404
    a_child(a_person("Eve"))
    assert ana.get("/household").status_code == 404


def test_the_home_is_changed_and_its_offset_follows_its_zone(ana: Client):
    assert ana.post("/household", home()).status_code == 302
    house = Household.objects.get()
    assert (house.name, house.time_zone, house.language) == ("The mill", "Asia/Kathmandu", "tr")
    assert read_setting("utc_offset_minutes") == 345


def test_limits_are_kept_as_registers_and_shown_again(ana: Client):
    sent = {
        "daily_minutes": "45",
        "quiet_from": "20:30",
        "quiet_to": "07:00",
        "tokens_per_window": "0",
        "log_retention_days": "90",
    }
    assert ana.post("/household", limits(**sent)).status_code == 302
    assert read_setting("daily_minutes") == 45
    assert read_setting("quiet") == {"from": "20:30", "to": "07:00"}
    assert read_setting("tokens_per_window") == 0
    assert set(Register.objects.values_list("key", flat=True)) == {
        "daily_minutes",
        "quiet",
        "tokens_per_window",
        "log_retention_days",
    }
    page = ana.get("/household").content.decode()
    for value in sent.values():
        assert f'value="{value}"' in page
    ana.post("/household", limits())
    assert read_setting("daily_minutes") is read_setting("quiet") is None


def test_saving_the_same_limits_again_writes_nothing(ana: Client):
    ana.post("/household", limits(daily_minutes="45"))
    before = list(Register.objects.values())
    ana.post("/household", limits(daily_minutes="45"))
    assert list(Register.objects.values()) == before


@pytest.mark.parametrize(
    ("sent", "wrong"),
    [
        (limits(daily_minutes="-1"), "daily_minutes"),
        (limits(daily_minutes="1441"), "daily_minutes"),
        (limits(daily_minutes="much"), "daily_minutes"),
        (limits(quiet_from="20:00"), "quiet_to"),
        (limits(quiet_to="20:00"), "quiet_from"),
        (limits(quiet_from="20:00", quiet_to="20:00"), "quiet_to"),
        (limits(quiet_from="24:00", quiet_to="07:00"), "quiet_from"),
        (limits(token_window_hours="0"), "token_window_hours"),
        (limits(log_retention_days="0"), "log_retention_days"),
        (home(name=" "), "name"),
        (home(time_zone="Moon/Sea"), "time_zone"),
        (home(language="xx"), "language"),
        ({"card": "pin", "pin-pin": "123"}, "pin"),
        ({"card": "pin", "pin-pin": "123456789"}, "pin"),
        ({"card": "pin", "pin-pin": "12a4"}, "pin"),
        ({"card": "pin", "pin-pin": "١٢٣٤"}, "pin"),
    ],
)
def test_a_wrong_setting_is_named_and_nothing_is_kept(ana: Client, sent, wrong):
    response = ana.post("/household", sent)
    assert response.status_code == 422
    assert set(response.context["forms"][sent["card"]].errors) == {wrong}
    assert not Register.objects.exists()
    assert Household.objects.get().name == "The house"


def test_what_was_typed_stays_beside_the_message(ana: Client):
    page = ana.post("/household", limits(daily_minutes="-1", log_retention_days="30")).content.decode()
    assert 'value="-1"' in page and 'value="30"' in page


def test_a_pin_is_kept_only_as_a_slow_hash_and_can_be_removed(ana: Client):
    ana.post("/household", {"card": "pin", "pin-pin": "4711"})
    kept = Register.objects.get(key="pin").value
    assert kept.startswith("argon2$") and "4711" not in kept
    assert check_password("4711", kept)
    assert kept not in ana.get("/household").content.decode()
    ana.post("/household", {"card": "pin", "pin-pin": "", "remove": "yes"})
    assert read_setting("pin") is None


def test_a_post_of_no_known_card_changes_nothing(ana: Client):
    assert ana.post("/household", {"card": "nonsense"}).status_code == 200
    assert not Register.objects.exists()


def test_the_people_list_says_who_is_what_to_whom(ana: Client):
    a_membership(a_person("Dr. Ito"), a_child(a_person("Ana")), "therapist")
    page = text_of(ana.get("/household"))
    assert "Parent of Leo" in page and "Therapist of Leo" in page


def test_the_matrix_page_prints_every_cell_that_is_enforced(ana: Client):
    page = ana.get("/household/matrix")
    assert page.content.decode().count('class="cell ') == len(MATRIX) * len(Resource) * 2


@pytest.mark.parametrize("language", ["en", "tr"])
@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_a_person_chooses_language_and_appearance(ana: Client, language: str, theme: str):
    assert ana.post("/account", {"language": language, "theme": theme}).status_code == 302
    page = ana.get("/account").content.decode()
    assert f'<html lang="{language}"' in page
    assert (f'data-theme="{theme}"' in page) == (theme != "auto")


def test_an_unknown_language_is_refused(ana: Client):
    assert ana.post("/account", {"language": "xx", "theme": "auto"}).status_code == 422
    assert a_person("Ana").language == "en"


def test_the_account_page_leads_to_passphrase_second_step_and_sessions():
    ana = signed_in(a_person("Ana", passphrase=PASSPHRASE))
    page = ana.get("/account").content.decode()
    for path in ("/accounts/password/change/", "/accounts/2fa/", "/accounts/sessions/"):
        assert f'href="{path}"' in page
        assert ana.get(path).status_code == 200


def test_a_passphrase_is_changed_only_by_who_knows_the_old_one():
    person = a_person("Ana", passphrase=PASSPHRASE)
    browser = signed_in(person)
    new = "cold milk and cinnamon"
    browser.post("/accounts/password/change/", {"oldpassword": "wrong", "password1": new, "password2": new})
    person.refresh_from_db()
    assert person.check_password(PASSPHRASE)
    browser.post(
        "/accounts/password/change/", {"oldpassword": PASSPHRASE, "password1": new, "password2": new}
    )
    person.refresh_from_db()
    assert person.check_password(new)


def test_signing_out_ends_the_session(ana: Client):
    assert ana.post("/accounts/logout/").status_code == 302
    assert ana.get("/account").status_code == 302


def test_pages_that_are_not_there_say_so_in_the_readers_language(ana: Client):
    response = ana.get("/nothing/here")
    assert response.status_code == 404
    assert "Nothing on this page" in text_of(response)
    assert Client().get("/nothing/here").status_code == 404


def test_a_form_from_another_address_is_told_what_to_set():
    a_household()
    browser = Client(enforce_csrf_checks=True, headers={"Origin": "http://elsewhere.example"})
    response = browser.post("/accounts/login/", {"login": "Ana", "password": "x"})
    assert response.status_code == 403
    page = text_of(response)
    assert "HEARTHBOOK_ORIGINS" in page and "http://elsewhere.example" in page


def test_the_page_of_a_fault_needs_no_database_and_shows_no_cause(monkeypatch: pytest.MonkeyPatch):
    a_household()
    with_fault = Client(raise_request_exception=False)

    def broken(*_args: Any, **_kwargs: Any) -> None:
        raise RuntimeError("the child's secret")

    monkeypatch.setattr("household.views.system.health_of", broken)
    response = with_fault.get("/healthz")
    assert response.status_code == 500
    assert "Something broke" in text_of(response) and "secret" not in text_of(response)


def test_a_fault_page_can_be_drawn_outside_any_request(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert failed(RequestFactory().get("/")).status_code == 500
