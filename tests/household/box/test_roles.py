"""The two roles of a bootstrapped database, asked of a real server."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from household.box import bootstrap
from tests import shared_cluster

SCRATCH = f"{shared_cluster.database_name()}_roles"
MONTHS = "CREATE TABLE spine (at int) PARTITION BY RANGE (at)"
MONTH = "CREATE TABLE spine_1 PARTITION OF spine FOR VALUES FROM (0) TO (9)"


@pytest.fixture(scope="module")
def scratch(running_server: None) -> Iterator[str]:
    bootstrap.bootstrap_embedded(shared_cluster.connect, database=SCRATCH)
    with shared_cluster.connect(SCRATCH, "owner") as owner:
        owner.execute("CREATE TABLE note (id serial, words text)")
        owner.execute(MONTHS)
        owner.execute(MONTH)
        bootstrap.close_partitions(owner)
    yield SCRATCH
    shared_cluster.drop(SCRATCH)


def test_the_web_role_writes_the_tables_the_owner_makes(scratch: str) -> None:
    with shared_cluster.connect(scratch, "web") as web:
        web.execute("INSERT INTO note (words) VALUES ('x')")
        web.execute("INSERT INTO spine VALUES (1)")
        assert web.execute("SELECT at FROM spine").fetchall() == [(1,)]


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM spine_1",
        "INSERT INTO spine_1 VALUES (2)",
        "CREATE TABLE mine (id int)",
        "CREATE TEMP TABLE mine (id int)",
        "DROP TABLE note",
        "ALTER TABLE note ADD x int",
        "TRUNCATE note",
        "SET ROLE owner",
        "SELECT pg_ls_waldir()",
        "CHECKPOINT",
    ],
)
def test_the_web_role_may_not(scratch: str, statement: str) -> None:
    with shared_cluster.connect(scratch, "web") as web, pytest.raises(psycopg.errors.InsufficientPrivilege):
        web.execute(statement)


@pytest.mark.parametrize("role", ["owner", "web"])
def test_no_everyday_role_stands_above_row_level_security(scratch: str, role: str) -> None:
    with shared_cluster.connect(scratch, role) as someone:
        powers = someone.execute(
            "SELECT rolsuper, rolbypassrls, rolcreaterole FROM pg_roles WHERE rolname = current_user"
        ).fetchone()
    assert powers == (False, False, False)


def test_the_owner_may_do_all_that_forgetting_needs(scratch: str) -> None:
    with shared_cluster.connect(scratch, "owner") as owner:
        owner.execute("VACUUM FULL note")
        owner.execute("SELECT pg_switch_wal()")
        owner.execute("CHECKPOINT")
        owner.execute("SELECT * FROM pg_ls_waldir(), pg_ls_tmpdir() LIMIT 1")
        owner.execute("SELECT pg_stat_file('base/' || f, true) FROM pg_ls_dir('base') f")
        owner.execute("ALTER SYSTEM SET wal_recycle = off")
        owner.execute("SELECT pg_reload_conf()")


@pytest.mark.parametrize(
    ("setting", "limit"), [("transaction_timeout", "1min"), ("idle_session_timeout", "15min")]
)
def test_only_the_web_role_has_a_limit_on_transactions_and_on_rest(
    scratch: str, setting: str, limit: str
) -> None:
    found = {}
    for role in ("owner", "web"):
        with shared_cluster.connect(scratch, role) as someone:
            found[role] = someone.execute("SELECT current_setting(%s)", [setting]).fetchone()
    assert found == {"owner": ("0",), "web": (limit,)}


def test_a_transaction_of_the_owner_can_become_the_web_role(scratch: str) -> None:
    with shared_cluster.connect(scratch, "owner") as owner, owner.transaction():
        owner.execute("SET LOCAL ROLE web")
        assert owner.execute("SELECT current_user").fetchone() == ("web",)


def test_bootstrapping_twice_changes_nothing(scratch: str) -> None:
    query = (
        "SELECT defaclrole::regrole::text, defaclobjtype, defaclacl::text FROM pg_default_acl ORDER BY 1, 2"
    )
    with shared_cluster.connect(scratch) as before:
        grants = before.execute(query).fetchall()
        bootstrap.bootstrap_embedded(shared_cluster.connect, database=scratch)
        assert grants
        assert before.execute(query).fetchall() == grants


def test_turkish_letters_and_vectors_work(scratch: str) -> None:
    with shared_cluster.connect(scratch, "web") as web:
        assert web.execute("SELECT lower('ŞĞÜÖÇ'), '[1,2]'::vector <-> '[1,4]'::vector").fetchone() == (
            "şğüöç",
            2.0,
        )


@pytest.mark.django_db
def test_the_test_database_is_migrated_and_ours() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, current_database()")
        assert cursor.fetchone() == ("owner", shared_cluster.database_name())
        cursor.execute("SELECT count(*) > 0 FROM django_migrations")
        assert cursor.fetchone() == (True,)
