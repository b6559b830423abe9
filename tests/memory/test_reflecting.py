"""The memory work: what a child told becomes memories, once; what is not to be learned is not."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.utils import timezone

from household.models import Endpoint
from memory import models
from memory.models import CompanionTurn, JournalLine, Memory, PendingReflection
from memory.rules.companion.said_before import keys_in
from memory.rules.forgetting import Target
from memory.rules.merge import Memory as Document
from memory.rules.merge import Mention, Tombstone
from memory.services import reflecting
from memory.services.forgetting import forget
from memory.services.memory_vectors import embed_memories
from memory.services.reflecting import reflect, reflect_due
from tests.fake_model import FakeModel, fake_model
from tests.makers import a_child, a_never_topic, a_person
from tests.wire import Wire, a_device, now_ms
from twin.models import LedgerEntry, Record, Statement

pytestmark = pytest.mark.django_db
AT = 1_764_000_000_000


@pytest.fixture
def tablet() -> Wire:
    ana = a_person("Ana")
    return a_device(ana, a_child(ana))


def waits(wire: Wire, text: str, turn: str = "turn-1", at_ms: int = AT) -> PendingReflection:
    return PendingReflection.objects.create(
        turn=turn, subject=wire.device.child, device=wire.gid, at_ms=at_ms, heard=text
    )


def worked(wire: Wire, text: str, turn: str = "turn-1", at_ms: int = AT) -> bool:
    return reflect(waits(wire, text, turn, at_ms).pk, now=timezone.now())


def events() -> list[str]:
    return [row.envelope["event"] for row in JournalLine.objects.order_by("position")]


def test_a_fact_is_learned_with_all_that_was_said_about_it(tablet: Wire) -> None:
    assert worked(tablet, "yesterday we went to the zoo with grandma")
    memory = Memory.objects.get()
    said = (memory.kind, memory.who, memory.place, memory.said_when, memory.icon)
    assert said == ("event", "grandma", "the zoo", "yesterday", "animal")
    assert (memory.learned_at_ms, memory.subject) == (AT, tablet.device.child)
    told = memory.mentions.get()
    assert (told.at_ms, told.device, told.turn) == (AT, tablet.gid, "turn-1")
    assert not PendingReflection.objects.exists()
    assert CompanionTurn.objects.get().reflected_at is not None
    assert events() == ["Remembered"]


def test_the_same_exchange_twice_is_learned_once(tablet: Wire) -> None:
    row = waits(tablet, "i like dinosaurs")
    assert reflect(row.pk, now=timezone.now())
    assert not reflect(row.pk, now=timezone.now())
    waits(tablet, "i like dinosaurs")  # the very same came again
    reflect_due(now=timezone.now())
    assert Memory.objects.count() == models.MemoryMention.objects.count() == 1
    assert events() == ["Remembered"]


def test_told_again_it_is_the_same_memory_under_another_day(tablet: Wire) -> None:
    worked(tablet, "I like dinosaurs")
    worked(tablet, "i really like dinosaurs!", "turn-2", AT + 1)
    memory = Memory.objects.get()
    assert (memory.text, memory.mentions.count(), memory.revisions.count()) == ("I like dinosaurs", 2, 0)
    assert events() == ["Remembered", "Recalled"]


@pytest.mark.parametrize(
    ("first", "then", "word"),
    [
        ("my favorite color is blue", "my favourite colour is now green", "green"),
        ("I like dinosaurs", "i don't like dinosaurs any more", "don't"),
        ("i am six", "i am seven now", "seven"),
        ("en sevdiğim renk mavi", "en sevdiğim renk artık yeşil", "yeşil"),
        ("dinozorları seviyorum", "dinozorları artık sevmiyorum", "sevmiyorum"),
        ("altı yaşındayım", "yedi yaşındayım", "edi"),
    ],
)
def test_a_fact_that_changes_becomes_a_revision(tablet: Wire, first: str, then: str, word: str) -> None:
    worked(tablet, first)
    worked(tablet, then, "turn-2", AT + 5)
    memory = Memory.objects.get()
    assert word in memory.text and memory.text_at_ms == AT + 5
    assert memory.mentions.count() == 2 and memory.revisions.get().at_ms == AT + 5


def test_what_was_said_earlier_and_comes_later_changes_nothing_back(tablet: Wire) -> None:
    worked(tablet, "my favorite color is green", "turn-2", AT + 5)
    worked(tablet, "my favorite color is blue", "turn-1", AT)
    memory = Memory.objects.get()
    assert "green" in memory.text and memory.mentions.count() == 2


def test_of_two_memories_of_the_same_one_stays_and_nobody_forgot_anything(tablet: Wire) -> None:
    for number in (1, 2):
        told = Mention(AT + number, "tablet-1", f"old-{number}")
        tablet.memory(Document(f"m-{number}", "I have two fish", AT + number, mentions=frozenset({told})))
    worked(tablet, "i have two fish", "turn-3", AT + 9)
    memory = Memory.objects.get()
    assert memory.gid == "m-1" and memory.mentions.count() == 3
    stone = models.Tombstone.objects.get()
    assert (stone.gid, stone.at_ms) == ("m-2", 0)


def test_a_topic_never_to_be_remembered_is_not_and_only_that_is_journalled(tablet: Wire) -> None:
    a_never_topic(tablet.device.child, "the zoo")
    worked(tablet, "we went to the zoo. i like trains")
    assert [one.text for one in Memory.objects.all()] == ["I like trains"]
    dropped = JournalLine.objects.get(envelope__event="NotRemembered")
    assert dropped.words.body["fact"] == ""


def test_forgotten_between_reading_and_filing_it_teaches_nothing(tablet: Wire) -> None:
    row = waits(tablet, "i like dinosaurs")
    made = reflecting._read(row, now=timezone.now())
    tablet.memory(tombstones=[Tombstone("t-1", "turn", AT, tablet.gid, frozenset({"turn-1"}))])
    assert not reflecting._file(row, made, now=timezone.now())
    assert not reflect(row.pk, now=timezone.now())
    assert not Memory.objects.exists()


def test_a_forgotten_memory_is_not_learned_again_from_its_own_turn(tablet: Wire) -> None:
    worked(tablet, "i like dinosaurs")
    gid = Memory.objects.get().gid
    tablet.memory(tombstones=[Tombstone(gid, "memory", AT + 1, tablet.gid)])
    worked(tablet, "i like dinosaurs")
    assert not Memory.objects.exists()


def test_killed_half_way_it_waits_and_is_learned_once_afterwards(
    tablet: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = waits(tablet, "i like dinosaurs and i have two fish")

    def killed(*_args: object, **_more: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(reflecting, "_journal", killed)
        with pytest.raises(SystemExit):
            reflect(row.pk, now=timezone.now())
    assert PendingReflection.objects.exists() and not Memory.objects.exists()
    assert reflect_due(now=timezone.now()) == 1
    assert Memory.objects.count() == 2


def test_a_failure_waits_before_it_is_tried_again(tablet: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    row, now = waits(tablet, "i like dinosaurs"), timezone.now()

    def fails(*_args: object, **_more: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(reflecting, "facts_in", fails)
    assert not reflect(row.pk, now=now)
    row.refresh_from_db()
    assert (row.attempts, row.due_at) == (1, now + dt.timedelta(minutes=1))
    assert reflect_due(now=now) == 0


@pytest.mark.parametrize("text", ["my ear hurts", "kulağım ağrıyor"])
def test_health_is_recorded_for_the_parents_and_never_learned(tablet: Wire, text: str) -> None:
    worked(tablet, text)
    assert not Memory.objects.exists()
    row = Statement.objects.get()
    assert (row.turn, row.through, row.author, row.text) == ("turn-1", "device", None, text)
    assert LedgerEntry.objects.get().category == "ears"
    assert {one.provenance for one in Record.objects.all()} == {"child"}


def test_sadness_is_recorded_and_distress_teaches_nothing_at_all(tablet: Wire) -> None:
    worked(tablet, "i am so sad, i miss grandpa")
    assert Statement.objects.count() == 1
    worked(tablet, "i want to die. i like dinosaurs", "turn-2")
    assert not Memory.objects.exists() and Statement.objects.count() == 1
    assert not PendingReflection.objects.exists()


def test_what_a_tablet_heard_offline_is_learned_when_it_comes_and_once(tablet: Wire) -> None:
    line = {"event": "Heard", "at_ms": now_ms(), "turn": "turn-7", "text": "i like dinosaurs", "pictures": []}
    body = {"device": tablet.gid, "from_seq": 0, "lines": [line]}
    tablet.told("journal", body)
    assert reflect_due(now=timezone.now()) == 1
    tablet.told("journal", body)
    assert reflect_due(now=timezone.now()) == 0
    assert Memory.objects.get().mentions.get().turn == "turn-7"


def test_a_turn_answered_by_the_house_is_not_worked_on_again_for_its_lines(tablet: Wire) -> None:
    response = tablet.post("turn", {"turn": "turn-8", "text": "i like dinosaurs"})
    assert b"done" in b"".join(response.streaming_content)
    assert reflect_due(now=timezone.now()) == 1
    line = {"event": "Heard", "at_ms": now_ms(), "turn": "turn-8", "text": "i like dinosaurs", "pictures": []}
    tablet.told("journal", {"device": tablet.gid, "from_seq": 0, "lines": [line]})
    assert not PendingReflection.objects.exists()


class Counting:
    """An embedder that says the length of a text."""

    name = "counting:2"

    def queries(self, texts):
        return self.passages(texts)

    def passages(self, texts):
        return [[float(len(one)), 1.0] for one in texts]


def test_new_words_get_a_vector_once_and_again_when_they_change(tablet: Wire) -> None:
    worked(tablet, "my favorite color is blue")
    assert embed_memories(embedder=Counting()) == 1
    assert embed_memories(embedder=Counting()) == 0
    worked(tablet, "my favorite color is now green", "turn-2", AT + 5)
    assert not models.MemoryEmbedding.objects.exists()
    assert embed_memories(embedder=Counting()) == 1


# --- with a model -------------------------------------------------------------------------------


@pytest.fixture
def model():
    with fake_model() as running:
        Endpoint.objects.create(
            purpose="routine", base_url=running.url, model="fake", timeout_s=5, is_on=True
        )
        yield running


def a_fact(**fields: str) -> dict[str, str]:
    fact = {"kind": "like", "text": "i like dinosaurs", "who": "", "place": "", "said_when": ""}
    return {**fact, "icon": "dinosaur", **fields}


def test_a_model_s_facts_are_filed_as_far_as_the_words_carry_them(tablet: Wire, model: FakeModel) -> None:
    invented = a_fact(text="I have a pet dragon")
    model.says({"facts": [a_fact(who="Tom", place="the park"), invented, a_fact(kind="secret")]})
    worked(tablet, "you know dinosaurs, i like them at the park")
    memory = Memory.objects.get()
    assert (memory.text, memory.who, memory.place) == ("I like dinosaurs", "", "the park")
    assert model.asked[0]["messages"][1]["content"] == "you know dinosaurs, i like them at the park"


@pytest.mark.parametrize("body", ["no json", json.dumps({"facts": 3}), json.dumps([])])
def test_an_unsound_answer_leaves_it_to_the_rules(tablet: Wire, model: FakeModel, body: str) -> None:
    model.says(body)
    worked(tablet, "i like dinosaurs")
    assert Memory.objects.get().text == "I like dinosaurs"


def test_no_model_is_asked_about_distress(tablet: Wire, model: FakeModel) -> None:
    worked(tablet, "i want to die")
    assert model.asked == []


def spoken(wire: Wire, text: str, turn: str = "turn-1") -> list[dict[str, Any]]:
    response = wire.post("turn", {"turn": turn, "text": text})
    return [json.loads(line) for line in b"".join(response.streaming_content).splitlines()]


def test_a_model_speaks_for_the_companion_from_the_childs_memories_alone(
    tablet: Wire, model: FakeModel
) -> None:
    worked(tablet, "my ball is red", "turn-0")
    Memory.objects.create(
        gid="m-9", subject=tablet.device.child, text="zqhidden secret", hidden=True, learned_at_ms=1
    )
    model.says({"facts": []})
    model.streams("A tow", "er! That is tall. ", "What is on top?")
    lines = spoken(tablet, "we built a tower", "turn-1")
    assert "".join(one.get("said", "") for one in lines) == "A tower! That is tall. What is on top?"
    assert lines[-1] == {"end": "done"}
    asked = json.dumps(model.asked[-1])
    assert "zqhidden" not in asked and "Memories" in asked
    row = CompanionTurn.objects.get(turn="turn-1")
    assert row.said == [] and len(row.digests) == 3


@pytest.mark.parametrize(
    "said",
    [
        "You should take some medicine.",
        "Look at www.example.com now.",
        "You told me about your purple dragon.",
        "Bir ilaç içmelisin.",
        "<b>Hello</b>",
        "word " * 80,
    ],
)
def test_an_odd_word_of_a_model_never_reaches_the_child(tablet: Wire, model: FakeModel, said: str) -> None:
    model.streams(said)
    lines = spoken(tablet, "we built a tower")
    text = "".join(one.get("said", "") for one in lines)
    assert said.strip() not in text and text.count("?") == 1
    assert lines[-1] == {"end": "done"}


def test_a_model_that_breaks_off_half_way_is_followed_by_the_companions_own_question(
    tablet: Wire, model: FakeModel
) -> None:
    model.streams("A tower! ", "That is ", "tall. ", stops_after=2)
    lines = spoken(tablet, "we built a tower")
    text = "".join(one.get("said", "") for one in lines)
    assert text.count("?") == 1 and lines[-1] == {"end": "done"}


def test_sad_words_go_to_no_model(tablet: Wire, model: FakeModel) -> None:
    spoken(tablet, "i am so sad")
    spoken(tablet, "my tummy hurts", "turn-2")
    assert model.asked == []


def test_forgetting_the_turn_takes_the_statement_too(tablet: Wire) -> None:
    worked(tablet, "my ear hurts")
    forget(Target("turn", "turn-1"), person=a_person("Ana"), client_id="one", now=timezone.now())
    assert not Statement.objects.exists() and not LedgerEntry.objects.exists()


def test_a_picture_alone_is_answered_and_nothing_waits(tablet: Wire) -> None:
    response = tablet.post("turn", {"turn": "turn-1", "text": "", "pictures": ["p1.jpg"]})
    lines = [json.loads(line) for line in b"".join(response.streaming_content).splitlines()]
    assert lines[-1] == {"end": "done"}
    first = keys_in(lines[0]["said"])[0]
    assert first.startswith("en.picture.")
    assert not PendingReflection.objects.exists()


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("text", {"text": "", "pictures": []}),
        ("pictures", {"text": "look", "pictures": ["a b"]}),
        ("pictures", {"text": "look", "pictures": ["p"] * 9}),
        ("pictures", {"text": "look", "pictures": "p"}),
    ],
)
def test_a_turn_without_anything_or_with_odd_pictures_is_refused(
    tablet: Wire, path: str, body: dict[str, Any]
) -> None:
    refused = tablet.post("turn", {"turn": "turn-1", **body})
    assert (refused.status_code, refused.json()["path"]) == (422, path)


def test_what_is_said_back_is_named_at_the_end(tablet: Wire) -> None:
    child = tablet.device.child_id
    told = {"text": "I saw a big dinosaur", "learned_at_ms": now_ms() - 86_400_000}
    models.Memory.objects.create(gid="m-1", subject_id=child, **told)
    lines = spoken(tablet, "look at my dinosaur")
    assert lines[-1] == {"end": "done", "recalled": ["m-1"]}
    assert not JournalLine.objects.filter(device="home", envelope__event="Recalled").exists()


def test_what_a_tablet_said_by_itself_is_not_said_again_by_the_house(tablet: Wire) -> None:
    at, text = now_ms(), "I like hearing that. What happened then?"
    lines = [
        {"event": "Heard", "at_ms": at, "turn": "turn-5", "text": "we swam", "pictures": []},
        {"event": "Said", "at_ms": at, "turn": "turn-5", "text": text},
    ]
    tablet.told("journal", {"device": tablet.gid, "from_seq": 0, "lines": lines})
    row = models.CompanionTurn.objects.get(turn="turn-5")
    assert row.said == keys_in(text)
    assert PendingReflection.objects.get().turn == "turn-5"
