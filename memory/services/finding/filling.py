"""Whether words alone fill a page: where they do, nothing need be looked for by meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection

from household.models import Endpoint
from household.rules.permissions import Resource
from memory.clients.embedder import embedder_at
from memory.rules.retrieval.folding import asked_terms, asked_words
from memory.services.finding.searching import Bounds, Wanted, wanted_for
from twin.models import Subject

FUNCTIONS = {
    Resource.OBSERVATION: "memory_held_observation",
    Resource.MEMORY: "memory_held_memory",
    Resource.DOCUMENT: "memory_held_document",
}


def wanted_on_page(
    question: str, places: Mapping[Resource, Bounds], *, subject: Subject | None, language: str, rows: int
) -> Wanted:
    """A question made ready: by its words where so many rows hold every one of them, else by meaning too.

    Inside `access.seen_by`.
    """
    words = asked_words(question)
    if not words:
        return wanted_for(question, subject=subject, language=language)
    held, endpoint = _held(words, places, rows)
    if held >= rows:
        return Wanted(tuple(asked_terms(question)))
    return wanted_for(question, subject=subject, language=language, embedder=embedder_at(endpoint))


def _held(
    words: Sequence[Sequence[str]], places: Mapping[Resource, Bounds], enough: int
) -> tuple[int, Endpoint | None]:
    """How many rows hold every word, as far as it matters, and the embedder's endpoint beside it."""
    every = " & ".join("(" + " | ".join(f"'{stem}'" for stem in stems) + ")" for stems in words)
    counted: list[str] = ["0"]
    values: list[Any] = []
    for resource, one in places.items():
        counted.append(f"{FUNCTIONS[resource]}(%s::bigint[], %s::text[], %s, %s, %s, %s)")
        values += [list(one.subject_ids), list(one.kinds), one.since, one.until, every, enough]
    fields = Endpoint._meta.concrete_fields
    columns = ", ".join(f"e.{field.column}" for field in fields)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {' + '.join(counted)}, {columns} FROM (SELECT 1) one"  # noqa: S608 - names of ours
            f" LEFT JOIN {Endpoint._meta.db_table} e ON e.is_on AND e.purpose = 'embedding'",
            values,
        )
        row: tuple[Any, ...] = cursor.fetchone()
    held, *endpoint = row
    if endpoint[0] is None:
        return held, None
    return held, Endpoint.from_db(connection.alias, [field.attname for field in fields], endpoint)
