"""Every page one comes to by links, in a real Chromium: nothing scrolls sideways, breaks or lacks a name.

Widths: 360 px, 1280 px at 200 % (which is a window of 640), 1600 px. In the short run a parent's first pages;
in the long one everybody's, in both languages, light and dark, with axe at a phone's and at a desk's width.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Browser

from household.models import Heartbeat, Membership, Person
from tests.browser.conftest import Watched
from tests.browser.walking import DESK, HIGH, PHONE, Fault, Walk, breaks_rules, scrolls
from tests.makers import signed_in, stored_in_memory
from tests.security.world import VIEWERS, a_world, store_files
from tests.slices import IS_LONG

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SHORT = 12  # pages
# Nobody of the planted house has a passphrase to give again.
EXPECTED = re.compile(r"status of 403 .*/accounts/2fa/(?:totp/activate|webauthn/add)/\)$")
ROLES = [name for name in VIEWERS if name not in ("guest", "ended", "other_parent")]
WAYS = [
    pytest.param(role, language, scheme, marks=pytest.mark.long)
    for role in ROLES
    for language, scheme in product(("tr", "en"), ("light", "dark"))
    if (role, language, scheme) != ("parent", "tr", "dark")
]


@pytest.fixture(autouse=True)
def files_in_memory() -> Iterator[None]:
    """The planted documents' files stay in memory."""
    with stored_in_memory():
        yield


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
    address: str,
    role: str,
    language: str,
    scheme: str,
) -> None:
    world = a_world()
    store_files(world)
    Heartbeat.objects.update_or_create(worker="w", defaults={"at": timezone.now()})
    Person.objects.update(language=language)
    whatever_may_be = {
        f"{what}:{how}": True
        for what in ("observation", "document", "profile", "memory")
        for how in ("view", "add")
    }
    Membership.objects.exclude(role="parent").update(overrides=whatever_may_be)
    person = Person.objects.get(pk=world.people[role].pk)
    most = 0 if IS_LONG else SHORT
    found, count = walked(chromium, address, person, scheme=scheme, most=most, with_axe=IS_LONG)
    print(f"\n{role} {language} {scheme}: {count} pages")
    assert found == [], "\n".join(map(str, found))
    assert count >= (3 if role == "nobody" else SHORT)
