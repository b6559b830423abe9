"""A whole day of the demo's child, logged with one thumb on a small phone against a real box."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.bench.figures import Samples
from tests.browser.conftest import CHROMIUM
from tests.browser.one_thumb import Thumb, log_a_day
from tests.household.box.running import Box
from tests.housemate import PASSPHRASE

CHILD = "Leo"
PHONE = {"width": 360, "height": 740}


def samples(*, quick: bool) -> Samples:
    """Seconds of the whole day, as a person and the house take them, and how often the thumb moved."""
    folder = Path(tempfile.mkdtemp(prefix="hearthbook-bench-"))
    folder.chmod(0o755)
    box = Box(folder / "house")
    try:
        box.ready()
        box.manage("demo", "--passphrase", PASSPHRASE).check_returncode()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(**CHROMIUM)
            thumb = logged(browser, box)
            browser.close()
    finally:
        box.clear()
        shutil.rmtree(folder, ignore_errors=True)
    return {"thumb.s": [thumb.seconds], "thumb.taps": [float(thumb.taps + thumb.swipes)]}


def logged(browser: Browser, box: Box) -> Thumb:
    """The thumb after its day."""
    context = browser.new_context(viewport=PHONE, locale="en-GB", has_touch=True, is_mobile=True)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{box.port}/accounts/login/")
    page.fill("[name=login]", "Ana")
    page.fill("[name=password]", PASSPHRASE)
    page.locator("main form button").last.click()
    page.wait_for_url(f"http://127.0.0.1:{box.port}/")
    thumb = Thumb(page, is_paced=True)
    log_a_day(thumb, CHILD)
    return thumb
