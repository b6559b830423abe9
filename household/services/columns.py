"""Keeps words out of statistics and compression: one pass over the catalogue after every migration.

A compressed value hides its words from a search of the files, and column statistics keep copies of them
(PostgreSQL: ALTER TABLE ... SET STORAGE, SET STATISTICS). Altering a type resets both, so the pass is
driven by the catalogue, over every table there is, other people's apps included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import connections

# Columns that may bear words: long text of every kind, and expressions over them in indexes.
# An enumeration (varchar up to 20) keeps its statistics, which the planner needs.
BEARING = """
    SELECT c.oid::regclass::text, a.attname, a.attnum, c.relkind::text,
           coalesce(a.attstattarget, -1) = 0 AS quiet, a.attstorage IN ('e', 'p') AS plain
    FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_type item ON item.oid = t.typelem AND t.typcategory = 'A'
    WHERE n.nspname = 'public' AND a.attnum > 0 AND NOT a.attisdropped
      AND c.relkind IN ('r', 'p', 'm', 'i') AND c.relname <> 'django_migrations'
      AND (c.relkind <> 'i' OR EXISTS (
          SELECT 1 FROM pg_index x WHERE x.indexrelid = c.oid AND x.indkey[a.attnum - 1] = 0))
      AND (coalesce(item.typname, t.typname)
               IN ('text', 'jsonb', 'json', 'bytea', 'tsvector', 'vector', 'halfvec')
           OR (coalesce(item.typname, t.typname) = 'varchar' AND (a.atttypmod = -1 OR a.atttypmod - 4 > 20)))
"""


@dataclass(frozen=True)
class Column:
    """One column or index expression that may bear words."""

    relation: str
    name: str
    number: int
    is_index: bool
    is_quiet: bool
    is_plain: bool


def bearing_columns(using: str = "default") -> list[Column]:
    """Every column and index expression of the database that may bear words."""
    with connections[using].cursor() as cursor:
        cursor.execute(BEARING)
        return [
            Column(relation, name, number, kind == "i", quiet, plain)
            for relation, name, number, kind, quiet, plain in cursor.fetchall()
        ]


def guard_columns(using: str = "default") -> int:
    """Set STORAGE EXTERNAL and STATISTICS 0 where they are missing. Gives how many columns changed."""
    changes = [_change(column) for column in bearing_columns(using)]
    wanted = [sql for sql in changes if sql]
    with connections[using].cursor() as cursor:
        for sql in wanted:
            cursor.execute(sql)
    return len(wanted)


def _change(column: Column) -> str:
    if column.is_index:
        if column.is_quiet:
            return ""
        return f"ALTER INDEX {column.relation} ALTER COLUMN {column.number} SET STATISTICS 0"
    name = '"' + column.name.replace('"', '""') + '"'
    parts = []
    if not column.is_plain:
        parts.append(f"ALTER {name} SET STORAGE EXTERNAL")
    if not column.is_quiet:
        parts.append(f"ALTER {name} SET STATISTICS 0")
    return f"ALTER TABLE {column.relation} {', '.join(parts)}" if parts else ""


def after_migrate(*, using: str, **_kwargs: Any) -> None:
    """Guard the columns once the last app has migrated; Django calls it for each app."""
    guard_columns(using)
