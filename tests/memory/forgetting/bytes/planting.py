"""Planting a canary as a family would, and in the odd shapes in which words stay behind on a disk."""

from __future__ import annotations

import datetime as dt
import json
import uuid

import psycopg
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from household.models import Person
from memory.models import (
    ChatSession,
    ChatTurn,
    Memory,
    MemoryEmbedding,
    MemoryMention,
    MemoryRevision,
    Picture,
)
from memory.services.journal import write_line
from memory.services.turns import tell
from tests.makers import a_cat, a_person
from tests.memory.forgetting.bytes.house import Canary, House
from twin.models import Event, Statement, Subject
from twin.services.events import add_event, correct_event

A_PAGE = 60  # lines: more than a page holds
NEIGHBOUR = "Mavi slept on the warm sill all afternoon, ate well and played with a ball of wool " * 2
LONG_TEXT = 40  # repetitions: longer than a page keeps in line


def a_family() -> tuple[Person, Subject]:
    """Ana and her cat, the same ones every time."""
    ana = a_person("Ana")
    found = Subject.objects.filter(name="Mavi").first()
    return ana, found or a_cat(ana)


def plant(canary: Canary, house: House) -> str:
    """Say it, remember it, write it over, fail with it; the turn it was said in."""
    ana, mavi = a_family()
    told = tell(
        person=ana, text=canary.sentence, client_id=str(uuid.uuid4()), now=timezone.now(), subject_id=mavi.pk
    )
    assert told.is_filed, "the sentence was kept but not filed"
    _remember(canary, mavi, told.turn)
    _chat(canary, mavi, told.turn)
    _picture(canary, mavi, house)
    _pages(canary, mavi, told.turn)
    _an_insert_that_failed(canary)
    _a_finished_job(canary, house)
    _an_error(canary, house)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return told.turn


def _remember(canary: Canary, mavi: Subject, turn: str) -> None:
    now_ms = int(timezone.now().timestamp() * 1000)
    text = f"{canary.plain} {canary.turkish} " * LONG_TEXT
    memory = Memory.objects.create(
        gid=f"m-{canary.seed}",
        subject=mavi,
        text=text,
        text_at_ms=now_ms,
        who=canary.turkish,
        learned_at_ms=now_ms,
    )
    MemoryMention.objects.create(memory=memory, at_ms=now_ms, device="home", turn=turn)
    MemoryRevision.objects.create(
        memory=memory, at_ms=now_ms, text_at_ms=0, text=f"{canary.older} " * LONG_TEXT, device="home"
    )
    MemoryEmbedding.objects.create(memory=memory, model="canary", embedding=list(canary.vector))
    memory.text = f"{text} {canary.plain.capitalize()}"
    memory.save(update_fields=["text"])


def _chat(canary: Canary, mavi: Subject, turn: str) -> None:
    session, _is_new = ChatSession.objects.get_or_create(
        gid=f"chat-{canary.seed}",
        defaults={
            "subject": mavi,
            "last_activity_at_ms": 1,
            "version": 1,
            "stamp_ms": 1,
            "summary": f"about {canary.plain}",
        },
    )
    ChatTurn.objects.create(session=session, position=0, turn=turn, who="child", text=canary.turkish, at_ms=1)


def _picture(canary: Canary, mavi: Subject, house: House) -> None:
    name = f"p-{canary.seed}"
    memory = Memory.objects.get(gid=f"m-{canary.seed}")
    (house.home / "media" / name).write_bytes(b"\xff\xd8" + canary.plain.encode() + b"\xff\xd9")
    Picture.objects.create(
        name=name, subject=mavi, file=name, type="image/jpeg", size=1, width=1, height=1, device="home"
    )
    memory.pictures.create(position=0, picture=name)


def _pages(canary: Canary, mavi: Subject, turn: str) -> None:
    """A page full of lines of one turn, and one that is the last of its page after others' lines."""
    for _number in range(A_PAGE):
        _line(canary.sentence, mavi, turn)
    for number in range(10 * A_PAGE):
        _line(NEIGHBOUR, mavi, "neighbours")
        last = _line(canary.sentence, mavi, turn)
        if _page(_line(NEIGHBOUR * (1 + number % 10), mavi, "neighbours")) != _page(last):
            return
    raise AssertionError("no line came to be the last of its page")


def _line(text: str, mavi: Subject, turn: str) -> int:
    line = write_line(event="Heard", at=timezone.now(), turn=turn, fields={"text": text}, subject_id=mavi.pk)
    return line.pk


def _page(position: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT ctid FROM memory_journalwords WHERE position = %s", [position])
        return int(str(cursor.fetchone()[0]).strip("()").split(",")[0])


def _an_insert_that_failed(canary: Canary) -> None:
    """A unique violation leaves its words in the table's heap, though nothing was committed."""
    first = Statement.objects.order_by("pk").first()
    assert first is not None
    try:
        with transaction.atomic():
            Statement.objects.create(
                subject=first.subject,
                author=first.author,
                device=first.device,
                client_id=first.client_id,
                turn=first.turn,
                text=canary.sentence,
                said_at=first.said_at,
                local_day=first.local_day,
            )
    except IntegrityError:
        return
    raise AssertionError("the second statement of one client id was taken")


def _a_finished_job(canary: Canary, house: House) -> None:
    """A job that carried words, as a careless one would, and is done."""
    with house.connect() as base:
        carried = json.dumps([canary.plain, canary.turkish]).encode()
        base.execute("INSERT INTO huey_task (queue, data) VALUES ('hearthbook', %s)", [carried])
        base.execute("DELETE FROM huey_task")


def _an_error(canary: Canary, house: House) -> None:
    """Statements that fail in ways that put words into error messages."""
    with house.connect() as base:
        for statement in ("SELECT %s::int", "SELECT 1 / 0 FROM twin_statement WHERE text = %s"):
            try:
                base.execute(statement, [canary.plain])
            except psycopg.Error:
                continue


def an_event(canary: Canary) -> Event:
    """An event whose text was corrected: the older words stand in no row any more."""
    ana, mavi = a_family()
    now = timezone.now()
    event = add_event(
        person=ana,
        subject_id=mavi.pk,
        client_id=str(uuid.uuid4()),
        kind="other",
        at=now - dt.timedelta(minutes=1),
        now=now,
        tried=canary.older,
    )
    return correct_event(event_id=event.pk, kind="other", at=event.at, tried="a walk")
