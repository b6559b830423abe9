"""What each stage does: text, letters of pictures, summary with findings, passages, vectors."""

from __future__ import annotations

import datetime as dt
from typing import Any

from memory.models import Document, DocumentStage, DocumentText, Passage
from memory.papers import reading
from memory.papers.pages import PageText
from memory.papers.refusing import Refused
from memory.rules.documents.passages import pieces_of
from memory.rules.documents.stages import is_readable
from memory.services.documents.admitting import admitted
from memory.services.documents.files import bytes_of, erase, keep_bytes
from memory.services.documents.summing import sum_up
from memory.services.finding.entries import fill_due

PAGES_AT_ONCE = 20
UNSURE_SHARE = 0.1  # of a passage's words


def belonging(document: Document) -> dict[str, Any]:
    """The columns by which a row made from a document is guarded as it is."""
    return {
        "document_id": document.pk,
        "subject_id": document.subject_id,
        "author_id": document.author_id,
        "day": document.day,
    }


def take_text(document: Document, stage: DocumentStage, now: dt.datetime) -> None:
    """Store every page's text layer, and which pages must be read from their picture. Raises Refused."""
    content = bytes_of(document.unlocked or document.stored)
    with admitted(document.pk):
        document.texts.all().delete()  # from a try that was cut off
    beside = reading.Read()
    waiting: list[PageText] = []
    count = 0
    for page in reading.read_text(content, document.format, beside):
        waiting.append(page)
        count += 1
        if len(waiting) == PAGES_AT_ONCE:
            _store_pages(document, stage, waiting, total=max(beside.total, count))
            waiting = []
    _store_pages(document, stage, waiting, total=count)
    _note_file(document, beside, count)


def _store_pages(document: Document, stage: DocumentStage, pages: list[PageText], *, total: int) -> None:
    with admitted(document.pk) as held:
        DocumentText.objects.bulk_create(
            DocumentText(
                **belonging(held),
                page=one.page,
                source=one.source,
                text=clean(one.text),
                hidden=clean(one.hidden),
                comments=clean(one.comments),
                needs_ocr=one.needs_ocr,
            )
            for one in pages
        )
        _progress(stage, done=stage.done + len(pages), total=total)


def clean(text: str) -> str:
    """The text without what the database refuses."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def _progress(stage: DocumentStage, *, done: int, total: int) -> None:
    stage.total, stage.done = max(total, done), done
    stage.save(update_fields=["done", "total"])


def _note_file(document: Document, beside: reading.Read, count: int) -> None:
    name = keep_bytes(beside.thumbnail) if beside.thumbnail else ""
    try:
        with admitted(document.pk) as held:
            before, held.thumbnail = held.thumbnail, name
            held.pages = count
            held.attachments = [clean(one)[:200] for one in beside.attachments]
            held.has_hidden_text = held.texts.exclude(hidden="").exists()
            held.save(update_fields=["thumbnail", "pages", "attachments", "has_hidden_text"])
    except BaseException:
        erase([name] if name else [])
        raise
    erase([before] if before else [])


def take_letters(document: Document, stage: DocumentStage, now: dt.datetime) -> None:
    """Read the letters of every page that is a picture, one after another. Raises Refused."""
    left = list(document.texts.filter(needs_ocr=True).order_by("page"))
    if not left:
        stage.state = "skipped"
        return
    done = document.texts.filter(source="ocr", confidence__isnull=False).count()
    _progress(stage, done=done, total=done + len(left))
    content = bytes_of(document.unlocked or document.stored)
    for row in left:
        page = reading.read_letters(content, document.format, row.page)
        with admitted(document.pk):
            fields = f"\n{row.text}" if row.text else ""  # what a form's fields said stays behind the letters
            row.text, row.source, row.needs_ocr = clean(page.text) + fields, "ocr", False
            row.confidence, row.unsure = page.confidence or 0, [list(one) for one in page.unsure]
            row.save(update_fields=["text", "source", "needs_ocr", "confidence", "unsure"])
            stage.attempts = 1  # it moves: only a page that fails again and again is given up
            stage.save(update_fields=["attempts"])
            _progress(stage, done=stage.done + 1, total=stage.total)


def summarise(document: Document, stage: DocumentStage, now: dt.datetime) -> None:
    """Say what the document is, in short, and what of it could stand in the book. Raises Refused."""
    pages = list(document.texts.order_by("page"))
    if not is_readable("\n".join(one.text for one in pages)):
        raise Refused("nothing_readable")
    sum_up(document, pages, now=now)


def cut_passages(document: Document, stage: DocumentStage, now: dt.datetime) -> None:
    """Cut every page into passages; run again it gives the same."""
    pages = list(document.texts.order_by("page"))
    with admitted(document.pk) as held:
        held.passages.all().delete()
        rows: list[Passage] = []
        for page in pages:
            for piece in pieces_of(page.text):
                text = page.text[piece.start : piece.end]
                rows.append(
                    Passage(
                        **belonging(held),
                        ordinal=len(rows) + 1,
                        page=page.page,
                        start=piece.start,
                        end=piece.end,
                        text=text,
                        is_unsure=_is_unsure(page, piece.start, piece.end),
                    )
                )
        Passage.objects.bulk_create(rows)
        held.is_unsure = any(page.unsure for page in pages)
        held.save(update_fields=["is_unsure"])
        stage.total = len(rows)


def _is_unsure(page: DocumentText, start: int, end: int) -> bool:
    marked = sum(start <= first < end for first, _last in page.unsure)
    return bool(marked > UNSURE_SHARE * max(len(page.text[start:end].split()), 1))


def embed(document: Document, stage: DocumentStage, now: dt.datetime) -> None:
    """Make the passages findable by their words at once; their vectors come with the worker's next turn."""
    fill_due()
