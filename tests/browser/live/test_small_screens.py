"""What a child's and a professional's phone show: nothing squeezed, no word broken, the box first."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Page

from household.models import Person
from tests.makers import a_cat, a_membership, a_person, a_record, signed_in
from twin.models import PersonProfile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# Words of taps that stand on two lines or reach over their face.
BROKEN = """() => [...document.querySelectorAll('.tap-face')].flatMap((face) => {
  const box = face.getBoundingClientRect(), bad = [];
  const walk = document.createTreeWalker(face, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) for (const word of walk.currentNode.data.matchAll(/\\S+/g)) {
    const range = document.createRange();
    range.setStart(walk.currentNode, word.index);
    range.setEnd(walk.currentNode, word.index + word[0].length);
    const parts = [...range.getClientRects()];
    const isOut = parts.some((one) => one.left < box.left || one.right > box.right);
    if (parts.length > 1 || isOut) bad.push(word[0]);
  }
  return bad;
})"""


def as_(window: Any, person: Person, path: str) -> Page:
    """The page as somebody else opens it in this window."""
    name = settings.SESSION_COOKIE_NAME
    cookie = signed_in(person).cookies[name].value
    window.context.clear_cookies()
    window.context.add_cookies([{"name": name, "value": cookie, "url": window.address}])
    return window.go(path)  # type: ignore[no-any-return]


def width(page: Page, selector: str) -> float:
    return float(page.locator(selector).first.evaluate("(one) => one.getBoundingClientRect().width"))


def top(page: Page, selector: str) -> float:
    return float(page.locator(selector).first.evaluate("(one) => one.getBoundingClientRect().top"))


def test_what_a_child_may_ask_is_as_wide_as_its_card(windows: Any) -> None:
    window = windows()
    child = a_person("Leo")
    a_membership(child, window.leo, "child")
    page = as_(window, child, "/")
    assert page.locator(".glance-part").count() == 2
    assert width(page, ".glance-part:last-child") > 0.8 * width(page, ".glance")


def test_a_professional_s_phone_shows_the_box_before_the_feed_and_a_desk_beside_it(windows: Any) -> None:
    window = windows()
    ito = a_person("Dr. Ito")
    a_membership(ito, window.leo, "therapist")
    a_record(window.leo)
    page = as_(window, ito, "/caseload")
    assert top(page, "main article") < top(page, "#tell") < top(page, "#feed")
    page.set_viewport_size({"width": 1280, "height": 800})
    assert top(page, "#tell") < top(page, "#feed")
    left = page.locator("#feed").evaluate("(one) => one.getBoundingClientRect().right")
    assert left < page.locator("#tell").evaluate("(one) => one.getBoundingClientRect().left")


def test_what_to_know_of_a_child_has_the_width_of_a_phone(windows: Any) -> None:
    window = windows()
    words = "Short sentences of two to four words, picture cards when upset."
    PersonProfile.objects.update_or_create(subject=window.leo, defaults={"communication": words})
    page = window.go(f"/book/{window.leo.pk}")
    assert width(page, ".facts.is-long dd") > 0.9 * width(page, ".facts.is-long")


@pytest.mark.parametrize("language", ["en", "tr"])
def test_no_word_of_a_tap_is_broken_on_a_small_phone(windows: Any, language: str) -> None:
    window = windows()
    Person.objects.update(language=language)
    cat = a_cat(window.ana, "Mavi")
    for subject in (window.leo, cat):
        page = window.go(f"/book/{subject.pk}/form")
        assert page.locator("html").get_attribute("lang") == language
        assert page.locator(".tap-face").count() > 20
        assert page.evaluate(BROKEN) == []
