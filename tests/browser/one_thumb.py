"""A tired parent logs a whole day with one thumb: every tap, swipe and letter counted.

The day: a sentence with the question it leads to, sleep, meals, mood and the rest of the form, a medicine,
two events. Paced, a tap takes as long as a considered one and a letter as at 40 words a minute.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page, expect

SENTENCE = "he limped, no idea which day"
TAP_S, SWIPE_S, LETTER_S = 1.2, 0.8, 0.3
LEAST_PX = 43.5


@dataclass
class Thumb:
    """What the one thumb did, and how long it took; `is_paced` makes it as slow as a person's."""

    page: Page
    is_paced: bool = False
    taps: int = 0
    swipes: int = 0
    letters: int = 0
    began: float = field(default_factory=time.monotonic)

    def tap(self, place: Locator) -> None:
        """Tap one thing that is large enough for a thumb, swiping to it where it is out of sight."""
        box = None
        while box is None:  # a part of the page that is just drawn anew has none
            place.wait_for()
            box = place.bounding_box()
        assert min(box["width"], box["height"]) >= LEAST_PX, (place, box)
        size = self.page.viewport_size
        assert size is not None
        if not 0 <= box["y"] <= size["height"] - box["height"]:
            self.swipes += 1
            self._wait(SWIPE_S)
        self._wait(TAP_S)
        place.tap()
        self.taps += 1

    def type(self, place: Locator, words: str) -> None:
        """Tap into a field and write."""
        self.tap(place)
        place.press_sequentially(words, delay=LETTER_S * 1000 if self.is_paced else 0)
        self.letters += len(words)

    def _wait(self, seconds: float) -> None:
        if self.is_paced:
            time.sleep(seconds)

    @property
    def person_s(self) -> float:
        """The part of it that is a person's own."""
        return self.taps * TAP_S + self.swipes * SWIPE_S + self.letters * LETTER_S

    @property
    def seconds(self) -> float:
        """All of it, the house's answers included."""
        return time.monotonic() - self.began


def log_a_day(thumb: Thumb, name: str) -> None:
    """The whole day of one child, begun and ended on Today."""
    page = thumb.page
    card = page.locator("#day section.ribbon", has=page.get_by_role("heading", name=name))
    tell_about(thumb, name)
    thumb.tap(card.locator("a[href$='/form']"))
    page.locator("fieldset.tap").first.wait_for()
    for row in page.locator("fieldset.tap").all():
        thumb.tap(row.locator(".tap-option").nth(1))
    thumb.tap(page.get_by_role("button", name="Done"))
    expect(card.locator("a[href$='/form']")).to_contain_text("7 of 7")
    given = page.locator("#medicines-title").locator("xpath=ancestor::section")
    thumb.tap(given.locator("button[value=given]").first)
    expect(given.locator("[data-undo]").first).to_be_visible()
    for kind, impact in ((0, 1), (1, 5)):
        log_an_event(thumb, card, kind=kind, impact=impact)


def tell_about(thumb: Thumb, name: str) -> None:
    """One sentence, and the one question back answered by a tap."""
    page = thumb.page
    form = page.locator("form:has(#tell)")
    chip = form.locator(".chip", has_text=name)
    if not chip.locator("input").is_checked():
        thumb.tap(chip)
    thumb.type(page.locator("#tell"), SENTENCE)
    thumb.tap(form.locator("button.btn"))
    thumb.tap(page.locator("#turn .ask button[value=yesterday]"))
    expect(page.locator("#turn .ask")).to_have_count(0)


def log_an_event(thumb: Thumb, card: Locator, *, kind: int, impact: int) -> None:
    """One event by taps alone, and back on Today."""
    page = thumb.page
    thumb.tap(card.locator("a[href$='/events/add']"))
    thumb.tap(page.locator("form.form .chips .chip").nth(kind))
    thumb.tap(page.locator("form.form .tap-options .tap-option").nth(impact))
    thumb.tap(page.locator("form.form .actions button.btn"))
    page.wait_for_url("**/events/*")
    thumb.tap(page.locator(".tabs a").first)
    expect(page.locator("#tell")).to_be_visible()


__all__ = ["Thumb", "log_a_day"]
