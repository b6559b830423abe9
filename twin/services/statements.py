"""From words to filed entries: keep the statement, read it, file it, answer what was asked."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from django.db import transaction

from household.access import filing
from household.rules.text import sanitise
from twin.models import LedgerEntry, Question, Statement, Subject
from twin.rules.checking import checked
from twin.rules.entries import Entry, Reading, ReadingContext, Today
from twin.rules.language import guess_language
from twin.rules.routing import AnswerTimes, OpenQuestion, answer_entry, pick_question, yes_or_no
from twin.rules.subjects import Known, assign
from twin.rules.when import find_times
from twin.services.days import day_of
from twin.services.filing import add_to_ledger, file_entry, lock_subject
from twin.services.folding import entry_of, since_to_json

LONGEST = 10_000


class Empty(ValueError):
    """There are no words in it."""


class TooLong(ValueError):
    """The statement is longer than the reader takes."""


@dataclass(frozen=True)
class Told:
    """What became of one statement: read or not, and of which entries."""

    statements: tuple[Statement, ...]
    needs_subject: bool = False
    answered: int | None = None  # the question that these words answered


def checked_words(text: str) -> str:
    """The words as they may be stored. Raises Empty, TooLong."""
    words = sanitise(text).strip()
    if not words:
        raise Empty
    if len(words) > LONGEST:
        raise TooLong
    return words


def keep_statement(
    *,
    author_id: int | None,
    subject: Subject | None,
    text: str,
    turn: str,
    client_id: str,
    at: dt.datetime,
    through: str = "web",
    device: str = "home",
    language: str = "en",
) -> tuple[Statement, bool]:
    """The statement, stored unread, and whether it is new. The same client id twice is one statement."""
    zone_of = subject or Subject(time_zone="UTC", day_starts_at=dt.time(3))
    return Statement.objects.get_or_create(
        author_id=author_id,
        device=device,
        client_id=client_id,
        subject=subject,
        defaults={
            "text": text,
            "turn": turn,
            "said_at": at,
            "local_day": day_of(zone_of, at),
            "through": through,
            "language": guess_language(text, default=cast(Literal["en", "tr"], language)),
        },
    )


def reading_context(statement: Statement, subject: Subject | None, known: Sequence[Known]) -> ReadingContext:
    """What the reader may know about a statement beside its words."""
    from zoneinfo import ZoneInfo

    zone = ZoneInfo(subject.time_zone) if subject else dt.UTC
    return ReadingContext(
        language=cast(Literal["en", "tr"], statement.language),
        species=subject.species if subject else known[0].species if known else "other",
        spoken_on=statement.local_day,
        spoken_hour=statement.said_at.astimezone(zone).hour,
        born_on=subject.born_on if subject else None,
        names=tuple((one.name, one.species) for one in known),
    )


@transaction.atomic
def file_reading(
    statement: Statement,
    reading: Reading,
    *,
    known: Sequence[Known],
    now: dt.datetime,
    answers: int | None = None,
) -> Told:
    """File what was read in a statement: answer a waiting question first, then route each entry.

    `answers` names the question whose card these words were typed into. Filing a statement again changes
    nothing: what was read stays as read.
    """
    books = {one.id for one in known} | ({statement.subject_id} if statement.subject_id else set())
    with filing(books):
        return _file(statement, checked(reading), known, answers=answers, now=now)


def _file(
    statement: Statement,
    reading: Reading,
    known: Sequence[Known],
    *,
    answers: int | None,
    now: dt.datetime,
) -> Told:
    statement = Statement.objects.select_for_update(no_key=True).get(pk=statement.pk)
    if statement.read_at is not None:
        return Told(tuple(Statement.objects.filter(turn=statement.turn).order_by("id")))
    assigned = assign(reading.entries, known=known, chosen=statement.subject_id)
    picked = _question_answered(statement, reading, known, answers)
    question = _still_open(picked, set(assigned.by_subject)) if picked else None
    if question is not None:
        return _answer(question, statement, reading, now=now)
    if statement.subject_id is None and not assigned.by_subject:
        if reading.entries:
            return Told((statement,), needs_subject=True)
        return Told((_mark_read(statement, reading, now=now),))
    return Told(_file_by_subject(statement, reading, dict(assigned.by_subject), now=now))


def _file_by_subject(
    statement: Statement, reading: Reading, by_subject: dict[int, tuple[Entry, ...]], *, now: dt.datetime
) -> tuple[Statement, ...]:
    own = statement.subject_id or min(by_subject, default=0)
    by_subject.setdefault(own, ())
    told = []
    for subject_id in sorted(by_subject):  # one order for every writer, so that no two wait for each other
        subject = lock_subject(subject_id)
        row = _own(statement, subject) if subject_id == own else _share(statement, subject, by_subject)
        _mark_read(row, reading, now=now)
        for entry in add_to_ledger(row, by_subject[subject_id]):
            file_entry(entry, subject=subject, now=now)
        told.append(row)
    return tuple(told)


def _own(statement: Statement, subject: Subject) -> Statement:
    if statement.subject_id is None:
        statement.subject = subject
        statement.save(update_fields=["subject"])
    return statement


def _share(statement: Statement, subject: Subject, by_subject: dict[int, tuple[Entry, ...]]) -> Statement:
    """The part of the words that is about another subject, as a statement of that subject."""
    words = "; ".join(dict.fromkeys(entry.words for entry in by_subject[subject.pk]))
    return Statement.objects.get_or_create(
        author_id=statement.author_id,
        device=statement.device,
        client_id=statement.client_id,
        subject=subject,
        defaults={
            "text": words or statement.text,
            "turn": statement.turn,
            "said_at": statement.said_at,
            "local_day": day_of(subject, statement.said_at),
            "through": statement.through,
            "language": statement.language,
        },
    )[0]


def _mark_read(statement: Statement, reading: Reading, *, now: dt.datetime) -> Statement:
    statement.kinds = sorted(reading.kinds)
    statement.reader = reading.reader
    statement.dropped = list(reading.dropped)[:20]
    statement.read_at = now
    statement.save(update_fields=["kinds", "reader", "dropped", "read_at"])
    return statement


def _question_answered(
    statement: Statement, reading: Reading, known: Sequence[Known], answers: int | None
) -> Question | None:
    subjects = [statement.subject_id] if statement.subject_id else [one.id for one in known]
    waiting = Question.objects.filter(state="open", subject_id__in=subjects).select_related("entry")
    if answers is not None:
        return waiting.filter(pk=answers).first()
    rows = list(waiting)
    pick = pick_question(
        [OpenQuestion(row.pk, row.asked_at, row.category, row.deadline_at) for row in rows], reading
    )
    return next((row for row in rows if row.pk == pick), None)


def _still_open(picked: Question, concerned: set[int]) -> Question | None:
    """The question again once its subject is locked; None where a round or another answer was faster."""
    for subject_id in sorted({picked.subject_id, *concerned}):  # the one order of every writer
        lock_subject(subject_id)
    return Question.objects.select_related("entry").filter(pk=picked.pk, state="open").first()


def _answer(question: Question, statement: Statement, reading: Reading, *, now: dt.datetime) -> Told:
    subject = lock_subject(question.subject_id)
    statement = _own(statement, subject)
    _mark_read(statement, reading, now=now)
    times = answer_times(statement, subject)
    resolve_question(question, times, reading=reading, subject=subject, now=now, answered_by=statement)
    beside = tuple(entry for entry in reading.entries if entry.category != question.category)
    for row in add_to_ledger(statement, beside):
        file_entry(row, subject=subject, now=now)
    return Told((statement,), answered=question.pk)


def answer_times(statement: Statement, subject: Subject) -> AnswerTimes:
    """What the time words of an answer say."""
    mentions = find_times(statement.text, context=reading_context(statement, subject, ()))
    dated = next((one for one in mentions if one.since is not None), None)
    said = yes_or_no(statement.text)
    today: Today = next((one.today for one in mentions if one.today), "unknown")
    return AnswerTimes(
        today=said if said != "unknown" else today,
        since=dated.since if dated else None,
        phrase=dated.words if dated else None,
    )


def resolve_question(
    question: Question,
    times: AnswerTimes,
    *,
    subject: Subject,
    now: dt.datetime,
    reading: Reading | None = None,
    answered_by: Statement | None = None,
) -> LedgerEntry:
    """Close a question with what its answer says, and file the entry that waited for it."""
    row = question.entry
    answered = answer_entry(entry_of(row), reading or Reading(frozenset({"answer"})), times)
    row.resolved = {
        "today": answered.today,
        "since": since_to_json(answered.since),
        "phrase": answered.phrase,
    }
    row.save(update_fields=["resolved"])
    question.state, question.closed_at = "answered", now
    question.answered_by = answered_by
    question.save(update_fields=["state", "closed_at", "answered_by"])
    file_entry(row, subject=subject, now=now, has_been_asked=True)
    return row
