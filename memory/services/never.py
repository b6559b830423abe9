"""Topics never to be learned: a parent's list, and the gate that the memory work passes each fact through.

Whoever asks, also who may not read the list, is held to it: the database compares, and says yes or no.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence

from django.db import IntegrityError, connection, transaction

from household.access import Denied, require_parent, visible
from household.models import Person
from household.rules.permissions import Resource
from household.rules.text import sanitise
from memory.models import NeverTopic
from memory.rules.never import Said, topic_of
from memory.services.journal import write_line

LONGEST = 120
WHY = "never_topic"  # a code: the line says that something was not learned, not what


class NoTopic(ValueError):
    """There are no words in it by which it could ever be met."""


@transaction.atomic
def add_topic(*, person: Person, subject_id: int, topic: str, client_id: str, now: dt.datetime) -> NeverTopic:
    """List a topic; the same twice is one row. Raises Denied, NoTopic."""
    require_parent(person, subject_id)
    words = " ".join(sanitise(topic).split())[:LONGEST]
    listed = topic_of(words)
    if listed.is_met_by_nothing:
        raise NoTopic
    held = NeverTopic.objects.filter(subject=subject_id, topic=words).first()
    if held is not None:
        return held
    try:
        with transaction.atomic():
            return NeverTopic.objects.create(
                subject_id=subject_id,
                topic=words,
                words=[sorted(one) for one in listed.words],
                about=sorted(listed.about),
                author=person,
                client_id=client_id,
                created_at=now,
            )
    except IntegrityError:
        return NeverTopic.objects.get(subject=subject_id, author=person, client_id=client_id)


@transaction.atomic
def remove_topic(*, person: Person, topic_id: int) -> int:
    """Strike a topic from the list; from then on it may be learned. Gives whose it was. Raises Denied."""
    row = visible(person, Resource.CONVERSATION, NeverTopic.objects.filter(pk=topic_id)).first()
    if row is None:
        raise Denied
    require_parent(person, row.subject_id)
    subject_id = row.subject_id
    row.delete()
    return subject_id


def may_remember(
    *, subject_id: int, said: Said, turn: str, now: dt.datetime, author_id: int | None = None
) -> bool:
    """Whether a fact may be filed. One on a listed topic may not: only that it was dropped is journalled.

    Call it before anything of the fact is stored; what it says is made ready before any lock is taken.
    """
    if not touched(subject_id, [said])[0]:
        return True
    note_dropped(subject_id=subject_id, turn=turn, now=now, author_id=author_id)
    return False


def has_topics(subject_id: int) -> bool:
    """Whether anything is listed for a subject, as far as the asker may read the list."""
    return NeverTopic.objects.filter(subject=subject_id).exists()


def touched(subject_id: int, said: Sequence[Said]) -> list[bool]:
    """Of each of these texts whether it touches a listed topic of a subject, whoever asks."""
    texts = [{"keys": sorted(one.keys), "about": sorted(one.about)} for one in said]
    with connection.cursor() as cursor:
        cursor.execute("SELECT memory_never_touched(%s, %s::jsonb)", [subject_id, json.dumps(texts)])
        return list(cursor.fetchone()[0])


def note_dropped(*, subject_id: int, turn: str, now: dt.datetime, author_id: int | None = None) -> None:
    """Journal that something was not learned, and not what."""
    write_line(
        event="NotRemembered",
        at=now,
        turn=turn,
        fields={"fact": "", "why": WHY},
        subject_id=subject_id,
        author_id=author_id,
    )
