"""Signing in: the session's key changes, nothing tells who lives here, and no address leads elsewhere."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.cache import cache
from django.test import Client

from household.models import Person
from tests.housemate import PASSPHRASE
from tests.makers import a_child, a_person, signed_in

pytestmark = pytest.mark.django_db
SIGN_IN = "/accounts/login/"
ELSEWHERE = [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "///evil.example",
    "http:evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "https://testserver@evil.example/",
    " https://evil.example",
]


@pytest.fixture(autouse=True)
def fresh_counts() -> None:
    cache.clear()


@pytest.fixture
def ana() -> Person:
    person = a_person("Ana", passphrase=PASSPHRASE)
    a_child(person)
    return person


def sign_in(browser: Client, name: str, passphrase: str, **more: str) -> Any:
    return browser.post(SIGN_IN, {"login": name, "password": passphrase, **more})


def test_the_session_key_changes_on_signing_in(ana: Person) -> None:
    browser = Client()
    planted = browser.session
    planted["planted"] = "by somebody else"
    planted.save()
    before = planted.session_key
    browser.cookies["sessionid"] = before
    assert sign_in(browser, "Ana", PASSPHRASE).status_code == 302
    after = browser.cookies["sessionid"].value
    assert after not in {"", before}
    thief = Client()
    thief.cookies["sessionid"] = before
    assert thief.get("/account").status_code == 302
    assert browser.get("/account").status_code == 200


def test_a_key_of_ones_own_making_is_never_taken(ana: Person) -> None:
    browser = Client()
    browser.cookies["sessionid"] = "a" * 32
    sign_in(browser, "Ana", PASSPHRASE)
    assert browser.cookies["sessionid"].value != "a" * 32


def test_signing_out_ends_the_session_on_the_server(ana: Person) -> None:
    browser = Client()
    sign_in(browser, "Ana", PASSPHRASE)
    key = browser.cookies["sessionid"].value
    browser.post("/accounts/logout/")
    kept = Client()
    kept.cookies["sessionid"] = key
    assert kept.get("/account").status_code == 302


def test_a_new_passphrase_keeps_this_session_and_ends_the_others(ana: Person) -> None:
    here, there = Client(), Client()
    for browser in (here, there):
        sign_in(browser, "Ana", PASSPHRASE)
    fields = {"oldpassword": PASSPHRASE, "password1": "a longer loaf of bread"}
    here.post("/accounts/password/change/", {**fields, "password2": fields["password1"]})
    assert here.get("/account").status_code == 200
    assert there.get("/account").status_code == 302


def test_the_session_cookie_is_out_of_reach_of_scripts_and_other_sites(ana: Person) -> None:
    browser = Client()
    sign_in(browser, "Ana", PASSPHRASE)
    cookie = browser.cookies["sessionid"]
    assert cookie["httponly"] and cookie["samesite"] == "Lax"


@pytest.mark.parametrize("where", ELSEWHERE)
def test_signing_in_leads_nowhere_else(ana: Person, where: str) -> None:
    browser = Client()
    done = sign_in(browser, "Ana", PASSPHRASE, next=where)
    assert done.status_code == 302
    assert done["Location"] == "/"


@pytest.mark.parametrize("where", ELSEWHERE)
def test_no_other_page_leads_elsewhere(ana: Person, where: str) -> None:
    browser = signed_in(ana)
    for path in ("/accounts/logout/", "/accounts/reauthenticate/", "/accounts/password/change/", "/account"):
        for answer in (browser.get(path, {"next": where}), browser.post(path, {"next": where})):
            assert "evil" not in answer.get("Location", "").split("?")[0], path
            assert f'href="{where}"' not in answer.content.decode()


def test_a_page_of_ours_is_come_back_to(ana: Person) -> None:
    assert sign_in(Client(), "Ana", PASSPHRASE, next="/book")["Location"] == "/book"


def test_a_wrong_passphrase_and_an_unknown_name_get_the_same_answer(ana: Person) -> None:
    answers = []
    for name in ("Ana", "Ani"):
        page = sign_in(Client(), name, "not the one I meant")
        answers.append((page.status_code, _still(page.content.decode()).replace(f'value="{name}"', "")))
    assert answers[0] == answers[1]


def _still(page: str) -> str:
    import re

    return re.sub(r'nonce="[^"]*"|name="csrfmiddlewaretoken" value="[^"]*"|X-CSRFToken[^}]*', "", page)


def test_an_unknown_name_costs_the_same_hash_as_a_known_one(
    ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = {"Ana": 0, "Ani": 0}
    encode = Argon2PasswordHasher.encode
    verify = Argon2PasswordHasher.verify
    asked = ""

    def counted(real: Any) -> Any:
        def run(self: Any, *args: Any, **kwargs: Any) -> Any:
            counts[asked] += 1
            return real(self, *args, **kwargs)

        return run

    monkeypatch.setattr(Argon2PasswordHasher, "encode", counted(encode))
    monkeypatch.setattr(Argon2PasswordHasher, "verify", counted(verify))
    for asked in counts:
        sign_in(Client(), asked, "not the one I meant")
    assert counts["Ana"] == counts["Ani"] > 0


def test_asking_for_a_new_passphrase_tells_nobody_who_lives_here(ana: Person) -> None:
    Person.objects.filter(pk=ana.pk).update(email="ana@example.com")
    answers = []
    for email in ("ana@example.com", "eve@example.com"):
        cache.clear()
        page = Client().post("/accounts/password/reset/", {"email": email})
        answers.append((page.status_code, page.get("Location")))
    assert answers[0] == answers[1]


def test_nobody_signs_up_by_themselves(ana: Person) -> None:
    fields = {"username": "Eve", "password1": PASSPHRASE, "password2": PASSPHRASE}
    Client().post("/accounts/signup/", fields)
    assert not Person.objects.filter(name="Eve").exists()
