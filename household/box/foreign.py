"""Somebody else's PostgreSQL under DATABASE_URL: what it must offer, and a web role where we may make one."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

import psycopg
from psycopg import Connection, sql

from household.box import bootstrap
from household.box.trouble import Trouble

OLDEST = 160000
CONNECT_S = 10


@dataclass(frozen=True)
class Addresses:
    """Under which address each role reaches the database, and whether row-level security binds the web's."""

    web: str
    owner: str
    second_wall: bool = True
    # SQL for the operator of the server, where we were not allowed to run it.
    wanted_sql: str = ""


def adopt(owner_url: str, web_url: str, house: Path) -> Addresses:
    """Check the server and make the web role on it. Raises Trouble with one sentence where it will not do.

    Two different addresses are taken as they are: the operator made the roles. With one address for both,
    that role owns everything; a web login is made where it may make roles, else the second wall stays off.
    """
    with open_or_tell(owner_url, "OWNER_DATABASE_URL" if owner_url != web_url else "DATABASE_URL") as base:
        if base.info.server_version < OLDEST:
            version = base.info.parameter_status("server_version")
            raise Trouble(f"The database server is PostgreSQL {version}; 16 or newer is needed.")
        make_extension(base)
        bootstrap.check_server(base)
        if owner_url != web_url:
            open_or_tell(web_url, "DATABASE_URL").close()
            return Addresses(web_url, owner_url)
        return _make_web_role(base, owner_url, house)


def open_or_tell(url: str, variable: str) -> Connection[Any]:
    """An autocommit connection, or Trouble that names the variable and the reason but no password."""
    host = _host(url)
    try:
        if host is not None:
            return psycopg.connect(url, autocommit=True, connect_timeout=CONNECT_S)
    except psycopg.OperationalError as error:
        raise Trouble(f"{variable} cannot be reached ({host}: {reason(error)}).") from None
    except psycopg.ProgrammingError:
        pass
    raise Trouble(
        f"{variable} must look like postgresql://user:password@host:5432/name, with / ? # @ %"
        " in the password written as %2F and the like."
    )


def _host(url: str) -> str | None:
    """The host an address names; None where it is none, or shows a piece of a password as something else."""
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in {"postgres", "postgresql"} and (parts.port or 1) > 0
    except ValueError:
        return None
    if not is_address or parts.fragment or "@" in parts.path or "@" in parts.query:
        return None
    return parts.hostname or "this machine"


def reason(error: psycopg.Error) -> str:
    """The first line of what PostgreSQL said, without its prefixes."""
    first = next((line for line in str(error).splitlines() if line.strip()), "no answer")
    return first.rpartition("failed: ")[2].replace("FATAL:", "").strip().rstrip(".")


def make_extension(base: Connection[Any]) -> None:
    """Have pgvector in the database. Raises Trouble where the server lacks it or the role may not add it."""
    try:
        base.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except psycopg.errors.InsufficientPrivilege:
        raise Trouble(
            "The database has no pgvector and this role may not add it: its operator must run"
            " CREATE EXTENSION vector."
        ) from None
    except psycopg.Error:
        raise Trouble("The database server has no pgvector: install it there (package pgvector).") from None


def _make_web_role(base: Connection[Any], owner_url: str, house: Path) -> Addresses:
    names = _names(base)
    password = _password(base, names["web"], house)
    web_url = with_login(owner_url, names["web"], password)
    try:
        bootstrap.make_role(base, names["web"])
        encrypted = base.pgconn.encrypt_password(password.encode(), names["web"].encode(), b"scram-sha-256")
        base.execute(
            sql.SQL("ALTER ROLE {} PASSWORD {}").format(sql.Identifier(names["web"]), encrypted.decode())
        )
        bootstrap.bound_web(base, names["web"])
        for statement in bootstrap.WEB_GRANTS:
            bootstrap.execute(base, statement, **names)
        psycopg.connect(web_url, connect_timeout=CONNECT_S).close()
    except (psycopg.errors.InsufficientPrivilege, psycopg.OperationalError):
        return Addresses(owner_url, owner_url, second_wall=False, wanted_sql=operator_sql(base))
    return Addresses(web_url, owner_url)


def _names(base: Connection[Any]) -> dict[str, str]:
    """The roles' names: one server may hold the databases of many households."""
    return {"owner": base.info.user, "database": base.info.dbname, "web": f"{base.info.dbname}_web"}


def _password(base: Connection[Any], role: str, house: Path) -> str:
    """The web role's password: the same on every host that knows the owner's, else one kept here."""
    secret = base.info.password
    if not secret:
        path = house / "web.secret"
        if not path.exists():
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_urlsafe(32))
        secret = path.read_text()
    return hmac.new(secret.encode(), role.encode(), hashlib.sha256).hexdigest()


def with_login(url: str, user: str, password: str) -> str:
    """The same database under another login."""
    parts = urlsplit(url)
    query = [(name, value) for name, value in parse_qsl(parts.query) if name not in {"user", "password"}]
    netloc = f"{quote(user, safe='')}:{quote(password, safe='')}@{parts.netloc.rpartition('@')[2]}"
    return urlunsplit((parts.scheme, netloc, parts.path, urlencode(query, safe="/"), ""))


def login(url: str) -> str:
    """The user an address signs in as."""
    parts = urlsplit(url)
    return unquote(parts.username or dict(parse_qsl(parts.query)).get("user", ""))


def operator_sql(base: Connection[Any]) -> str:
    """What a superuser of the server is to run so that the web gets a role of its own."""
    names = _names(base)
    quoted = {name: sql.Identifier(value) for name, value in names.items()}
    statements = [
        "CREATE ROLE {web} LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD 'choose one'",
        *(
            f"ALTER ROLE {{web}} SET {name} = '{value}'"
            for name, value in bootstrap.web_settings(base.info.server_version).items()
        ),
        *bootstrap.WEB_GRANTS,
        *bootstrap.OWNER_GRANTS,
    ]
    lines = [sql.SQL(statement).format(**quoted).as_string(base) for statement in statements]
    return "".join(f"{line};\n" for line in lines)
