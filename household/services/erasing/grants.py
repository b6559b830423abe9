"""What a role that is no superuser needs for the whole procedure, and whether it has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, LiteralString

import psycopg

# What it is for, the statement an operator runs, and the question whether it is there.
NEEDED: tuple[tuple[str, LiteralString, LiteralString], ...] = (
    (
        "finish the log",
        "GRANT pg_checkpoint TO {role}",
        "SELECT pg_has_role(current_user, 'pg_checkpoint', 'USAGE')",
    ),
    *(
        (
            purpose,
            f"GRANT EXECUTE ON FUNCTION {function} TO {{role}}",
            f"SELECT has_function_privilege('{function}', 'EXECUTE')",
        )
        for purpose, function in (
            ("finish the log", "pg_switch_wal()"),
            ("see the files of the log", "pg_ls_waldir()"),
            ("see temporary files", "pg_ls_tmpdir()"),
            ("see files a crash left", "pg_ls_dir(text)"),
            ("see files a crash left", "pg_stat_file(text, boolean)"),
        )
    ),
)
# Without these the words are gone from every file; with them sooner, and from the log of errors too.
SETTINGS: tuple[tuple[str, str], ...] = (
    ("wal_recycle", "off"),
    ("wal_compression", "off"),
    ("wal_keep_size", "0"),
    ("archive_mode", "off"),
    ("log_min_messages", "log"),
    ("log_error_verbosity", "terse"),
    ("log_min_error_statement", "panic"),
    ("log_parameter_max_length_on_error", "0"),
    ("log_statement", "none"),
)


@dataclass(frozen=True)
class Grant:
    """One right or setting: what for, what to run, and whether it is there."""

    purpose: str
    statement: str
    is_there: bool
    is_needed: bool = True


def grants(base: psycopg.Connection[Any]) -> list[Grant]:
    """Every right and setting the procedure asks for on this server, for the role that is connected."""
    role = '"' + base.info.user.replace('"', '""') + '"'
    found = [
        Grant(purpose, statement.replace("{role}", role) + ";", base.execute(question).fetchone() == (True,))
        for purpose, statement, question in NEEDED
    ]
    held = dict(
        base.execute(
            "SELECT name, setting FROM pg_settings WHERE name = ANY (%s)",
            [[name for name, _value in SETTINGS]],
        ).fetchall()
    )
    found += [
        Grant(
            "keep words out of the log",
            f"ALTER SYSTEM SET {name} = '{value}';",
            held.get(name, value) == value,
            is_needed=False,
        )
        for name, value in SETTINGS
    ]
    return found


def has_all(base: psycopg.Connection[Any]) -> bool:
    """Whether the whole procedure can run, and tell that it did."""
    return all(one.is_there for one in grants(base) if one.is_needed)
