"""The rehearsal of a restore: every byte checked, and the dump loaded into a scratch database."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

import psycopg
from psycopg import sql

from household.box.trouble import Trouble
from household.models import Backup
from household.services.backups import scratch, tools
from household.services.backups.making import folder
from household.services.backups.reading import Contents, Source, check, dump_of


@dataclass(frozen=True)
class Proof:
    """What a rehearsal found: the contents, and rows per table; no rows where no database could be made."""

    contents: Contents
    rows: dict[str, int] | None


def prove(source: Source) -> Proof:
    """Rehearse the restore of one backup. Raises Trouble with what is wrong with it."""
    contents = check(source)
    try:
        with scratch.scratch_database() as database:
            tools.load(database, dump_of(source))
            return Proof(contents, _count(str(database["NAME"])))
    except scratch.NoScratch:
        return Proof(contents, None)


def _count(name: str) -> dict[str, int]:
    """Rows per table of ours in one database."""
    tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
    with scratch.open_as(scratch.superuser(), name) as base:
        names = [table for (table,) in base.execute(tables)]
        return {table: _rows(base, table) for table in names}


def _rows(base: psycopg.Connection[tuple[int]], table: str) -> int:
    found = base.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))).fetchone()
    return int(found[0]) if found else 0


def prove_kept(name: str, *, now: dt.datetime) -> Backup:
    """Rehearse one of the kept backups and remember how it went."""
    backup = Backup.objects.get(name=name)
    try:
        proof = prove(Source(folder() / name))
    except Trouble as trouble:
        backup.state, backup.error_code = "failed", type(trouble).__name__
    else:
        backup.state, backup.proved_at = "proved", now
        backup.error_code = "" if proof.rows is not None else "checked_only"
    backup.save(update_fields=["state", "proved_at", "error_code"])
    return backup
