"""Conversations and the companion's turns over the wire."""

from __future__ import annotations

import json

import pytest
from django.utils import timezone

from household.models import Register, TimeSpent
from memory import models
from memory.rules.companion.recalling import MOST_MEMORIES, Remembered, newest
from memory.rules.merge import ChatSession, ChatTurn, Tombstone, from_json, to_json
from memory.services import companion
from tests.makers import a_child, a_person
from tests.wire import Wire, a_device, now_ms

pytestmark = pytest.mark.django_db
AT = 1_700_000_000_000


@pytest.fixture
def tablet() -> Wire:
    ana = a_person("Ana")
    return a_device(ana, a_child(ana))


def a_session(gid: str = "s-1", version: int = 1, text: str = "hello", **fields: object) -> ChatSession:
    turns = (ChatTurn("turn-1", "child", text, AT),)
    return ChatSession(gid, AT, version, AT + version, "so far", turns, **fields)  # type: ignore[arg-type]


def exchanged(wire: Wire, *sessions: ChatSession) -> list[ChatSession]:
    found = wire.told("chat", {"sessions": [to_json(one) for one in sessions]})
    return [from_json(ChatSession, one) for one in found["sessions"]]


def test_the_later_copy_of_a_conversation_wins_whole(tablet: Wire) -> None:
    assert exchanged(tablet, a_session()) == [a_session()]
    phone = a_device(a_person("Ana"), tablet.device.child, "phone")
    assert exchanged(phone, a_session(version=2, text="later")) == [a_session(version=2, text="later")]
    assert exchanged(tablet, a_session()) == [a_session(version=2, text="later")]


def test_no_copy_survives_a_forgetting_it_was_not_emptied_for(tablet: Wire) -> None:
    exchanged(tablet, a_session())
    tablet.memory(tombstones=[Tombstone("m-1", "memory", AT, tablet.gid)])
    row = models.ChatSession.objects.get()
    assert (row.version, row.summary, row.scrubbed, row.turns.count()) == (0, "", ["m-1"], 0)
    (merged,) = exchanged(tablet, a_session(version=9))
    assert (merged.version, merged.turns, merged.scrubbed) == (0, (), frozenset({"m-1"}))
    again = a_session(version=1, text="after", scrubbed=frozenset({"m-1"}))
    assert exchanged(tablet, again) == [again]


def test_a_conversation_of_another_child_is_neither_seen_nor_written(tablet: Wire) -> None:
    exchanged(tablet, a_session())
    olga = a_person("Olga")
    foreign = a_device(olga, a_child(olga, "Zoe"))
    found = foreign.told("chat", {"sessions": [to_json(a_session(version=5, text="mine"))]})
    assert found["sessions"] == []
    assert found["rejected"] == [{"kind": "session", "gid": "s-1", "code": "forbidden"}]
    assert models.ChatTurn.objects.get().text == "hello"


def test_a_conversation_from_the_future_is_refused(tablet: Wire) -> None:
    ahead = ChatSession("s-2", now_ms() + 6 * 60_000)
    found = tablet.told("chat", {"sessions": [to_json(ahead)]})
    assert found["rejected"] == [{"kind": "session", "gid": "s-2", "code": "clock_skew"}]
    assert not models.ChatSession.objects.exists()


def said(wire: Wire, text: str = "we saw a boat", turn: str = "turn-1", **more: str) -> list[dict[str, str]]:
    response = wire.post("turn", {"turn": turn, "text": text, **more})
    assert response.status_code == 200, response.content
    body = b"".join(response.streaming_content)
    return [json.loads(line) for line in body.splitlines()]


def test_the_companion_listens_and_asks_one_question(tablet: Wire) -> None:
    lines = said(tablet, session="s-1")
    text = "".join(line.get("said", "") for line in lines)
    assert text.count("?") == 1
    assert lines[-1] == {"end": "done"}
    waiting = models.PendingReflection.objects.get()
    assert (waiting.turn, waiting.heard, waiting.said, waiting.session) == (
        "turn-1",
        "we saw a boat",
        text,
        "s-1",
    )
    assert waiting.subject == tablet.device.child
    assert not models.JournalLine.objects.exists()  # the device journals its own turns


def test_a_turn_sent_twice_waits_once(tablet: Wire) -> None:
    assert said(tablet) == said(tablet)
    assert models.PendingReflection.objects.count() == 1


def test_it_answers_in_turkish(tablet: Wire) -> None:
    assert said(tablet, language="tr")[-1] == {"end": "done"}


def test_a_turn_forgotten_meanwhile_is_not_kept(tablet: Wire) -> None:
    now = timezone.now()
    reply = companion.begin(
        device=tablet.device, turn="turn-1", text="a secret", session="", language="en", now=now
    )
    assert "".join(reply.pieces())
    tablet.memory(tombstones=[Tombstone("t-1", "turn", AT, tablet.gid, frozenset({"turn-1"}))])
    assert companion.keep(reply, device=tablet.device, now=now) is False
    assert not models.PendingReflection.objects.exists()


def test_it_may_recall_from_the_newest_memories_alone(tablet: Wire) -> None:
    gids = [f"m-{number:03}" for number in range(MOST_MEMORIES + 5)]
    models.Memory.objects.bulk_create(
        models.Memory(gid=gid, subject=tablet.device.child, text="a boat", learned_at_ms=AT)
        for gid in reversed(gids)
    )
    now = timezone.now()
    reply = companion.begin(
        device=tablet.device, turn="turn-1", text="hello", session="", language="en", now=now
    )
    every = [Remembered(gid, "a boat", None, AT) for gid in gids]
    assert list(reply.talk.memories) == newest(every)


def test_over_the_days_minutes_it_says_goodnight(tablet: Wire) -> None:
    Register.objects.create(key="daily_minutes", value=1, at_ms=1)
    day = timezone.now().date()
    TimeSpent.objects.create(device=tablet.gid, day=day, child=tablet.device.child, used_ms=60_000)
    text = "".join(line.get("said", "") for line in said(tablet))
    assert "?" not in text


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"turn": "t", "text": "  "}, "text"),
        ({"turn": "some words", "text": "hello"}, "turn"),
        ({"turn": "t", "text": "hello", "language": "xx"}, "language"),
        ({"text": "hello"}, "turn"),
        ({"turn": "t", "text": "hello", "mood": "sad"}, "mood"),
    ],
)
def test_a_turn_that_is_none_is_refused(tablet: Wire, body: dict[str, str], path: str) -> None:
    response = tablet.post("turn", body)
    assert (response.status_code, response.json()["path"]) == (422, path)
