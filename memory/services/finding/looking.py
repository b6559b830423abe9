"""Looking for something over everything a person may see: records, words, events, papers, memories, help."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from django.db.models import QuerySet

from household.access import Sight, visible
from household.models import Person
from household.rules.permissions import Resource
from household.services.together import fetch_together
from household.templating import address
from memory.models import Document, Passage
from memory.rules.retrieval.folding import excerpt, marked
from memory.services.finding.filling import wanted_on_page
from memory.services.finding.searching import Bounds, Hit, Wanted, find_each
from memory.services.finding.texts import KINDS_FOUND

RESOURCE_OF: Mapping[str, Resource] = {
    "record": Resource.OBSERVATION,
    "statement": Resource.OBSERVATION,
    "event": Resource.OBSERVATION,
    "fill": Resource.OBSERVATION,
    "episode": Resource.MEMORY,
    "pattern": Resource.MEMORY,
    "strategy": Resource.MEMORY,
    "memory": Resource.MEMORY,
    "passage": Resource.DOCUMENT,
}
# An event and its episode are one thing to a person; the event is shown.
SHOWN = ("record", "statement", "event", "fill", "passage", "memory", "strategy", "pattern")
MOST = 60
TAKE = 100  # candidates of each resource by meaning, and twice as many by words
PAGES: Mapping[str, tuple[str, str]] = {  # the page of each kind, and what of the row fills its address
    "record": ("twin:record-show", "rec_id"),
    "statement": ("memory:turn-show", "turn"),
    "event": ("twin:event-show", "pk"),
    "fill": ("twin:form-show", "subject_id"),
    "strategy": ("memory:strategy-show", "ref"),
    "pattern": ("memory:pattern-show", "ref"),
    "passage": ("memory:document-show", "document.doc_id"),
}


@dataclass(frozen=True)
class Found:
    """One row as the page shows it: what it is, whose, when, its words in parts, where it opens."""

    kind: str
    row_id: int
    subject_id: int
    name: str
    day: dt.date | None
    title: list[tuple[str, bool]]
    words: list[tuple[str, bool]]
    url: str


def holds_words(found: Sequence[Found]) -> bool:
    """Whether any word that was asked for stands in any of them; else they are near in meaning only."""
    return any(is_hit for one in found for _part, is_hit in (*one.title, *one.words))


def look_for(
    question: str,
    *,
    person: Person,
    sight: Sight,
    language: str,
    subject_id: int | None = None,
    kinds: Sequence[str] = (),
    since: dt.date | None = None,
    until: dt.date | None = None,
) -> list[Found]:
    """What fits, best first and of equals the newest, at most `MOST`; each row read as the pages read it.

    Where rows with every word fill the page, what is near in meaning alone has no room on it.
    """
    whose = tuple(pk for pk in sight.subjects if subject_id in (None, pk))
    wished = [kind for kind in SHOWN if not kinds or kind in kinds]
    places = {
        resource: Bounds(whose, tuple(kind for kind in wished if RESOURCE_OF[kind] == resource), since, until)
        for resource in dict.fromkeys(RESOURCE_OF[kind] for kind in wished)
    }
    subject = sight.subjects[subject_id].subject if subject_id is not None else None
    wanted = wanted_on_page(question, places, subject=subject, language=language, rows=MOST)
    hits = [hit for found in find_each(wanted, places, take=TAKE).values() for hit in found]
    best = sorted((hit for hit in hits if _is_worth_showing(hit)), key=_order)[:MOST]
    return _shown(best, wanted, person, sight, language)


def _is_worth_showing(hit: Hit) -> bool:
    """Some word of it was asked for, or it is near enough in meaning to be among the best."""
    return hit.words > 0 or hit.score >= 1.0


def _order(hit: Hit) -> tuple[float, float, int]:
    return -round(hit.score, 6), -(hit.at_s or 0.0), -hit.row_id


def _shown(hits: Sequence[Hit], wanted: Wanted, person: Person, sight: Sight, language: str) -> list[Found]:
    rows = _rows(hits, person, sight)
    terms = frozenset(wanted.terms)
    found = []
    for hit in hits:
        row = rows.get((hit.kind, hit.row_id))
        said = KINDS_FOUND[hit.kind].said(row) if row is not None else None
        if row is None or said is None:
            continue
        named = said.named.get(language) or said.named.get(said.language, "")
        found.append(
            Found(
                hit.kind,
                hit.row_id,
                hit.subject_id,
                sight.subjects[hit.subject_id].name,
                said.day,
                marked(named, terms),
                marked(excerpt(said.words, terms), terms),
                url_of(hit.kind, row),
            )
        )
    return found


def _rows(hits: Sequence[Hit], person: Person, sight: Sight) -> dict[tuple[str, int], Any]:
    """The rows behind the hits that this person may see, of every kind in one question."""
    ids: dict[str, list[int]] = {}
    for hit in hits:
        ids.setdefault(hit.kind, []).append(hit.row_id)
    asked: list[QuerySet[Any]] = [
        visible(person, RESOURCE_OF[kind], KINDS_FOUND[kind].model._default_manager.filter(pk__in=its))
        for kind, its in ids.items()
    ]
    if "passage" in ids:
        papers = Passage.objects.filter(pk__in=ids["passage"]).values("document_id")
        asked.append(visible(person, Resource.DOCUMENT, Document.objects.filter(pk__in=papers)))
    found = fetch_together(*asked) if len(asked) > 1 else [list(one) for one in asked]
    documents = {one.pk: one for one in found[len(ids)]} if "passage" in ids else {}
    rows: dict[tuple[str, int], Any] = {}
    for kind, group in zip(ids, found, strict=False):
        for row in group:
            row.subject = sight.subjects[row.subject_id].subject
            if kind == "passage" and row.document_id in documents:
                row.document = documents[row.document_id]
            elif kind == "passage":
                continue
            rows[kind, row.pk] = row
    return rows


def url_of(kind: str, row: Any) -> str:
    """Where a row opens; empty where it has no page of its own."""
    if kind not in PAGES:
        return ""
    name, key = PAGES[kind]
    url = address(name, attrgetter(key)(row))
    return f"{url}?page={row.page}#{row.anchor}" if kind == "passage" else url
