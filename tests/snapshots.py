"""The whole database as a value, for tests that say nothing changed, or that two ways led to the same."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from django.db import connection

ALWAYS_MOVING = {"django_session", "huey_task", "huey_schedule", "household_heartbeat"}
# What search looks in counts the changes of a row, and calls the row by its number.
ENTRIES = ("memory_observationentry", "memory_memoryentry", "memory_documententry")
HASHES_OF_IDS = frozenset(
    {"twin_framelog.body_hash", *(f"{table}.{name}" for table in ENTRIES for name in ("version", "row_id"))}
)
REFINEMENTS = 6  # a row is told apart by rows so many references away
# Ids that stand inside words: what they look like, and whose they are.
WRITTEN_IDS = (
    (re.compile(r"\brec_0*(\d+)"), "twin_record"),
    (re.compile(r"\bcourse:(\d+)"), "twin_record"),
    (re.compile(r"\bquestion:(\d+)"), "twin_question"),
    (re.compile(r"\bagenda-(\d+)"), "twin_agendaitem"),
    (re.compile(r"\brecord:(\d+)"), "twin_record"),
    (re.compile(r"\bfill:(\d+)"), "twin_formfill"),
    (re.compile(r"\bevent:(\d+)"), "twin_event"),
)
Row = dict[str, Any]
Name = Callable[[str, Any], str]


def database_snapshot(*, without: frozenset[str] = frozenset()) -> dict[str, list[Any]]:
    """Every row of every table, as text, in a stable order."""
    with connection.cursor() as cursor:
        snapshot = {}
        for table in _tables(without):
            cursor.execute(f'SELECT to_jsonb(t)::text FROM "{table}" t ORDER BY 1')
            snapshot[table] = [row for (row,) in cursor.fetchall()]
        return snapshot


def content_snapshot(
    *, without: frozenset[str] = frozenset(), columns: frozenset[str] = frozenset()
) -> dict[str, list[str]]:
    """Every row of every table with names in the place of numbered ids.

    A row's name comes from what it holds and what it refers to, so a number that a rolled-back transaction
    used up makes no difference. `columns` are left out, written table.column.
    """
    tables = {table: _rows(table) for table in _tables(without)}
    references = _references()
    left_out = columns | HASHES_OF_IDS
    names: dict[tuple[str, Any], str] = {}

    def name(table: str, key: Any) -> str:
        return names.get((table, key), "?")

    contents: dict[str, list[str]] = {}
    for _ in range(REFINEMENTS):
        fresh: dict[tuple[str, Any], str] = {}
        for table, rows in tables.items():
            contents[table] = [_content(table, row, references, left_out, name) for row in rows]
            for row, content in zip(rows, contents[table], strict=True):
                fresh[table, row.get("id")] = hashlib.sha256(f"{table}{content}".encode()).hexdigest()[:12]
        names = fresh
    return {table: sorted(rows) for table, rows in contents.items()}


def differences(one: Mapping[str, list[str]], other: Mapping[str, list[str]]) -> list[str]:
    """What stands in one snapshot and not in the other, a line a row."""
    lines = []
    for table in sorted({*one, *other}):
        left, right = list(one.get(table, [])), list(other.get(table, []))
        for row in list(left):
            if row in right:
                left.remove(row)
                right.remove(row)
        lines += [f"- {table}: {row}" for row in left] + [f"+ {table}: {row}" for row in right]
    return lines


def _tables(without: frozenset[str]) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1"
        )
        return [name for (name,) in cursor.fetchall() if name not in ALWAYS_MOVING | without]


def _rows(table: str) -> list[Row]:
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT to_jsonb(t)::text FROM "{table}" t ORDER BY 1')
        return [json.loads(row) for (row,) in cursor.fetchall()]


def _references() -> dict[tuple[str, str], str]:
    """The table each foreign key column refers to, by (table, column)."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.conrelid::regclass::text, a.attname, c.confrelid::regclass::text FROM pg_constraint c"
            " JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]"
            " WHERE c.contype = 'f' AND array_length(c.conkey, 1) = 1"
        )
        return {(table, column): target for table, column, target in cursor.fetchall()}


def _content(
    table: str,
    row: Row,
    references: Mapping[tuple[str, str], str],
    left_out: frozenset[str],
    name: Name,
) -> str:
    held: Row = {}
    for column, value in row.items():
        target = references.get((table, column))
        if f"{table}.{column}" in left_out or (column == "id" and isinstance(value, int)):
            continue
        held[column] = name(target, value) if target and value is not None else value
    return _with_names(json.dumps(held, sort_keys=True), name)


def _with_names(text: str, name: Name) -> str:
    for pattern, table in WRITTEN_IDS:
        text = pattern.sub(lambda found, table=table: name(table, int(found[1])), text)  # type: ignore[misc]
    return text
