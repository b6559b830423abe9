"""Handing a document in: looked at by its content, kept once, queued to be read."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
import unicodedata
from dataclasses import dataclass

from django.db import connection, transaction

from household.access import require, visible
from household.models import Person
from household.rules.permissions import Action, Resource
from household.rules.text import sanitise
from memory.models import Document, DocumentStage, OwedErasure
from memory.rules.documents.limits import MAX_BYTES
from memory.rules.documents.sniffing import sniff
from memory.rules.documents.stages import ORDER
from memory.services.documents.files import erase, keep_bytes
from memory.services.documents.queueing import enqueue
from twin.services.days import day_of

ADDING_LOCK = 4_871_020  # with the first bits of the digest: uploads of one file wait for each other
LONGEST_NAME = 200


class TooLarge(ValueError):
    """More than fifty megabytes."""


class EmptyFile(ValueError):
    """There is nothing in the file."""


class BeingForgotten(ValueError):
    """The same bytes are just being erased; once they are gone they can be handed in anew."""


@dataclass(frozen=True)
class Added:
    """A document that was handed in, or the one of the same bytes that was there."""

    document: Document
    is_new: bool


def add_document(
    *, person: Person, subject_id: int, content: bytes, file_name: str, client_id: str, now: dt.datetime
) -> Added:
    """Keep one file and queue it; call it inside `seen_by`. The same bytes of a subject are one document.

    Raises Denied, TooLarge, EmptyFile, NotADocument, BeingForgotten. Whoever may not view the documents of
    others is not told that one is there: theirs is kept beside it.
    """
    sight = require(person, Action.ADD, Resource.DOCUMENT, subject_id)
    if len(content) > MAX_BYTES:
        raise TooLarge
    if not content:
        raise EmptyFile
    sort = sniff(content)
    digest = hashlib.sha256(content).hexdigest()
    with transaction.atomic():
        _wait_for_the_same(digest)
        held = _held(person, subject_id, digest=digest, client_id=client_id)
        if held is not None:
            return Added(held, is_new=False)
        stored = keep_bytes(content)
        try:
            with transaction.atomic():
                document = _store(
                    Document(
                        subject_id=subject_id,
                        author=person,
                        client_id=client_id,
                        digest=digest,
                        size=len(content),
                        format=sort,
                        file_name=safe_name(file_name),
                        stored=stored,
                        received_on=day_of(sight.subject, now),
                        received_at=now,
                        changed_at=now,
                    )
                )
        except BaseException:
            erase([stored])
            raise
    return Added(document, is_new=True)


def safe_name(name: str) -> str:
    """A file's name as its machine called it, without folders and without letters that steer a terminal."""
    plain = unicodedata.normalize("NFC", sanitise(name)).replace("\\", "/").rsplit("/", 1)[-1]
    plain = "".join(ch for ch in plain if unicodedata.category(ch)[0] != "C")
    return re.sub(r"\s+", " ", plain).strip(" .")[-LONGEST_NAME:]


def _wait_for_the_same(digest: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [ADDING_LOCK, int(digest[:7], 16)])


def _held(person: Person, subject_id: int, *, digest: str, client_id: str) -> Document | None:
    mine = Document.objects.filter(author=person, client_id=client_id, subject_id=subject_id).first()
    if mine is not None:
        return mine
    same = {"subject_id": subject_id, "digest": digest}
    seen = visible(person, Resource.DOCUMENT, Document.objects.filter(**same)).order_by("id").first()
    if seen is None and visible(person, Resource.DOCUMENT, OwedErasure.objects.filter(**same)).exists():
        raise BeingForgotten
    return seen


def _store(document: Document) -> Document:
    document.save(force_insert=True)
    document.refresh_from_db(fields=["day"])
    DocumentStage.objects.bulk_create(
        DocumentStage(
            document=document,
            subject_id=document.subject_id,
            author_id=document.author_id,
            day=document.day,
            name=name,
            due_at=document.received_at,
        )
        for name in ORDER
    )
    transaction.on_commit(lambda: enqueue(document.pk))
    return document
