"""Every address of the running project, taken from its URL configuration, and how to open one."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, cast

from django.core.cache import cache
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone

from household.models import Heartbeat
from tests.laws import IS_LONG
from tests.makers import signed_in
from tests.security.canaries import Flock
from tests.security.expectations import PAGES, Page
from tests.security.world import VIEWERS, Overrides, World, is_member, may
from twin.models import Subject

# In a short run: who tries every address, the share of the others, and that of all under other decisions.
WHOLE = frozenset({"parent", "therapist", "nobody", "guest"})
HALF, DECIDED = 0.5, 0.08
NOWHERE = 999_999
WRITTEN = (
    "SELECT relname, n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_xact_user_tables"
    " WHERE relname ~ '^(twin|memory)_' OR relname IN ('household_membership', 'household_register')"
)


@dataclass(frozen=True)
class Address:
    """One URL pattern: its full name and the names it wants filled."""

    name: str
    wants: tuple[str, ...]


def addresses() -> list[Address]:
    """Every named pattern of the URL configuration, other people's apps and the API included."""
    return sorted(set(_walk(get_resolver(), "", ())), key=lambda one: one.name)


def _walk(resolver: Any, space: str, above: tuple[str, ...]) -> Iterator[Address]:
    for one in resolver.url_patterns:
        wants = above + tuple(one.pattern.regex.groupindex)
        if isinstance(one, URLPattern):
            yield Address(space + (one.name or str(one.pattern)), wants)
        else:
            yield from _walk(one, f"{space}{one.namespace}:" if one.namespace else space, wants)


def url_of(address: Address, page: Page, flock: Flock, subject: Subject, *, absent: bool = False) -> str:
    """The address about one subject's planted row, or about a row that is not there."""
    row = flock.row(page.of, subject.pk)
    number = NOWHERE if absent else row.pk
    known = {
        "pk": subject.pk if page.of == "twin.TrackableSubject" and not absent else number,
        "doc_id": f"doc_{number:06d}" if isinstance(number, int) else "doc_000001",
        "rec_id": f"rec_{number:06d}" if isinstance(number, int) else "rec_000001",
        "ref": getattr(row, "ref", "nowhere") if not absent else "nowhere",
        "turn": getattr(row, "turn", "") if not absent else "nowhere",
        "trackable_id": NOWHERE if absent else getattr(row, "trackable_id", NOWHERE),
        "on": "2025-03-01",
        "action": "nowhere",
        "device": uuid.UUID(int=1),
        "token": "nowhere",
        "key": str(number) if address.name == "memory:forget-show" else "nowhere",
        "kind": "record",
        "gid": getattr(row, "gid", "nowhere") if not absent else uuid.UUID(int=0),
        "name": "nowhere",
        "rest": "nowhere",
        "uidb36": "1",
        "session": uuid.UUID(int=subject.pk),
        "step": 1,
        "number": 1,
    }
    return reverse(address.name, kwargs={name: known[name] for name in address.wants})


def words_of(response: HttpResponse) -> str:
    """What an answer says."""
    return response.content.decode(errors="replace")


def is_let_in(page: Page, viewer: str, subject: str, overrides: Overrides) -> bool:
    """What the expectation comes to for one viewer, by the matrix."""

    def holds(condition: str) -> bool:
        role = VIEWERS[viewer][1]
        match condition.split():
            case ["anyone"]:
                return True
            case ["signed", "in"] | ["own"]:
                return viewer != "guest"
            case ["a", "parent"]:
                return role == "parent"
            case ["parent"]:
                return role == "parent" and is_member(viewer, subject)
            case ["member"]:
                return is_member(viewer, subject)
            case ["view" | "add" as action, resource]:
                return may(viewer, subject, action, resource, overrides)
        assert condition == "nobody", f"no such condition: {condition}"
        return False

    return any(all(holds(one.strip()) for one in part.split("&")) for part in page.needs.split("|"))


def client_of(world: World, viewer: str) -> Client:
    """A browser of this viewer."""
    client = signed_in(world.people[viewer]) if viewer in world.people else Client()
    client.raise_request_exception = False
    Heartbeat.objects.update_or_create(worker="w", defaults={"at": timezone.now()})
    return client


def opened(client: Client, url: str, page: Page, subject: Subject) -> tuple[HttpResponse, set[str]]:
    """What comes of one request, a stream read to its end, and the tables it wrote to; all is taken back."""
    cache.clear()
    sends = {name: value.format(subject=subject.pk) for name, value in page.sends.items()}
    point, cookies = transaction.savepoint(), deepcopy(client.cookies)
    before = _written()
    response = whole(client.get(url) if page.method == "GET" else client.post(url, sends))
    touched = {name for name, count in _written().items() if count != before.get(name, 0)}
    transaction.savepoint_rollback(point)
    client.cookies = cookies
    return response, touched


def is_tried(test: str, viewer: str, address: Address, share: float) -> bool:
    """Whether a test tries this address with this viewer: always in a long run, else by a seeded dice."""
    return IS_LONG or random.Random(f"{test} {viewer} {address.name}").random() < share


def whole(answer: Any) -> HttpResponse:
    """An answer as one that is not streamed, so that its words can be looked at more than once."""
    if not answer.streaming:
        return cast(HttpResponse, answer)
    return HttpResponse(b"".join(answer.streaming_content), status=answer.status_code, headers=answer.headers)


def _written() -> dict[str, int]:
    rows = connection.connection.execute(WRITTEN).fetchall()
    return dict(rows)


def walks(viewer: str, overrides: Overrides) -> Iterator[tuple[Address, Page, str]]:
    """Which pages this viewer tries about which subject; in a short run a seeded share of them."""
    dice = random.Random(f"{viewer}{sorted(overrides.items())}")
    share = DECIDED if overrides else 1 if viewer in WHOLE else HALF
    for address in addresses():
        for page in PAGES.get(address.name, ()):
            is_about_one = address.wants or page.sends
            names = ["Leo", "Mavi"] if is_about_one else ["Leo"]
            if not IS_LONG and dice.random() >= share:
                continue
            if not IS_LONG and len(names) == 2:
                names = ["Mavi" if viewer == "vet" else dice.choice(names)]
            for name in names:
                yield address, page, name
