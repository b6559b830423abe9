"""Undo for whoever comes slowly: one chord away, and its time stands still while one is at it."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, expect

from twin.models import Record

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OFFER = "#turn .undo button"


DESK = {"has_touch": False, "viewport": {"width": 1280, "height": 800}}


def a_page_with_a_clock(window: Any) -> Page:
    """Today, where something was told, and time passes only as it is told to from then on."""
    window.page.clock.install()
    page = window.go()
    window.tell("he threw up twice this morning")
    page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)
    return page


def test_alt_u_leads_from_the_box_to_undo_and_is_named_once(windows: Any) -> None:
    window = windows(**DESK)
    page = window.go()
    page.focus("#tell")
    page.keyboard.press("Alt+u")
    expect(page.locator("#said")).to_have_text("There is nothing to undo here.")
    window.tell("he threw up twice this morning")
    expect(page.locator("#said")).to_contain_text("Alt U leads to Undo.")
    assert (page.locator("#said").text_content() or "").count("Undo") == 1
    assert page.locator(OFFER).get_attribute("aria-keyshortcuts") == "Alt+U"
    page.focus("#tell")
    page.keyboard.press("Alt+u")
    expect(page.locator(OFFER)).to_be_focused()
    expect(page.locator("#tell")).to_have_value("")
    page.keyboard.press("Enter")
    expect(page.locator("#told > *")).to_have_text("Taken back. Your words are still in the journal.")
    assert not Record.objects.exists()
    page.goto(f"{window.address}/help/keys")
    expect(page.locator(".keys").first).to_contain_text("Alt U")


def test_the_minute_runs_out_for_nobody(windows: Any) -> None:
    window = windows()
    page = a_page_with_a_clock(window)
    page.clock.fast_forward(50_000)
    expect(page.locator(OFFER)).to_be_visible()
    page.clock.fast_forward(11_000)
    expect(page.locator(OFFER)).to_have_count(0)


def test_the_minute_stands_still_while_one_is_at_the_message_and_the_house_hears_how_long(
    windows: Any,
) -> None:
    window = windows()
    page = a_page_with_a_clock(window)
    page.clock.fast_forward(40_000)
    page.focus("#tell")
    page.keyboard.press("Alt+u")
    page.clock.fast_forward(200_000)
    expect(page.locator("#turn .undo")).to_have_class("undo is-held")
    page.keyboard.press("Shift+Tab")  # to the record in the same message
    page.clock.fast_forward(100_000)
    page.focus("#tell")
    page.clock.fast_forward(15_000)  # of the twenty seconds that are left
    page.keyboard.press("Alt+u")
    page.clock.resume()
    with page.expect_request("**/undo") as asked:
        page.keyboard.press("Enter")
    held_s = int(parse_qs(asked.value.post_data or "")["held_s"][0])
    assert 300 <= held_s < 500  # and not the sixty that were counted
    expect(page.locator("#told > *")).to_have_text("Taken back. Your words are still in the journal.")


def test_the_mouse_holds_it_too_and_lets_it_go(windows: Any) -> None:
    window = windows(**DESK)
    page = a_page_with_a_clock(window)
    page.hover("#turn .entry-title")
    page.clock.fast_forward(300_000)
    expect(page.locator(OFFER)).to_be_visible()
    page.hover("h1")
    page.clock.fast_forward(61_000)
    expect(page.locator(OFFER)).to_have_count(0)
