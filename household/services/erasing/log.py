"""The write-ahead log: leave no file of it in which the words still stand."""

from __future__ import annotations

from typing import Any

import psycopg

SEGMENTS = "SELECT name FROM pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}$'"
CURRENT = "SELECT pg_walfile_name(pg_current_wal_insert_lsn())"
MOST_SEGMENTS = 2_000  # 32 GB of log to run over: more is somebody's archive, not ours to fill
CHUNK = 2**23


def turn_over(base: psycopg.Connection[Any]) -> int:
    """Switch to a new file of the log and have the old ones removed; how many older ones are still there.

    Files that were renamed for later use, while `wal_recycle` was on, hold old words behind the write
    position: they are run over, one by one.
    """
    base.execute("SELECT pg_switch_wal()")
    (first,) = base.execute(CURRENT).fetchone() or ("",)
    base.execute("CHECKPOINT")
    _run_over_recycled(base)
    (left,) = base.execute(f"SELECT count(*) FROM ({SEGMENTS}) s WHERE name < %s", [first]).fetchone() or (0,)  # noqa: S608
    return int(left)


def _run_over_recycled(base: psycopg.Connection[Any]) -> None:
    (top,) = base.execute(f"SELECT max(name) FROM ({SEGMENTS}) s").fetchone() or ("",)  # noqa: S608
    for _segment in range(MOST_SEGMENTS):
        (current,) = base.execute(CURRENT).fetchone() or ("",)
        if current > top:
            break
        base.execute("SELECT pg_logical_emit_message(false, 'forget', '')")
        base.execute("SELECT pg_switch_wal()")
    else:
        return
    if _segment:
        base.execute("CHECKPOINT")


def write_over(base: psycopg.Connection[Any]) -> int:
    """Where we may neither switch nor checkpoint: write twice what the log may grow to; MiB written.

    The server's own checkpoints then reuse the old files. Nobody can tell from inside whether they did.
    """
    (limit,) = base.execute(
        "SELECT setting::bigint FROM pg_settings WHERE name = 'max_wal_size'"
    ).fetchone() or (1024,)
    for _chunk in range(2 * int(limit) * 2**20 // CHUNK):
        base.execute("SELECT pg_logical_emit_message(false, 'forget', repeat('x', %s))", [CHUNK])
    return 2 * int(limit)
