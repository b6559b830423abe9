"""A professional's ways as a screen reader says them: invited, the second step, the caseload, telling."""

from __future__ import annotations

import base64
import hashlib
import hmac
import struct
import time
from collections.abc import Iterator

from tests.browser.screen_reader import Desk
from tests.housemate import PASSPHRASE

Way = Iterator[tuple[str, list[str]]]
STEP_S = 30
SLOW_S = 12


def code_now(secret: str) -> str:
    """The six digits an authenticator app shows for a secret (RFC 6238)."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", int(time.time()) // STEP_S), hashlib.sha1).digest()
    at = digest[-1] & 15
    number = struct.unpack(">I", digest[at : at + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06d}"


def invited(desk: Desk, house: str, role: str) -> str:
    """The address of an invitation to the page of a child, of a cat for a vet, made by the parent."""
    page = desk.page
    page.goto(f"{house}/household/invitations")
    page.locator(f"main [name=role][value={role}]").check()
    page.locator("main [name=subjects]").nth(0 if role == "vet" else -1).check()
    page.locator("main form.card .actions button").click()
    return page.locator("#address").input_value()


def visiting(desk: Desk, house: str) -> Way:
    """From the link to the caseload, which needs the second step."""
    link = invited(desk, house, "therapist")
    desk.page.context.clear_cookies()
    desk.page.goto("about:blank")
    desk.heard()
    yield "The link of an invitation", desk.open(link)
    for name, words in (("name", "Dr. Ito"), ("passphrase", PASSPHRASE), ("again", PASSPHRASE)):
        yield f"To {name}", desk.tab_to(f"main [name$={name}]", most=12)
        desk.type(words)
    yield "Accept", desk.press("Return") + desk.heard()
    yield "To the app", desk.tab_to("a[href$='totp/activate/']")
    yield "Set up the app", desk.press("Return") + desk.heard()
    if desk.page.locator("[name=password]").count():
        yield "The passphrase once more", desk.tab_to("[name=password]")
        desk.type(PASSPHRASE)
        yield "Go on", desk.press("Return") + desk.heard()
    secret = desk.page.locator("#authenticator_secret").input_value()
    yield "To the code", desk.tab_to("[name=code]")
    if (left := STEP_S - time.time() % STEP_S) < SLOW_S:  # typing it takes a while
        time.sleep(left)
    desk.type(code_now(secret))
    yield "Set it up", desk.press("Return") + desk.heard()


def caseload(desk: Desk, house: str) -> Way:
    """The caseload: read, narrowed, and something told."""
    yield "The caseload", desk.open(f"{house}/caseload")
    yield "The next fifteen stops", desk.press(*["Tab"] * 15)
    yield "To what is shown", desk.tab_to("#category")
    yield "Another body system", desk.press("Down") + desk.heard()
    desk.page.goto(f"{house}/caseload")
    desk.heard()
    yield "To the box", desk.tab_to("#tell", most=120)
    desk.type("calm in the session, talked about the swing")
    yield "Write it down", desk.press("ctrl+Return") + desk.heard()
    yield "To undo, by its keys", desk.press("alt+u")
    yield "Undo", desk.press("Return") + desk.heard()


def shared(desk: Desk, house: str) -> Way:
    """A subject's page, its other pages, a record, the form, and a search."""
    desk.page.goto(f"{house}/caseload")
    subject = desk.page.locator("main .portrait h2 a").first.get_attribute("href") or ""
    desk.heard()
    yield "The page of a subject", desk.open(house + subject)
    yield "The first twenty stops", desk.press(*["Tab"] * 20)
    ways = desk.page.locator(".subnav a").all()
    for path in [one.get_attribute("href") or "" for one in ways][1:]:
        yield path.rsplit("/", 1)[-1], desk.open(house + path)
    desk.page.goto(house + subject)
    record = desk.page.locator("#timeline a[href*='/r/rec_']").first.get_attribute("href") or ""
    desk.heard()
    yield "A record", desk.open(house + record)
    yield "The form of today", desk.open(f"{house}{subject}/form")
    yield "To a tap", desk.tab_to(".tap input")
    yield "That one", desk.press("space") + desk.heard()
    yield "The page for searching", desk.open(f"{house}/search/")
    yield "To the box", desk.tab_to("#id_words")
    desk.type("school")
    yield "Search", desk.press("Return") + desk.heard()
    yield "What was found", desk.press(*["Tab"] * 5)
