"""A transaction in which words of a document may be stored: forgetting comes before it or after it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from memory.models import Document
from twin.models.triggers import FORGETTING_LOCK


class Gone(Exception):
    """The document was forgotten meanwhile."""


@contextmanager
def admitted(document_id: int) -> Iterator[Document]:
    """The document, locked; the forgetting lock is taken first, as forgetting itself does. Raises Gone."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [FORGETTING_LOCK])
        document = Document.objects.select_for_update(no_key=True).filter(pk=document_id).first()
        if document is None:
            raise Gone
        yield document
