"""Somebody else's PostgreSQL: what is asked of it, and how far it lets us."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from household.box import foreign
from household.box.trouble import Trouble
from tests import shared_cluster

BASE = f"{shared_cluster.database_name()}_foreign"
POWERS = {"maker": "CREATEROLE", "plain": "NOCREATEROLE"}


def drop_roles(*names: str) -> None:
    """Remove roles with every right they have on things all databases share."""
    with shared_cluster.connect() as server:
        for name in names:
            if server.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone():
                server.execute(f"DROP OWNED BY {name} CASCADE")
                server.execute(f"DROP ROLE {name}")


@pytest.fixture(params=sorted(POWERS))
def owner(request: pytest.FixtureRequest, running_server: None) -> Iterator[str]:
    """A database that belongs to a role which may, or may not, make roles."""
    role = f"{BASE}_{request.param}"
    with shared_cluster.connect() as server:
        server.execute(f"CREATE ROLE {role} LOGIN {POWERS[request.param]}")
        server.execute(f"CREATE DATABASE {role} OWNER {role}")
    with shared_cluster.connect(role) as base:
        base.execute("CREATE EXTENSION vector")
    yield role
    shared_cluster.drop(role)
    drop_roles(f"{role}_web", role)


def row_seen_behind_a_policy(web_url: str, owner: str) -> bool:
    """Whether a login sees a row that no policy gives to anybody."""
    with shared_cluster.connect(owner, owner) as base:
        base.execute("CREATE TABLE IF NOT EXISTS hidden AS SELECT 1 AS one")
        base.execute("ALTER TABLE hidden ENABLE ROW LEVEL SECURITY")
    with psycopg.connect(web_url) as web:
        return web.execute("SELECT one FROM hidden").fetchone() is not None


def test_the_second_wall_stands_exactly_where_roles_may_be_made(owner: str, tmp_path: Path) -> None:
    url = shared_cluster.url(owner, owner)
    found = foreign.adopt(url, url, tmp_path)
    assert found.second_wall == owner.endswith("maker")
    assert row_seen_behind_a_policy(found.web, owner) != found.second_wall
    assert bool(found.wanted_sql) != found.second_wall
    assert foreign.adopt(url, url, tmp_path) == found


def test_what_the_operator_is_asked_to_run_puts_the_wall_up(owner: str, tmp_path: Path) -> None:
    url = shared_cluster.url(owner, owner)
    with shared_cluster.connect(owner) as base:
        base.execute(foreign.operator_sql(psycopg.connect(url)))
    web = shared_cluster.url(f"{owner}_web", owner)
    found = foreign.adopt(url, web, tmp_path)
    assert found == foreign.Addresses(web, url)
    assert not row_seen_behind_a_policy(web, owner)
    with psycopg.connect(web) as connection:
        assert connection.execute("SHOW transaction_timeout").fetchone() == ("1min",)


def test_a_database_that_cannot_fold_turkish_is_refused(running_server: None, tmp_path: Path) -> None:
    name = f"{BASE}_c"
    with shared_cluster.connect() as server:
        server.execute(f"CREATE DATABASE {name} LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0")
    try:
        url = shared_cluster.url("postgres", name)
        with pytest.raises(Trouble, match="does not lower-case Turkish letters"):
            foreign.adopt(url, url, tmp_path)
    finally:
        shared_cluster.drop(name)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://eve:se/cret@127.0.0.1:1/home",
        "postgresql://eve:12/cret@127.0.0.1:1/home",
        "postgresql://eve:se?cret@127.0.0.1:1/home",
        "postgresql://eve:se#cret@127.0.0.1:1/home",
        "postgresql://eve:se%zzcret@127.0.0.1:1/home",
        "postgresql://eve:secret@127.0.0.1:1/home",
        "postgresql://eve:secret@nowhere.invalid/home",
        "postgresql://eve:secret@127.0.0.1:1/home?nonsense=1",
        "postgresql://eve:secret@127.0.0.1:port/home",
        "sqlite:///secret",
        "secret",
    ],
)
def test_an_address_that_does_not_work_is_told_in_one_sentence_without_its_password(url: str) -> None:
    with pytest.raises(Trouble) as told:
        foreign.open_or_tell(url, "DATABASE_URL")
    sentence = str(told.value)
    assert sentence.startswith("DATABASE_URL ")
    assert "\n" not in sentence
    assert "cret" not in sentence


def test_another_login_changes_only_the_login() -> None:
    old = "postgresql://me:x@db.example:5433/home?sslmode=require&user=me&password=x"
    new = urlsplit(foreign.with_login(old, "home_web", "p/ä:"))
    assert (new.hostname, new.port, new.path, new.query) == ("db.example", 5433, "/home", "sslmode=require")
    assert foreign.login(new.geturl()) == new.username == "home_web"
