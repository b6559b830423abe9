"""What a screen reader is given, read from Chromium's accessibility tree: names, and what happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.makers import a_cat, a_record
from twin.models import AgendaItem
from twin.services.days import day_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Node = dict[str, Any]
# Notes every sentence the page says.
NOTED = """() => { window.heard = [];
  new MutationObserver(() => { const text = document.getElementById('said').textContent;
    if (text) window.heard.push(text); })
    .observe(document.getElementById('said'), {childList: true}); }"""


def tree(page: Page) -> dict[str, Node]:
    """Every node of the page that is not ignored, by its number."""
    control = page.context.new_cdp_session(page)
    nodes = control.send("Accessibility.getFullAXTree")["nodes"]
    control.detach()
    return {one["nodeId"]: one for one in nodes}


def role(node: Node) -> str:
    return str(node.get("role", {}).get("value", ""))


def name(node: Node) -> str:
    return str(node.get("name", {}).get("value", ""))


def below(nodes: dict[str, Node], node: Node) -> Iterator[Node]:
    """A node's descendants, in the order they are read."""
    for number in node.get("childIds", []):
        if number in nodes:
            yield nodes[number]
            yield from below(nodes, nodes[number])


def place_of(nodes: dict[str, Node], node: Node) -> str:
    """The name of the nearest form, group, article or section around a node that has one."""
    while (node := nodes.get(node.get("parentId", ""), {})) != {}:
        if role(node) in {"form", "group", "article", "region", "radiogroup"} and name(node):
            return name(node)
    return ""


def a_busy_day(window: Any, count: int = 2) -> None:
    """Follow-ups that wait to be looked at."""
    day = day_of(window.leo, timezone.now())
    for rank in range(1, count + 1):
        category = ("ears", "sleep")[rank - 1]
        course = a_record(window.leo, category, started_on=day, lifecycle="active")
        AgendaItem.objects.create(
            subject=window.leo,
            day=day,
            rank=rank,
            key=f"course:{course.pk}",
            course=course,
            category=category,
        )


def test_a_telling_is_heard_in_one_sentence_and_taken_back_in_another(windows: Any) -> None:
    window = windows()
    page = window.go()
    window.tell("he threw up twice this morning, ears look fine")
    expect(page.locator("#said")).to_have_text(
        "Written down. Leo: Stomach, Not as usual. Leo: Ears, Looks fine. Leo, Stomach: blood in the vomit?"
    )
    assert page.locator("#told[aria-live], #told [aria-live]").count() == 0
    page.locator("#turn .undo button").focus()
    page.evaluate(NOTED)
    page.keyboard.press("Enter")
    expect(page.locator("#told > *")).to_be_focused()
    expect(page.locator("#told > *")).to_have_text("Taken back. Your words are still in the journal.")
    page.evaluate("document.dispatchEvent(new CustomEvent('said', {detail: 'the next'}))")
    expect(page.locator("#said")).to_have_text("the next")
    assert page.evaluate("window.heard") == ["the next"]  # what one stands on is not said once more


def test_a_question_about_whom_names_those_one_may_choose(windows: Any) -> None:
    window = windows()
    a_cat(window.ana, "Mavi")
    page = window.go()
    window.tell("threw up twice")
    expect(page.locator("#said")).to_have_text("Whom is this about? Leo, Mavi")


def test_follow_ups_are_told_apart_and_an_answered_one_keeps_its_place(windows: Any) -> None:
    window = windows()
    a_busy_day(window)
    page = window.go()
    nodes = tree(page)
    buttons = Counter((place_of(nodes, one), name(one)) for one in nodes.values() if role(one) == "button")
    assert [one for one, many in buttons.items() if many > 1] == []
    item = page.locator("[data-waits]").first
    asked = item.locator("p").inner_text()
    item.locator("form button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("Thank you")
    expect(page.locator("#said")).to_contain_text(asked.split(":")[0])
    assert page.evaluate("document.activeElement.id").startswith("agenda-")


def test_hidden_words_do_not_run_into_those_before_them(windows: Any) -> None:
    window = windows()
    page = window.go()
    nodes = tree(page)
    links = [one for one in nodes.values() if role(one) == "link"]
    said = {"".join(name(part) for part in below(nodes, one) if role(part) == "StaticText") for one in links}
    assert "Event Leo" in said
    assert "0 of 7 taps for Leo" in said


def test_a_search_says_how_much_it_found(windows: Any) -> None:
    window = windows()
    a_record(window.leo, text="scratching at the shop")
    page = window.go("/search/")
    page.fill("#id_words", "scratching")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("1 place, best first")
    page.fill("#id_words", "zzzz")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("Nothing was found")


def test_an_answer_is_heard_once_and_whole(windows: Any) -> None:
    window = windows()
    page = window.go("/ask/")
    page.evaluate(NOTED)
    page.fill("#ask-words", "what happened at the shop?")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#answer-live article")).to_be_visible()
    expect(page.locator("#said")).to_contain_text("Nothing recorded about this for Leo.")
    assert page.evaluate("window.heard")[0] == "Looking in the book …"
    assert len(page.evaluate("window.heard")) == 2
    assert page.locator("[aria-live] article, article [aria-live]").count() == 0


@pytest.mark.parametrize("path", ["/", "/ask/", "/search/", "/help", "/memories/"])
def test_nothing_is_called_a_status_while_it_is_empty(windows: Any, path: str) -> None:
    nodes = tree(windows().go(path))
    assert [one for one in nodes.values() if role(one) == "status" and not any(below(nodes, one))] == []


def test_a_form_that_came_back_begins_at_its_fault_and_says_it(windows: Any) -> None:
    window = windows()
    page = window.go("/book/add?kind=person")
    page.evaluate("document.querySelector('main form').noValidate = true")
    page.locator("main form button").last.click()
    field = page.locator("[aria-invalid=true]").first
    expect(field).to_be_focused()
    nodes = tree(page)
    focused = next(
        one
        for one in nodes.values()
        if role(one) == "textbox" and any(p["name"] == "focused" for p in one["properties"])
    )
    assert focused["description"]["value"]


def test_a_chart_says_what_it_shows_once(windows: Any) -> None:
    window = windows()
    nodes = tree(window.go(f"/book/{window.leo.pk}/months"))
    charts = [name(one) for one in nodes.values() if role(one) in {"image", "img"}]
    words = [name(one) for one in nodes.values() if role(one) == "StaticText"]
    assert charts
    assert [one for one in charts if one in words] == []
