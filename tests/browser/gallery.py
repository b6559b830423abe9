"""The gallery: pictures of the demo household for README and docs, written by `make screenshots`.

Few and small: each picture is kept in a palette, and one above the limit stops the run.
"""

from __future__ import annotations

import datetime as dt
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from household.box import places
from tests.browser.conftest import CHROMIUM
from tests.household.box.running import a_running_box
from tests.housemate import PASSPHRASE

FOLDER = places.CHECKOUT / "docs" / "screens"
MOST_BYTES = 150_000
COLOURS = 96
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 860}


@dataclass(frozen=True)
class Shot:
    """One picture: its name, the page, on what, in which light; `words` looked for, `at` scrolled to."""

    name: str
    path: str
    is_phone: bool = True
    theme: str = "light"
    words: str = ""
    at: str = ""


# `{Leo}`, `{Mavi}`: their numbers in the demo; `{course}`: the record of an open course;
# `{month}`: the last whole one.
SHOTS = (
    Shot("today", "/"),
    Shot("today-desk", "/", is_phone=False),
    Shot("today-phone-dark", "/", theme="dark"),
    Shot("asked", "/", at="#questions-title"),
    Shot("book", "/book/{Mavi}"),
    Shot("book-desk-dark", "/book/{Leo}", is_phone=False, theme="dark"),
    Shot("form", "/book/{Leo}/form"),
    Shot("month-phone", "/book/{Leo}/months?month={month}"),
    Shot("month-desk-dark", "/book/{Leo}/months?month={month}", is_phone=False, theme="dark"),
    Shot("course", "{course}", is_phone=False),
    Shot("helps-phone", "/book/{Leo}/strategies"),
    Shot("insights-desk", "/insights", is_phone=False),
    Shot("search-phone-dark", "/search/", theme="dark", words="scratching"),
    Shot("help-phone", "/help"),
)


@contextmanager
def demo_house() -> Iterator[str]:
    """The address of a house with the demo in it; HEARTHBOOK_AT names one that runs already."""
    running = os.environ.get("HEARTHBOOK_AT")
    if running:
        yield running.rstrip("/")
        return
    with a_running_box() as box:
        box.manage("demo", "--passphrase", PASSPHRASE).check_returncode()
        yield f"http://127.0.0.1:{box.port}"


def sign_in(page: Page, house: str, name: str = "Ana") -> None:
    """Sign in as somebody of the demo."""
    page.goto(f"{house}/accounts/login/")
    page.fill("[name=login]", name)
    page.fill("[name=password]", PASSPHRASE)
    page.locator("main form button").first.click()
    page.wait_for_url(lambda url: "/login" not in url)


def places(page: Page, house: str) -> dict[str, str]:
    """What the addresses of the shots stand for in this house."""
    page.goto(f"{house}/")
    found: dict[str, str] = {}
    for link in page.locator(".glance li a").all():
        found[link.inner_text()] = (link.get_attribute("href") or "").rsplit("/", 1)[-1]
    page.goto(f"{house}/")
    course = page.locator(".course h3 a").first
    found["month"] = f"{dt.date.today().replace(day=1) - dt.timedelta(days=1):%Y-%m}"
    found["course"] = course.get_attribute("href") if course.count() else f"/book/{found['Leo']}"
    return found


def small(picture: bytes) -> bytes:
    """The picture in a palette of its own."""
    out = io.BytesIO()
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(COLOURS).save(out, "PNG", optimize=True)
    return out.getvalue()


def take(browser: Browser, house: str, folder: Path) -> dict[str, int]:
    """Write every picture; gives their sizes. Raises ValueError where one is too large."""
    folder.mkdir(parents=True, exist_ok=True)
    sizes: dict[str, int] = {}
    for is_phone in (True, False):
        context = browser.new_context(
            viewport=PHONE if is_phone else DESK,
            has_touch=is_phone,
            is_mobile=is_phone,
            locale="en-GB",
            service_workers="block",
        )
        page = context.new_page()
        sign_in(page, house)
        stands_for = places(page, house)
        for shot in (one for one in SHOTS if one.is_phone == is_phone):
            page.emulate_media(color_scheme=shot.theme, reduced_motion="reduce")
            page.goto(house + shot.path.format(**stands_for))
            if shot.words:
                page.fill("#id_words", shot.words)
                page.keyboard.press("Enter")
                page.locator("#found li").first.wait_for()
            if shot.at:
                page.locator(shot.at).first.evaluate("(one) => one.scrollIntoView()")
            picture = small(page.screenshot())
            if len(picture) > MOST_BYTES:
                raise ValueError(f"{shot.name} has {len(picture)} bytes")
            (folder / f"{shot.name}.png").write_bytes(picture)
            sizes[shot.name] = len(picture)
        context.close()
    return sizes


def main() -> None:
    """Write the gallery and say how large each picture is."""
    with demo_house() as house, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**CHROMIUM)
        for name, size in take(browser, house, FOLDER).items():
            print(f"{name}.png\t{size // 1000} kB")
        browser.close()


if __name__ == "__main__":
    main()
