"""A real Chromium and a real box for it to walk through."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from tests.household.box.running import Box, a_running_box

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
CHROMIUM = {"executable_path": "/usr/bin/chromium", "args": FLAGS}  # Debian's
# Notes every word that is marked, from the moment the page's own script marks it.
NOTE_MARKS = """() => {
  window.marked = [];
  const set = CSS.highlights.set.bind(CSS.highlights);
  CSS.highlights.set = (name, mark) => {
    for (const range of mark) window.marked.push(range.toString());
    return set(name, mark);
  };
}"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, headless. Its event loop must be gone before other modules ask the database."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**CHROMIUM)
        yield browser
        browser.close()


@pytest.fixture
def box() -> Iterator[Box]:
    """A running box with an empty book, in a folder the database's own account may enter."""
    with a_running_box() as running:
        yield running


def first_run_code(box: Box) -> str:
    """The one-time code the box printed."""
    found = re.search(r"enter the code\s+(\S+)", box.printed())
    assert found, box.printed()
    return found[1]


class Watched:
    """A page whose console errors and policy reports are collected, each with the address it is about."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.faults: list[str] = []
        page.on("console", lambda message: self._note(message))  # noqa: PLW0108 (playwright marks it)
        page.on("pageerror", lambda error: self.faults.append(str(error)))

    def _note(self, message: ConsoleMessage) -> None:
        is_refused = re.search(r"status of (409|422)|Status Error Code (409|422)", message.text)
        if message.type == "error" and not is_refused:
            self.faults.append(f"{message.text} ({message.location['url']})")


def shot(page: Page, name: str) -> None:
    """Keep a picture where HEARTHBOOK_SHOTS names a folder."""
    folder = os.environ.get("HEARTHBOOK_SHOTS")
    if folder:
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)
