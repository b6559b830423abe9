"""A real Chromium and a real box for it to walk through."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.household.box.running import Box, a_running_box

CHECKOUT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PASSPHRASE = "warm bread and honey"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, headless. Its event loop must be gone before other modules ask the database."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
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


def manage(box: Box, *arguments: str) -> str:
    """Run one management command on the box's own database."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=CHECKOUT,
        env=box.env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


class Watched:
    """A page whose console errors and policy reports are collected."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.faults: list[str] = []
        page.on("console", lambda message: self._note(message.type, message.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))

    def _note(self, kind: str, text: str) -> None:
        if kind == "error" and not re.search(r"status of (409|422)|Status Error Code (409|422)", text):
            self.faults.append(text)


def shot(page: Page, name: str) -> None:
    """Keep a picture where HEARTHBOOK_SHOTS names a folder."""
    folder = os.environ.get("HEARTHBOOK_SHOTS")
    if folder:
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)
