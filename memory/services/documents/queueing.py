"""Telling the worker that something waits: a document's number, and nothing else."""

from __future__ import annotations

import logging

log = logging.getLogger("hearthbook.documents")


def enqueue(document_id: int) -> None:
    """Put a document into the queue; where the queue is out of reach the sweep finds it."""
    from memory.tasks import read_document_soon

    try:
        read_document_soon(document_id)
    except Exception as error:  # the row waits: the sweep re-queues what is due
        log.warning("a document waits for the sweep: %s", type(error).__name__)


def enqueue_erasing() -> None:
    """Have the bytes that are owed erased."""
    from memory.tasks import erase_documents_soon

    try:
        erase_documents_soon()
    except Exception as error:
        log.warning("bytes wait for the sweep: %s", type(error).__name__)
