"""Whose old view of the database still holds the words: what a rewrite has to wait for."""

from __future__ import annotations

import datetime as dt
from typing import Any, TypedDict

import psycopg

# A rewrite copies a deleted row over as long as any snapshot that old may still read it.
HOLDERS = """
    SELECT 'session', pid::bigint FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)
      AND (datname = current_database() OR backend_type = 'walsender')
      AND greatest(age(backend_xmin), age(backend_xid)) >= age(%(xid)s::text::xid8::xid)
    UNION ALL
    SELECT 'prepared', count(*) FROM pg_prepared_xacts
    WHERE age(transaction) >= age(%(xid)s::text::xid8::xid) HAVING count(*) > 0
    UNION ALL
    SELECT 'slot', count(*) FROM pg_replication_slots HAVING count(*) > 0
"""
# A cursor WITH HOLD that spilled has no snapshot, and a file.
TEMPORARY = "SELECT count(*) FROM pg_ls_tmpdir() WHERE modification <= %s + interval '1 second'"


class Holder(TypedDict):
    """What is waited for: a code, and a process number or a count."""

    what: str
    number: int


def holders(base: psycopg.Connection[Any], *, xid: int, asked_at: dt.datetime) -> list[Holder]:
    """Everything that still holds rows of before this transaction; nothing where a rewrite is final."""
    found = [
        Holder(what=what, number=number) for what, number in base.execute(HOLDERS, {"xid": xid}).fetchall()
    ]
    (files,) = base.execute(TEMPORARY, [asked_at]).fetchone() or (0,)
    return [*found, *([Holder(what="temporary", number=files)] if files else [])]


def sessions(base: psycopg.Connection[Any], *, xid: int) -> list[Holder]:
    """The same, as far as a role without grants can see it."""
    return [
        Holder(what=what, number=number) for what, number in base.execute(HOLDERS, {"xid": xid}).fetchall()
    ]
