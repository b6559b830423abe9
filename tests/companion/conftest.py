"""A real house behind a real port, and tablets that are windows of a real Chromium."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright

from household.access import seen_by
from household.models import Person
from household.services.devices import make_code
from memory.companion_sense import sense
from tests.browser.conftest import CHROMIUM, Watched
from tests.makers import a_child, a_person
from twin.models import Subject

PATIENCE_MS = 60_000
ROOT = Path(__file__).resolve().parents[2]
NOBODY = "http://localhost:1/"  # browsers trust this name, so that a page of it may have storage buckets
# All that a browser keeps of this origin, as one text.
ALL_KEPT = """async () => {
  const found = [];
  const asked = (request) => new Promise((done) => { request.onsuccess = () => done(request.result); });
  const places = [indexedDB];
  if (navigator.storageBuckets) {
    for (const name of await navigator.storageBuckets.keys()) {
      places.push((await navigator.storageBuckets.open(name)).indexedDB);
    }
  }
  for (const place of places) {
    for (const {name} of await place.databases()) {
      const db = await asked(place.open(name));
      for (const table of db.objectStoreNames) {
        found.push(table, JSON.stringify(await asked(db.transaction(table).objectStore(table).getAll())));
      }
      db.close();
    }
  }
  for (const name of await caches.keys()) {
    const kept = await caches.open(name);
    for (const request of await kept.keys()) {
      found.push(request.url, await (await kept.match(request)).text());
    }
  }
  found.push(JSON.stringify({...localStorage}), JSON.stringify({...sessionStorage}));
  found.push(document.documentElement.outerHTML);
  return found.join("\\n");
}"""


@dataclass
class House:
    """A running house with Ana, the parent, and Leo, the child."""

    address: str
    ana: Person
    leo: Subject

    def code(self) -> str:
        """Six digits for one tablet."""
        cache.clear()
        now = timezone.now()
        with seen_by(self.ana, now=now):
            return make_code(person=self.ana, child_id=self.leo.pk, now=now)


@dataclass
class Tablet:
    """One tablet: its browser's own store, and the page that is open on it."""

    house: House
    context: BrowserContext
    page: Page
    watched: Watched = field(init=False)

    def __post_init__(self) -> None:
        self.watched = Watched(self.page)

    def open(self) -> Tablet:
        """Open the companion."""
        self.page.goto(f"{self.house.address}/companion/")
        expect(self.page.locator("#loading")).to_be_hidden(timeout=PATIENCE_MS)
        return self

    def paired(self) -> Tablet:
        """Pair it as a child would."""
        self.open()
        self.page.locator("#pair-code").fill(self.house.code())
        self.page.locator("#pair-form .big").click()
        expect(self.page.locator("#house")).to_be_visible(timeout=PATIENCE_MS)
        return self

    def reopened(self) -> Tablet:
        """Close the page and open it anew; what the browser keeps stays."""
        self.page.close()
        return Tablet(self.house, self.context, self.context.new_page()).open()

    def say(self, words: str) -> None:
        """Type something and wait for the answer."""
        answers = self.page.locator(".bubble.is-companion:not(.is-thinking)")
        before = self.page.locator(".bubble.is-child", has_text=words).count()
        self.page.locator("#tell-text").fill(words)
        self.page.keyboard.press("Enter")
        expect(self.page.locator(".bubble.is-child", has_text=words)).to_have_count(
            before + 1, timeout=PATIENCE_MS
        )
        expect(self.page.locator(".is-thinking")).to_have_count(0, timeout=PATIENCE_MS)
        expect(answers.last).to_be_visible()

    def keep(self, words: str) -> None:
        """Keep what was said as a card."""
        star = self.page.locator(".bubble.is-child", has_text=words).last.locator(".mini")
        star.click()
        expect(star).to_have_attribute("aria-pressed", "true")

    def sync(self) -> None:
        """Wait for a sync that began from now on."""
        body = self.page.locator("body")
        for _ in range(2):
            before = body.get_attribute("data-synced") or ""
            self.page.evaluate("dispatchEvent(new Event('online'))")
            expect(body).not_to_have_attribute("data-synced", before, timeout=PATIENCE_MS)

    def go(self, place: str) -> None:
        """Show another part of the page."""
        self.page.locator(f"[data-place={place}]").click()
        expect(self.page.locator(f"#{place}")).to_be_visible()

    def kept(self) -> str:
        """All the browser keeps of it."""
        return str(self.page.evaluate(ALL_KEPT))

    def about(self, name: str) -> Any:
        """One thing the copy knows about itself."""
        ask = """async (name) => {
          const {Copy} = await import('/static/companion/store.js');
          return JSON.stringify((await Copy.open()).known(name));
        }"""
        return json.loads(self.page.evaluate(ask, name))


@pytest.fixture(scope="package")
def chromium(django_db_setup: None) -> Iterator[Browser]:
    """Debian's Chromium; its event loop runs in this thread, where Django would else refuse to work."""
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(**CHROMIUM)
        yield browser
        browser.close()


def _serve(route: Route) -> None:
    path = route.request.url.removeprefix(NOBODY)
    if path:
        file = ROOT / ("tests/companion/runner.js" if path == "runner.js" else path)
        route.fulfill(body=file.read_text(), content_type="text/javascript")
        return
    held = json.dumps(sense()).replace("<", "\\u003c")
    page = f'<!doctype html><script type="application/json" id="sense">{held}</script>'
    route.fulfill(body=page, content_type="text/html")


@pytest.fixture
def modules(chromium: Browser) -> Iterator[Page]:
    """A page that may load the companion's modules, with a store of its own; no server stands behind it."""
    context = chromium.new_context()
    page = context.new_page()
    page.route(f"{NOBODY}**", _serve)
    page.goto(NOBODY)
    yield page
    context.close()


@pytest.fixture
def address(live_server: Any) -> Iterator[str]:
    """Where the house answers; what is still being answered ends before the database is emptied."""
    yield live_server.url
    for thread in threading.enumerate():
        if "process_request_thread" in thread.name:
            thread.join(30)


@pytest.fixture
def house(address: str) -> House:
    """The house, on a port of its own."""
    ana = a_person("Ana")
    return House(address, ana, a_child(ana))


@pytest.fixture
def tablets(chromium: Browser, house: House) -> Iterator[Any]:
    """Makes tablets, each with a browser store of its own.

    They ask for little motion: drawing sixty pictures a second of a breathing cat costs more than most tests.
    """
    contexts: list[BrowserContext] = []

    def make(**fields: Any) -> Tablet:
        context = chromium.new_context(
            **{"viewport": {"width": 1024, "height": 768}, "locale": "en-GB", "reduced_motion": "reduce"}
            | fields
        )
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        return Tablet(house, context, context.new_page())

    yield make
    for context in contexts:
        context.close()
