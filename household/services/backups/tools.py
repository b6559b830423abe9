"""PostgreSQL's own dump and restore programs, fed and read through pipes."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import IO, Any

from household.box.cluster import binary
from household.box.trouble import Trouble

# A database as Django's settings name it: NAME, USER, PASSWORD, HOST, PORT, OPTIONS.
Database = Mapping[str, Any]
VARIABLES = {"HOST": "HOST", "PORT": "PORT", "USER": "USER", "PASSWORD": "PASSWORD", "DATABASE": "NAME"}
CHUNK = 2**18
DUMP = ["--format=custom", "--no-owner", "--no-privileges", "--exclude-extension=*", "--no-statistics"]
RESTORE = ["--no-owner", "--no-privileges", "--exit-on-error"]


def program(name: str) -> str:
    """One of PostgreSQL's programs: the embedded server's, else the one on the path. Raises Trouble."""
    with suppress(Trouble):
        return str(binary(name))
    found = shutil.which(name)
    if found is None:
        raise Trouble(f"{name} is not installed: it comes with PostgreSQL's client programs.")
    return found


def environment(database: Database) -> dict[str, str]:
    """How libpq's programs reach a database: by variables, so that no password stands in a command line."""
    named = {f"PG{name}": str(database.get(key) or "") for name, key in VARIABLES.items()}
    options = database.get("OPTIONS") or {}
    named["PGSSLMODE"] = str(options.get("sslmode", ""))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return kept | {name: value for name, value in named.items() if value}


def dump(database: Database) -> Iterator[bytes]:
    """A consistent dump of one database, piece by piece; writers are not held up. Raises Trouble."""
    with subprocess.Popen(  # noqa: S603 - PostgreSQL's program, arguments of ours
        [program("pg_dump"), *DUMP],
        env=environment(database),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as running:
        assert running.stdout is not None
        try:
            while piece := running.stdout.read(CHUNK):
                yield piece
        except BaseException:
            running.kill()
            raise
    if running.returncode:
        raise Trouble("The database could not be dumped.")


def load(database: Database, pieces: Iterator[bytes]) -> None:
    """Load a dump into an empty database. Raises Trouble; the database is then to be thrown away."""
    with subprocess.Popen(  # noqa: S603 - PostgreSQL's program, arguments of ours
        [program("pg_restore"), *RESTORE, f"--dbname={environment(database)['PGDATABASE']}"],
        env=environment(database),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as running:
        _feed(running, pieces)
    if running.returncode:
        raise Trouble("The database in this backup could not be loaded.")


def replace(database: Database, pieces: Iterator[bytes], *, drops: str) -> None:
    """Replace what a database holds by a dump, in one transaction: all of it or nothing. Raises Trouble.

    `drops` is the SQL that removes the present tables; it runs in the same transaction.
    """
    script = [program("pg_restore"), "--no-owner", "--no-privileges", "--file=-"]
    settings: dict[str, Any] = {"env": environment(database), "stderr": subprocess.DEVNULL}
    with (
        subprocess.Popen(script, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **settings) as reader,  # noqa: S603
        subprocess.Popen(  # noqa: S603 - PostgreSQL's program, arguments of ours
            [program("psql"), "-qX1", "-vON_ERROR_STOP=1", "-c", drops, "-f", "-"],
            stdin=reader.stdout,
            stdout=subprocess.DEVNULL,
            **settings,
        ) as writer,
    ):
        assert reader.stdout is not None
        reader.stdout.close()
        _feed(reader, pieces)
        reader.wait()
        if reader.returncode:
            writer.kill()
    if reader.returncode or writer.returncode:
        raise Trouble("The backup could not be restored; the database is as it was.")


def _feed(running: subprocess.Popen[bytes], pieces: Iterator[bytes]) -> None:
    pipe: IO[bytes] | None = running.stdin
    assert pipe is not None
    try:
        for piece in pieces:
            with suppress(BrokenPipeError):
                pipe.write(piece)
    except BaseException:
        running.kill()
        raise
    finally:
        with suppress(BrokenPipeError):
            pipe.close()
