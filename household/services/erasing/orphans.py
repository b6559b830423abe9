"""Files a crash in the middle of a rewrite left behind: no later rewrite touches them.

PostgreSQL knows nothing of them any more, and they hold everybody's words as they were.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg

# Named like a relation's file, with something in it, and belonging to no relation. A file of a transaction
# that is still open looks the same: such a one is younger than its transaction.
CANDIDATES = """
    SELECT 'base/' || d.oid || '/' || f.name
    FROM pg_database d, LATERAL pg_ls_dir('base/' || d.oid) f(name)
    WHERE d.datname = current_database() AND f.name ~ '^[0-9]+(_fsm|_vm|_init)?([.][0-9]+)?$'
      AND NOT EXISTS (
          SELECT 1 FROM pg_class k WHERE pg_relation_filenode(k.oid) = substring(f.name FROM '^[0-9]+')::oid)
      AND coalesce((pg_stat_file('base/' || d.oid || '/' || f.name, true)).size, 0) > 0
      AND NOT EXISTS (SELECT 1 FROM pg_prepared_xacts)
      AND (pg_stat_file('base/' || d.oid || '/' || f.name, true)).modification < (
          SELECT coalesce(min(xact_start), now()) - interval '1 second' FROM pg_stat_activity
          WHERE pid <> pg_backend_pid() AND datid = d.oid AND xact_start IS NOT NULL)
    ORDER BY 1
"""


def orphans(base: psycopg.Connection[Any]) -> list[str]:
    """Orphan files below the server's data folder. Raises InsufficientPrivilege where we may not look.

    Asked twice: what a transaction made that ended between looking at the files and at the catalogue is
    known the second time.
    """
    first = {name for (name,) in base.execute(CANDIDATES).fetchall()}
    return [name for (name,) in base.execute(CANDIDATES).fetchall() if name in first] if first else []


def remove(data: Path, names: list[str]) -> int:
    """Remove orphans of a server whose data folder is ours; how many."""
    for name in names:
        (data / name).unlink(missing_ok=True)
    return len(names)
