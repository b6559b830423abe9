"""The player in a real Chromium: it speaks part by part, marks the word being spoken, and can be stopped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import NOTE_MARKS, Watched, chromium, first_run_code, shot
from tests.household.box.running import Box, a_running_box
from tests.housemate import PASSPHRASE

__all__ = ["chromium"]  # a fixture
pytestmark = pytest.mark.browser
LEAD = "The house reads aloud by itself: nothing you write leaves it to be spoken."


@pytest.fixture(scope="module")
def house() -> Iterator[Box]:
    """One running box for all of these tests."""
    with a_running_box() as running:
        yield running


@pytest.fixture(scope="module")
def signed_in(chromium: Browser, house: Box) -> dict[str, object]:
    """A parent's session in the new household."""
    context = chromium.new_context(base_url=f"http://127.0.0.1:{house.port}", locale="en-GB")
    page = context.new_page()
    page.goto("/welcome")
    fields = {"code": first_run_code(house), "household_name": "Home", "parent_name": "Ana"}
    for name, value in {**fields, "passphrase": PASSPHRASE, "again": PASSPHRASE}.items():
        page.locator(f"[name={name}]").fill(value)
    page.locator("main form button").last.click()
    page.wait_for_url("**/book/add")
    state = context.storage_state()
    context.close()
    return dict(state)


@pytest.fixture
def page(chromium: Browser, house: Box, signed_in: dict[str, object]) -> Iterator[Page]:
    """A browser window of the parent's."""
    address = f"http://127.0.0.1:{house.port}"
    context = chromium.new_context(base_url=address, locale="en-GB", storage_state=signed_in)  # type: ignore[arg-type]
    yield context.new_page()
    context.close()


def test_a_text_is_read_aloud_word_by_word(page: Page) -> None:
    watched = Watched(page)
    page.goto("/household/voice")
    page.evaluate(NOTE_MARKS)
    button = page.locator("[data-speak]")
    expect(button).to_have_accessible_name("Read aloud")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_have_accessible_name("Stop reading")
    expect(button).to_have_attribute("aria-pressed", "false", timeout=60_000)
    marked = [word for word, _ in groupby(page.evaluate("window.marked"))]
    assert [word for word in LEAD.split() if word in marked] == marked
    assert len(marked) >= len(LEAD.split()) - 2  # a very short word may fall between two frames
    assert page.evaluate("CSS.highlights.size") == 0
    assert watched.faults == []


def test_reading_stops_at_once_when_told_to(page: Page) -> None:
    page.goto("/household/voice")
    button = page.locator("[data-speak]")
    button.click()
    expect(button).to_have_attribute("aria-busy", "false", timeout=60_000)
    page.keyboard.press("Escape")
    expect(button).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("CSS.highlights.size") == 0


def test_a_refusal_is_shown_in_words(page: Page) -> None:
    page.goto("/household/voice")
    page.evaluate("document.getElementById('voice-lead').textContent = '漢字'")
    page.locator("[data-speak]").click()
    expect(page.locator("#toasts")).to_contain_text("cannot read these letters")
    expect(page.locator("[data-speak]")).to_have_attribute("aria-pressed", "false")


def test_a_sample_plays_without_leaving_the_page(page: Page) -> None:
    page.goto("/household/voice")
    page.locator("#id_speed").select_option("85")
    with page.expect_response(re.compile("/voice/speak")) as answer:
        page.get_by_role("button", name="Listen").first.click()
    assert answer.value.status == 200
    assert answer.value.headers["content-type"] == "audio/wav"
    assert page.url.endswith("/household/voice")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_can_be_used_by_everybody(page: Page, scheme: str, width: int) -> None:
    watched = Watched(page)
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/household/voice")
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]})
    assert found.violations_count == 0, found.generate_report()
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert watched.faults == []
    shot(page, f"voice-{width}-{scheme}")
