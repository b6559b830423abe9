"""Every page one comes to by links, in a real Chromium: nothing scrolls sideways, breaks or lacks a name.

Widths: 360 px, 1280 px at 200 % (which is a window of 640), 1600 px. In the short run a parent's first pages;
in the long one everybody's, in both languages, light and dark, with axe at a phone's and at a desk's width.
"""

from __future__ import annotations

import os
import re
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Browser

from household.models import Heartbeat, Membership, Person
from tests.browser.conftest import Watched
from tests.browser.walking import DESK, HIGH, PHONE, Fault, Walk, breaks_rules, scrolls
from tests.makers import signed_in
from tests.security.world import VIEWERS, a_world

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LONG = os.environ.get("HEARTHBOOK_LONG") == "1"
SHORT = 12  # pages
# Planted files are names without bytes, and nobody of the planted house has a passphrase to give again.
EXPECTED = re.compile(r"status of (?:403|404|410)")
ROLES = [name for name in VIEWERS if name not in ("guest", "ended", "other_parent")]
WAYS = [
    pytest.param(role, language, scheme, marks=pytest.mark.long)
    for role in ROLES
    for language, scheme in (("tr", "light"), ("en", "dark"))
]


def walked(
    browser: Browser, address: str, person: Person, *, scheme: str, most: int, with_axe: bool
) -> tuple[list[Fault], int]:
    """What is wrong on the pages one person comes to, and how many they are."""
    context = browser.new_context(
        viewport={"width": PHONE, "height": HIGH}, color_scheme=scheme, reduced_motion="reduce",
        service_workers="block",
    )  # fmt: skip
    context.set_default_timeout(60_000)
    name = settings.SESSION_COOKIE_NAME
    cookie = signed_in(person).cookies[name].value
    context.add_cookies([{"name": name, "value": cookie, "url": address}])
    page = context.new_page()
    watched, found, count = Watched(page), [], 0
    walk = Walk(address)
    for path in walk.pages(page):
        count += 1
        found += scrolls(page, path)
        for width in (DESK, PHONE) if with_axe else ():
            page.set_viewport_size({"width": width, "height": HIGH})
            found += breaks_rules(page, path)
        found += [Fault(path, f"console: {one}") for one in watched.faults if not EXPECTED.search(one)]
        watched.faults.clear()
        if count == most:
            break
    context.close()
    return found + walk.dead, count


@pytest.mark.parametrize("role, language, scheme", [("parent", "tr", "dark"), *WAYS])
def test_no_page_scrolls_sideways_or_breaks(
    chromium: Browser,
    live_server: Any,
    role: str,
    language: str,
    scheme: str,
) -> None:
    world = a_world()
    Heartbeat.objects.update_or_create(worker="w", defaults={"at": timezone.now()})
    Person.objects.update(language=language)
    whatever_may_be = {
        f"{what}:{how}": True
        for what in ("observation", "document", "profile", "memory")
        for how in ("view", "add")
    }
    Membership.objects.exclude(role="parent").update(overrides=whatever_may_be)
    person = Person.objects.get(pk=world.people[role].pk)
    most = 0 if LONG else SHORT
    found, count = walked(chromium, live_server.url, person, scheme=scheme, most=most, with_axe=LONG)
    print(f"\n{role} {language} {scheme}: {count} pages")
    assert found == [], "\n".join(map(str, found))
    assert count >= (3 if role == "nobody" else SHORT)
