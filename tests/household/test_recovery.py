"""A forgotten passphrase: a one-time code from a parent or the console, and every old session ends."""

from __future__ import annotations

import datetime as dt
import re
from io import StringIO
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client

from household.models import Heartbeat, Person, RecoveryCode
from household.services.recovery import LASTS, TRIES, WrongCode, issue_code, renew_passphrase
from tests.housemate import PASSPHRASE
from tests.makers import a_child, a_membership, a_person, now, signed_in

pytestmark = pytest.mark.django_db
NEW = "seven green lanterns"


@pytest.fixture(autouse=True)
def a_calm_house(settings: Any) -> None:
    cache.clear()
    Heartbeat.objects.create(worker="w", at=now())
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def renewing(name: str, code_given: str, **fields: str) -> dict[str, str]:
    return {"parent_name": name, "code": code_given, "passphrase": NEW, "again": NEW, **fields}


def code_in(body: bytes) -> str:
    return re.search(r'id="code">([^<]+)<', body.decode()).group(1)  # type: ignore[union-attr]


def a_family() -> Client:
    """Ana, a parent, beside Ben of the family; her browser."""
    leo = a_child()
    a_membership(a_person("Ben", passphrase=PASSPHRASE), leo)
    return signed_in(a_person("Ana"))


def test_a_parent_gives_a_code_and_its_bearer_chooses_a_passphrase():
    ana = a_family()
    ben = Person.objects.get(name="Ben")
    assert b'id="code"' not in ana.get(f"/people/{ben.pk}/recover").content
    code = code_in(ana.post(f"/people/{ben.pk}/recover").content)
    ben.refresh_from_db()
    assert ben.check_password(PASSPHRASE)
    response = Client().post("/recover", renewing("BEN", code.lower()))
    assert response["Location"] == "/accounts/login/"
    ben.refresh_from_db()
    assert ben.check_password(NEW)
    assert not RecoveryCode.objects.exists()


def test_every_session_of_the_person_ends_and_nobody_elses():
    ana = a_family()
    ben, browser = Person.objects.get(name="Ben"), Client()
    browser.post("/accounts/login/", {"login": "Ben", "password": PASSPHRASE})
    assert browser.get("/").status_code == 200
    Client().post("/recover", renewing("Ben", issue_code(ben, now=now())))
    assert browser.get("/").status_code == 302
    assert ana.get("/").status_code == 200


def test_a_code_works_once():
    a_family()
    code = issue_code(Person.objects.get(name="Ben"), now=now())
    assert [Client().post("/recover", renewing("Ben", code)).status_code for _ in range(2)] == [302, 422]


def test_only_a_slow_hash_of_a_code_is_kept_and_a_new_one_voids_the_old():
    ben = a_person("Ben")
    old, new = issue_code(ben, now=now()), issue_code(ben, now=now())
    assert new.replace("-", "") not in str(RecoveryCode.objects.values().get())
    with pytest.raises(WrongCode):
        renew_passphrase(name="Ben", code=old, passphrase=NEW, now=now())
    renew_passphrase(name="Ben", code=new, passphrase=NEW, now=now())


@pytest.mark.parametrize(("after", "works"), [(LASTS - dt.timedelta(seconds=1), True), (LASTS, False)])
def test_a_code_lasts_an_hour(after: dt.timedelta, works: bool):
    made = now()
    code = issue_code(a_person("Ben"), now=made)
    try:
        renew_passphrase(name="Ben", code=code, passphrase=NEW, now=made + after)
    except WrongCode:
        assert not works
    else:
        assert works


def test_after_five_wrong_tries_the_right_code_is_void_too():
    ben = a_person("Ben", passphrase=PASSPHRASE)
    code = issue_code(ben, now=now())
    for _ in range(TRIES):
        assert Client().post("/recover", renewing("Ben", "AAAAA-AAAAA")).status_code == 422
    assert Client().post("/recover", renewing("Ben", code)).status_code == 422
    ben.refresh_from_db()
    assert ben.check_password(PASSPHRASE)


def test_a_wrong_code_and_an_unknown_name_look_the_same():
    a_person("Ben")
    issue_code(a_person("Ben"), now=now())
    pages = [Client().post("/recover", renewing(name, "AAAAA-AAAAA")) for name in ("Ben", "Bob")]
    said = [re.findall(r'role="alert".*?</div>', page.content.decode(), re.S) for page in pages]
    assert said[0] == said[1] != []


@pytest.mark.parametrize(
    "wrong", [{"again": "other"}, {"passphrase": "short", "again": "short"}, {"code": ""}]
)
def test_a_bad_passphrase_does_not_spend_the_code(wrong: dict[str, str]):
    ben = a_person("Ben")
    code = issue_code(ben, now=now())
    assert Client().post("/recover", renewing("Ben", code, **wrong)).status_code == 422
    assert Client().post("/recover", renewing("Ben", code)).status_code == 302


def test_a_parent_resets_only_people_of_their_own_subjects_and_never_themselves():
    ana = a_family()
    olga, ben = a_person("Olga"), Person.objects.get(name="Ben")
    a_child(olga, "Zoe")
    for browser, person in ((signed_in(olga), ben), (ana, olga), (ana, a_person("Ana"))):
        assert browser.get(f"/people/{person.pk}/recover").status_code == 404
        assert browser.post(f"/people/{person.pk}/recover").status_code == 404
    assert signed_in(ben).post(f"/people/{a_person('Ana').pk}/recover").status_code == 404
    assert not RecoveryCode.objects.exists()


def test_nobody_reaches_another_family_through_a_person_both_know():
    ana, ben = a_family(), a_person("Ben")
    a_membership(ben, a_child(a_person("Olga"), "Zoe"))
    for browser in (ana, signed_in(a_person("Olga"))):
        assert browser.post(f"/people/{ben.pk}/recover").status_code == 404
    assert not RecoveryCode.objects.exists()


def test_the_console_helps_the_last_parent():
    a_person("Ana", passphrase=PASSPHRASE)
    said = StringIO()
    call_command("reset_passphrase", "ana", stdout=said)
    code = re.search(r": (\w{5}-\w{5})", said.getvalue()).group(1)  # type: ignore[union-attr]
    assert Client().post("/recover", renewing("Ana", code)).status_code == 302
    assert Person.objects.get(name="Ana").check_password(NEW)
    with pytest.raises(CommandError, match="Nobody here"):
        call_command("reset_passphrase", "Bob", stdout=said)
