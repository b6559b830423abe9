"""One throwaway PostgreSQL for every test run of this checkout, with one template database per schema.

Every process that uses it holds a shared lock; a guardian process starts the server and stops it once nobody
holds that lock, however its users ended. The files stay in the cache folder, so a rerun starts in moments.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import psycopg
from psycopg import sql

from household.box import bootstrap, places
from household.box.cluster import Cluster
from household.box.trouble import Trouble

CHECKOUT = Path(__file__).resolve().parents[1]
CACHE = CHECKOUT / ".pytest_cache" / "hearthbook"
APPS = ("household", "twin", "memory", "voice")
KEPT_TEMPLATES = 3
START_S = 60.0
PATIENT = "-c lock_timeout=30s"  # the options of a connection that may have to wait for a lock
# What migrations leave behind stays, and changes are counted from nought; triggers and foreign keys rest.
EMPTIED = """
DO $$
DECLARE
    part regclass;
    is_filled boolean;
BEGIN
    PERFORM set_config('session_replication_role', 'replica', true);
    FOR part IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
        AND relname NOT IN
            ('django_migrations', 'django_content_type', 'auth_permission', 'memory_changecounter')
    LOOP
        EXECUTE format('SELECT EXISTS (SELECT 1 FROM %s)', part) INTO is_filled;
        IF is_filled THEN EXECUTE format('DELETE FROM %s', part); END IF;
    END LOOP;
    UPDATE memory_changecounter SET n = 0 WHERE n > 0;
END $$
"""


def url(role: str, database: str) -> str:
    """The address of a database on the shared server."""
    return places.embedded_url(CACHE, role, database)


def connect(database: str = "postgres", role: str = places.SUPERUSER) -> psycopg.Connection[Any]:
    """An autocommit connection to the shared server, a superuser's unless another role is named."""
    return psycopg.connect(url(role, database), autocommit=True)


def owner() -> psycopg.Connection[Any]:
    """The owner's connection to this process's own test database, with a transaction that one has to end."""
    return psycopg.connect(url(places.OWNER, database_name()), options=PATIENT)


def empty(database: str) -> None:
    """Delete every row of every table but what migrations leave behind."""
    with connect(database) as server:
        server.execute(EMPTIED)


@contextmanager
def locked(name: str) -> Iterator[IO[bytes]]:
    """Hold one lock file of the cache folder for ourselves."""
    with (CACHE / name).open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file


@contextmanager
def server_running() -> Iterator[None]:
    """The shared server runs inside this block; the last one to leave it stops it."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "users.lock").open("ab") as users:
        with locked("start.lock"):
            # Waits here while a guardian is stopping the server.
            fcntl.flock(users, fcntl.LOCK_SH)
            if not _answers():
                _start_guardian()
        yield


def _answers() -> bool:
    try:
        connect().close()
        return True
    except psycopg.OperationalError:
        return False


def _start_guardian() -> None:
    with (CACHE / "guardian.log").open("wb") as log:
        guardian = subprocess.Popen(
            [sys.executable, "-m", "tests.shared_cluster"],
            cwd=CHECKOUT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    end = time.monotonic() + START_S
    while not _answers():
        if guardian.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"no database for the tests: {(CACHE / 'guardian.log').read_text()}")
        time.sleep(0.02)


def guard() -> None:
    """Run the server until nobody holds the users' lock."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cluster = Cluster(CACHE, durable=False)
    try:
        cluster.start()
    except Trouble as trouble:
        sys.exit(str(trouble))
    try:
        with connect() as server:
            for (name,) in server.execute(
                "SELECT datname FROM pg_database WHERE starts_with(datname, 'test')"
            ).fetchall():
                _drop(server, name)
        with (CACHE / "users.lock").open("ab") as users:
            fcntl.flock(users, fcntl.LOCK_EX)
            cluster.stop()
    finally:
        cluster.stop()


def schema_key() -> str:
    """A name for the schema as the checkout has it now: a hash of all that makes it."""
    digest = hashlib.sha256()
    for path in sorted(_schema_files()):
        digest.update(str(path.relative_to(CHECKOUT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _schema_files() -> Iterator[Path]:
    yield CHECKOUT / "requirements.txt"
    yield CHECKOUT / "household" / "settings.py"
    yield from (CHECKOUT / "household" / "box").glob("*.py")
    yield from (CHECKOUT / "household" / "rules" / name for name in ("policies.py", "resources.py"))
    for app in APPS:
        for path in (CHECKOUT / app).rglob("*.py"):
            named = {"migrations", "models", "models.py", "apps.py"} & set(path.relative_to(CHECKOUT).parts)
            if named or b"_migrate" in path.read_bytes():
                yield path


def template() -> str:
    """Name of the migrated template database for this schema, made if it is not there. Needs Django."""
    name = f"template_{schema_key()}"
    with locked("template.lock"), connect() as server:
        if not _exists(server, name):
            _make_template(server, name)
        _drop_old_templates(server, keep=name)
    return name


def _make_template(server: psycopg.Connection[Any], name: str) -> None:
    from django.core.management import call_command
    from django.db import connections

    part = f"{name}_part"
    _drop(server, part)
    bootstrap.bootstrap_embedded(connect, database=part)
    point_django_at(part)
    call_command("migrate", verbosity=0, interactive=False)
    connections.close_all()
    with connect(part) as base:
        bootstrap.close_partitions(base)
    server.execute(
        sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(part), sql.Identifier(name))
    )


def clone(name: str, source: str) -> None:
    """Make one database as a copy of another that nobody is connected to, open to the web role too."""
    with connect() as server:
        _drop(server, name)
        server.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER {} STRATEGY file_copy").format(
                sql.Identifier(name),
                sql.Identifier(source),
                sql.Identifier(places.OWNER),
            )
        )


def drop(name: str) -> None:
    """Remove one database and whoever is connected to it."""
    with connect() as server:
        _drop(server, name)


def _drop(server: psycopg.Connection[Any], name: str) -> None:
    server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def _exists(server: psycopg.Connection[Any], name: str) -> bool:
    return server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is not None


def _drop_old_templates(server: psycopg.Connection[Any], *, keep: str) -> None:
    query = (
        "SELECT datname FROM pg_database WHERE starts_with(datname, 'template_') AND datname <> %s"
        " ORDER BY oid DESC"
    )
    old = [name for (name,) in server.execute(query, [keep])]
    for name in old[KEPT_TEMPLATES - 1 :]:
        _drop(server, name)


def point_django_at(database: str) -> None:
    """Make every alias of Django a connection of the owner to this database, which asks as the web does."""
    from django.conf import settings
    from django.db import connections

    for alias in connections:
        connections[alias].close()
        connections[alias].settings_dict.update(
            NAME=database,
            USER=places.OWNER,
            PASSWORD="",
            HOST=str(places.socket_folder(CACHE)),
            PORT=str(places.SOCKET_PORT),
        )
    connections["default"].settings_dict["OPTIONS"]["prepare_threshold"] = settings.PREPARE_AFTER


def database_name() -> str:
    """The name of this process's own test database."""
    return f"test_{os.getpid()}"


if __name__ == "__main__":
    guard()
