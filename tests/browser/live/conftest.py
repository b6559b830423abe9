"""The pages of a house in this process, and windows of a real Chromium that are signed in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, Page, expect

from household.models import Person
from tests.browser.conftest import Watched
from tests.companion.conftest import address, chromium  # noqa: F401 (fixtures)
from tests.makers import a_child, a_person, signed_in
from twin.models import Subject

PATIENCE_MS = 30_000


@dataclass
class Window:
    """One window of a parent's phone."""

    address: str
    context: BrowserContext
    page: Page
    ana: Person
    leo: Subject
    watched: Watched = field(init=False)

    def __post_init__(self) -> None:
        self.watched = Watched(self.page)

    def go(self, path: str = "/") -> Page:
        """Open one page of the house."""
        self.page.goto(f"{self.address}{path}")
        return self.page

    def tell(self, words: str) -> None:
        """Write something down and wait until it stands there."""
        self.page.fill("#tell", words)
        self.page.locator("form:has(#tell) button.btn").click()
        expect(self.page.locator("#turn")).to_be_visible()


@pytest.fixture
def windows(chromium: Browser, address: str) -> Iterator[Any]:  # noqa: F811 (the same fixtures)
    """Makes windows in which Ana, the parent of Leo, is signed in."""
    ana = a_person("Ana")
    leo = a_child(ana)
    contexts: list[BrowserContext] = []
    expect.set_options(timeout=PATIENCE_MS)

    def make(**fields: Any) -> Window:
        context = chromium.new_context(
            **{"viewport": {"width": 360, "height": 740}, "locale": "en-GB", "has_touch": True, **fields}
        )
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        name = settings.SESSION_COOKIE_NAME
        cookie = signed_in(ana).cookies[name].value
        context.add_cookies([{"name": name, "value": cookie, "url": address}])
        return Window(address, context, context.new_page(), ana, leo)

    yield make
    for context in contexts:
        context.close()
