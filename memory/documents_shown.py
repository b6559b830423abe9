"""A document as its pages show it: rows of the list, progress by stage, text by page with its passages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, QuerySet
from django.db.models.functions import JSONObject

from memory.document_labels import (
    FINDING_LABELS,
    STAGE_LABELS,
    STATE_LABELS,
    STATE_TONES,
    kind_label,
    why,
)
from memory.models import Document, DocumentStage, DocumentText, Passage, ProposedFinding
from memory.rules.documents.stages import ORDER

UNDER_WAY = ("waiting", "reading")
PAGES_SHOWN = 60


@dataclass(frozen=True)
class Step:
    """One stage in words: its share done, and whether it runs, is done or failed."""

    label: str
    state: str
    done: int
    total: int
    has_count: bool


@dataclass(frozen=True)
class Card:
    """One document in the list."""

    document: Document
    kind: str
    title: str
    state: str
    tone: str
    why: str
    step: Step | None
    share: int  # percent of its stages
    is_under_way: bool


@dataclass(frozen=True)
class Part:
    """A run of a page's text: in a passage (its anchor), and words that may have been read wrongly."""

    anchor: str
    is_unsure: bool
    runs: list[tuple[str, bool]]


@dataclass(frozen=True)
class ShownPage:
    """One page with its parts, and apart from them what is not part of the text."""

    row: DocumentText
    parts: list[Part]


def title_of(document: Document) -> str:
    """What a document is called: its own title, its file's name, or its kind."""
    return document.title or document.file_name or kind_label(document.kind)


def card_of(document: Document, stages: Sequence[DocumentStage]) -> Card:
    """One document as the list shows it."""
    is_under_way = document.state in UNDER_WAY
    ordered = sorted(stages, key=lambda row: ORDER.index(row.name))
    current = next((row for row in ordered if row.state not in ("done", "skipped")), None)
    finished = sum(row.state in ("done", "skipped") for row in ordered)
    part = current.done / current.total if current is not None and current.total else 0.0
    return Card(
        document=document,
        kind=kind_label(document.kind),
        title=title_of(document),
        state=str(STATE_LABELS[document.state]),
        tone=STATE_TONES.get(document.state, ""),
        why=why(document.error),
        step=step_of(current) if is_under_way and current is not None else None,
        share=round(100 * (finished + part) / len(ORDER)),
        is_under_way=is_under_way,
    )


def step_of(row: DocumentStage) -> Step:
    """One stage in words."""
    return Step(str(STAGE_LABELS[row.name]), row.state, row.done, row.total, row.total > 1)


def finding_label(finding: ProposedFinding) -> str:
    """What sort of record a finding would become."""
    return str(FINDING_LABELS[finding.kind])


def with_passages(rows: QuerySet[DocumentText]) -> QuerySet[DocumentText]:
    """The pages, each with the places of its passages beside it: all of them asked for at once."""
    here = Passage.objects.filter(document=OuterRef("document"), page=OuterRef("page")).order_by("start")
    place = JSONObject(ordinal="ordinal", start="start", end="end", is_unsure="is_unsure")
    return rows.annotate(cut=ArraySubquery(here.values(place=place)))


def shown_pages(rows: Iterable[DocumentText]) -> list[ShownPage]:
    """Pages that came `with_passages`, their passages as anchors."""
    return [ShownPage(row, _parts(row, [Passage(**one) for one in cast(Any, row).cut])) for row in rows]


def _parts(row: DocumentText, passages: list[Passage]) -> list[Part]:
    if not passages:
        return [Part("", False, _runs(row, 0, len(row.text)))] if row.text else []
    return [Part(one.anchor, one.is_unsure, _runs(row, one.start, one.end)) for one in passages]


def _runs(row: DocumentText, start: int, end: int) -> list[tuple[str, bool]]:
    """The text between two places, with the words OCR was unsure of as runs of their own."""
    runs: list[tuple[str, bool]] = []
    at = start
    marks: list[Any] = [mark for mark in row.unsure if start <= mark[0] and mark[1] <= end]
    for first, last in sorted(marks):
        if first > at:
            runs.append((row.text[at:first], False))
        runs.append((row.text[first:last], True))
        at = last
    if at < end:
        runs.append((row.text[at:end], False))
    return runs
