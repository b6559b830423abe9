"""Taking back a document one handed in oneself, and erasing the bytes of documents that are gone.

A parent forgets a document as everything else is forgotten (`memory.services.forgetting`). A professional is
no parent and forgets nothing of others, but may take back what they handed in themselves.
"""

from __future__ import annotations

import datetime as dt

from django.db import connection, transaction

from household.access import Denied
from household.models import Person
from memory.models import Document, OwedErasure
from memory.services.documents.deciding import NotPossible, changeable
from memory.services.documents.files import erase
from memory.services.documents.queueing import enqueue_erasing
from memory.services.owing import owe_reached
from twin.models import Record
from twin.models.triggers import FORGETTING_LOCK

MOST_OWED = 200


@transaction.atomic
def take_back_document(*, person: Person, document_id: int, now: dt.datetime) -> None:
    """Take back one's own document, inside `seen_by`. Raises Denied, and NotPossible once it is in the book.

    Text, summary, passages with their vectors, findings and answers that cite it go by the database's own
    cascades; what must be rewritten on disk is owed in the same transaction.
    """
    document = changeable(person, document_id)
    if document.author_id != person.pk:
        raise Denied
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [FORGETTING_LOCK])
    if document.proposals.exclude(record=None).exists():
        raise NotPossible
    take(document)
    owe_reached()


def take(document: Document) -> None:
    """Take a document away with all that rests on it, the records accepted from it too: they quote it.

    Call it under the forgetting lock. What is owed of its bytes is noted by the database itself.
    """
    accepted = list(document.proposals.exclude(record=None).values_list("record_id", flat=True))
    document.delete()
    Record.objects.filter(pk__in=accepted, provenance="document").delete()
    transaction.on_commit(enqueue_erasing)


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
