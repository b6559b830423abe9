"""Every address of the running project, tried by everybody: the outcome is the matrix's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice

import pytest
from django.core.handlers.base import BaseHandler
from django.test.client import ClientHandler

from household import access
from household.access import SubjectSight
from household.rules.permissions import Resource, Role
from tests.security.addresses import (
    Address,
    addresses,
    client_of,
    is_let_in,
    is_tried,
    opened,
    url_of,
    walks,
    ways,
    words_of,
)
from tests.security.canaries import Canary
from tests.security.expectations import PAGES, Page
from tests.security.ways import WAYS
from tests.security.world import VIEWERS, Overrides, World, decisions, is_member, may
from twin.models import Subject

pytestmark = pytest.mark.django_db
HOW_TO = """
An address has no expectation. Add its URL name to PAGES in tests/security/expectations.py with what it needs,
for example
    "twin:thing-show": (get("view observation", "twin.Thing"),),
where "twin.Thing" is the table whose planted row fills the address (the head of that file says the rest).
"""


def test_every_address_has_an_expectation() -> None:
    missing = {one.name for one in addresses()} - PAGES.keys()
    assert not missing, f"{sorted(missing)}{HOW_TO}"


def test_no_expectation_outlives_its_address() -> None:
    assert PAGES.keys() - {one.name for one in addresses()} <= {"styleguide"}


def named_subjects(viewer: str, canary: Canary, world: World, overrides: Overrides) -> bool:
    """Whether a viewer may be shown a canary."""
    name = next(name for name, one in world.subjects.items() if one.pk == canary.subject_id)
    if canary.label == "twin.Subject":
        return is_member(viewer, name)
    return may(viewer, name, "view", canary.resource.value, overrides)


def outcome(
    world: World, viewer: str, overrides: Overrides, address: Address, page: Page, name: str, client: object
) -> str:
    """What is wrong with one try, empty where nothing is."""
    subject = world.subjects[name]
    url = url_of(address, page, world.flock, subject)
    response, touched = opened(client, url, page, subject)  # type: ignore[arg-type]
    what = f"{viewer} {page.method} {address.name} of {name} with {overrides or 'defaults'}: "
    if response.status_code == 500:
        return what + f"status {response.status_code}"
    shown = world.flock.seen(words_of(response))
    wrong = [str(one) for one in shown if not named_subjects(viewer, one, world, overrides)]
    if wrong:
        return what + f"shows {wrong}"
    if viewer == "guest" and page.guest == "sign-in":
        is_right = response.status_code == 302 and "/accounts/login/" in response["Location"]
    else:
        is_let = is_let_in(page, viewer, name, overrides)
        is_right = page.needs == "own" or (response.status_code != 404) == is_let
        if response.status_code == 404 and touched:
            return what + f"refused, and wrote {touched}"
    return "" if is_right else what + f"status {response.status_code}, expected by {page.needs!r}"


@pytest.mark.parametrize("viewer", VIEWERS)
def test_everybody_gets_what_the_matrix_says(world: World, viewer: str) -> None:
    wrong = []
    client = client_of(world, viewer)
    for number, overrides in enumerate(decisions(viewer)):
        world.decide(viewer, overrides)
        for address, page, name in walks(viewer, overrides):
            wrong.append(outcome(world, viewer, overrides, address, page, name, client))
        for title, name in ways(viewer, number):
            text = WAYS[title](client, world.people.get(viewer), world.subjects[name], world.flock)  # type: ignore[arg-type]
            leaks = [c for c in world.flock.seen(text) if not named_subjects(viewer, c, world, overrides)]
            wrong += [f"{viewer} by {title} learns {leak}" for leak in leaks]
    assert not any(wrong), "\n".join(one for one in wrong if one)


@pytest.mark.parametrize("viewer", ["other_parent", "nobody", "ended", "family"])
def test_denied_and_absent_look_the_same(world: World, viewer: str) -> None:
    client = client_of(world, viewer)
    subject = world.subjects["Leo"]
    for address in addresses():
        for page in PAGES.get(address.name, ()):
            if not address.wants or is_let_in(page, viewer, "Leo", {}) or page.guest == "same":
                continue
            if not is_tried("absent", viewer, address, one_in=5):
                continue
            denied, _ = opened(client, url_of(address, page, world.flock, subject), page, subject)
            absent_url = url_of(address, page, world.flock, subject, absent=True)
            absent, _ = opened(client, absent_url, page, subject)
            assert denied.status_code == absent.status_code == 404, address
            assert _still(denied.content) == _still(absent.content), address


def _still(body: bytes) -> str:
    """A page without what changes each time."""
    import re

    return re.sub(r'nonce="[^"]*"|value="[^"]*"|X-CSRFToken[^}]*', "", body.decode())


# The first wall switched off


def _patch_everywhere(patch: pytest.MonkeyPatch, name: str, other: object) -> None:
    real = getattr(access, name)
    for module in list(sys.modules.values()):
        if module is not None and getattr(module, name, None) is real:
            patch.setattr(module, name, other)


class AllSubjects(dict):  # type: ignore[type-arg]
    """What every page believes once the first wall is gone: everybody is everybody's parent."""

    def __init__(self, world: World) -> None:
        super().__init__({one.pk: _everything(one) for one in world.subjects.values()})

    def __missing__(self, pk: int) -> SubjectSight:
        return _everything(Subject(pk=pk, name="?", species="person"))


def _everything(subject: Subject) -> SubjectSight:
    return SubjectSight(
        subject=subject,
        name=subject.name,
        species=subject.species,
        roles=frozenset({Role.PARENT}),
        views=frozenset(Resource),
        adds=frozenset(Resource),
        windows={},
        is_logged=False,
    )


@pytest.fixture
def no_first_wall(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """`access.visible` returns everything and every other check passes; the database is told the truth."""
    tell, everybody = access._tell_database, AllSubjects(world)
    addresses()  # every view is loaded

    def told_and_blinded(sight: access.Sight, *args: object) -> None:
        tell(sight, *args)  # type: ignore[arg-type]
        object.__setattr__(sight, "subjects", everybody)

    monkeypatch.setattr(access, "_tell_database", told_and_blinded)
    _patch_everywhere(monkeypatch, "visible", lambda person, resource, queryset: queryset)
    _patch_everywhere(monkeypatch, "may_do", lambda *args: True)
    _patch_everywhere(monkeypatch, "require", lambda person, action, resource, pk: everybody[pk])
    _patch_everywhere(monkeypatch, "require_parent", lambda *args: None)


def leaks(world: World, viewer: str, *, one_in: int) -> Iterator[str]:
    """The canaries that reach somebody who may not have them, page after page."""
    client, subject = client_of(world, viewer), world.subjects["Leo"]
    for address in addresses():
        for page in PAGES.get(address.name, ()) if is_tried("walls", viewer, address, one_in=one_in) else ():
            response, _touched = opened(client, url_of(address, page, world.flock, subject), page, subject)
            for canary in world.flock.seen(words_of(response)):
                if not named_subjects(viewer, canary, world, {}):
                    yield f"{address.name} {canary}"


@pytest.mark.parametrize("viewer", ["other_parent", "family", "child", "teacher", "vet", "ended", "nobody"])
def test_with_the_first_wall_off_the_second_shows_nothing(
    world: World, viewer: str, no_first_wall: None
) -> None:
    assert list(leaks(world, viewer, one_in=6)) == []


def test_with_both_walls_off_the_canaries_are_seen(
    world: World, no_first_wall: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ClientHandler, "get_response", BaseHandler.get_response, raising=False)
    assert len(list(islice(leaks(world, "nobody", one_in=1), 21))) == 21
