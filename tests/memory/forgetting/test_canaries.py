"""A word in every text column of the database: none of a forgotten subject's is left, all others stay."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from memory.models import ChatSession, ChatTurn, Memory, MemoryMention, MemoryRevision, PendingReflection
from memory.rules.forgetting import Target
from memory.services.forgetting import forget
from memory.services.forgetting.registry import TABLES
from tests.makers import a_child, a_person, signed_in
from tests.memory.forgetting.searching import columns, places
from tests.security.canaries import WORD, Flock, plant
from twin.models import Question, Record, Statement

pytestmark = pytest.mark.django_db


def words_held() -> set[str]:
    """Every canary word that stands in any column of any table, those of mere identities left out."""
    found: set[str] = set()
    identities = {
        model._meta.db_table for model in apps.get_models() if TABLES[model._meta.label].how == "wordless"
    }
    with connection.cursor() as cursor:
        for table, column, kind in columns():
            if table in identities:
                continue
            text = f"encode(\"{column}\", 'escape')" if kind == "bytea" else f'"{column}"::text'
            cursor.execute(
                f"SELECT DISTINCT m[1] FROM \"{table}\", regexp_matches({text}, '{WORD.pattern}', 'g') m"
            )
            found |= {word for (word,) in cursor.fetchall()}
    return found


def reached(flock: Flock, subject_id: int) -> set[str]:
    """A subject's canaries, but for the identities that stay."""
    return {
        one.word
        for one in flock.by_word.values()
        if one.subject_id == subject_id and TABLES[one.label].how != "wordless"
    }


def test_of_a_forgotten_subject_no_column_of_any_table_holds_a_word():
    flock, ana = Flock(), a_person("Ana")
    leo, zoe = a_child(ana), a_child(ana, "Zoe")
    plant(flock, leo, ana)
    plant(flock, zoe, ana)
    before = words_held()
    assert reached(flock, leo.pk) <= before and reached(flock, zoe.pk) <= before
    forget(Target("subject", str(leo.pk)), person=ana, client_id="one", now=timezone.now())
    after = words_held()
    assert {str(flock.by_word[word]) for word in reached(flock, leo.pk) & after} == set()
    assert reached(flock, zoe.pk) <= after


def test_of_a_day_that_was_lived_on_every_page_no_column_holds_a_word():
    """The same through real use: told, tapped, noted, corrected, answered, remembered, chatted."""
    word, ana = "zqxlived", a_person("Ana")
    leo = a_child(ana)
    browser = signed_in(ana)

    def post(path: str, **sent: str) -> None:
        response = browser.post(path, sent)
        assert response.status_code in (200, 204, 302), (path, response.status_code)

    told = {"subject": str(leo.pk), "client_id": "t1", "words": f"{word} his ears are red and he slept badly"}
    post("/tell", **told)
    post("/tell", **{**told, "client_id": "t2", "words": f"{word} he had blood in his nose at some point"})
    for question in Question.objects.filter(state="open"):
        post(
            f"/questions/{question.pk}/answer",
            client_id=f"a{question.pk}",
            words=f"yes, {word} since yesterday",
        )
    post(f"/book/{leo.pk}/form/tap", client_id="f1", field="sleep", level="bad")
    post(f"/book/{leo.pk}/form/tap", client_id="f1", note=f"a note {word}")
    record = Record.objects.filter(category="ears").first()
    assert record is not None
    post(f"/r/{record.rec_id}/judge", client_id="j1", verdict="normal")
    turn = Statement.objects.get(client_id="t1").turn
    _in_the_companion(leo, turn, word)
    assert len(places(word)) >= 8, places(word)

    day = Statement.objects.get(client_id="t1").local_day
    forget(Target("day", day.isoformat()), person=ana, client_id="one", now=timezone.now())
    assert places(word) == set()


def _in_the_companion(leo, turn, word):
    """What a device brings, written as it arrives: the companion speaks through an API of its own."""
    memory = Memory.objects.create(gid="m1", subject=leo, text=f"he likes {word}", learned_at_ms=1)
    MemoryMention.objects.create(memory=memory, at_ms=1, device="home", turn=turn)
    MemoryRevision.objects.create(memory=memory, at_ms=2, text_at_ms=1, text=f"older {word}")
    session = ChatSession.objects.create(
        gid="c1", subject=leo, last_activity_at_ms=1, version=1, stamp_ms=1, summary=word
    )
    ChatTurn.objects.create(session=session, position=0, turn=turn, who="child", text=word, at_ms=1)
    PendingReflection.objects.create(turn=str(uuid.uuid4()), subject=leo, device="d", at_ms=1, heard=word)


@pytest.mark.parametrize("kind", ["memory", "turn"])
def test_a_late_line_of_a_forgotten_turn_comes_without_words(kind):
    from memory.services.journal import write_line

    ana = a_person("Ana")
    leo = a_child(ana)
    now = timezone.now()
    first = write_line(event="Heard", at=now, turn="t-1", fields={"text": "zqxearly"}, subject_id=leo.pk)
    memory = Memory.objects.create(gid="m1", subject=leo, text="zqxearly", learned_at_ms=1)
    MemoryMention.objects.create(memory=memory, at_ms=1, device="home", turn="t-1")
    forget(Target(kind, "m1" if kind == "memory" else "t-1"), person=ana, client_id="one", now=now)
    write_line(
        event="Heard",
        at=now + dt.timedelta(seconds=1),
        turn="t-1",
        fields={"text": "zqxlate"},
        subject_id=leo.pk,
    )
    assert first.pk and places("zqxearly", "zqxlate") == set()


def test_what_is_sent_again_after_it_was_forgotten_does_not_come_back():
    ana = a_person("Ana")
    leo = a_child(ana)
    browser = signed_in(ana)
    sent = {"subject": str(leo.pk), "client_id": "once", "words": "zqxagain he slept badly"}
    browser.post("/tell", sent)
    forget(Target("turn", Statement.objects.get().turn), person=ana, client_id="one", now=timezone.now())
    assert browser.post("/tell", sent).status_code == 404
    assert places("zqxagain") == set()
