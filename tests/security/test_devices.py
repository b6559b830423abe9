"""A device's token at every address: what it opens, and that nothing of others is behind it."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from household.models import Membership
from memory.models import Memory, Picture
from memory.services.store.writing import settle
from tests.makers import now
from tests.security.addresses import addresses, opened, url_of, words_of
from tests.security.canaries import Canary
from tests.security.expectations import PAGES
from tests.security.world import World
from tests.slices import is_turn
from tests.wire import Wire, a_device

pytestmark = pytest.mark.django_db
WIRE = "api:"
# What each device may be shown: whose rows.
DEVICES = {"companion": {"Leo"}, "other_childs": {"Zoe"}, "household": {"Leo", "Mavi"}}
# Of those rows only what travels: documents, conversations, lines of devices, settings, the child's identity.
TRAVELS = {
    "memory.Memory",
    "memory.MemoryMention",
    "memory.MemoryRevision",
    "memory.MemoryEmbedding",
    "memory.MemoryPicture",
    "memory.SoftAction",
    "memory.Tombstone",
    "memory.TombstoneTurn",
    "memory.TombstonePicture",
    "memory.ChatSession",
    "memory.ChatTurn",
    "memory.JournalLine",
    "memory.JournalWords",
    "memory.Picture",
    "memory.LinePicture",
    "household.Register",
}


@pytest.fixture(autouse=True)
def settled(world: World) -> None:
    """What was planted gets its change numbers, as a commit would give them."""
    settle()


def device(world: World, which: str) -> Wire:
    ana, olga = world.people["parent"], world.people["other_parent"]
    made = {
        "companion": (ana, world.subjects["Leo"]),
        "other_childs": (olga, world.subjects["Zoe"]),
        "household": (ana, None),
    }
    return a_device(*made[which])


def may_see(canary: Canary, world: World, which: str) -> bool:
    name = next(name for name, one in world.subjects.items() if one.pk == canary.subject_id)
    return name in DEVICES[which] and canary.label in TRAVELS


def everything_told(wire: Wire) -> str:
    """All that the wire tells a device that has nothing yet."""
    texts = [wire.get("state").content.decode(), wire.get("journal?limit=1000").content.decode()]
    for path, body in (
        ("memory", {}),
        ("household", {"registers": []}),
        ("chat", {"sessions": []}),
        ("time", {"rows": []}),
    ):
        response = wire.post(path, body)
        assert response.status_code == 200, path
        texts.append(response.content.decode())
    return "\n".join(texts)


@pytest.mark.parametrize("which", DEVICES)
def test_a_device_is_told_its_own_childs_rows_and_no_others(world: World, which: str) -> None:
    found = world.flock.seen(everything_told(device(world, which)))
    assert [str(one) for one in found if not may_see(one, world, which)] == []
    assert {"memory.Memory", "memory.ChatTurn", "memory.JournalWords"} <= {one.label for one in found}


@pytest.mark.parametrize("which", DEVICES)
def test_a_device_opens_no_page(world: World, which: str) -> None:
    wire = device(world, which)
    client = Client(headers={"Authorization": f"Bearer {wire.token}"}, raise_request_exception=False)
    guest = Client(raise_request_exception=False)
    wrong = []
    for number, address in enumerate(addresses()):
        # In a short run each address is tried with one of the devices, by turns.
        if address.name.startswith(WIRE) or not is_turn(number + list(DEVICES).index(which), one_in=3):
            continue
        for page in PAGES.get(address.name, ()):
            url = url_of(address, page, world.flock, world.subjects["Leo"])
            response, touched = opened(client, url, page, world.subjects["Leo"])
            as_guest, _ = opened(guest, url, page, world.subjects["Leo"])
            shown = world.flock.seen(words_of(response))
            if response.status_code != as_guest.status_code or shown or touched:
                wrong.append(f"{address.name} {page.method}: {response.status_code} {touched}")
    assert wrong == []


@pytest.mark.parametrize("which", ["companion", "other_childs"])
def test_pictures_of_others_are_not_there(world: World, which: str) -> None:
    wire = device(world, which)
    own = {world.subjects[name].pk for name in DEVICES[which]}
    for picture in Picture.objects.exclude(subject_id__in=own):
        assert wire.get(f"pictures/{picture.name}").status_code == 404


@pytest.mark.parametrize("which", DEVICES)
def test_what_is_pushed_about_anothers_rows_changes_none(world: World, which: str) -> None:
    wire = device(world, which)
    own = {world.subjects[name].pk for name in DEVICES[which]}
    before = list(Memory.objects.exclude(subject_id__in=own).order_by("pk").values())
    for row in before:
        memory = {"gid": row["gid"], "text": "taken", "learned_at_ms": 1, "text_at_ms": 10**12}
        stone = {"gid": row["gid"], "kind": "memory", "at_ms": 1}
        wire.post("memory", {"memories": [memory], "tombstones": [stone]})
    assert list(Memory.objects.exclude(subject_id__in=own).order_by("pk").values()) == before


@pytest.mark.parametrize("ends", ["revoked", "membership"])
def test_an_ended_device_is_told_nothing_anywhere(world: World, ends: str) -> None:
    wire = device(world, "companion")
    if ends == "revoked":
        type(wire.device).objects.update(revoked_at=now(), revoked_why="parent")
    else:
        Membership.objects.filter(person=world.people["parent"]).update(ends_at=now())
    for method, path in (
        ("GET", "state"),
        ("GET", "journal"),
        ("POST", "memory"),
        ("POST", "household"),
        ("POST", "chat"),
        ("POST", "time"),
        ("POST", "journal"),
        ("PUT", "pictures/p-1"),
        ("GET", "pictures/p-1"),
        ("POST", "turn"),
        ("POST", "speech"),
    ):
        body = {
            "household": {"registers": []},
            "time": {"rows": []},
            "chat": {"sessions": []},
            "journal": {"from_seq": 0, "lines": []},
            "turn": {"turn": "t", "text": "hello"},
            "speech": {"text": "hello"},
        }.get(path, {})
        response = wire.ask(method, path, json.dumps(body).encode() if method != "GET" else None)
        assert (response.status_code, response.json()["code"]) == (401, "revoked"), path
