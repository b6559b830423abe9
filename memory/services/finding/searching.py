"""One search of one resource: candidates from the database, behind the wall, ranked by the shared rules."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import connection

from household.rules.permissions import Resource
from memory.clients.embedder import BUNDLED, Embedder, EmbedderFailed, current_embedder
from memory.rules.retrieval.folding import asked_terms
from memory.rules.retrieval.names import without_names
from memory.rules.retrieval.ranking import BOTH, WORDS_ONLY, Candidate, Corpus, rank
from memory.services.finding.entries import TABLES, fill_seen
from twin.models import Subject

FUNCTIONS = {
    Resource.OBSERVATION: "memory_search_observation",
    Resource.MEMORY: "memory_search_memory",
    Resource.DOCUMENT: "memory_search_document",
}
COLUMNS = """f.id, f.kind, f.row_id, f.subject_id, f.day, extract(epoch FROM f.at)::float8, f.length, f.tf,
    f.near, f.dfs, f.total"""
DUE = "due"  # stands in the place of a resource where rows wait to be folded
WAITING = """SELECT %s, NULL::bigint, NULL::varchar, NULL::bigint, NULL::bigint, NULL::date,
    NULL::float8, NULL::int, NULL::jsonb, NULL::float8, NULL::jsonb, NULL::bigint WHERE """
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


class Hit(NamedTuple):
    """One row found: its kind and number, whose, when, and how well it fits."""

    kind: str
    row_id: int
    subject_id: int
    day: dt.date | None
    at_s: float | None
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
    return find_each(wanted, {resource: bounds}, take=take)[resource]


def find_each(
    wanted: Wanted, places: Mapping[Resource, Bounds], *, take: int = TAKE
) -> dict[Resource, list[Hit]]:
    """The rows of several resources that fit, each best first, asked for in one statement."""
    looked = {
        resource: bounds
        for resource, bounds in places.items()
        if bounds.subject_ids and bounds.kinds and (wanted.terms or wanted.vector)
    }
    rows = _rows(wanted, looked, take) if looked else []
    if any(row[0] == DUE for row in rows):
        whose = {pk for bounds in looked.values() for pk in bounds.subject_ids}
        rows = _rows(wanted, looked, take) if fill_seen(sorted(whose)) else rows
    return {resource: _ranked(wanted, [row[1:] for row in rows if row[0] == resource]) for resource in places}


def _ranked(wanted: Wanted, rows: Sequence[tuple[Any, ...]]) -> list[Hit]:
    if not rows:
        return []
    found: dict[Any, tuple[Any, ...]] = {}
    candidates = []
    for entry_id, kind, row_id, subject_id, day, at_s, length, counts, near, _dfs, _total in rows:
        tf = _json(counts)
        found[entry_id] = (kind, row_id, subject_id, day, at_s, len(tf))
        occasion = f"{subject_id} {day}"
        candidates.append(Candidate(entry_id, occasion, at_s or 0.0, tf, float(length), near))
    ranked = rank(candidates, Corpus(rows[0][10], _json(rows[0][9])), by=wanted.by)
    return [_hit(found[key], score) for key, score in ranked]


def _hit(row: tuple[Any, ...], score: float) -> Hit:
    kind, row_id, subject_id, day, at_s, words = row
    return Hit(kind, row_id, subject_id, day, at_s, score, words)


def _rows(wanted: Wanted, places: Mapping[Resource, Bounds], take: int) -> list[tuple[Any, ...]]:
    vector = "[" + ",".join(f"{part:.6f}" for part in wanted.vector) + "]" if wanted.vector else None
    statements: list[str] = []
    values: list[Any] = []
    for resource, one in places.items():
        statements.append(
            f"SELECT %s, {COLUMNS} FROM {FUNCTIONS[resource]}"  # noqa: S608 - names of ours
            "(%s::bigint[], %s::text[], %s::date, %s::date, %s::text[], %s::halfvec, %s, %s) f"
        )
        values += [resource.value, list(one.subject_ids), list(one.kinds), one.since, one.until]
        values += [list(wanted.terms), vector, wanted.made_by, take]
    whose = sorted({pk for one in places.values() for pk in one.subject_ids})
    statements.append(
        WAITING
        + " OR ".join(
            f"EXISTS (SELECT 1 FROM {table._meta.db_table} e WHERE e.is_due AND e.subject_id = ANY (%s))"  # noqa: S608
            for table in TABLES
        )
    )
    values += [DUE, *[whose] * len(TABLES)]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(statements), values)
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


def _json(value: Any) -> dict[str, Any]:
    return json.loads(value) if isinstance(value, str) else (value or {})
