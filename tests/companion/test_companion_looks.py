"""A tablet's screens: pictures, the keyboard alone, axe, small windows, the shell everybody may have."""

from __future__ import annotations

import io
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from PIL import Image
from playwright.sync_api import expect

from memory.models import Memory, Picture
from memory.views import companion
from tests.browser.conftest import shot
from tests.companion.conftest import House, Tablet
from tests.makers import a_household

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def a_picture() -> bytes:
    """A photograph with the place it was taken at."""
    image, data = Image.new("RGB", (3000, 2000), (200, 80, 40)), io.BytesIO()
    exif = image.getexif()
    exif[0x010E] = "taken at home"
    image.save(data, "JPEG", exif=exif)
    return data.getvalue()


def test_a_picture_becomes_a_card_with_a_cover(tablets: Any, house: House) -> None:
    tablet = tablets().paired()
    picture = {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": a_picture()}
    tablet.page.locator("#from-gallery").set_input_files(picture)  # type: ignore[arg-type]
    expect(tablet.page.locator(".chosen")).to_be_visible()
    tablet.say("my orange wall")
    expect(tablet.page.locator(".bubble.is-child img")).to_be_visible()
    tablet.sync()
    kept = Picture.objects.get()
    assert kept.name.startswith("p")
    tablet.go("cards")
    expect(tablet.page.locator(".card img")).to_be_visible()
    tablet.page.locator(".card").click()
    tablet.page.locator("#card .star").click()
    shot(tablet.page, "companion-card")
    expect(tablet.page.locator("#card .star")).to_have_attribute("aria-label", "This is the cover")
    tablet.page.locator("#card-away").click()
    expect(tablet.page.locator("#cards-empty")).to_be_visible()
    tablet.page.locator(".note button").click()
    expect(tablet.page.locator(".card")).to_be_visible()
    tablet.sync()
    memory = Memory.objects.get()
    assert (memory.cover_picture, memory.hidden) == (kept.name, False)
    size = tablet.page.evaluate(
        """() => { const i = document.querySelector('.card img'); return i.naturalWidth; }"""
    )
    assert size == 1280
    assert tablet.watched.faults == []


def test_a_whole_visit_by_keyboard(tablets: Any, house: House) -> None:
    tablet = tablets(reduced_motion="no-preference")
    tablet.open()
    page = tablet.page
    press = page.keyboard.press

    def reach(selector: str, key: str = "Tab") -> None:
        for _ in range(40):
            if page.evaluate("(one) => document.activeElement.matches(one)", selector):
                return
            press(key)
        raise AssertionError(f"no way by keyboard to {selector}")

    reach("#pair-code")
    page.keyboard.type(house.code())
    press("Enter")
    expect(page.locator("#house")).to_be_visible()
    reach("#tell-text")
    page.keyboard.type("keys only")
    press("Enter")
    expect(page.locator(".is-thinking")).to_have_count(0)
    expect(page.locator(".bubble.is-child")).to_have_count(1)
    reach(".bubble.is-child .mini", "Shift+Tab")
    press("Enter")
    expect(page.locator(".bubble.is-child .mini")).to_have_attribute("aria-pressed", "true")
    reach("[data-place=cards]")
    press("Enter")
    reach(".card", "Shift+Tab")
    press("Enter")
    expect(page.locator("#card")).to_be_visible()
    reach("#card-away")
    press("Enter")
    expect(page.locator("#card")).to_be_hidden()
    reach("#cards-away", "Shift+Tab")
    press("Enter")
    reach(".card")
    press("Enter")
    reach("#card-restore")
    press("Enter")
    expect(page.locator("#cards-empty")).to_be_visible()
    reach("[data-place=me]")
    press("Enter")
    reach("#choose-character input", "Shift+Tab")
    press("ArrowRight")
    expect(page.locator("#choose-character [value=dog]")).to_be_checked()
    assert tablet.watched.faults == []


@pytest.mark.parametrize(
    ("scheme", "width", "locale"),
    [("light", 1024, "en-GB"), pytest.param("dark", 390, "tr-TR", marks=pytest.mark.long)],
)
def test_axe_finds_nothing_and_nothing_is_small(
    tablets: Any, house: House, scheme: str, width: int, locale: str
) -> None:
    tablet: Tablet = tablets(
        viewport={"width": width, "height": 844}, color_scheme=scheme, locale=locale, reduced_motion="reduce"
    )
    tablet.open()
    look_well(tablet, f"companion-{scheme}-pair")
    tablet.page.locator("#pair-code").fill(house.code())
    tablet.page.locator("#pair-form .big").click()
    expect(tablet.page.locator("#house")).to_be_visible()
    tablet.say("ölçülü bir cümle")
    tablet.keep("ölçülü bir cümle")
    for place in ("talk", "cards", "days", "me"):
        tablet.go(place)
        look_well(tablet, f"companion-{scheme}-{place}")
    tablet.go("cards")
    tablet.page.locator(".card").click()
    look_well(tablet, f"companion-{scheme}-card")
    moving = tablet.page.evaluate("document.getAnimations().length")
    assert moving == 0


# A screen that goes a moment after another came.
LEAVING = "body > .hidden-word[id]:not(#answered, [hidden])"
SMALL = """() => [...document.querySelectorAll('button, input, textarea, summary, .round')].filter((one) => {
  const box = one.getBoundingClientRect();
  return one.checkVisibility() && box.width > 1 && (box.height < 43.9 || box.width < 43.9)
    && !one.closest('.switch');
}).map((one) => one.outerHTML.slice(0, 90))"""


def look_well(tablet: Tablet, name: str) -> None:
    """Pass for a screen that axe, a thumb and a narrow window like."""
    expect(tablet.page.locator(LEAVING)).to_have_count(0)
    shot(tablet.page, name)
    found = Axe().run(tablet.page)
    assert found.violations_count == 0, found.generate_report()
    assert tablet.page.evaluate(SMALL) == []
    assert tablet.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_shell_is_for_everybody_and_holds_nobodys_words(db: None) -> None:
    a_household()
    client = Client()
    for path, kind in (
        ("/companion/", "text/html"),
        ("/companion/worker.js", "text/javascript"),
        ("/companion/companion.webmanifest", "application/manifest+json"),
    ):
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer.headers["Content-Type"].startswith(kind)
        assert "Set-Cookie" not in answer.headers
        assert client.post(path).status_code == 405
    assert companion.version() in client.get("/companion/worker.js").content.decode()
