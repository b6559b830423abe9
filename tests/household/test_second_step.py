"""Professionals set up a second step first; wrong tries slow one device and lock nobody out."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.test import Client

from household.models import Heartbeat
from tests.browser.listening_visitor import code_now
from tests.housemate import PASSPHRASE
from tests.makers import (
    a_cat,
    a_child,
    a_membership,
    a_person,
    a_second_step,
    now,
    signed_in,
)

pytestmark = pytest.mark.django_db
PROFESSIONS = ["therapist", "teacher", "vet"]


@pytest.fixture(autouse=True)
def a_calm_house(settings: Any) -> None:
    """No tries yet, a worker that lives, and a quick hash: what is counted here is tries."""
    cache.clear()
    Heartbeat.objects.create(worker="w", at=now())
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def pages(pk: int) -> list[str]:
    return ["/", "/book", f"/book/{pk}", f"/book/{pk}/usual", f"/book/{pk}/print", f"/book/{pk}/form"]


@pytest.mark.parametrize("role", PROFESSIONS)
def test_no_page_opens_to_a_professional_without_a_second_step(role: str):
    mavi = a_cat()
    ito = a_person("Dr. Ito")
    a_membership(ito, mavi, role)
    Authenticator.objects.all().delete()
    browser = signed_in(ito)
    for url in pages(mavi.pk):
        response = browser.get(url)
        assert response.status_code == 302
        assert response["Location"] == "/account/second-step"
        assert b"Mavi" not in response.content
    assert browser.get("/", headers={"HX-Request": "true"}).headers["HX-Redirect"] == "/account/second-step"
    assert b"Set up the app" in browser.get("/account/second-step").content
    assert browser.get("/account").status_code == 200


@pytest.mark.parametrize("role", PROFESSIONS)
def test_with_a_second_step_the_pages_open(role: str):
    mavi = a_cat()
    ito = a_person("Dr. Ito")
    a_membership(ito, mavi, role)
    a_second_step(ito)
    assert signed_in(ito).get(f"/book/{mavi.pk}").status_code == 200
    assert signed_in(ito).get("/account/second-step").status_code == 302


def test_codes_on_paper_alone_are_no_second_step():
    leo = a_child()
    ito = a_person("Dr. Ito")
    a_membership(ito, leo, "therapist")
    Authenticator.objects.update(type=Authenticator.Type.RECOVERY_CODES)
    assert signed_in(ito).get(f"/book/{leo.pk}").status_code == 302


@pytest.mark.parametrize("role", ["parent", "family", "child"])
def test_nobody_at_home_must_have_one(role: str):
    leo = a_child()
    ben = a_person("Ben")
    a_membership(ben, leo, role)
    assert signed_in(ben).get("/").status_code == 200


def test_a_parent_who_is_a_therapist_elsewhere_needs_one_too():
    leo = a_child()
    a_membership(a_person("Ana"), a_child(a_person("Olga"), "Zoe"), "therapist")
    Authenticator.objects.all().delete()
    assert signed_in(a_person("Ana")).get(f"/book/{leo.pk}").status_code == 302


def sign_in(passphrase: str, address: str = "192.168.1.20", name: str = "Ana") -> tuple[int, bytes]:
    response = Client(REMOTE_ADDR=address).post(
        "/accounts/login/", {"login": name, "password": passphrase}, REMOTE_ADDR=address
    )
    return response.status_code, response.content


def test_wrong_tries_slow_their_own_device_and_nobody_else():
    a_person("Ana", passphrase=PASSPHRASE)
    a_person("Ben", passphrase=PASSPHRASE)
    for _ in range(10):
        assert b"from this device" not in sign_in("wrong one")[1]
    for name in ("Ana", "ANA", " ana "):
        status, body = sign_in(PASSPHRASE, name=name)
        assert status == 200
        assert b"Too many wrong tries. Wait five minutes" in body
    assert sign_in(PASSPHRASE, address="192.168.1.30")[0] == 302
    assert sign_in(PASSPHRASE, name="Ben")[0] == 302


def test_a_family_that_signs_in_often_from_one_address_is_not_slowed():
    a_person("Ana", passphrase=PASSPHRASE)
    assert {sign_in(PASSPHRASE)[0] for _ in range(15)} == {302}


def test_signing_out_everywhere_else_ends_the_other_sessions():
    a_person("Ana", passphrase=PASSPHRASE)
    here, there = Client(), Client()
    for browser in (here, there):
        browser.post("/accounts/login/", {"login": "Ana", "password": PASSPHRASE})
        assert browser.get("/").status_code == 200
    here.post("/accounts/sessions/", {})
    assert here.get("/").status_code == 200
    assert there.get("/").status_code == 302


@pytest.mark.parametrize(
    "role, has, lacks",
    [
        ("parent", "/journal/", "/caseload"),
        ("therapist", "/caseload", "/journal/"),
        ("family", "/book", "/journal/"),
    ],
)
def test_a_page_of_ones_account_leads_only_where_one_may_go(role: str, has: str, lacks: str) -> None:
    leo = a_child()
    person = a_person("Ana") if role == "parent" else a_person("Ito")
    if role != "parent":
        a_membership(person, leo, role)
    page = signed_in(person).get("/accounts/2fa/").content.decode()
    assert f'href="{has}"' in page
    assert f'href="{lacks}"' not in page


def test_the_app_is_set_up_in_the_house_s_own_words_and_its_letters_are_not_read_out_twice():
    a_membership(a_person("Dr. Ito", passphrase=PASSPHRASE), a_child(), "therapist")
    Authenticator.objects.all().delete()
    browser = Client()
    browser.post("/accounts/login/", {"login": "Dr. Ito", "password": PASSPHRASE})
    browser.post("/accounts/reauthenticate/", {"password": PASSPHRASE})
    page = browser.get("/accounts/2fa/totp/activate/").content.decode()
    secret = re.findall(r'id="authenticator_secret"[^>]*value="(\w+)"', page)[0]
    assert 'alt="The letters as a QR code"' in page and page.count(secret) == 1
    assert "placeholder" not in page
    wrong = browser.post("/accounts/2fa/totp/activate/", {"code": "nothing"}).content.decode()
    assert 'aria-invalid="true" aria-describedby="id_code_error"' in wrong and 'id="id_code_error"' in wrong
    browser.post("/accounts/2fa/totp/activate/", {"code": code_now(secret)})
    assert browser.get("/", follow=True).redirect_chain[-1][0] == "/caseload"
