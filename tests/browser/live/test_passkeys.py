"""A passkey in a real Chromium: added, called by a name, asked for, and taken away."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from playwright.sync_api import Page, TimeoutError, expect

from tests.browser.walking import PHONE, breaks_rules, scrolls
from tests.household.test_account_pages import reads_well
from tests.housemate import PASSPHRASE
from tests.makers import signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# A finger is laid on the phone whenever it asks.
PHONE_KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def at_home(windows: Any, language: str) -> tuple[Any, Page]:
    """A window at a name that browsers trust, and the phone's own key."""
    window = windows(locale={"en": "en-GB", "tr": "tr-TR"}[language])
    window.ana.language = language
    window.ana.set_password(PASSPHRASE)
    window.ana.save()
    cache.clear()
    window.address = window.address.replace("127.0.0.1", "localhost")
    name = settings.SESSION_COOKIE_NAME
    cookie = signed_in(window.ana).cookies[name].value
    window.context.add_cookies([{"name": name, "value": cookie, "url": window.address}])
    phone = window.context.new_cdp_session(window.page)
    phone.send("WebAuthn.enable")
    phone.send("WebAuthn.addVirtualAuthenticator", {"options": PHONE_KEY})
    return window, window.page


def looked_at(page: Page, language: str) -> None:
    """In the house's words and frame, for every eye, on a phone and at a desk."""
    reads_well(page.content(), language)
    assert [*breaks_rules(page, page.url), *scrolls(page, page.url)] == []
    page.set_viewport_size({"width": PHONE, "height": 740})


def leads_on(page: Page, button: str, where: Any) -> None:
    """The key answers a press, or a second one where the machine was busy: the page says to try again."""
    page.click(button)
    try:
        page.wait_for_url(where, timeout=15_000)
    except TimeoutError:
        page.click(button)
        page.wait_for_url(where)


@pytest.mark.parametrize("language", ["en", "tr"])
def test_a_passkey_is_added_named_asked_for_and_taken_away(windows: Any, language: str) -> None:
    window, page = at_home(windows, language)
    window.go("/accounts/2fa/webauthn/add/")
    page.fill("[name=password]", PASSPHRASE)
    page.press("[name=password]", "Enter")
    expect(page.locator("#add_passkey")).to_be_visible()
    looked_at(page, language)
    page.check("[name=passwordless]")
    page.click("#add_passkey")
    page.wait_for_url("**/recovery-codes/")
    window.go("/accounts/2fa/webauthn/")
    looked_at(page, language)
    page.locator("main a[href$='/edit/']").click()
    looked_at(page, language)
    page.fill("[name=name]", "Ana")
    page.locator("main button.btn").click()
    expect(page.locator("main h2")).to_have_text("Ana")
    window.go("/accounts/2fa/webauthn/reauthenticate/?next=/account")
    looked_at(page, language)
    leads_on(page, "#use_passkey", "**/account")
    window.context.clear_cookies()
    window.go("/accounts/login/")
    leads_on(page, "#passkey_login", re.compile(r":\d+/$"))
    window.context.clear_cookies()
    window.go("/accounts/login/")
    page.fill("[name=login]", window.ana.name)
    page.fill("[name=password]", PASSPHRASE)
    page.press("[name=password]", "Enter")
    expect(page.locator("#use_passkey")).to_be_visible()
    looked_at(page, language)
    leads_on(page, "#use_passkey", re.compile(r":\d+/$"))
    window.go("/accounts/2fa/webauthn/")
    page.locator("main a[href$='/remove/']").click()
    if page.locator("[name=password]").count():
        page.fill("[name=password]", PASSPHRASE)
        page.press("[name=password]", "Enter")
    expect(page.locator("main .btn-danger")).to_be_visible()
    looked_at(page, language)
    page.locator("main .btn-danger").click()
    expect(page.locator("main .empty")).to_be_visible()
    assert not window.ana.authenticator_set.filter(type="webauthn").exists()
    assert window.watched.faults == []


def test_a_phone_that_holds_one_already_and_one_that_does_not_answer_are_said(windows: Any) -> None:
    window, page = at_home(windows, "en")
    window.go("/accounts/2fa/webauthn/add/")
    page.fill("[name=password]", PASSPHRASE)
    page.press("[name=password]", "Enter")
    page.click("#add_passkey")
    page.wait_for_url("**/recovery-codes/")
    window.go("/accounts/2fa/webauthn/add/")
    page.click("#add_passkey")
    expect(page.locator(".toast").last).to_contain_text("This device holds a passkey of yours already.")
    page.evaluate("() => { navigator.credentials.create = () => Promise.reject(new Error('asleep')); }")
    page.click("#add_passkey")
    expect(page.locator(".toast").last).to_contain_text("The passkey did not answer.")
    assert window.watched.faults == []
