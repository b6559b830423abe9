"""Words that are being written while something is forgotten: they go too, or they wait."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from memory.models import JournalWriter, Memory, MemoryMention
from memory.rules.forgetting import Target
from memory.services.forgetting import forget
from tests import shared_cluster
from tests.makers import a_cat, a_person
from tests.memory.forgetting.searching import places
from tests.memory.forgetting.test_forget import say
from twin.models.triggers import FORGETTING_LOCK

pytestmark = pytest.mark.django_db(transaction=True)
WORD = "zqxrace"
TURN = "t-race"

LINE = """
    WITH line AS (
        INSERT INTO memory_journalline (device, seq, subject_id, envelope)
        VALUES ('tablet', 0, %(subject)s, jsonb_build_object(
            'event', 'Heard', 'at_ms', 1, 'turn', %(turn)s::text, 'pictures', '[]'::jsonb))
        RETURNING position)
    INSERT INTO memory_journalwords (position, arrived_on, body)
    SELECT position, current_date, jsonb_build_object('text', %(word)s::text) FROM line
"""
PUSHED = """
    WITH asked AS (
        SELECT set_config('hearthbook.add_conversation', concat('{', %(subject)s::text, '}'), true) AS it)
    SELECT it, memory_lines_come('pusher', %(subject)s::bigint, 0, current_date,
        jsonb_build_array(jsonb_build_object('event', 'Heard', 'at_ms', 1, 'turn', %(turn)s::text)),
        jsonb_build_array(jsonb_build_object('text', %(word)s::text)))
    FROM asked
"""
STATEMENT = """
    INSERT INTO twin_statement (gid, subject_id, author_id, device, client_id, turn, through, language, text,
        said_at, local_day, kinds, reader, dropped)
    VALUES (gen_random_uuid(), %(subject)s, %(author)s, 'home', 'race', %(turn)s, 'web', 'en', %(word)s,
        now(), current_date, '{}', '', '{}')
"""
CHAT = """
    INSERT INTO memory_chatsession (gid, subject_id, last_activity_at_ms, version, stamp_ms, summary,
        scrubbed)
    VALUES ('c-race', %(subject)s, 1, 1, 1, %(word)s, '{}')
"""
MEMORY = """
    WITH told AS (
        INSERT INTO memory_memory (gid, subject_id, text, text_at_ms, hidden, visibility_at_ms, kind, who,
            place, said_when, learned_at_ms, change)
        VALUES ('m-race', %(subject)s, %(word)s, 0, false, 0, '', '', '', '', 1, 0) RETURNING id)
    INSERT INTO memory_memorymention (memory_id, at_ms, device, turn)
    SELECT id, 1, 'tablet', %(turn)s FROM told
"""
WRITES = {"lines": LINE, "batches": PUSHED, "statements": STATEMENT, "chat": CHAT, "memories": MEMORY}


class Session(threading.Thread):
    """Does its work on a connection of its own."""

    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__()
        self.work = work
        self.raised: BaseException | None = None

    def run(self) -> None:
        try:
            self.work()
        except BaseException as error:
            self.raised = error
        finally:
            connection.close()

    def done(self) -> BaseException | None:
        """Wait for its end; what it raised."""
        self.join()
        return self.raised


def waits_for_lock() -> bool:
    """Whether somebody waits for the forgetting lock."""
    with shared_cluster.owner() as watcher:
        asked = (
            "SELECT EXISTS (SELECT 1 FROM pg_locks"
            " WHERE locktype = 'advisory' AND objid = %s AND NOT granted)"
        )
        return watcher.execute(asked, [FORGETTING_LOCK]).fetchone() == (True,)


def until_waiting(session: Session) -> None:
    """Come back once somebody waits for the lock, or the session ended."""
    while session.is_alive() and not waits_for_lock():
        continue


def values(subject: Any) -> dict[str, Any]:
    JournalWriter.objects.get_or_create(device="pusher")
    return {"subject": subject.pk, "author": a_person().pk, "turn": TURN, "word": WORD}


def a_turn(subject: Any) -> None:
    """The turn that will be forgotten, already said once."""
    from memory.services.journal import write_line

    write_line(event="Heard", at=timezone.now(), turn=TURN, fields={"text": WORD}, subject_id=subject.pk)


def drop() -> None:
    forget(Target("turn", TURN), person=a_person(), client_id=str(uuid.uuid4()), now=timezone.now())


@pytest.mark.parametrize("what", WRITES)
def test_words_that_came_first_and_were_not_finished_are_forgotten_too(what):
    mavi = a_cat()
    a_turn(mavi)
    with shared_cluster.owner() as writer:
        writer.execute(WRITES[what], values(mavi))
        session = Session(drop)
        session.start()
        until_waiting(session)
        assert session.is_alive(), session.raised
        writer.commit()
    assert session.done() is None
    assert places(WORD) == set()


@pytest.mark.parametrize("what", ["lines", "batches", "memories"])
def test_words_that_come_while_it_is_forgotten_wait_and_are_refused_or_emptied(what):
    mavi = a_cat()
    a_turn(mavi)
    memory = Memory.objects.create(gid="m-race", subject=mavi, text=WORD, learned_at_ms=1)
    MemoryMention.objects.create(memory=memory, at_ms=1, device="home", turn=TURN)

    def write() -> None:
        with shared_cluster.owner() as writer:
            writer.execute(WRITES[what], values(mavi))

    with shared_cluster.owner() as forgetting:
        forgetting.execute("SELECT pg_advisory_xact_lock(%s)", [FORGETTING_LOCK])
        forgetting.execute("SELECT set_config('hearthbook.forgetting', 'on', true)")
        forgetting.execute(
            "INSERT INTO memory_tombstone (gid, kind, at_ms, device, subject_id, change)"
            " VALUES ('m-race', 'memory', 1, 'home', %s, 0)",
            [mavi.pk],
        )
        session = Session(write)
        session.start()
        until_waiting(session)
        assert session.is_alive()
        forgetting.commit()
    raised = session.done()
    assert isinstance(raised, psycopg.errors.IntegrityError) if what == "memories" else raised is None
    assert places(WORD) == set()


def test_a_forgetting_gives_way_to_a_writer_that_holds_what_it_wants():
    """The writer holds the statement's row and then wants the lock: neither waits for ever."""
    mavi = a_cat()
    turn = say(mavi, f"{WORD} she vomited")
    with shared_cluster.owner() as writer:
        writer.execute("SELECT 1 FROM twin_statement FOR UPDATE")
        session = Session(
            lambda: forget(Target("turn", turn), person=a_person(), client_id="one", now=timezone.now())
        )
        session.start()
        while session.is_alive() and not waits_for_row():
            continue
        writer.execute(CHAT, values(mavi))  # takes the lock that the forgetting wants next
        writer.commit()
    assert session.done() is None
    assert places(WORD) == set()


def waits_for_row() -> bool:
    """Whether somebody waits for a row another transaction holds."""
    with shared_cluster.owner() as watcher:
        asked = "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted)"
        return watcher.execute(asked).fetchone() == (True,)
