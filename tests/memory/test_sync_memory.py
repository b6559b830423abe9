"""The memory document between the house and its devices."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import models
from memory.rules.merge import (
    Embedding,
    Memory,
    Mention,
    PictureLink,
    SoftAction,
    Tombstone,
    edit_text,
    from_json,
    merge_memory,
)
from memory.services.store.reading import memories_of
from tests.makers import a_child, a_person
from tests.wire import Wire, a_device, now_ms

pytestmark = pytest.mark.django_db
AT = 1_700_000_000_000
WRITES = ("INSERT", "UPDATE", "DELETE")


@pytest.fixture
def tablet() -> Wire:
    ana = a_person("Ana")
    return a_device(ana, a_child(ana))


def a_memory(gid: str = "m-1", text: str = "the red boat", **fields: object) -> Memory:
    values = {"learned_at_ms": AT, "mentions": frozenset({Mention(AT, "tablet-1", "turn-1")}), **fields}
    return Memory(gid, text, **values)  # type: ignore[arg-type]


def held(gid: str = "m-1") -> Memory:
    return memories_of(models.Memory.objects.filter(gid=gid))[gid]


def test_a_memory_is_kept_whole(tablet: Wire) -> None:
    told = edit_text(
        a_memory(
            pictures=(PictureLink(0, "p-1"),),
            cover_picture="p-1",
            cover_at_ms=AT,
            icon="boat",
            who="grandpa",
        ),
        "the green boat",
        at_ms=AT + 5,
        device="tablet-1",
    )
    told = replace(told, embeddings=frozenset({Embedding("e5", bytes.fromhex("0000803f000000bf"))}))
    answer = tablet.memory(told)
    assert held() == told
    assert held().embeddings == told.embeddings
    assert answer["need_pictures"] == ["p-1"]
    assert answer["memories"] == []  # the device has just said it
    assert models.Memory.objects.get().subject == tablet.device.child


def test_what_is_held_already_writes_nothing(tablet: Wire) -> None:
    tablet.memory(a_memory(), soft_actions=[SoftAction("a-1", "m-1", AT)])
    stone = Tombstone("m-2", "memory", AT, "tablet-1", frozenset({"turn-9"}), frozenset({"p-9"}))
    first = tablet.memory(tombstones=[stone])
    with CaptureQueriesContext(connection) as queries:
        again = tablet.memory(a_memory(), soft_actions=[SoftAction("a-1", "m-1", AT)], tombstones=[stone])
    written = [q["sql"] for q in queries if q["sql"].lstrip().startswith(WRITES)]
    assert written == []
    assert again["cursor"] == first["cursor"]


def test_two_devices_converge_on_the_pure_merge(tablet: Wire) -> None:
    other = a_device(a_person("Ana"), tablet.device.child, "phone")
    one = edit_text(a_memory(), "the blue boat", at_ms=AT + 10, device="tablet-1")
    two = edit_text(a_memory(), "the old boat", at_ms=AT + 5, device="phone-1")
    told_again = frozenset({Mention(AT + 3, "phone-1", "")})
    two = replace(two, hidden=True, visibility_at_ms=AT + 7, mentions=told_again)
    tablet.memory(one)
    answer = other.memory(two)
    assert held() == merge_memory(one, two)
    assert from_json(Memory, answer["memories"][0]) == merge_memory(one, two)
    pulled = tablet.memory()
    assert from_json(Memory, pulled["memories"][0]) == merge_memory(one, two)


def test_an_embedding_of_old_words_goes_with_them(tablet: Wire) -> None:
    told = replace(a_memory(), embeddings=frozenset({Embedding("e5", b"\0\0\x80\x3f")}))
    tablet.memory(told)
    tablet.memory(edit_text(told, "the green boat", at_ms=AT + 5, device="tablet-1"))
    assert not models.MemoryEmbedding.objects.exists()


def test_a_forgotten_memory_never_comes_back(tablet: Wire) -> None:
    tablet.memory(a_memory(pictures=(PictureLink(0, "p-1"),)))
    tablet.memory(tombstones=[Tombstone("m-1", "memory", AT + 1, "tablet-1")])
    again = replace(a_memory(), mentions=frozenset({Mention(AT + 9, "phone-1", "turn-2")}))
    answer = tablet.memory(again)
    assert not models.Memory.objects.exists()
    stone = answer["tombstones"][0]
    assert (stone["gid"], stone["turns"], stone["pictures"]) == ("m-1", ["turn-1", "turn-2"], ["p-1"])
    assert answer["memories"] == []


def test_a_duplicate_dropped_empties_no_conversation(tablet: Wire) -> None:
    tablet.memory(a_memory())
    line = {"event": "Heard", "at_ms": AT, "turn": "turn-1", "text": "the red boat", "pictures": []}
    tablet.told("journal", {"from_seq": 0, "lines": [line]})
    tablet.memory(tombstones=[Tombstone("m-1", "memory")])
    assert not models.Memory.objects.exists()
    assert models.JournalWords.objects.count() == 1
    tablet.memory(tombstones=[Tombstone("m-1", "memory", AT + 1, "tablet-1")])  # it rises
    assert models.JournalWords.objects.count() == 0


def test_a_stamp_from_the_future_is_refused_and_the_rest_is_taken(tablet: Wire) -> None:
    ahead = now_ms() + 6 * 60_000
    answer = tablet.memory(a_memory(), a_memory("m-2", visibility_at_ms=ahead))
    assert answer["rejected"] == [{"kind": "memory", "gid": "m-2", "code": "clock_skew"}]
    assert list(models.Memory.objects.values_list("gid", flat=True)) == ["m-1"]
    assert answer["server_ms"] < ahead


def test_a_memory_of_another_child_stays_untouched_and_unseen(tablet: Wire) -> None:
    olga = a_person("Olga")
    foreign = a_device(olga, a_child(olga, "Zoe"))
    tablet.memory(a_memory())
    answer = foreign.memory(
        a_memory(text="mine"), tombstones=[Tombstone("m-1", "memory", AT, "x")], soft_actions=[]
    )
    assert {(one["kind"], one["code"]) for one in answer["rejected"]} == {
        ("memory", "forbidden"),
        ("tombstone", "forbidden"),
    }
    assert held().text == "the red boat"
    assert foreign.memory()["memories"] == []


def test_turns_of_another_childs_lines_cannot_be_forgotten(tablet: Wire) -> None:
    olga = a_person("Olga")
    foreign = a_device(olga, a_child(olga, "Zoe"))
    line = {"event": "Heard", "at_ms": AT, "turn": "turn-1", "text": "the red boat", "pictures": []}
    tablet.told("journal", {"from_seq": 0, "lines": [line]})
    stone = Tombstone("t-1", "turn", AT, "x", frozenset({"turn-1"}))
    assert foreign.memory(tombstones=[stone])["rejected"][0]["code"] == "forbidden"
    assert models.JournalWords.objects.count() == 1


def test_a_companion_forgets_no_records(tablet: Wire) -> None:
    answer = tablet.memory(tombstones=[Tombstone("r-1", "record", AT, "x")])
    assert answer["rejected"] == [{"kind": "tombstone", "gid": "r-1", "code": "forbidden"}]


def test_a_soft_action_of_an_unknown_memory_is_refused(tablet: Wire) -> None:
    answer = tablet.memory(soft_actions=[SoftAction("a-1", "m-7", AT)])
    assert answer["rejected"] == [{"kind": "soft_action", "gid": "a-1", "code": "invalid"}]


def test_a_first_sync_comes_in_pages(tablet: Wire) -> None:
    many = [a_memory(f"m-{at:04}") for at in range(501)]
    tablet.memory(*many[:500])
    tablet.memory(*many[500:])
    other = a_device(a_person("Ana"), tablet.device.child, "phone")
    first = other.memory()
    assert (len(first["memories"]), first["more"]) == (500, True)
    second = other.memory(since=first["cursor"])
    assert (len(second["memories"]), second["more"]) == (1, False)
    assert other.memory(since=second["cursor"])["memories"] == []


def test_a_page_of_long_memories_is_cut_by_size(tablet: Wire) -> None:
    for at in range(4):
        tablet.memory(*[a_memory(f"m-{at}-{n}", "x" * 19_000) for n in range(20)])
    other = a_device(a_person("Ana"), tablet.device.child, "phone")
    seen: set[str] = set()
    answer = other.memory()
    while True:
        seen |= {one["gid"] for one in answer["memories"]}
        if not answer["more"]:
            break
        answer = other.memory(since=answer["cursor"])
    assert len(seen) == 80


@pytest.mark.parametrize("since", ["00000000-0000-0000-0000-000000000000:1", "nonsense", "epoch:999999"])
def test_a_cursor_of_another_epoch_is_answered_resync(tablet: Wire, since: str) -> None:
    response = tablet.post("memory", {"since": since, "memories": []})
    assert (response.status_code, response.json()["code"]) == (409, "resync")


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"memories": [{"gid": "a", "text": "x", "learned_at_ms": 1, "hue": "red"}]}, "memories[0].hue"),
        ({"memories": [{"gid": "a", "text": "x"}]}, "memories[0].learned_at_ms"),
        ({"memories": [{"gid": "a b", "text": "x", "learned_at_ms": 1}]}, "memories[0].gid"),
        ({"memories": [{"gid": "a", "text": "x" * 20_001, "learned_at_ms": 1}]}, "memories[0].text"),
        ({"memories": [{"gid": "a", "text": "x", "learned_at_ms": -1}]}, "memories[0].learned_at_ms"),
        ({"colour": "red"}, "colour"),
        ({"memories": {}}, "memories"),
        ({"since": 7}, "since"),
    ],
)
def test_what_is_no_document_is_refused_with_its_path(tablet: Wire, body: object, path: str) -> None:
    response = tablet.post("memory", body)
    assert (response.status_code, response.json()["code"], response.json()["path"]) == (422, "invalid", path)


def test_nul_and_lone_surrogates_are_replaced(tablet: Wire) -> None:
    words = b"a\\u0000b\\ud83d\\u212b \\u01c4 \\ud83d\\ude80"
    raw = b'{"memories": [{"gid": "a", "text": "' + words + b'", "learned_at_ms": 1}]}'
    assert tablet.post("memory", raw).status_code == 200
    assert models.Memory.objects.get().text == "a\ufffdb\ufffd\u212b \u01c4 \U0001f680"
    coded = b'{"memories": [{"gid": "b", "text": "x\xed\xa0\xbdy", "learned_at_ms": 1}]}'
    assert tablet.post("memory", coded).status_code == 200
    assert models.Memory.objects.get(gid="b").text == "x\ufffdy"
