"""The companion on a child's tablet as a screen reader says it: pairing, talking, cards, days, rest."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.browser.screen_reader import Desk

Way = Iterator[tuple[str, list[str]]]
PIN = "4711"
# A picture as the tablet's gallery would give it: forty dots in one colour.
PICTURE = """(colour) => new Promise((done) => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 40;
  canvas.getContext("2d").fillStyle = colour;
  canvas.getContext("2d").fillRect(0, 0, 40, 40);
  canvas.toBlob((blob) => {
    const files = new DataTransfer();
    files.items.add(new File([blob], `${colour}.png`, { type: "image/png" }));
    const input = document.getElementById("from-gallery");
    input.files = files.files;
    input.dispatchEvent(new Event("change"));
    done();
  });
})"""


def a_code(desk: Desk, house: str) -> str:
    """Six digits for the child's tablet, made by the parent, who also sets the PIN."""
    page = desk.page
    page.goto(f"{house}/household")
    for field in page.locator("#pin input:not([type=hidden])").all():
        field.fill(PIN)
    page.locator("#pin .actions .btn").first.click()
    page.goto(f"{house}/devices")
    page.locator("main [name=child]").first.check()
    page.locator("form[action$='pair'] .btn").click()
    return page.locator(".pair-code").inner_text()


def pairing(desk: Desk, house: str) -> Way:
    """Wrong digits, then the right ones."""
    code = a_code(desk, house)
    yield "The page with the code, for the parent", desk.heard()
    yield "The companion, not paired", desk.open(f"{house}/companion/")
    for digits in ("000000", code):
        yield "To the digits", desk.tab_to("#pair-code")
        desk.press("ctrl+a")
        desk.type(digits)
        yield "Let me in", desk.press("Return") + desk.heard()


def talking(desk: Desk, house: str) -> Way:
    """Something is told, kept as a card, and two pictures are shown without words."""
    yield "To the box", desk.tab_to("#tell-text")
    desk.type("I like dinosaurs")
    yield "Say it", desk.press("Return") + desk.heard()
    yield "Back to the star", desk.tab_to(".bubble.is-child .mini", key="shift+Tab")
    yield "Keep it", desk.press("space") + desk.heard()
    yield "To the box again", desk.tab_to("#tell-text")
    desk.page.evaluate(PICTURE, "red")
    yield "A picture was chosen", desk.heard()
    desk.page.evaluate(PICTURE, "blue")
    yield "Another one", desk.heard()
    yield "Send it without words", desk.press("Return") + desk.heard()
    yield "The whole page", desk.press("ctrl+Home", *["Down"] * 14)


def cards(desk: Desk, house: str) -> Way:
    """Cards: opened, starred, put in other words, put away and taken back, in two ways."""
    yield "To the cards", desk.tab_to("[data-place=cards]")
    yield "Cards", desk.press("Return") + desk.heard()
    yield "To the first card", desk.tab_to("#cards-list .card")
    yield "Open it", desk.press("Return") + desk.heard()
    yield "Its stops", desk.press(*["Tab"] * 5)
    yield "To the star of the other picture", desk.tab_to("#card figure:last-child .star")
    yield "Star", desk.press("space") + desk.heard()
    yield "Once more", desk.press("space") + desk.heard()
    yield "To change", desk.tab_to("#card-change")
    yield "Change the words", desk.press("Return") + desk.heard()
    desk.press("ctrl+a")
    desk.type("my red picture")
    yield "To save", desk.tab_to("#card-form .big")
    yield "Save", desk.press("Return") + desk.heard()
    yield "To putting away", desk.tab_to("#card-away")
    yield "Put away", desk.press("Return") + desk.heard()
    yield "Undo", desk.press("Return") + desk.heard()
    yield "To the cards put away", desk.tab_to("#cards-away")
    yield "Cards put away", desk.press("Return") + desk.heard()
    yield "Back", desk.press("Return") + desk.heard()


def days(desk: Desk, house: str) -> Way:
    """By day."""
    yield "To the days", desk.tab_to("[data-place=days]")
    yield "Days", desk.press("Return") + desk.heard()
    yield "To the first", desk.tab_to(".day-card")
    yield "Open it", desk.press("Return") + desk.heard()
    yield "Close it", desk.press("Escape") + desk.heard()


def me(desk: Desk, house: str) -> Way:
    """What the child chooses, and the PIN."""
    yield "To me", desk.tab_to("[data-place=me]")
    yield "Me", desk.press("Return") + desk.heard()
    yield "To whom one talks", desk.tab_to("#choose-character input")
    yield "To the PIN", desk.tab_to("#me .pin input")
    for digits in ("0000", PIN):
        desk.type(digits)
        yield f"PIN {digits}", desk.press("Return") + desk.heard()


def limit(desk: Desk, house: str, **limits: str) -> None:
    """What the parent sets meanwhile, at another table; the tablet hears of it."""
    asking = desk.page.request
    page = asking.get(f"{house}/household").text()
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert found is not None
    fields = {"csrfmiddlewaretoken": found[1], "card": "limits"}
    fields |= {f"limits-{name}": value for name, value in limits.items()}
    asking.post(f"{house}/household", form=fields, headers={"Referer": house})
    desk.page.evaluate("dispatchEvent(new Event('online'))")


def resting(desk: Desk, house: str) -> Way:
    """The minutes of the day are over, and a parent opens more; then the quiet hours, and the morning."""
    desk.page.locator("[data-place=talk]").focus()
    yield "To talking", desk.press("Return") + desk.heard()
    limit(desk, house, daily_minutes="1")
    yield "The minutes are over", desk.heard(begins_s=60)
    yield "For grown-ups", desk.tab_to("#rest-more summary") + desk.press("Return")
    yield "To the PIN", desk.tab_to("#rest-more input")
    desk.type(PIN)
    yield "The PIN", desk.press("Return") + desk.heard()
    limit(desk, house, quiet_from="00:00", quiet_to="23:59")
    yield "The quiet hours begin", desk.heard(begins_s=30)
    yield "What is there", desk.press(*["Tab"] * 3)
    limit(desk, house)
    yield "It is morning", desk.heard(begins_s=30)
