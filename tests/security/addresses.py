"""Every address of the running project, taken from its URL configuration, and how to open one."""

from __future__ import annotations

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
from tests.makers import signed_in
from tests.security.canaries import Flock
from tests.security.expectations import PAGES, Page
from tests.security.ways import WAYS
from tests.security.world import SUBJECTS, VIEWERS, Overrides, World, is_member, may
from tests.slices import is_drawn, is_turn, number_of
from twin.models import Subject

# In a short run each tries one address in so many, by turns, and under other decisions of parents fewer.
ONE_IN = {"nobody": 1, "guest": 1, "parent": 2}
OTHERS, DECIDED = 4, 16
NOWHERE = 999_999
WRITTEN = (
    "SELECT relname, pg_stat_get_xact_tuples_inserted(oid) + pg_stat_get_xact_tuples_updated(oid)"
    " + pg_stat_get_xact_tuples_deleted(oid) FROM pg_class"
    " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
    " AND (relname ~ '^(twin|memory)_' OR relname IN ('household_membership', 'household_register'))"
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


def is_tried(test: str, viewer: str, address: Address, *, one_in: int) -> bool:
    """Whether a test tries this address with this viewer: always in a long run, else by turns."""
    return is_drawn(f"{test} {viewer} {address.name}", one_in=one_in)


def whole(answer: Any) -> HttpResponse:
    """An answer as one that is not streamed, so that its words can be looked at more than once."""
    if not answer.streaming:
        return cast(HttpResponse, answer)
    return HttpResponse(b"".join(answer.streaming_content), status=answer.status_code, headers=answer.headers)


def _written() -> dict[str, int]:
    rows = connection.connection.execute(WRITTEN).fetchall()
    return dict(rows)


def walks(viewer: str, overrides: Overrides) -> Iterator[tuple[Address, Page, str]]:
    """Which pages this viewer tries about which subject; in a short run a part of them, by turns."""
    one_in = DECIDED if overrides else ONE_IN.get(viewer, OTHERS)
    for address in addresses():
        for page in PAGES.get(address.name, ()):
            names = ["Leo", "Mavi"] if address.wants or page.sends else ["Leo"]
            number = number_of(f"{viewer} {sorted(overrides.items())} {page.method} {address.name}")
            for at, name in enumerate(names):
                if is_turn(number + at * one_in, one_in=one_in * len(names)):
                    yield address, page, name


def ways(viewer: str, number: int) -> Iterator[tuple[str, str]]:
    """Which ways this viewer tries about which subject under one decision of parents; a third in a short run.

    The turns are such that of three decisions each sees other pairs, and all pairs are tried each day.
    """
    for at, title in enumerate(WAYS):
        for of, name in enumerate(SUBJECTS):
            if is_turn(number + at + of, one_in=3):
                yield title, name
