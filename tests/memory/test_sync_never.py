"""A topic never to be remembered holds for what a device remembered by itself, too."""

from __future__ import annotations

import pytest
from django.db import connection

from memory.models import JournalLine, Memory, PendingReflection, Tombstone
from memory.rules import merge
from tests.makers import a_child, a_never_topic, a_person
from tests.memory.forgetting.searching import places
from tests.wire import Wire, a_device, now_ms

pytestmark = pytest.mark.django_db
AT = 1_700_000_000_000


@pytest.fixture
def tablet() -> Wire:
    ana = a_person("Ana")
    leo = a_child(ana)
    a_never_topic(leo, "the divorce")
    return a_device(ana, leo)


def told(gid: str, text: str, **more: object) -> merge.Memory:
    mentions = frozenset({merge.Mention(AT, "tablet-1", f"turn of {gid}".replace(" ", "-"))})
    return merge.Memory(gid, text, AT, mentions=mentions, **more)  # type: ignore[arg-type]


def not_remembered() -> list[JournalLine]:
    return list(JournalLine.objects.filter(envelope__event="NotRemembered").select_related("words"))


def test_it_is_taken_off_the_tablet_and_its_words_are_stored_nowhere(tablet: Wire) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL ROLE web")
    answer = tablet.memory(told("m-1", "they talked about the divorce zqxword"), told("m-2", "the red boat"))
    with connection.cursor() as cursor:
        cursor.execute("RESET ROLE")
    assert answer["rejected"] == []
    assert [(one["gid"], one["at_ms"]) for one in answer["tombstones"]] == [("m-1", 0)]
    assert list(Memory.objects.values_list("gid", flat=True)) == ["m-2"]
    assert places("zqxword") == set()
    (line,) = not_remembered()
    assert line.turn == "turn-of-m-1" and line.words.body == {"fact": "", "why": "never_topic"}
    again = tablet.memory(told("m-1", "they talked about the divorce zqxword"))
    assert {one["gid"] for one in again["memories"]} == {"m-2"} and len(not_remembered()) == 1


def test_words_it_was_given_later_count_and_what_the_house_holds_already_stays(tablet: Wire) -> None:
    before = told("m-1", "the red boat")
    tablet.memory(before)
    tablet.memory(merge.edit_text(before, "the divorce", at_ms=now_ms(), device="tablet-1"))
    assert Tombstone.objects.get(gid="m-1").at_ms == 0 and not Memory.objects.exists()
    old = told("m-2", "mom and dad and the court")
    tablet.memory(old)
    a_never_topic(tablet.device.child, "court")
    tablet.memory(merge.set_hidden(old, hidden=True, at_ms=now_ms()))
    assert Memory.objects.get(gid="m-2").hidden


def test_the_conversation_it_was_told_in_is_not_forgotten_with_it(tablet: Wire) -> None:
    heard = {"event": "Heard", "at_ms": AT, "turn": "turn-of-m-1", "text": "the divorce", "pictures": []}
    tablet.told("journal", {"from_seq": 0, "lines": [heard]})
    waiting = PendingReflection.objects.count()
    tablet.memory(told("m-1", "the divorce"))
    (line,) = JournalLine.objects.filter(envelope__event="Heard").select_related("words")
    assert line.words.body["text"] == "the divorce" and PendingReflection.objects.count() == waiting
