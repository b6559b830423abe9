"""The companion for whoever listens or has no hand for a screen: where one stands, and what is said."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from household.services.registers import change_settings, hash_pin
from tests.companion.conftest import House, Tablet
from tests.companion.test_companion_looks import a_picture
from tests.makers import LONG_AGO

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PICTURE = {"name": "a.jpg", "mimeType": "image/jpeg"}


def note_what_is_said(page: Page) -> None:
    """Keep every sentence that the page has read out."""
    page.evaluate(
        """() => { window.heard = [];
          new MutationObserver(() => { const text = document.getElementById('answered').textContent;
            if (text) window.heard.push(text); })
            .observe(document.getElementById('answered'), {childList: true}); }"""
    )


def with_a_card(tablet: Tablet) -> Tablet:
    """A tablet that shows its one card."""
    tablet.say("I like dinosaurs")
    tablet.keep("I like dinosaurs")
    tablet.go("cards")
    return tablet


def test_each_screen_and_place_begins_at_its_title(tablets: Any, house: House) -> None:
    tablet = tablets().open()
    expect(tablet.page.locator("#pair h1")).to_be_focused()
    tablet.page.locator("#pair-code").fill(house.code())
    tablet.page.locator("#pair-form .big").click()
    expect(tablet.page.locator("#tell-text")).to_be_focused()
    for place in ("cards", "days", "me", "talk"):
        tablet.page.locator(f"[data-place={place}]").focus()
        tablet.page.keyboard.press("Enter")
        expect(tablet.page.locator(f"#{place} h1")).to_be_focused()


def test_a_card_is_read_as_it_opens_and_undo_waits_for_whoever_stands_there(
    tablets: Any, house: House
) -> None:
    tablet = tablets()
    tablet.page.clock.install()
    page = with_a_card(tablet.paired()).page
    page.locator(".card").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#card-text")).to_be_focused()
    page.locator("#card-away").focus()
    page.keyboard.press("Enter")
    undo = page.locator(".note button")
    expect(undo).to_be_focused()
    page.clock.fast_forward(20_000)
    expect(undo).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".card")).to_be_focused()
    expect(page.locator(".note")).to_have_count(0)


def test_a_note_goes_by_itself_where_nobody_stands_and_leaves_nobody_lost(tablets: Any, house: House) -> None:
    tablet = tablets()
    tablet.page.clock.install()
    page = with_a_card(tablet.paired()).page
    page.locator(".card").click()
    page.locator("#card-away").click()
    expect(page.locator(".note button")).to_be_visible()
    page.locator("#cards-title").hover()
    page.clock.fast_forward(10_000)
    expect(page.locator(".note")).to_have_count(0)
    expect(page.locator("#cards-title")).to_be_focused()


def test_new_words_of_a_card_are_stood_at(tablets: Any, house: House) -> None:
    page = with_a_card(tablets().paired()).page
    page.locator(".card").click()
    change = page.locator("#card-change")
    expect(change).to_have_attribute("aria-expanded", "false")
    change.click()
    expect(change).to_have_attribute("aria-expanded", "true")
    page.locator("#card-words").fill("I like whales")
    page.locator("#card-form .big").click()
    expect(page.locator("#card-text")).to_be_focused()
    expect(page.locator("#card-text")).to_have_text("I like whales")
    expect(change).to_have_attribute("aria-expanded", "false")


def test_pictures_and_what_was_put_away_are_said(tablets: Any, house: House) -> None:
    tablet = with_a_card(tablets().paired())
    page = tablet.page
    note_what_is_said(page)
    page.locator("#cards-away").click()
    page.locator("#cards-away").click()
    page.wait_for_function("window.heard.length === 2")
    tablet.go("talk")
    picture = {**PICTURE, "buffer": a_picture()}
    page.locator("#from-gallery").set_input_files(picture)  # type: ignore[arg-type]
    page.locator(".chosen").click()
    page.wait_for_function("window.heard.length === 4")
    expect(page.locator("#tell-text")).to_be_focused()
    assert page.evaluate("window.heard") == [
        "Nothing is put away.",
        "My cards: 1",
        "The picture is there. Write something, or send it.",
        "The picture is gone.",
    ]


def test_a_card_is_its_dialogs_heading_and_a_full_star_says_that_it_is(tablets: Any, house: House) -> None:
    tablet = tablets().paired()
    page = tablet.page
    picture = {**PICTURE, "buffer": a_picture()}
    page.locator("#from-gallery").set_input_files(picture)  # type: ignore[arg-type]
    expect(page.locator(".chosen")).to_be_visible()
    tablet.say("my orange wall")
    tablet.go("cards")
    page.locator(".card").click()
    expect(page.get_by_role("heading", name="my orange wall")).to_be_focused()
    note_what_is_said(page)
    page.locator("#card .star").press("Space")
    page.wait_for_function("window.heard.length === 1")
    assert page.evaluate("window.heard") == ["This is the cover"]
    expect(page.locator("#card .star")).to_be_focused()


def test_the_places_of_pictures_are_called_what_they_do(tablets: Any, house: House) -> None:
    page = tablets().paired().page
    with page.expect_file_chooser():
        page.get_by_role("button", name="Choose a picture").press("Enter")


def test_a_sync_leaves_one_where_one_stands_among_the_days(tablets: Any, house: House) -> None:
    tablet = with_a_card(tablets().paired())
    tablet.go("days")
    tablet.page.locator(".day-card").focus()
    tablet.sync()
    expect(tablet.page.locator(".day-card")).to_be_focused()


def test_good_night_is_stood_at_and_says_why_and_a_pin_opens_it(tablets: Any, house: House) -> None:
    change_settings({"daily_minutes": 0, "pin": hash_pin("4711")}, now=LONG_AGO)
    page = tablets().open().page
    page.locator("#pair-code").fill(house.code())
    page.locator("#pair-form .big").click()
    night = page.locator("#goodnight h1")
    expect(night).to_be_focused()
    expect(night).to_have_accessible_description("We talked a lot today. See you tomorrow!")
    page.locator("#rest-more summary").press("Enter")
    page.locator("#rest-more input").fill("4711")
    page.keyboard.press("Enter")
    expect(page.locator("#talk h1")).to_be_focused()


def test_what_one_stood_on_goes_after_one_stands_at_good_night(tablets: Any, house: House) -> None:
    page = tablets().paired().page
    page.locator("[data-place=talk]").focus()
    page.evaluate(
        """() => document.addEventListener('focusin', () => {
          window.wasThere = !document.getElementById('house').hidden;
        }, {once: true})"""
    )
    change_settings({"quiet": {"from": "00:00", "to": "23:59"}}, now=timezone.now())
    page.evaluate("dispatchEvent(new Event('online'))")
    night = page.locator("#goodnight h1")
    expect(night).to_be_focused()
    expect(night).to_have_accessible_description("I am sleeping now. We talk again at 23:59.")
    assert page.evaluate("window.wasThere")
    expect(page.locator("#house")).to_be_hidden()
