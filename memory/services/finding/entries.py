"""Filling the entries that are due, and their vectors: small steps, safe to stop and to run twice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.db import connection, transaction
from django.db.models import Func, IntegerField
from pgvector import HalfVector
from psycopg import sql

from memory.clients.embedder import Embedder
from memory.models import DocumentEntry, Entry, MemoryEntry, ObservationEntry
from memory.services.finding.texts import Said, said_by
from twin.models import Subject

TABLES: tuple[type[Entry], ...] = (MemoryEntry, ObservationEntry, DocumentEntry)
FILLED = 200  # entries of one transaction
SEEN_FILLED = 40  # of one search
EMBEDDED = 16  # texts of one call
MOST_TERMS = 4_000
FILL = """
    UPDATE {table} e SET terms = to_tsvector('simple', r.terms), length = r.length, day = r.day, at = r.at,
        author_id = r.author_id, language = r.language, is_due = false
    FROM jsonb_to_recordset(%s::jsonb) AS r(id bigint, terms text, length int, day date, at timestamptz,
        author_id bigint, language text)
    WHERE e.id = r.id
"""
KEEP = """
    UPDATE {table} e SET vector = made.vector, model = %s
    FROM unnest(%s::bigint[], %s::int[], %s::halfvec[]) AS made (id, version, vector)
    WHERE e.id = made.id AND e.version = made.version AND NOT e.is_due
"""
HNSW_FROM = 50_000  # rows; below, looking at every vector is faster and exact


def fill_due(*, limit: int = 2_000) -> int:
    """Fold the words of the entries that are due, up to `limit` of each table. Gives how many."""
    return sum(_fill_table(table, limit) for table in TABLES)


def _fill_table(table: type[Entry], limit: int) -> int:
    done = 0
    while done < limit:
        count = _fill_some(table)
        done += count
        if count < FILLED:
            break
    return done


@transaction.atomic
def _fill_some(table: type[Entry]) -> int:
    due = table._default_manager.filter(is_due=True).order_by("id")
    rows = list(due.select_for_update(skip_locked=True)[:FILLED])
    found = [(entry, said) for entry, _subject, said in said_by(rows)]
    _fill(table, [(entry, said) for entry, said in found if said is not None])
    table._default_manager.filter(pk__in=[entry.pk for entry, said in found if said is None]).delete()
    return len(rows)


def fill_seen(subject_ids: Sequence[int]) -> int:
    """Fold what is due of these subjects, as far as the asker may: what was just told is found at once.

    Call it inside `access.seen_by`. What this person does not see, or may not change, waits for the sweep.
    """
    return sum(_fill_seen(table, subject_ids) for table in TABLES)


@transaction.atomic
def _fill_seen(table: type[Entry], subject_ids: Sequence[int]) -> int:
    due = table._default_manager.filter(is_due=True, subject__in=subject_ids).order_by("-id")
    rows = list(due.select_for_update(skip_locked=True)[:SEEN_FILLED])
    said = [(entry, one) for entry, _subject, one in said_by(rows) if one is not None]
    _fill(table, said)
    return len(said)


def _fill(table: type[Entry], found: Sequence[tuple[Entry, Said]]) -> None:
    """Write what these rows say, in one statement."""
    if found:
        values = [_values(entry, said) for entry, said in found]
        with connection.cursor() as cursor:
            cursor.execute(FILL.format(table=table._meta.db_table), [json.dumps(values, ensure_ascii=False)])


def _values(entry: Entry, said: Said) -> dict[str, Any]:
    terms = said.terms()[:MOST_TERMS]
    return {
        "id": entry.pk,
        "terms": " ".join(terms),
        "length": len(terms),
        "day": said.day and said.day.isoformat(),
        "at": said.at and said.at.isoformat(),
        "author_id": said.author_id,
        "language": said.language,
    }


def embed_some(embedder: Embedder, *, of: int = EMBEDDED) -> int:
    """Give a few entries the vector of this embedder, memories first. Raises EmbedderFailed.

    Nothing is locked meanwhile: a row that changed or went away keeps no vector of its old words.
    """
    for table in TABLES:
        lacking = table._default_manager.filter(is_due=False).exclude(model=embedder.name)
        rows = [one for one in said_by(list(lacking.order_by("-id")[:of])) if one[2] is not None]
        if rows:
            return _embed(table, rows, embedder)
    return 0


def _embed(
    table: type[Entry], rows: Sequence[tuple[Entry, Subject | None, Said | None]], embedder: Embedder
) -> int:
    texts = [
        said.passage(subject) for _entry, subject, said in rows if said is not None and subject is not None
    ]
    vectors = [HalfVector(vector).to_text() for vector in embedder.passages(texts)]
    ids, versions = zip(*((entry.pk, entry.version) for entry, _subject, _said in rows), strict=True)
    with connection.cursor() as cursor:
        cursor.execute(
            KEEP.format(table=table._meta.db_table), [embedder.name, list(ids), list(versions), vectors]
        )
    return len(rows)


def progress(model: str) -> tuple[int, int]:
    """How many entries have a vector of this embedder, and how many there are, of those one may see."""
    each = " UNION ALL ".join(
        f"SELECT count(*) FILTER (WHERE model = %s) AS done, count(*) AS every FROM {table._meta.db_table}"  # noqa: S608
        for table in TABLES
    )
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT sum(done), sum(every) FROM ({each}) t", [model] * len(TABLES))  # noqa: S608
        done, every = cursor.fetchone()
    return int(done), int(every)


def index_by_size(*, model: str, rows: int = HNSW_FROM) -> list[str]:
    """Make the approximate index of each table that has outgrown looking at every vector. Gives its names."""
    return [name for table in TABLES if (name := _index(table, model, rows))]


def _index(table: type[Entry], model: str, rows: int) -> str:
    held = table._default_manager.filter(model=model)
    if held.count() < rows:
        return ""
    dims = Func("vector", function="vector_dims", output_field=IntegerField())
    width = held.annotate(width=dims).values_list("width", flat=True).first() or 0
    name, relation = f"{table._meta.model_name}_hnsw_{width}", table._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [name])
        if not width or cursor.fetchone()[0]:
            return ""
        made = sql.SQL(
            "CREATE INDEX {} ON {} USING hnsw ((vector::halfvec({})) halfvec_cosine_ops)"
            " WITH (ef_construction = 128) WHERE model = {}"
        ).format(sql.Identifier(name), sql.Identifier(relation), sql.Literal(width), sql.Literal(model))
        cursor.execute(made.as_string(None))
    return name
