"""Searching the whole database for a word, column by column, from the catalogue."""

from __future__ import annotations

from django.contrib.sessions.models import Session
from django.db import connection

TEXTS = """
    SELECT c.relname, a.attname, t.typname
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'm') AND a.attnum > 0
      AND NOT a.attisdropped
      AND t.typname = ANY (ARRAY['text', 'varchar', 'bpchar', 'json', 'jsonb', 'bytea', 'tsvector',
                                 '_text', '_varchar'])
    ORDER BY 1, 2
"""


def columns() -> list[tuple[str, str, str]]:
    """Every column of every table in which a word could stand."""
    with connection.cursor() as cursor:
        cursor.execute(TEXTS)
        return [(table, column, kind) for table, column, kind in cursor.fetchall()]


def places(*words: str) -> set[str]:
    """`table.column` wherever one of these words stands, sessions decoded."""
    found = set()
    pattern = [f"%{word.lower()}%" for word in words]
    with connection.cursor() as cursor:
        for table, column, kind in columns():
            text = f"encode(\"{column}\", 'escape')" if kind == "bytea" else f'"{column}"::text'
            cursor.execute(
                f'SELECT EXISTS (SELECT 1 FROM "{table}" WHERE lower({text}) LIKE ANY (%s))',
                [pattern],
            )
            if cursor.fetchone()[0]:
                found.add(f"{table}.{column}")
    if any(word.lower() in str(one.get_decoded()).lower() for one in Session.objects.all() for word in words):
        found.add("django_session.session_data")
    return found
