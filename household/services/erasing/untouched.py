"""Which relations nobody wrote since they were rewritten: a forgetting need not rewrite those again.

The server's own counters come late and are lost in a crash. So each relation that may bear words has a
sequence that counts its writes, by trigger, before they happen. A sequence is not taken back with the
transaction: a write that failed counts too, as its words lie in the relation all the same. After a crash
it goes on at or past what it was, since its log is on disk before any page of the write is. What cannot
be told counts as written.
"""

from __future__ import annotations

from typing import Any, LiteralString

import psycopg
from django.db import connections
from psycopg import sql

from household.services.columns import bearing_columns

COUNTER = "writes_"  # with the relation's name: its sequence
LONGEST = 63 - len(COUNTER)
NOT_COUNTED = "coalesce(pg_catalog.current_setting('hearthbook.counted', true), '') <> 'on'"
FUNCTIONS: tuple[LiteralString, ...] = (
    """
    CREATE OR REPLACE FUNCTION hearthbook_counts_writes() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
        PERFORM pg_catalog.nextval(
            pg_catalog.to_regclass(pg_catalog.concat('public.writes_', TG_TABLE_NAME)));
        IF TG_LEVEL = 'ROW' AND pg_catalog.current_setting('hearthbook.counted', true) = 'once' THEN
            PERFORM pg_catalog.set_config('hearthbook.counted', 'on', true);
        END IF;
        IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE OR REPLACE FUNCTION hearthbook_untouched() RETURNS SETOF text
        LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
        SELECT r.relation::text FROM public.household_rewritten r
        JOIN pg_class c ON c.oid = to_regclass(concat('public.', quote_ident(r.relation)))
        JOIN pg_class s ON s.oid = to_regclass(concat('public.', quote_ident(concat('writes_', r.relation))))
        WHERE pg_relation_filenode(c.oid) = r.filenode
          AND coalesce(pg_sequence_last_value(s.oid), 0) = r.writes
    $$
    """,
)
KNOWN = """
    SELECT c.relname, c.relkind = 'p', c.relispartition,
        to_regclass('public.writes_' || c.relname) IS NOT NULL,
            EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = 'counts_writes'
            AND (c.relkind = 'r' OR t.tgqual IS NOT NULL))
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      AND c.relname = ANY (%s)
"""
COUNTED: LiteralString = """
    SELECT substr(relname, 8), coalesce(pg_sequence_last_value(oid), 0) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' AND relname LIKE 'writes\\_%'
"""
NOTE: LiteralString = """
    INSERT INTO household_rewritten (relation, filenode, writes)
    SELECT n.name, pg_relation_filenode(to_regclass('public.' || quote_ident(n.name))), %(writes)s
    FROM (SELECT %(name)s::text AS name) n
    ON CONFLICT (relation) DO UPDATE SET filenode = excluded.filenode, writes = excluded.writes
"""


def count_writes(using: str = "default") -> int:
    """Give every relation that may bear words its counter, where it has none yet; how many are new.

    A partition has its own counter, and its parent's trigger for each row. Who writes many rows of one
    partition in one statement sets `hearthbook.counted` to `once` meanwhile: then the first row alone is
    counted, as nobody can rewrite a partition between its rows.
    """
    names = sorted({one.relation.strip('"') for one in bearing_columns(using) if not one.is_index})
    made = 0
    with connections[using].cursor() as cursor:
        for function in FUNCTIONS:
            cursor.execute(function)
        cursor.execute(KNOWN, [[name for name in names if len(name) <= LONGEST]])
        for name, is_parted, is_part, has_counter, has_trigger in cursor.fetchall():
            if not has_counter and not is_parted:
                cursor.execute(f'CREATE SEQUENCE "{COUNTER}{name}"')
                made += 1
            if not has_trigger and not is_part:
                each = f"ROW WHEN ({NOT_COUNTED})" if is_parted else "STATEMENT"
                cursor.execute(f'DROP TRIGGER IF EXISTS counts_writes ON "{name}"')
                cursor.execute(
                    f'CREATE TRIGGER counts_writes BEFORE INSERT OR UPDATE OR DELETE ON "{name}"'
                    f" FOR EACH {each} EXECUTE FUNCTION hearthbook_counts_writes()"
                )
    return made


def written(base: psycopg.Connection[Any]) -> dict[str, int]:
    """How often each relation was written. Ask before a rewrite: what comes later counts as written."""
    return dict(base.execute(COUNTED).fetchall())


def note_rewritten(base: psycopg.Connection[Any], name: str, writes: int) -> None:
    """Note that a relation was rewritten, with nothing of before left in it, after so many writes."""
    base.execute(NOTE, {"name": name, "writes": writes})


def after_migrate(*, using: str, **_kwargs: Any) -> None:
    """Count the writes of new tables, once the last app has migrated."""
    count_writes(using)


def rewrite(base: psycopg.Connection[Any], name: str) -> bool:
    """Rewrite one relation with its indexes. Whether nothing that was deleted had to be carried over."""
    carried: list[str] = []
    base.add_notice_handler(listen := _listener(carried))
    try:
        base.execute(sql.SQL("VACUUM (FULL, VERBOSE) {}").format(sql.Identifier("public", name)))
    finally:
        base.remove_notice_handler(listen)
    return carried == ["0"]


def _listener(carried: list[str]) -> Any:
    """Hear how many dead rows a rewrite kept because somebody may still see them."""

    def listen(notice: psycopg.errors.Diagnostic) -> None:
        number, _, rest = (notice.message_detail or "").partition(" ")
        if rest.startswith("dead row versions cannot be removed yet"):
            carried.append(number)

    return listen
