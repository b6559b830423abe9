"""A walk over pages in a real browser: the way from page to page, and what is wrong with one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

HIGH = 900
PHONE, ZOOMED, DESK = 360, 640, 1600  # the middle one is 1280 at 200 %
# Files, streams and ends of a session: no pages.
NO_PAGES = re.compile(
    r"^/(?:static|media|api|accounts/logout|healthz|worker|app\.webmanifest|styleguide)"
    r"|/(?:original|thumbnail|file|stream|worker\.js)$|\.(?:ics|zip|json|pem|crt|csv|js|webmanifest|hearthbook)$"
)
WIDER = """() => [...document.querySelectorAll('body *')].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width > 0 && box.right > innerWidth + 1 && !one.closest('[role=region], .table-scroll, svg')
      && one.checkVisibility();
  }).slice(0, 3).map((one) => one.outerHTML.slice(0, 160))"""
LINKS = "() => [...document.querySelectorAll('a[href]')].map((one) => one.href)"


@dataclass
class Fault:
    """What is wrong with one page, and where."""

    path: str
    what: str

    def __str__(self) -> str:
        return f"{self.path}: {self.what}"


@dataclass
class Walk:
    """Pages still to be opened, one of each sort: addresses that differ in numbers alone are one sort."""

    house: str
    waiting: list[str] = field(default_factory=lambda: ["/"])
    seen: set[str] = field(default_factory=set)
    found_on: dict[str, str] = field(default_factory=dict)  # which page led to an address
    dead: list[Fault] = field(default_factory=list)  # links that lead nowhere

    def pages(self, page: Page) -> Iterator[str]:
        """Each page once, opened; whoever takes the next has looked at the one before."""
        self.seen |= {kind_of(path) for path in self.waiting}
        while self.waiting:
            path = self.waiting.pop(0)
            page.set_viewport_size({"width": PHONE, "height": HIGH})
            answer = page.goto(self.house + path)
            if answer is None or "text/html" not in (answer.headers.get("content-type") or ""):
                continue
            if answer.status == 404:
                self.dead.append(Fault(self.found_on.get(path, ""), f"leads nowhere: {path}"))
                continue
            self._note(path, page.evaluate(LINKS))
            yield path

    def _note(self, here: str, links: list[str]) -> None:
        for link in links:
            parts = urlsplit(link)
            path = parts.path + (f"?{parts.query}" if parts.query else "")
            if not link.startswith(self.house) or NO_PAGES.search(parts.path):
                continue
            if kind_of(path) not in self.seen:
                self.seen.add(kind_of(path))
                self.waiting.append(path)
                self.found_on[path] = here


def kind_of(path: str) -> str:
    """The sort of page an address opens: without numbers, and of its query the names alone."""
    parts = urlsplit(path)
    plain = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "*", parts.path)
    plain = re.sub(r"\b(rec|doc|pat|str|turn|t)[_-][\w-]+", r"\1", plain)
    plain = re.sub(r"/forget/(\w+)/[^/]+", r"/forget/\1/*", plain)
    plain = re.sub(r"\d+", "*", plain)
    return plain + "".join(sorted(set(re.findall(r"(\w+)=", parts.query)))[:1])


def scrolls(page: Page, path: str, *, widths: tuple[int, ...] = (PHONE, ZOOMED, DESK)) -> list[Fault]:
    """At which widths the page scrolls sideways, and what sticks out."""
    found = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": HIGH})
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(Fault(path, f"scrolls sideways at {width} px: {page.evaluate(WIDER)}"))
    return found


def breaks_rules(page: Page, path: str) -> list[Fault]:
    """What axe finds on the page as it stands."""
    result = Axe().run(page)
    found = []
    for one in result.response["violations"]:
        nodes = [node["html"][:160] for node in one["nodes"][:3]]
        found.append(Fault(path, f"axe {one['id']} ({len(one['nodes'])}): {nodes}"))
    return found
