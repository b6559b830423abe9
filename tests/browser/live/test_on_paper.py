"""What is printed: the words of a page without its frame, as wide as the paper, in black."""

from __future__ import annotations

from typing import Any

import pytest

from tests.makers import a_record

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PAPER = 680  # px: A4 within its margins
FRAME = ".cover, .tabs, .subnav, .toasts, .skip, button, .btn, main form"
SHOWN = """(frame) => [...document.querySelectorAll(frame)].filter((one) => one.checkVisibility()
  && one.getBoundingClientRect().width > 1).map((one) => one.outerHTML.slice(0, 120))"""
INK = """() => [...document.querySelectorAll('main :is(h1, h2, h3, p, dd, dt, li)')]
  .filter((one) => one.checkVisibility() && one.textContent.trim())
  .map((one) => getComputedStyle(one).color)
  .filter((colour) => colour.match(/\\d+/g).slice(0, 3).some((part) => Number(part) > 120))"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_is_printed_without_its_frame_and_fits_the_paper(windows: Any, scheme: str) -> None:
    window = windows(viewport={"width": PAPER, "height": 900}, color_scheme=scheme)
    record = a_record(window.leo, text="a very long note " * 40)
    pk = window.leo.pk
    for path in (f"/book/{pk}/print", f"/book/{pk}", f"/book/{pk}/months", f"/r/{record.rec_id}"):
        page = window.go(path)
        page.emulate_media(media="print", color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert page.evaluate(SHOWN, FRAME) == [], path
        assert page.evaluate(INK) == [], path
        assert "Leo" in page.locator("main").inner_text(), path
        page.emulate_media(media="screen")
    assert window.page.pdf(format="A4").startswith(b"%PDF-")
