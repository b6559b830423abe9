"""Forgetting a document: its rows and all that rests on them in one transaction, its bytes after it."""

from __future__ import annotations

import datetime as dt

from django.db import connection, transaction

from household.models import Person
from household.services.erasing import owe, relations_reached
from memory.models import Document, OwedErasure
from memory.services.documents.deciding import changeable
from memory.services.documents.files import erase
from twin.models import Record
from twin.models.triggers import FORGETTING_LOCK

MOST_OWED = 200


@transaction.atomic
def forget_document(*, person: Person, document_id: int, now: dt.datetime) -> int:
    """Forget a document inside `seen_by`; the number of the book's rows that went with it. Raises Denied.

    Text, summary, passages with their vectors, findings and answers that cite it go by the database's own
    cascades. A record that was accepted from it quotes it, so it goes too.
    """
    document = changeable(person, document_id)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [FORGETTING_LOCK])
    gone = take(document, now=now)
    owe(relations=relations_reached())
    return gone


def take(document: Document, *, now: dt.datetime) -> int:
    """Take a document and all that rests on it; its bytes are owed until they are erased."""
    accepted = list(document.proposals.exclude(record=None).values_list("record_id", flat=True))
    OwedErasure.objects.create(
        subject_id=document.subject_id,
        author_id=document.author_id,
        digest=document.digest,
        stored=[name for name in (document.stored, document.unlocked, document.thumbnail) if name],
        owed_at=now,
    )
    document.delete()
    gone, _by_table = Record.objects.filter(pk__in=accepted, provenance="document").delete()
    transaction.on_commit(erase_soon)
    return len(accepted) if gone else 0


def erase_soon() -> None:
    """Let the worker erase at once; where the queue is out of reach the sweep does."""
    from memory.services.documents.queueing import enqueue_erasing

    enqueue_erasing()


def erase_owed() -> int:
    """Erase the bytes that are owed. Gives how many documents' are gone."""
    done = 0
    for row in OwedErasure.objects.order_by("id")[:MOST_OWED]:
        left = erase(row.stored)
        if left:
            OwedErasure.objects.filter(pk=row.pk).update(stored=left)
        else:
            row.delete()
            done += 1
    return done
