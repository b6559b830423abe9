"""What the worker does by the clock and when it is told: unread words, partitions, documents."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.utils import timezone
from huey import crontab

from household.queue import queue
from household.services.erasing import owe_edited, sweep
from household.services.jobs import claim, due_jobs, working
from memory.services.documents.files import erase_orphans
from memory.services.documents.forgetting import erase_owed
from memory.services.documents.pipeline import due_documents, go_on_with_ocr, read_document
from memory.services.exporting.making import KIND as EXPORT
from memory.services.exporting.making import make_export, sweep_exports
from memory.services.exporting.receiving import KIND as RESTORE
from memory.services.exporting.receiving import restore_waiting
from memory.services.finding.keeping import deadline, keep_entries
from memory.services.forgetting import finish, forget_in_the_book
from memory.services.journal import make_partitions_ahead
from memory.services.memory_vectors import embed_memories
from memory.services.owing import owe_files
from memory.services.reflecting import reflect_due
from memory.services.retention import clear_when_settled
from memory.services.turns import read_unread

log = logging.getLogger("hearthbook.tasks")
EMBED_S = 25.0  # of a minute; other jobs wait meanwhile


@queue.periodic_task(crontab(minute="*"))
def keep_house() -> None:
    """Read what was kept unread, and make the journal's next partitions."""
    now = timezone.now()
    try:
        read_unread(now=now)
        make_partitions_ahead(now=now)
    except Exception as error:
        log.error("housekeeping stopped: %s", type(error).__name__)


@queue.periodic_task(crontab(minute="*"))
def keep_findable() -> None:
    """Fold the words of rows that came or changed, give some of them their vector."""
    try:
        keep_entries(is_time_over=deadline(EMBED_S))
    except Exception as error:
        log.error("entries stopped: %s", type(error).__name__)


@queue.task()
def read_document_soon(document_id: int) -> None:
    """Read one document on from where it stands."""
    try:
        read_document(document_id, clock=timezone.now)
    except Exception as error:
        log.error("a document was not read: %s", type(error).__name__)


@queue.task()
def erase_documents_soon() -> None:
    """Erase the bytes of forgotten documents."""
    try:
        erase_owed()
    except Exception as error:
        log.error("bytes were not erased: %s", type(error).__name__)


@queue.periodic_task(crontab(minute="*"))
def keep_documents() -> None:
    """Go on with every document that is due, whoever was cut off; erase what is owed."""
    now = timezone.now()
    try:
        go_on_with_ocr(now=now)
        for document_id in due_documents(now=now):
            read_document(document_id, clock=timezone.now)
        erase_owed()
    except Exception as error:
        log.error("documents stopped: %s", type(error).__name__)


@queue.periodic_task(crontab(hour="4", minute="40"))
def keep_document_files() -> None:
    """Erase files that no document names: an upload that was cut off leaves one."""
    try:
        erase_orphans(now=timezone.now())
    except Exception as error:
        log.error("orphans were not erased: %s", type(error).__name__)


@queue.task()
def finish_forgetting() -> None:
    """Run the rounds a forgetting made late, and rewrite what it owes on disk."""
    try:
        finish(now=timezone.now())
    except Exception as error:  # a failing task must leave no words in the queue's tables
        log.error("a forgetting is not finished yet: %s", type(error).__name__)


@queue.periodic_task(crontab(minute="*/5"))
def sweep_what_is_owed() -> None:
    """Come back to what waited for somebody; asks an index or two where nothing is owed."""
    try:
        forget_in_the_book(now=timezone.now())
        sweep(now=timezone.now())
    except Exception as error:
        log.error("what is owed on disk stays owed: %s", type(error).__name__)


@queue.periodic_task(crontab(minute="40", hour="3"))
def sweep_what_was_edited() -> None:
    """Every night: rewrite the tables in which words were written over or ran out of their time."""
    try:
        owe_edited()
        owe_files()
        sweep(now=timezone.now())
    except Exception as error:
        log.error("what is owed on disk stays owed: %s", type(error).__name__)


@queue.periodic_task(crontab(minute="23"))
def clear_old_lines() -> None:
    """Clear the journal by age, as a parent decided; a household's day may end at any hour."""
    try:
        while clear_when_settled(now=timezone.now()):
            pass
    except Exception as error:
        log.error("the journal was not cleared: %s", type(error).__name__)


def carry_out_due() -> None:
    """Claim and do every export that is due, and every file that waits to be read back."""
    doing: dict[str, Callable[[int], object]] = {
        EXPORT: lambda pk: make_export(pk, now=timezone.now()),
        RESTORE: lambda pk: restore_waiting(pk, now=timezone.now()),
    }
    for kind, do in doing.items():
        for number in due_jobs(kind, now=timezone.now()):
            job = claim(number, now=timezone.now())
            if job is not None:
                with working(job, clock=timezone.now):
                    do(int(job.target))


@queue.task()
def carry_out_soon() -> None:
    """Make the export, or read back the file, that somebody just asked for."""
    try:
        carry_out_due()
    except Exception as error:
        log.error("nothing was carried out: %s", type(error).__name__)


@queue.periodic_task(crontab(minute="*/10"))
def keep_exports() -> None:
    """Do what a lost worker left, and erase files that were not fetched."""
    try:
        carry_out_due()
        sweep_exports(now=timezone.now())
    except Exception as error:
        log.error("exports stopped: %s", type(error).__name__)


@queue.task()
def reflect_soon() -> None:
    """Do the memory work of the exchanges that wait."""
    try:
        reflect_due(now=timezone.now())
    except Exception as error:
        log.error("memory work stopped: %s", type(error).__name__)


@queue.periodic_task(crontab(minute="*"))
def keep_reflecting() -> None:
    """Come back to exchanges whose work was cut off, and give new memories their vector."""
    try:
        reflect_due(now=timezone.now())
        embed_memories()
    except Exception as error:
        log.error("memory work stopped: %s", type(error).__name__)
