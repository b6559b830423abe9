"""Devices at once: no cursor skips, no line is lost, nothing forgotten slips in between."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from memory import models
from memory.rules.merge import Memory, Mention, Tombstone
from memory.services import reflecting
from memory.services.store import pushing
from tests.makers import a_child, a_never_topic, a_person
from tests.threads import at_once
from tests.wire import Wire, a_device

pytestmark = pytest.mark.django_db(transaction=True)
AT = 1_700_000_000_000


@pytest.fixture
def wires() -> list[Wire]:
    """Twenty devices of one child."""
    ana = a_person("Ana")
    leo = a_child(ana)
    return [a_device(ana, leo, f"device {n}") for n in range(20)]


def a_memory(gid: str) -> Memory:
    return Memory(gid, f"words of {gid}", AT, mentions=frozenset({Mention(AT, "d", f"turn-{gid}")}))


def heard(text: str, turn: str = "turn-1") -> dict[str, Any]:
    return {"event": "Heard", "at_ms": AT, "turn": turn, "text": text, "pictures": []}


def test_parallel_writers_never_skip_a_cursor(wires: list[Wire]) -> None:
    writers, reader = wires[:4], wires[4]
    done = threading.Event()
    seen: set[str] = set()

    def write(n: int) -> Callable[[], None]:
        def run() -> None:
            for at in range(25):
                if at % 5 == 4:
                    writers[n].memory(tombstones=[Tombstone(f"t-{n}-{at}", "turn", AT, "d")])
                else:
                    writers[n].memory(a_memory(f"m-{n}-{at}"))

        return run

    def read() -> None:
        cursor = None
        is_last = False
        while True:
            answer = reader.memory(since=cursor)
            seen.update(one["gid"] for one in answer["memories"] + answer["tombstones"])
            cursor = answer["cursor"]
            if is_last and not answer["more"]:
                return
            is_last = done.is_set()

    reading = threading.Thread(target=lambda: (read(), connection.close()))
    reading.start()
    results = at_once(*[write(n) for n in range(4)])
    done.set()
    reading.join()
    assert results == [None] * 4
    assert len(seen) == 100


def test_a_pull_by_position_never_skips_a_line(wires: list[Wire]) -> None:
    done, seen = threading.Event(), []

    def write(wire: Wire) -> Callable[[], None]:
        def run() -> None:
            for at in range(10):
                lines = [heard(f"{at}-{n}") for n in range(5)]
                assert wire.post("journal", {"from_seq": at * 5, "lines": lines}).status_code == 200

        return run

    def read() -> None:
        after, is_last = 0, False
        while True:
            found = wires[19].get(f"journal?after={after}&limit=50").json()
            seen.extend((one["device"], one["seq"]) for one in found["lines"])
            after = found["next"]
            if is_last and not found["more"]:
                return
            is_last = done.is_set()

    reading = threading.Thread(target=lambda: (read(), connection.close()))
    reading.start()
    assert at_once(*[write(wire) for wire in wires[:4]]) == [None] * 4
    done.set()
    reading.join()
    assert len(seen) == len(set(seen)) == 200


def test_twenty_devices_push_at_once(wires: list[Wire]) -> None:
    shared = a_memory("m-shared")

    def push(n: int) -> Callable[[], int]:
        def run() -> int:
            wires[n].memory(shared, a_memory(f"m-{n}"))
            wires[n].told("chat", {"sessions": []})
            told = wires[n].told("journal", {"from_seq": 0, "lines": [heard("one"), heard("two")]})
            return int(told["next_seq"])

        return run

    assert at_once(*[push(n) for n in range(20)]) == [2] * 20
    assert models.Memory.objects.count() == 21
    assert models.JournalLine.objects.count() == models.JournalWords.objects.count() == 40


def test_one_push_sent_many_times_at_once_is_one_push(wires: list[Wire]) -> None:
    wire = wires[0]
    body = {"from_seq": 0, "lines": [heard("one"), heard("two")]}
    calls = [lambda: Wire(wire.device, wire.token, Client()).told("journal", body)["next_seq"]] * 6
    assert at_once(*calls) == [2] * 6
    assert models.JournalLine.objects.count() == 2


@pytest.mark.parametrize("round_", range(4))
def test_words_and_their_forgetting_at_once_leave_no_words(wires: list[Wire], round_: int) -> None:
    stone = Tombstone("m-1", "memory", AT, "d", frozenset({"turn-1"}))
    again = Memory("m-1", "told again", AT, mentions=frozenset({Mention(AT + 1, "d", "turn-2")}))
    results = at_once(
        lambda: wires[0].told("journal", {"from_seq": 0, "lines": [heard("a secret")]})["next_seq"],
        lambda: wires[1].told("journal", {"from_seq": 0, "lines": [heard("a secret", "turn-2")]})["next_seq"],
        lambda: wires[2].memory(a_memory("m-1")) and None,
        lambda: wires[3].memory(again) and None,
        lambda: wires[4].memory(tombstones=[stone]) and None,
    )
    assert results == [1, 1, None, None, None]
    assert not models.Memory.objects.exists()
    assert not models.JournalWords.objects.exists()
    assert set(models.TombstoneTurn.objects.values_list("turn", flat=True)) == {
        "turn-1",
        "turn-2",
        "turn-m-1",
    }


@pytest.fixture
def two_children() -> list[Wire]:
    """A tablet of each of two children, for both of whom a topic is never to be learned."""
    ana = a_person("Ana")
    children = [a_child(ana, name) for name in ("Leo", "Mia")]
    for child in children:
        a_never_topic(child, "the divorce")
    return [a_device(ana, child, child.name) for child in children]


def both_share_the_lock(monkeypatch: pytest.MonkeyPatch, *modules: Any) -> None:
    """Two who take the forgetting lock shared both have it before either goes on."""
    gate, take = threading.Barrier(2), pushing.lock_for_merge

    def lock(subject_id: int, *, is_exclusive: bool = False) -> None:
        take(subject_id, is_exclusive=is_exclusive)
        if not is_exclusive:
            gate.wait(timeout=20)

    for module in modules:
        monkeypatch.setattr(module, "lock_for_merge", lock)


def test_two_pushes_that_drop_a_listed_topic_do_not_wait_for_each_other(
    two_children: list[Wire], monkeypatch: pytest.MonkeyPatch
) -> None:
    both_share_the_lock(monkeypatch, pushing)

    def push(n: int) -> Callable[[], list[str]]:
        told = Memory(f"m-{n}", "they talked about the divorce", AT)
        return lambda: [one["gid"] for one in two_children[n].memory(told)["tombstones"]]

    assert at_once(push(0), push(1)) == [["m-0"], ["m-1"]]
    lines = models.JournalLine.objects.filter(envelope__event="NotRemembered")
    assert lines.count() == 2 and not models.Memory.objects.exists()


def test_two_memory_works_that_drop_a_copy_do_not_wait_for_each_other(
    two_children: list[Wire], monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = []
    for n, wire in enumerate(two_children):
        wire.memory(*(Memory(f"m-{n}-{copy}", "I have two fish", AT + copy) for copy in range(2)))
        waiting.append(
            models.PendingReflection.objects.create(
                turn=f"turn-{n}",
                subject=wire.device.child,
                device=wire.gid,
                at_ms=AT + 9,
                heard="i have two fish",
            )
        )
    both_share_the_lock(monkeypatch, reflecting)
    works = [lambda pk=one.pk: reflecting.reflect(pk, now=timezone.now()) for one in waiting]
    assert at_once(*works) == [True, True]
    assert set(models.Memory.objects.values_list("gid", flat=True)) == {"m-0-0", "m-1-0"}


def locks_held() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")
        return int(cursor.fetchone()[0])


def test_what_is_told_is_compared_with_listed_topics_while_nobody_waits(
    two_children: list[Wire], monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[int] = []
    for module in (pushing, reflecting):
        monkeypatch.setattr(
            module, "said_in", lambda text, say=module.said_in: held.append(locks_held()) or say(text)
        )
    wire = two_children[0]
    wire.memory(Memory("m-1", "they talked about the divorce", AT), Memory("m-2", "the red boat", AT))
    wire.memory(Memory("m-2", "the red boat", AT))
    row = models.PendingReflection.objects.create(
        turn="turn-1", subject=wire.device.child, device=wire.gid, at_ms=AT, heard="i like trains"
    )
    assert reflecting.reflect(row.pk, now=timezone.now())
    assert held == [0, 0, 0]


@pytest.mark.long
def test_a_hundred_thousand_lines(wires: list[Wire]) -> None:
    wire = wires[0]
    for start in range(0, 100_000, 1_000):
        lines = [heard(f"line {n}", f"turn-{n}") for n in range(start, start + 1_000)]
        assert wire.told("journal", {"from_seq": start, "lines": lines})["next_seq"] == start + 1_000
    after, count = 0, 0
    while True:
        found = wires[1].get(f"journal?after={after}&limit=1000").json()
        count, after = count + len(found["lines"]), found["next"]
        if not found["more"]:
            break
    assert count == 100_000
