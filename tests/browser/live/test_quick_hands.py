"""Quick hands lose nothing: words typed while others are on their way, taps faster than the house answers."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.household.box.running import until
from twin.models import FormFill, Statement
from twin.rules.form_fields import fields_for

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def told() -> list[str]:
    """Every sentence the house has."""
    return list(Statement.objects.order_by("id").values_list("text", flat=True))


def on_their_way(page: Page, held: list[Route], count: int) -> None:
    """Wait until so many requests are held back, and no more than these."""
    until(lambda: len(held) >= count, f"{count} requests", pause=lambda: page.wait_for_timeout(20))
    assert len(held) == count


def test_words_typed_while_others_are_on_their_way_are_told_too(windows: Any) -> None:
    window = windows()
    page = window.go()
    held: list[Route] = []
    page.route("**/tell", lambda route: route.continue_() if held else held.append(route))
    box = page.locator("#tell")
    box.fill("she sneezed twice")
    page.locator("form:has(#tell) button.btn").click()
    on_their_way(page, held, 1)
    expect(box).to_have_value("")
    box.fill("and she ate everything")
    page.keyboard.press("Control+Enter")
    expect(box).to_have_value("and she ate everything")
    with page.expect_response(
        lambda answer: "/tell" in answer.url and "ate" in str(answer.request.post_data)
    ):
        held[0].continue_()
    expect(page.locator("#turn")).to_contain_text("Eating")
    expect(box).to_have_value("")
    assert told() == ["she sneezed twice", "and she ate everything"]
    assert window.watched.faults == []


def test_what_was_not_taken_comes_back_and_is_told_once(windows: Any) -> None:
    window = windows()
    page = window.go()
    box = page.locator("#tell")
    lost: list[str] = []

    def lose_the_answer(route: Route) -> None:
        lost.append(str(route.fetch().status))
        route.abort()

    page.route("**/tell", lose_the_answer)
    box.fill("he slept on the sofa")
    page.locator("form:has(#tell) button.btn").click()
    expect(page.locator("#offline")).to_be_visible()
    expect(box).to_have_value("he slept on the sofa")
    assert lost == ["200"]
    page.unroute("**/tell")
    page.locator("form:has(#tell) button.btn").click()
    expect(page.locator("#turn")).to_be_visible()
    assert told() == ["he slept on the sofa"]


def test_taps_faster_than_the_house_all_count(windows: Any) -> None:
    window = windows()
    page = window.go(f"/book/{window.leo.pk}/form")
    fields = list(fields_for("person"))
    held: list[Route] = []
    page.route("**/form/tap", lambda route: held.append(route))  # noqa: PLW0108 (playwright marks it)
    for row in page.locator("fieldset.tap").all():
        row.locator(".tap-option").nth(1).click()
    on_their_way(page, held, len(fields))
    for route in reversed(held):
        with page.expect_response("**/form/tap"):
            route.continue_()
    expect(page.locator("#form-state")).to_contain_text(f"{len(fields)} of {len(fields)}")
    assert set(FormFill.objects.get().levels) == set(fields)


def test_done_keeps_taps_that_were_still_on_their_way(windows: Any) -> None:
    window = windows()
    page = window.go(f"/book/{window.leo.pk}/form")
    held: list[Route] = []
    page.route(
        "**/form/tap",
        lambda route: held.append(route) if route.request.resource_type == "xhr" else route.continue_(),
    )
    for row in page.locator("fieldset.tap").all():
        row.locator(".tap-option").first.click()
    on_their_way(page, held, len(fields_for("person")))
    page.get_by_role("button", name="Done").click()
    expect(page.locator("#tell")).to_be_visible()
    assert set(FormFill.objects.get().levels) == set(fields_for("person"))


def test_done_without_a_tap_keeps_nothing(windows: Any) -> None:
    window = windows()
    page = window.go(f"/book/{window.leo.pk}/form")
    page.get_by_role("button", name="Done").click()
    expect(page.locator("#tell")).to_be_visible()
    assert not FormFill.objects.exists()
