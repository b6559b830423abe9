"""Keeps a question: its words, who asked, and (where it is the household's) its line in the journal."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from household.access import SubjectSight
from household.models import Person
from household.rules.permissions import Role
from memory.models import Question
from memory.rules.asking.sameness import fingerprint
from memory.services.journal import write_line
from memory.services.turns import turn_id
from twin.models import Subject
from twin.services.days import day_of

MOST_WORDS = 2_000  # characters of one question


class EmptyQuestion(ValueError):
    """Nothing was asked."""


class QuestionTooLong(ValueError):
    """A question is at most 2,000 characters."""


def checked(text: str) -> str:
    """A question's words without the room around them. Raises EmptyQuestion, QuestionTooLong."""
    words = "".join(one if one != "\0" and not "\ud800" <= one <= "\udfff" else "\ufffd" for one in text)
    words = words.strip()
    if not words:
        raise EmptyQuestion
    if len(words) > MOST_WORDS:
        raise QuestionTooLong
    return words


def is_private(sight: SubjectSight) -> bool:
    """Whether what is asked is the asker's alone: a parent's is the household's, a child's its parents'."""
    return not sight.roles & {Role.PARENT, Role.CHILD}


@transaction.atomic
def keep_question(
    person: Person, sight: SubjectSight, words: str, *, client_id: str, language: str, now: dt.datetime
) -> tuple[Question, bool]:
    """The kept question, and whether it is new; the same client id with other words is another one."""
    subject: Subject = sight.subject
    held = Question.objects.filter(author=person, client_id=client_id).first()
    if held is not None:
        if held.text == words and held.subject_id == subject.pk:
            return held, False
        client_id = f"{client_id[:40]}:{fingerprint(f'{subject.pk} {words}')}"
        held = Question.objects.filter(author=person, client_id=client_id).first()
        if held is not None:
            return held, False
    question = Question.objects.create(
        subject=subject,
        author=person,
        is_private=is_private(sight),
        client_id=client_id,
        turn=turn_id(now, client_id),
        language=language,
        text=words,
        asked_at=now,
        local_day=day_of(subject, now),
    )
    if not question.is_private:
        _journal(question, now)
    return question, True


def _journal(question: Question, now: dt.datetime) -> None:
    """What a parent asks stands in the journal; the answer is not copied there, it goes with its rows."""
    write_line(
        event="Heard",
        at=now,
        turn=question.turn,
        fields={"text": question.text},
        subject_id=question.subject_id,
        author_id=question.author_id,
    )
