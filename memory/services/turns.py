"""One turn of a conversation: keep the words, read them, file them.

The words are committed before anything is made of them, so a turn that fails half-way keeps them; what
was kept unread is read again by the sweep. The same turn posted twice is one turn.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
from dataclasses import dataclass

from django.db import transaction

from household.access import Denied, may_do, require, seen_by, visible
from household.models import Person
from household.rules.permissions import Action, Resource
from memory.models import JournalLine
from memory.services.journal import to_ms, write_line
from memory.services.open_questions import follow_turn
from twin.cards import question_card
from twin.clients import read
from twin.models import Question, Statement, Subject
from twin.rules.subjects import Known
from twin.services.corrections import corrections_for
from twin.services.filing import undo_turn
from twin.services.spent import refuse_spent
from twin.services.statements import (
    Told,
    checked_words,
    file_reading,
    keep_statement,
    reading_context,
)

log = logging.getLogger("hearthbook.turns")
UNREAD_AFTER = dt.timedelta(minutes=1)


@dataclass(frozen=True)
class Turn:
    """One turn as its page or caller needs it."""

    turn: str
    told: Told
    is_new: bool
    is_filed: bool = True


def turn_id(at: dt.datetime, client_id: str) -> str:
    """The identity of a turn: its time, and what its client's own id adds; no words."""
    return f"{to_ms(at):x}-{hashlib.sha256(client_id.encode()).hexdigest()[:12]}"


def known_to(person: Person) -> list[Known]:
    """The subjects this person may write about, in a stable order. Call it inside `seen_by`."""
    rows = visible(person, Resource.PROFILE, Subject.objects.order_by("id"))
    return [
        Known(row.pk, row.name, row.species)
        for row in rows
        if may_do(person, Action.ADD, Resource.OBSERVATION, row.pk)
    ]


def tell(
    *,
    person: Person,
    text: str,
    client_id: str,
    now: dt.datetime,
    subject_id: int | None = None,
    at: dt.datetime | None = None,
    through: str = "web",
    device: str = "home",
    answers: int | None = None,
) -> Turn:
    """Take in one statement. Raises Empty, TooLong, and Denied where the person may not add.

    `at` is when it was said (now, unless words come late), `answers` the question it was typed under.
    """
    words = checked_words(text)
    said_at = min(at or now, now)
    statement, is_new = _keep(
        person, words, client_id, said_at, now=now, subject_id=subject_id, through=through, device=device
    )
    try:
        return Turn(statement.turn, finish(statement, person=person, now=now, answers=answers), is_new)
    except Exception as error:
        log.error("turn kept but not filed: %s", type(error).__name__)
        return Turn(statement.turn, Told((statement,)), is_new, is_filed=False)


def _keep(
    person: Person,
    words: str,
    client_id: str,
    said_at: dt.datetime,
    *,
    now: dt.datetime,
    subject_id: int | None,
    through: str,
    device: str,
) -> tuple[Statement, bool]:
    """Commit the words: the statement and its journal line, once for each client id."""
    with seen_by(person, now=now), transaction.atomic():
        if subject_id is not None:
            require(person, Action.ADD, Resource.OBSERVATION, subject_id)
        refuse_spent(author_id=person.pk, client_id=client_id)
        first = Statement.objects.filter(author=person, device=device, client_id=client_id)
        held = first.order_by("id").first()
        if held is not None and held.text != words:
            client_id = _id_for_other_words(client_id, words)
            held = Statement.objects.filter(author=person, device=device, client_id=client_id).first()
        if held is not None:
            return held, False
        known = known_to(person)
        chosen = subject_id if subject_id is not None else known[0].id if len(known) == 1 else None
        statement, is_new = keep_statement(
            author_id=person.pk,
            subject=Subject.objects.get(pk=chosen) if chosen else None,
            text=words,
            turn=turn_id(said_at, client_id),
            client_id=client_id,
            at=said_at,
            through=through,
            device=device,
            language=person.language,
        )
        if is_new:
            write_line(
                event="Heard",
                at=said_at,
                turn=statement.turn,
                fields={"text": words},
                arrived_at=now,
                subject_id=chosen,
                author_id=person.pk,
            )
        return statement, is_new


def _id_for_other_words(client_id: str, words: str) -> str:
    """An id of their own for words that came under a used one (a page taken back and sent again)."""
    return f"{client_id[:40]}:{hashlib.sha256(words.encode()).hexdigest()[:16]}"


def finish(statement: Statement, *, person: Person, now: dt.datetime, answers: int | None = None) -> Told:
    """Read a kept statement and file it; what it asks back is journalled too."""
    with seen_by(person, now=now):
        known = known_to(person)
        context = reading_context(statement, statement.subject, known)
        corrections = corrections_for(person, statement.language)
    reading = read(statement.text, context=context, now=now, corrections=corrections)
    with seen_by(person, now=now), transaction.atomic():
        was_read = Statement.objects.filter(pk=statement.pk, read_at__isnull=False).exists()
        told = file_reading(statement, reading, known=known, now=now, answers=answers)
        follow_turn(person=person, told=told, now=now)
        if not was_read and not told.needs_subject:
            _journal_end(told, author_id=person.pk, now=now)
    return told


def _journal_end(told: Told, *, author_id: int, now: dt.datetime) -> None:
    first = told.statements[0]
    asked = Question.objects.filter(entry__turn=first.turn, state="open").select_related("entry__subject")
    for question in asked.order_by("id"):
        write_line(
            event="Said",
            at=now,
            turn=first.turn,
            fields={"text": question_card(question, question.entry).text},
            subject_id=question.subject_id,
            author_id=author_id,
        )
    write_line(
        event="TurnEnded",
        at=now,
        turn=first.turn,
        fields={"how": "done"},
        subject_id=first.subject_id,
        author_id=author_id,
    )


def choose_subject(*, person: Person, statement_id: int, subject_id: int, now: dt.datetime) -> Turn:
    """Say whom a kept statement was about, and file it."""
    with seen_by(person, now=now), transaction.atomic():
        require(person, Action.ADD, Resource.OBSERVATION, subject_id)
        statement = (
            Statement.objects.select_for_update(no_key=True).filter(pk=statement_id, author=person).first()
        )
        if statement is None:
            raise Denied
        if statement.subject_id is None:
            statement.subject_id = subject_id
            statement.save(update_fields=["subject"])
            if may_do(person, Action.ADD, Resource.CONVERSATION, subject_id):  # else the lines stay one's own
                lines = JournalLine.objects.filter(turn=statement.turn, subject=None, author=person)
                lines.update(subject_id=subject_id)
    return Turn(statement.turn, finish(statement, person=person, now=now), is_new=False)


def read_unread(*, now: dt.datetime) -> int:
    """Read again what was kept but not filed, because something stopped half-way. Gives how many."""
    waiting = Statement.objects.filter(
        read_at=None,
        subject__isnull=False,  # the others wait for somebody to say whom they are about
        created_at__lte=now - UNREAD_AFTER,
        author__is_active=True,
    ).select_related("author")
    done = 0
    for statement in waiting.order_by("id")[:100]:
        assert statement.author is not None
        finish(statement, person=statement.author, now=now)
        done += 1
    return done


def answer(*, person: Person, question_id: int, text: str, client_id: str, now: dt.datetime) -> Turn:
    """Answer one clarifying question. Raises Empty, TooLong, and Denied where there is none to answer."""
    with seen_by(person, now=now):
        question = visible(person, Resource.CONVERSATION, Question.objects.filter(pk=question_id)).first()
    if question is None:
        raise Denied
    return tell(
        person=person,
        text=text,
        client_id=client_id,
        now=now,
        subject_id=question.subject_id,
        answers=question.pk,
    )


def undo(*, person: Person, turn: str, now: dt.datetime, held: dt.timedelta = dt.timedelta(0)) -> int:
    """Take back what this person's turn filed, within its minute. Raises TooLate."""
    with seen_by(person, now=now):
        return undo_turn(turn=turn, person_id=person.pk, now=now, held=held)
