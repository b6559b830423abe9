"""One search of one resource: candidates from the database, behind the wall, ranked by the shared rules."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from typing import Any

from django.db import connection

from household.rules.permissions import Resource
from memory.clients.embedder import BUNDLED, Embedder, EmbedderFailed, current_embedder
from memory.rules.retrieval.folding import asked_terms
from memory.rules.retrieval.names import without_names
from memory.rules.retrieval.ranking import BOTH, WORDS_ONLY, Candidate, Corpus, rank
from twin.models import Subject

FUNCTIONS = {
    Resource.OBSERVATION: "memory_search_observation",
    Resource.MEMORY: "memory_search_memory",
    Resource.DOCUMENT: "memory_search_document",
}
TAKE = 150  # candidates by words, and as many by meaning


@dataclass(frozen=True)
class Wanted:
    """What is looked for: folded terms, and the vector of one embedder where there is one."""

    terms: tuple[str, ...]
    vector: tuple[float, ...] | None = None
    made_by: str = ""

    @property
    def by(self) -> tuple[str, ...]:
        """By which ways the search goes."""
        return BOTH if self.vector else WORDS_ONLY


@dataclass(frozen=True)
class Hit:
    """One row found: its kind and number, whose, when, and how well it fits."""

    kind: str
    row_id: int
    subject_id: int
    day: dt.date | None
    at: dt.datetime | None
    score: float
    words: int  # how many of the terms stand in it


def wanted_for(
    question: str, *, subject: Subject | None, language: str, embedder: Embedder | None = None
) -> Wanted:
    """A question made ready for searching; without an embedder that answers, by its words alone."""
    terms = tuple(asked_terms(question))
    text = (
        without_names(question, name=subject.name, species=subject.species, language=language)
        if subject is not None
        else question
    )
    maker = embedder or current_embedder()
    try:
        return Wanted(terms, tuple(maker.queries([text])[0]), maker.name)
    except EmbedderFailed:
        pass
    if maker is BUNDLED:
        return Wanted(terms)
    return wanted_for(question, subject=subject, language=language, embedder=BUNDLED)


@dataclass(frozen=True)
class Bounds:
    """Where to look: whose rows, which kinds of them, of which days."""

    subject_ids: tuple[int, ...]
    kinds: tuple[str, ...]
    since: dt.date | None = None
    until: dt.date | None = None


def find(wanted: Wanted, *, resource: Resource, bounds: Bounds, take: int = TAKE) -> list[Hit]:
    """The rows of one resource that fit, best first; outside `access.seen_by` there are none."""
    if not bounds.subject_ids or not bounds.kinds or not (wanted.terms or wanted.vector):
        return []
    rows = _rows(wanted, FUNCTIONS[resource], bounds, take)
    if not rows:
        return []
    found: dict[Any, tuple[Any, ...]] = {}
    candidates = []
    for entry_id, kind, row_id, subject_id, day, at, length, tf, near, _dfs, _total in rows:
        found[entry_id] = (kind, row_id, subject_id, day, at, len(tf))
        moment = at.timestamp() if at else 0.0
        candidates.append(Candidate(entry_id, (subject_id, day), moment, tf, float(length), near))
    ranked = rank(candidates, Corpus(rows[0][10], rows[0][9]), by=wanted.by)
    return [_hit(found[key], score) for key, score in ranked]


def _hit(row: tuple[Any, ...], score: float) -> Hit:
    kind, row_id, subject_id, day, at, words = row
    return Hit(kind, row_id, subject_id, day, at, score, words)


def _rows(wanted: Wanted, function: str, bounds: Bounds, take: int) -> list[tuple[Any, ...]]:
    vector = "[" + ",".join(f"{part:.6f}" for part in wanted.vector) + "]" if wanted.vector else None
    asked: list[Any] = [list(bounds.subject_ids), list(bounds.kinds), bounds.since, bounds.until]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true),"
            " set_config('hnsw.ef_search', '100', true)"
        )
        cursor.execute(
            f"SELECT * FROM {function}"  # noqa: S608 - names of ours
            "(%s::bigint[], %s::text[], %s::date, %s::date, %s::text[], %s::halfvec, %s, %s)",
            [*asked, list(wanted.terms), vector, wanted.made_by, take],
        )
        return [(*row[:7], _json(row[7]), row[8], _json(row[9]), row[10]) for row in cursor.fetchall()]


def _json(value: Any) -> dict[str, Any]:
    return json.loads(value) if isinstance(value, str) else (value or {})
