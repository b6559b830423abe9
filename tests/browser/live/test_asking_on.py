"""Asking on below an answer: what one typed stays until it is answered, and then the earlier boxes go."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from memory.models import Answer, Question
from tests.makers import a_record

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
REPEATED = """() => [...document.querySelectorAll('[id]')].map((one) => one.id)
  .filter((id, at, all) => all.indexOf(id) !== at)"""


def answered(windows: Any, times: int = 1) -> Page:
    """A window in which a first question, and follow-ups, have their answers."""
    window = windows()
    a_record(window.leo, text="cried at the shop")
    page: Page = window.go("/ask/")
    page.fill("#ask-words", "what happened at the shop?")
    page.keyboard.press("Control+Enter")
    expect(page.locator("article .ask-follow")).to_have_count(1)
    for number in range(1, times):
        page.locator(".ask-follow input[name=words]").fill(f"and what else, number {number}?")
        page.keyboard.press("Enter")
        expect(page.locator("article[id^=answer-]")).to_have_count(number + 1)
    return page


def test_a_follow_up_that_fails_keeps_its_words_and_is_one_question_when_asked_again(windows: Any) -> None:
    page = answered(windows)
    lost: list[Route] = []

    def lose_the_answer(route: Route) -> None:
        route.fetch()
        lost.append(route)
        route.abort()

    page.route("**/ask/now", lose_the_answer)
    box = page.locator(".ask-follow input[name=words]")
    box.fill("and since when?")
    page.keyboard.press("Enter")
    expect(page.locator("#answer-live [role=alert]")).to_be_visible()
    assert len(lost) == 1
    expect(box).to_have_value("and since when?")
    expect(box).to_be_focused()
    expect(page.locator("article form")).not_to_have_count(0)
    page.unroute("**/ask/now")
    page.keyboard.press("Enter")
    expect(page.locator("#answer-live .ask-follow")).to_have_count(1)
    assert Question.objects.filter(text="and since when?").count() == 1


def test_a_follow_up_the_house_refuses_keeps_its_words(windows: Any) -> None:
    page = answered(windows)
    page.route("**/ask/now", lambda route: route.fulfill(status=503, body="<p role=alert>others ask</p>"))
    box = page.locator(".ask-follow input[name=words]")
    box.fill("and since when?")
    page.keyboard.press("Enter")
    expect(page.locator("#answer-live")).to_contain_text("others ask")
    expect(box).to_have_value("and since when?")
    expect(page.locator(".ask-follow button")).to_be_enabled()


def test_the_boxes_stay_while_it_is_answered_and_go_with_the_answer(windows: Any) -> None:
    page = answered(windows)
    held: list[Route] = []
    page.route("**/ask/now", lambda route: held.append(route))  # noqa: PLW0108 (playwright marks it)
    page.locator(".ask-follow input[name=words]").fill("and since when?")
    with page.expect_request("**/ask/now"):
        page.keyboard.press("Enter")
    expect(page.locator("article .ask-follow input[name=words]")).to_have_value("and since when?")
    held[0].continue_()
    expect(page.locator("#answer-live .ask-follow")).to_have_count(1)
    expect(page.locator("article form.ask-follow")).to_have_count(1)
    expect(page.locator("article").first.locator("form")).to_have_count(0)


def test_answers_one_below_the_other_repeat_no_id(windows: Any) -> None:
    page = answered(windows, times=3)
    assert Answer.objects.count() == 3
    assert page.evaluate(REPEATED) == []


def test_a_question_that_has_its_answer_leaves_the_box_and_one_that_has_none_stays(windows: Any) -> None:
    page = answered(windows)
    expect(page.locator("#ask-words")).to_have_value("")
    page.route("**/ask/now", lambda route: route.abort())
    page.fill("#ask-words", "what helped?")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#answer-live [role=alert]")).to_be_visible()
    expect(page.locator("#ask-words")).to_have_value("what helped?")
