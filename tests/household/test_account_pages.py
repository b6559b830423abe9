"""Every page of one's account speaks the house's words, in the house's frame, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache as once
from html import unescape
from pathlib import Path
from typing import Any

import allauth
import polib
import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse

from household import account_urls
from household.models import Heartbeat, Person
from tests.browser.listening_visitor import code_now
from tests.housemate import PASSPHRASE
from tests.makers import a_child, a_membership, a_person, now, signed_in

pytestmark = pytest.mark.django_db
LIBRARY = Path(allauth.__file__).parent / "locale/tr/LC_MESSAGES/django.po"
OURS = Path(settings.BASE_DIR) / "locale/tr/LC_MESSAGES/django.po"
NO_PAGES = {"mfa_download_recovery_codes"}  # a file
PASSKEYS = {
    "mfa_edit_webauthn",
    "mfa_remove_webauthn",
}  # with a real one: tests/browser/live/test_passkeys.py
LANGUAGES = ["en", "tr"]


@pytest.fixture(autouse=True)
def a_calm_house(settings: Any) -> None:
    """No tries yet, a worker that lives, and a quick hash."""
    cache.clear()
    Heartbeat.objects.create(worker="w", at=now())
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def addresses(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    """The names of all addresses about signing in."""
    for one in patterns:
        if isinstance(one, URLResolver):
            yield from addresses(one.url_patterns)
        else:
            assert one.name is not None
            yield one.name


@once
def said_by_the_library() -> set[str]:
    """What allauth says in English and Turkish, without what the house says in the same words."""
    own = {text for one in polib.pofile(str(OURS)) for text in (one.msgid, one.msgstr)}
    theirs = {text for one in polib.pofile(str(LIBRARY)) for text in (one.msgid, one.msgstr) if text}
    return {plain(text) for text in theirs} - {plain(text) for text in own}


@once
def said_in_english() -> set[str]:
    """The house's own words that are others in Turkish."""
    return {plain(one.msgid) for one in polib.pofile(str(OURS)) if one.msgstr and one.msgid != one.msgstr}


def plain(words: str) -> str:
    return " ".join(unescape(words).split())


def pieces(page: str) -> set[str]:
    """What a page says: its texts, and what it says in names and hints; not its scripts."""
    body = re.sub(r"<(script|style)\b.*?</\1>|<!--.*?-->", " ", page, flags=re.S)
    named = re.findall(r'(?:aria-label|alt|placeholder|title|data-failed|data-there)="([^"]*)"', page)
    return {plain(text) for text in [*re.split(r"<[^>]+>", body), *named]} - {""}


def ana(language: str, *steps: str) -> tuple[Client, Person]:
    """Ana, a parent, who has just shown twice that it is her."""
    person = a_person("Ana", passphrase=PASSPHRASE, language=language)
    a_child(person)
    browser = Client(HTTP_ACCEPT_LANGUAGE=language)
    browser.post("/accounts/login/", {"login": "Ana", "password": PASSPHRASE})
    browser.post("/accounts/reauthenticate/", {"password": PASSPHRASE})
    if "app" in steps:
        TOTP.activate(person, generate_totp_secret())
    if "codes" in steps:
        RecoveryCodes.activate(person)
    return browser, person


def reads_well(page: str, language: str) -> None:
    """In our frame, nothing in the library's words, nothing in English on a Turkish page."""
    assert 'class="brand"' in page and f'<html lang="{language}"' in page
    said = pieces(page)
    assert not said & said_by_the_library()
    if language == "tr":
        assert not said & said_in_english()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("steps", [(), ("app", "codes")])
def test_every_address_shows_our_own_page_or_leads_to_one(language: str, steps: tuple[str, ...]) -> None:
    shown = set()
    signed_in, guest = ana(language, *steps)[0], Client(HTTP_ACCEPT_LANGUAGE=language)
    for name in sorted(set(addresses(account_urls.urlpatterns)) - NO_PAGES - PASSKEYS):
        held = {"account_confirm_email": ["k"], "account_reset_password_from_key": ["1", "k"]}.get(name, [])
        for browser in (signed_in, guest):
            response = browser.get(reverse(name, args=held), follow=True)
            assert response.status_code in {200, 404}, name
            reads_well(response.content.decode(), language)
            shown |= {one.name for one in response.templates if one.name}
    ours = Path(settings.BASE_DIR) / "templates"
    pages = {one for one in shown if one.startswith(("account/", "mfa/", "usersessions/"))}
    layouts = {one for one in pages if not (ours / one).exists()}
    assert all("/base" in one for one in layouts), layouts


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_day_of_one_s_account_is_told_in_our_own_words(language: str) -> None:
    browser, person = ana(language)
    changes = [
        {"oldpassword": old, "password1": one, "password2": two}
        for old, one, two in (
            ("wrong", "seven crows", "seven crows"),
            (PASSPHRASE, "seven crows", "eight crows"),
            (PASSPHRASE, "short", "short"),
            (PASSPHRASE, "password", "password"),
        )
    ]
    pages = [
        Client(HTTP_ACCEPT_LANGUAGE=language).post("/accounts/login/", {"login": "Ana", "password": "wrong"}),
        browser.post("/accounts/reauthenticate/", {"password": "wrong"}),
        *(browser.post("/accounts/password/change/", change) for change in changes),
        browser.post("/accounts/2fa/recovery-codes/generate/"),
        browser.post("/accounts/2fa/totp/activate/", {"code": "000000"}),
    ]
    secret = re.findall(r'value="(\w{32})"', browser.get("/accounts/2fa/totp/activate/").content.decode())[0]
    on = browser.post("/accounts/2fa/totp/activate/", {"code": code_now(secret)}, follow=True)
    codes = re.findall(r"<code>(\d+)</code>", on.content.decode())
    assert len(codes) == 10 and on.redirect_chain[-1][0] == "/accounts/2fa/recovery-codes/"
    again = browser.post("/accounts/2fa/recovery-codes/generate/", follow=True)
    codes = re.findall(r"<code>(\d+)</code>", again.content.decode())
    other = Client(HTTP_ACCEPT_LANGUAGE=language)
    asked = other.post("/accounts/login/", {"login": "Ana", "password": PASSPHRASE}, follow=True)
    assert asked.redirect_chain[-1][0].startswith("/accounts/2fa/authenticate/")
    wrong = other.post("/accounts/2fa/authenticate/", {"code": "000000"})
    welcome = other.post("/accounts/2fa/authenticate/", {"code": codes[0]}, follow=True)
    assert welcome.redirect_chain[-1][0] == "/"
    pages += [on, again, asked, wrong, other.get("/accounts/2fa/reauthenticate/")]
    pages.append(browser.get("/accounts/2fa/recovery-codes/"))
    assert codes[0] not in pages[-1].content.decode()  # each works once
    pages.append(browser.post("/accounts/sessions/", {}, follow=True))
    pages.append(browser.post("/accounts/2fa/totp/deactivate/", follow=True))
    assert not person.authenticator_set.exists()
    new = {"oldpassword": PASSPHRASE, "password1": "seven crows", "password2": "seven crows"}
    pages.append(browser.post("/accounts/password/change/", new, follow=True))
    pages.append(browser.post("/accounts/logout/", follow=True))
    for page in [*pages, welcome]:
        reads_well(page.content.decode(), language)
    faults = [page.content.decode().count('class="errorlist"') for page in pages[1:6]]
    assert all(faults), faults


def test_nobody_adds_an_address_that_would_keep_them_from_a_second_step() -> None:
    browser, person = ana("en")
    browser.post("/accounts/email/", {"action_add": "", "email": "ana@example.org"})
    assert not person.emailaddress_set.exists()
    assert browser.get("/accounts/email/")["Location"] == reverse("household:channel-list")
    assert browser.get("/accounts/2fa/totp/activate/").status_code == 200


def test_a_forgotten_passphrase_leads_to_the_code_of_another_parent() -> None:
    a_child()
    for path in ("", "done/", "key/done/", "key/1-set-password/"):
        assert Client().get(f"/accounts/password/reset/{path}")["Location"] == "/recover"


def test_who_never_had_a_passphrase_is_led_to_the_code_too() -> None:
    person = a_person("Ana")
    a_child(person)
    assert not person.has_usable_password()
    led = signed_in(person).get("/accounts/password/change/", follow=True)
    assert led.redirect_chain[-1][0] == "/recover" and led.status_code == 200


def test_the_codes_are_a_file_too() -> None:
    browser, _ = ana("en", "app", "codes")
    answer = browser.get("/accounts/2fa/recovery-codes/download/")
    assert "attachment" in answer["Content-Disposition"] and len(answer.content.decode().split()) == 10


def test_a_professional_s_codes_are_shown_after_the_set_up_before_the_caseload() -> None:
    person = a_person("Dr. Ito", passphrase=PASSPHRASE)
    a_membership(person, a_child(), "therapist")
    Authenticator.objects.all().delete()
    browser = Client()
    browser.post("/accounts/login/", {"login": "Dr. Ito", "password": PASSPHRASE})
    browser.post("/accounts/reauthenticate/", {"password": PASSPHRASE})
    page = browser.get("/accounts/2fa/totp/activate/").content.decode()
    secret = re.findall(r'value="(\w{32})"', page)[0]
    codes = browser.post("/accounts/2fa/totp/activate/", {"code": code_now(secret)}, follow=True)
    assert b"10 codes that work" in codes.content
