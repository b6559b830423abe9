"""A second database beside the household's: where a backup is rehearsed, or built before it is used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import psycopg
from django.db import connections
from psycopg import sql

from household.box import bootstrap, places
from household.box.trouble import Trouble
from household.services.backups.tools import Database

DROP = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
LIVE_TABLES = """
    SELECT 'DROP TABLE IF EXISTS ' || string_agg(format('%I.%I', n.nspname, c.relname), ', ') || ' CASCADE'
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')"""
LIVE_SEQUENCES = """
    SELECT 'DROP SEQUENCE IF EXISTS ' || string_agg(format('%I.%I', n.nspname, c.relname), ', ') || ' CASCADE'
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind = 'S'
      AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('a', 'i', 'e'))"""
LIVE_FUNCTIONS = """
    SELECT string_agg(format('DROP FUNCTION IF EXISTS %s CASCADE', p.oid::regprocedure), '; ')
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname = 'public' AND p.proowner = current_user::regrole
      AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')"""


class NoScratch(Trouble):
    """The server lets us make no second database."""


def owner_database(name: str | None = None) -> dict[str, Any]:
    """The owner's way to the household's database, or to another on the same server."""
    found = dict(connections["owner"].settings_dict)
    return found | ({"NAME": name} if name else {})


def is_embedded() -> bool:
    """Whether the household's database is the box's own, where the superuser is ours."""
    return str(owner_database()["HOST"]).startswith("/") and owner_database()["USER"] == places.OWNER


def url_of(database: Database, role: str) -> str:
    """The address under which a role reaches one database of the embedded server."""
    query = urlencode({"host": database["HOST"], "port": database["PORT"]}, safe="/")
    return f"postgresql://{role}@/{database['NAME']}?{query}"


def open_as(user: str, name: str) -> psycopg.Connection[Any]:
    """An autocommit connection to one database of the household's server."""
    where = owner_database(name)
    return psycopg.connect(
        host=where["HOST"] or None,
        port=where["PORT"] or None,
        user=user,
        password=(where["PASSWORD"] or None) if user == where["USER"] else None,
        dbname=name,
        autocommit=True,
    )


def superuser() -> str:
    """Who may make databases and extensions here: the embedded server's superuser, else the owner."""
    return places.SUPERUSER if is_embedded() else str(owner_database()["USER"])


@contextmanager
def scratch_database() -> Iterator[Database]:
    """An empty database with everything a dump needs, gone afterwards unless renamed. Raises NoScratch."""
    live = str(owner_database()["NAME"])
    name = f"{live}_scratch"
    try:
        with open_as(superuser(), live) as server:
            server.execute(DROP.format(sql.Identifier(name)))
            _make(server, name)
    except psycopg.Error as error:
        raise NoScratch(f"The database server lets us make no second database ({_reason(error)}).") from None
    try:
        yield owner_database(name)
    finally:
        with open_as(superuser(), live) as server:
            server.execute(DROP.format(sql.Identifier(name)))


def _make(server: psycopg.Connection[Any], name: str) -> None:
    owner = str(owner_database()["USER"])
    server.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(name), sql.Identifier(owner)))
    with open_as(superuser(), name) as base:
        base.execute("CREATE EXTENSION IF NOT EXISTS vector")
        if is_embedded():
            for statement in [*bootstrap.OWNER_GRANTS, *bootstrap.WEB_GRANTS]:
                bootstrap.execute(base, statement, database=name)
            base.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(sql.Identifier(name)))


def take_place(scratch: str) -> None:
    """Let the scratch database be the household's from now on, on the embedded server; the old one goes."""
    live = str(owner_database()["NAME"])
    connections.close_all()
    with open_as(superuser(), "postgres") as server:
        server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ANY(%s)",
            [[live, scratch]],
        )
        rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
        # Both or neither: a name that is missing would be taken for a first start.
        with server.transaction():
            server.execute(rename.format(sql.Identifier(live), sql.Identifier(f"{live}_before")))
            server.execute(rename.format(sql.Identifier(scratch), sql.Identifier(live)))
        server.execute(DROP.format(sql.Identifier(f"{live}_before")))


def drops() -> str:
    """SQL that removes every table, sequence and function of ours from the household's database."""
    where = owner_database()
    with open_as(str(where["USER"]), str(where["NAME"])) as base:
        rows = [base.execute(query).fetchone() for query in (LIVE_TABLES, LIVE_SEQUENCES, LIVE_FUNCTIONS)]
    found = [row[0] for row in rows if row and row[0]]
    return "; ".join(found) or "SELECT 1"


def _reason(error: psycopg.Error) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), "no answer")
