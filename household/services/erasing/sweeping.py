"""Rewriting what is owed: wait out old snapshots, rewrite relation by relation, turn the log over, say so.

Every step may be repeated. What could not be done stays owed, with whom it waited for.
"""

from __future__ import annotations

import datetime as dt
import logging
import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.core.exceptions import SuspiciousFileOperation
from django.core.files.storage import FileSystemStorage, default_storage
from psycopg.types.json import Jsonb

from household.services.backups.turns import BYTES_LOCK
from household.services.erasing import log as wal
from household.services.erasing.connecting import owners_connection
from household.services.erasing.grants import has_all
from household.services.erasing.orphans import orphans, remove
from household.services.erasing.untouched import note_rewritten, rewrite, written
from household.services.erasing.waiting import Holder, holders, sessions

log = logging.getLogger("hearthbook.erasing")

TRIES_A_RELATION = 20
LOOKS_FOR_HOLDERS = 20  # a question being answered just now is soon over
BETWEEN_LOOKS_S = 0.1
OWED = """
    SELECT id, xid, asked_at, "left", files FROM household_forgetowed WHERE state = 'owed' ORDER BY id
"""
NOTE = "UPDATE household_forgetowed SET waiting = %s, tried_at = %s WHERE id = ANY (%s)"
CLOSE = """
    UPDATE household_forgetowed
    SET state = %s, done_at = %s, tried_at = %s, waiting = '[]', "left" = '[]', files = '[]'
    WHERE id = ANY (%s)
"""


@dataclass(frozen=True)
class Outcome:
    """What one sweep came to: rows closed, whether they are known to be gone, and who is waited for."""

    closed: int = 0
    is_certain: bool = True
    waiting: tuple[Holder, ...] = ()
    orphans: int = 0
    rewritten: tuple[str, ...] = field(default=())

    @property
    def is_done(self) -> bool:
        """Whether nothing is owed any more."""
        return not self.waiting


@dataclass(frozen=True)
class _Owed:
    id: int
    xid: int
    asked_at: dt.datetime
    left: list[str]
    files: list[str]


def sweep(*, now: dt.datetime) -> Outcome:
    """Rewrite everything that is owed, in one pass for all of it. Safe to repeat, and to be killed in."""
    with owners_connection() as base:
        if base.execute("SELECT pg_try_advisory_lock(%s)", [BYTES_LOCK]).fetchone() != (True,):
            return Outcome(waiting=(Holder(what="busy", number=0),))
        return _sweep(base, now=now)


def sweep_at_start(*, now: dt.datetime) -> Outcome:
    """What a crash may have left: what was owed before it, and files of a rewrite it interrupted."""
    outcome = sweep(now=now)
    with owners_connection() as base:
        removed = _remove_orphans(base)
    return Outcome(outcome.closed, outcome.is_certain, outcome.waiting, outcome.orphans + removed)


def _sweep(base: psycopg.Connection[Any], *, now: dt.datetime) -> Outcome:
    rows = [_Owed(*row) for row in base.execute(OWED).fetchall()]
    if not rows:
        return Outcome()
    for row in rows:
        _remove_files(row.files)
    is_whole = has_all(base)
    free, held = _free_of_holders(base, rows, is_whole=is_whole, now=now)
    if not free:
        return Outcome(waiting=tuple(held))
    rewritten, busy = _rewrite(base, free)
    if busy:
        waiting = [Holder(what="relation", number=len(busy))]
        base.execute(NOTE, [Jsonb(waiting), now, [row.id for row in free]])
        return Outcome(waiting=(*held, *waiting), rewritten=tuple(rewritten))
    if not is_whole:
        wal.write_over(base)
        return _close(base, free, held, rewritten, state="asked", now=now)
    removed = _remove_orphans(base)
    left = wal.turn_over(base)
    if left:
        kept = [Holder(what="log", number=left)]
        base.execute(NOTE, [Jsonb(kept), now, [row.id for row in free]])
        return Outcome(waiting=(*held, *kept), orphans=removed, rewritten=tuple(rewritten))
    return _close(base, free, held, rewritten, state="done", now=now, removed=removed)


def _free_of_holders(
    base: psycopg.Connection[Any], rows: list[_Owed], *, is_whole: bool, now: dt.datetime
) -> tuple[list[_Owed], list[Holder]]:
    """The rows that nobody holds any more, and for whom the others wait; who they are is noted."""
    free, held = [], []
    for row in rows:
        found = _holders(base, row, is_whole=is_whole)
        if found:
            base.execute(NOTE, [Jsonb(found), now, [row.id]])
            held += found
        else:
            free.append(row)
    return free, held


def _holders(base: psycopg.Connection[Any], row: _Owed, *, is_whole: bool) -> list[Holder]:
    """Who still sees what a row owes, after a little patience."""
    found: list[Holder] = []
    for look in range(LOOKS_FOR_HOLDERS):
        if look:
            base.execute("SELECT pg_sleep(%s)", [BETWEEN_LOOKS_S])
        found = holders(base, xid=row.xid, asked_at=row.asked_at) if is_whole else sessions(base, xid=row.xid)
        if not found:
            break
    return found


def _rewrite(base: psycopg.Connection[Any], rows: list[_Owed]) -> tuple[list[str], list[str]]:
    """Rewrite every relation of these rows once; those done and those somebody would not let go."""
    # What a crash takes of these notes is rewritten again: they need not wait for the disk, each by itself.
    base.execute("SET synchronous_commit = off")
    wanted = sorted({name for row in rows for name in row.left})
    done, busy = [], []
    writes = written(base)
    for name in wanted:
        if _vacuum(base, name, writes.get(name)):
            done.append(name)
            base.execute(
                'UPDATE household_forgetowed SET "left" = "left" - %s::text WHERE id = ANY (%s)',
                [name, [row.id for row in rows]],
            )
        else:
            busy.append(name)
    base.execute("SET synchronous_commit = on")
    return done, busy


def _vacuum(base: psycopg.Connection[Any], name: str, writes: int | None) -> bool:
    """Rewrite one relation, written so often before; False where its lock was never free."""
    for _attempt in range(TRIES_A_RELATION):
        try:
            is_clean = rewrite(base, name)
            if is_clean and writes is not None:
                note_rewritten(base, name, writes)
            return True
        except psycopg.errors.UndefinedTable:
            return True
        except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected):
            continue
    return False


def _close(
    base: psycopg.Connection[Any],
    rows: list[_Owed],
    held: list[Holder],
    rewritten: list[str],
    *,
    state: str,
    now: dt.datetime,
    removed: int = 0,
) -> Outcome:
    base.execute(CLOSE, [state, now, now, [row.id for row in rows]])
    log.info("%s of %s owed rewrites: %s", state, len(rows) + len(held), len(rewritten))
    return Outcome(len(rows), state == "done", tuple(held), removed, tuple(rewritten))


def _remove_files(names: list[str]) -> None:
    """Remove media files; of those on a disk of ours, have the folder's entry of them written too."""
    for name in names:
        with suppress(SuspiciousFileOperation):  # a name that leads out of the store is none of ours
            default_storage.delete(name)
            if isinstance(default_storage, FileSystemStorage):
                _write_entry(Path(default_storage.path(name)).parent)


def _write_entry(folder: Path) -> None:
    if folder.exists():
        entry = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(entry)
        finally:
            os.close(entry)


def _remove_orphans(base: psycopg.Connection[Any]) -> int:
    """Remove a crash's leftovers where the data folder is ours, count them elsewhere."""
    try:
        found = orphans(base)
    except psycopg.errors.InsufficientPrivilege:
        return 0
    data = _our_data_folder(base)
    if found and data is None:
        log.warning("%s files of an interrupted rewrite lie in the database's folder", len(found))
    return remove(data, found) if data is not None else 0


def _our_data_folder(base: psycopg.Connection[Any]) -> Path | None:
    """The embedded server's data folder, None for a server somewhere else."""
    from household.box import places

    folder = places.data_folder(Path(settings.HOME))
    socket = str(places.socket_folder(Path(settings.HOME)))
    return folder if base.info.host == socket and (folder / "PG_VERSION").exists() else None
