"""Reading a document stage by stage, once at a time, going on where it was cut off.

Who reads holds an advisory lock of the session: a worker that is killed lets go of it with its connection,
so nobody has to wait for a lease to run out. A stage's rows are stored piece by piece, each in a transaction
of its own that first admits words (the forgetting lock) and then makes sure the document is still there.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import connection, transaction
from django.db.models import Q

from memory.models import Document, DocumentStage
from memory.papers.reading import has_tesseract
from memory.papers.refusing import Refused
from memory.rules.documents.stages import MOST_ATTEMPTS, ORDER, after_failure
from memory.services.documents import steps
from memory.services.documents.admitting import Gone, admitted

log = logging.getLogger("hearthbook.documents")

READING_LOCK = 4_871_021
DUE = Q(state__in=["waiting", "running"])
Clock = Callable[[], dt.datetime]

STEPS: dict[str, Callable[[Document, DocumentStage, dt.datetime], None]] = {
    "text": steps.take_text,
    "ocr": steps.take_letters,
    "summary": steps.summarise,
    "passages": steps.cut_passages,
    "vectors": steps.embed,
}


def read_document(document_id: int, *, clock: Clock) -> bool:
    """Run the stages of one document that are due; whether this process was the one to do it."""
    with _alone(document_id) as is_mine:
        if not is_mine:
            return False
        while stage := _next(document_id, now=clock()):
            if not _run(stage, now=clock()):
                break
        return True


def due_documents(*, now: dt.datetime) -> list[int]:
    """The documents somebody should go on reading, the longest waiting first."""
    rows = DocumentStage.objects.filter(DUE, due_at__lte=now, document__state__in=["waiting", "reading"])
    return list(dict.fromkeys(rows.order_by("due_at").values_list("document_id", flat=True)[:200]))


def go_on(document_id: int, *, now: dt.datetime) -> None:
    """Let a document that waited for somebody be read on: its held stages are due again."""
    DocumentStage.objects.filter(document_id=document_id, state__in=["held", "failed"]).update(
        state="waiting", attempts=0, error="", due_at=now
    )
    Document.objects.filter(pk=document_id).update(state="reading", error="", changed_at=now)


def go_on_with_ocr(*, now: dt.datetime) -> int:
    """Once letters can be read here, let those that waited for it go on. Gives how many."""
    waiting = list(Document.objects.filter(state="needs_ocr").values_list("pk", flat=True))
    if not waiting or not has_tesseract():
        return 0
    for pk in waiting:
        go_on(pk, now=now)
    return len(waiting)


@contextmanager
def _alone(document_id: int) -> Iterator[bool]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [READING_LOCK, document_id])
        is_mine = bool(cursor.fetchone()[0])
    try:
        yield is_mine
    finally:
        if is_mine:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [READING_LOCK, document_id])


def _next(document_id: int, *, now: dt.datetime) -> DocumentStage | None:
    """The stage to run now: the first that is not done, if it is due."""
    rows = DocumentStage.objects.filter(document_id=document_id).exclude(state__in=["done", "skipped"])
    left = sorted(rows.select_related("document"), key=lambda row: ORDER.index(row.name))
    if not left:
        return None
    stage = left[0]
    if stage.state not in ("waiting", "running") or stage.due_at > now:
        return None
    if stage.state == "running" and stage.attempts >= MOST_ATTEMPTS:  # it took its worker down each time
        _fail(stage, "crashed", now=now)
        return None
    return stage


def _run(stage: DocumentStage, *, now: dt.datetime) -> bool:
    """Run one stage; whether the next may follow at once."""
    try:
        _begin(stage, now=now)
        STEPS[stage.name](stage.document, stage, now)
        _finish(stage, now=now)
    except Gone:
        return False
    except Refused as refused:
        _fail(stage, refused.code, now=now)
        return False
    except FileNotFoundError:
        _fail(stage, "bytes_missing", now=now)
        return False
    except Exception as error:  # a failing task leaves no words in the queue's tables
        log.error("a document's stage %s stopped: %s", stage.name, type(error).__name__)
        _fail(stage, "unexpected", now=now)
        return False
    return True


def _begin(stage: DocumentStage, *, now: dt.datetime) -> None:
    with admitted(stage.document_id):
        stage.state, stage.attempts, stage.error = "running", stage.attempts + 1, ""
        stage.save(update_fields=["state", "attempts", "error"])
        Document.objects.filter(pk=stage.document_id).update(state="reading", error="", changed_at=now)
    stage.document.state = "reading"


def _finish(stage: DocumentStage, *, now: dt.datetime) -> None:
    with admitted(stage.document_id):
        stage.state = "skipped" if stage.state == "skipped" else "done"
        stage.done, stage.finished_at = stage.total, now
        stage.save(update_fields=["state", "done", "total", "finished_at"])
        left = DocumentStage.objects.filter(document=stage.document_id).exclude(state__in=["done", "skipped"])
        if not left.exists():
            Document.objects.filter(pk=stage.document_id).update(state="ready", changed_at=now)


@transaction.atomic
def _fail(stage: DocumentStage, code: str, *, now: dt.datetime) -> None:
    outcome = after_failure(code, stage.attempts)
    due_at = now + outcome.pause if outcome.pause else stage.due_at
    DocumentStage.objects.filter(pk=stage.pk).update(
        state=outcome.stage, error=code, due_at=due_at, attempts=stage.attempts
    )
    Document.objects.filter(pk=stage.document_id).update(
        state=outcome.document, error="" if outcome.stage == "waiting" else code, changed_at=now
    )
