"""Every page's headers, and what no page and no log may hold."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator, Sequence

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client

from household.models import Person
from tests.housemate import PASSPHRASE
from tests.security.addresses import addresses, client_of, is_tried, opened, url_of, words_of
from tests.security.canaries import WORD
from tests.security.expectations import PAGES
from tests.security.test_sign_in import SIGN_IN
from tests.security.world import World

pytestmark = pytest.mark.django_db
WORDS = "zqaaaa limped across the yard"
INLINE = re.compile(
    r"<[^>]*\s(?:on[a-z]+|style)\s*=\s*[\"']|javascript:|<script(?![^>]*(?:nonce=|\ssrc=|application/json))"
)


def pages(world: World) -> Iterator[tuple[str, HttpResponse]]:
    """Every page a parent can open, with its answer."""
    client, leo = client_of(world, "parent"), world.subjects["Leo"]
    for address in addresses():
        for page in PAGES.get(address.name, ()):
            response, _touched = opened(client, url_of(address, page, world.flock, leo), page, leo)
            yield f"{page.method} {address.name}", response


# Files of the installed app that hold nothing of anybody: kept, and asked for again each time.
SHELL = {
    f"GET {name}"
    for name in (
        "household:manifest-show",
        "household:worker-show",
        "household:offline-show",
        "memory:companion-show",
        "memory:companion-worker",
        "memory:companion-manifest",
    )
}


def test_every_page_of_a_parent_is_guarded_shows_its_words_and_no_secret_and_logs_neither(
    world: World, console: io.StringIO
) -> None:
    secrets = secrets_of(world)
    shown: set[str] = set()
    for name, response in pages(world):
        assert_guarded(name, response)
        text = words_of(response)
        if response["Content-Type"].startswith("text/html"):
            found = INLINE.search(text)
            assert not found, f"{name}: {found and found[0]}"
        assert not [one for one in secrets if one in text], name
        if name.startswith("GET "):
            shown |= {f"{canary.label}.{canary.column}" for canary in world.flock.seen(text)}
    assert {
        "twin.Record.signs",
        "twin.LedgerEntry.words",
        "twin.Event.behaviour",
        "twin.Medicine.name",
        "twin.Trackable.name",
        "twin.QuickLog.label",
        "twin.PersonProfile.sensory",
        "twin.Statement.text",
    } <= shown
    assert_silent(console, world, secrets)


def assert_silent(console: io.StringIO, world: World, secrets: Sequence[str]) -> None:
    """What the box would have printed, with no word of a family and no secret in it."""
    printed = console.getvalue()
    assert not [word for word in WORD.findall(printed) if word in world.flock.by_word]
    assert not [one for one in secrets if one in printed]


def assert_guarded(name: str, response: HttpResponse) -> None:
    """Every header that tells a browser what it may do with a page."""
    assert response["X-Content-Type-Options"] == "nosniff", name
    assert response["X-Frame-Options"] == "DENY", name
    assert response["Referrer-Policy"] in {"same-origin", "no-referrer"}, name
    kept = response["Cache-Control"]
    assert "private" in kept or "no-store" in kept or (name in SHELL and kept == "no-cache"), name
    policy = response["Content-Security-Policy"]
    assert "unsafe-inline" not in policy and "unsafe-eval" not in policy and "*" not in policy, name
    for part in ("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"):
        assert part in policy, name
    assert "form-action 'self'" in policy or "form-action 'none'" in policy, name


def secrets_of(world: World) -> list[str]:
    """What no page may hold, the others' addresses among it."""
    ana = world.people["parent"]
    ana.set_password(PASSPHRASE)
    ana.save()
    for person in Person.objects.all():
        Person.objects.filter(pk=person.pk).update(email=f"{person.gid}@example.com")
    others = [f"{one.gid}@example.com" for one in Person.objects.exclude(pk=ana.pk)]
    return [settings.SECRET_KEY, ana.password, PASSPHRASE, *others]


@pytest.fixture
def console() -> Iterator[io.StringIO]:
    """What the box would print: the settings' own handlers, writing into memory, everything let through."""
    handler = next(
        one for one in logging.root.handlers if getattr(one.formatter, "_fmt", "").startswith("{asctime}")
    )
    assert isinstance(handler, logging.StreamHandler)
    stream, level = handler.stream, logging.root.level
    handler.stream = io.StringIO()
    logging.root.setLevel(logging.DEBUG)
    yield handler.stream
    handler.stream = stream
    logging.root.setLevel(level)


def test_nothing_a_family_writes_and_no_secret_reaches_the_log(world: World, console: io.StringIO) -> None:
    logging.getLogger("hearthbook.turns").error("turn kept but not filed: %s", "KeyError")
    browser = Client()
    for passphrase in (PASSPHRASE, "a wrong " + PASSPHRASE):
        browser.post(SIGN_IN, {"login": "Ana", "password": passphrase})
    client = client_of(world, "parent")
    client.post("/tell", {"words": WORDS, "client_id": "c", "subject": str(world.subjects["Leo"].pk)})
    client.post("/tell", {"words": "", "client_id": "d"})
    for viewer in ("family", "guest"):
        watched = client_of(world, viewer)
        leo = world.subjects["Leo"]
        for address in addresses():
            for page in PAGES.get(address.name, ()) if is_tried("log", viewer, address, one_in=4) else ():
                opened(watched, url_of(address, page, world.flock, leo), page, leo)
    assert "turn kept but not filed" in console.getvalue()
    session = client.cookies["sessionid"].value
    assert_silent(console, world, [WORDS, "limped", PASSPHRASE, settings.SECRET_KEY, session])


def test_a_page_that_fails_says_nothing_of_what_it_held(
    world: World, console: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(world, "parent")
    word = next(iter(world.flock.by_word))

    def fail(*args: object, **kwargs: object) -> None:
        raise ValueError(word)

    monkeypatch.setattr("twin.views.today.gather_today", fail)
    page = client.get("/")
    assert page.status_code == 500
    assert word not in page.content.decode()
    assert word not in console.getvalue()
