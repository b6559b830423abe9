"""The first visit makes the household with the printed code, once."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from django.test import Client

from household.box import firstrun
from household.models import Household, Person
from household.services.people import AlreadySetUp, set_up_household
from household.services.registers import read_setting
from tests.housemate import PASSPHRASE
from tests.makers import a_household, a_person, now
from tests.threads import at_once

pytestmark = pytest.mark.django_db
WELCOME = "/welcome"


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("HEARTHBOOK_HOME", str(tmp_path))
    return firstrun.issue_code()


def filled(right_code: str, **fields: str) -> dict[str, str]:
    return {
        "code": right_code,
        "household_name": "The mill",
        "time_zone": "Europe/Istanbul",
        "language": "tr",
        "parent_name": "  Ana ",
        "passphrase": PASSPHRASE,
        "again": PASSPHRASE,
        **fields,
    }


def test_every_page_leads_to_the_first_run_until_the_household_exists(client: Client):
    for path in ("/", "/book", "/accounts/login/", "/r/rec_000001"):
        response = client.get(path)
        assert (response.status_code, response.headers["Location"]) == (302, WELCOME)
    assert client.get(WELCOME).status_code == 200


def test_the_right_code_makes_the_household_and_signs_its_first_parent_in(client: Client, code: str):
    response = client.post(WELCOME, filled(code))
    assert (response.status_code, response.headers["Location"]) == (302, "/book/add")
    house = Household.objects.get()
    assert (house.name, house.time_zone, house.language) == ("The mill", "Europe/Istanbul", "tr")
    assert read_setting("utc_offset_minutes") == 180
    ana = Person.objects.get()
    assert (ana.name, ana.language, ana.check_password(PASSPHRASE)) == ("Ana", "tr", True)
    assert client.session["_auth_user_id"] == str(ana.pk)
    assert ana.usersession_set.count() == 1
    assert not firstrun.is_waiting()


def test_afterwards_the_page_is_gone_for_everybody(client: Client, code: str):
    a_household()
    assert client.get(WELCOME).status_code == 404
    assert client.post(WELCOME, filled(code)).status_code == 404
    assert not Person.objects.exists()


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"code": "AAAA-AAAA"}, "code"),
        ({"code": ""}, "code"),
        ({"household_name": " "}, "household_name"),
        ({"household_name": "x" * 81}, "household_name"),
        ({"household_name": "a\x00b"}, "household_name"),
        ({"time_zone": "Moon/Sea"}, "time_zone"),
        ({"language": "xx"}, "language"),
        ({"parent_name": "  "}, "parent_name"),
        ({"passphrase": "short", "again": "short"}, "passphrase"),
        ({"passphrase": "password123", "again": "password123"}, "passphrase"),
        ({"again": PASSPHRASE + "!"}, "again"),
    ],
)
def test_a_wrong_field_is_named_and_the_rest_stays_typed(client: Client, code: str, fields, wrong):
    response = client.post(WELCOME, filled(code, **fields))
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {wrong}
    page = response.content.decode()
    kept = "household_name" if wrong != "household_name" else "parent_name"
    assert f'value="{filled(code)[kept]}"' in page
    assert PASSPHRASE not in page
    assert not Household.objects.exists()
    assert client.post(WELCOME, filled(code)).status_code == 302


def test_guessing_ends_after_ten_wrong_codes(client: Client, code: str):
    for _ in range(firstrun.TRIES):
        assert client.post(WELCOME, filled("AAAA-AAAA")).status_code == 422
    assert client.post(WELCOME, filled(code)).status_code == 422
    assert not Household.objects.exists()


def test_the_page_speaks_the_visitors_language(client: Client):
    page = client.get(WELCOME, headers={"Accept-Language": "tr-TR,tr;q=0.9"}).content.decode()
    assert '<html lang="tr"' in page
    assert '<option value="tr" selected>' in page


@pytest.mark.django_db(transaction=True)
def test_two_first_visits_at_once_make_one_household():
    visit = partial(
        set_up_household,
        household_name="The mill",
        time_zone="UTC",
        language="en",
        passphrase=PASSPHRASE,
        now=now(),
    )
    results = at_once(partial(visit, parent_name="Ana"), partial(visit, parent_name="Ben"))
    assert sum(isinstance(one, AlreadySetUp) for one in results) == 1, results
    assert Person.objects.count() == 1


@pytest.mark.parametrize("name", ["Ana", "ana", " ANA "])
def test_people_sign_in_by_name_whatever_its_case(client: Client, name: str):
    ana = a_person("Ana", passphrase=PASSPHRASE)
    response = client.post("/accounts/login/", {"login": name, "password": PASSPHRASE, "next": "/book"})
    assert (response.status_code, response.headers["Location"]) == (302, "/book")
    assert client.session["_auth_user_id"] == str(ana.pk)


def test_a_wrong_passphrase_signs_nobody_in(client: Client):
    a_person("Ana", passphrase=PASSPHRASE)
    response = client.post("/accounts/login/", {"login": "Ana", "password": "cold bread and salt"})
    assert "_auth_user_id" not in client.session
    assert "Ana" in response.content.decode()


def test_a_wrong_passphrase_is_told_in_the_words_of_the_page(client: Client) -> None:
    a_person("Ana")
    answer = client.post("/accounts/login/", {"login": "Ana", "password": "not these words"})
    assert "That name and passphrase do not go together." in answer.content.decode()
