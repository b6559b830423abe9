"""Roles, database, extension and grants: done by a superuser, outside migrations, and safe to repeat.

The owner runs migrations, jobs and backups; the web login owns nothing, so row-level security holds for it.
"""

from __future__ import annotations

from typing import Any, LiteralString

from psycopg import Connection, sql

from household.box import places
from household.box.trouble import Trouble

# Bounds how long an old snapshot of a page can hold a forgetting up; the owner's work sets its own bound.
WEB_SETTINGS = {
    "transaction_timeout": "60s",
    "statement_timeout": "60s",
    "idle_in_transaction_session_timeout": "30s",
    # A thread that rests would keep its connection, which takes memory; it makes another when it is asked.
    # Longer than a page may wait for a model and then still store the answer.
    "idle_session_timeout": "15min",
}
# transaction_timeout came with PostgreSQL 17.
TRANSACTION_TIMEOUT_SINCE = 170000
BOOTSTRAP_LOCK = 0x48425830
# What forgetting needs without being a superuser: rewrite the log, see orphan files, keep words out of logs.
OWNER_GRANTS: list[LiteralString] = [
    "GRANT pg_checkpoint TO {owner}",
    "GRANT EXECUTE ON FUNCTION pg_switch_wal(), pg_ls_waldir(), pg_ls_tmpdir() TO {owner}",
    "GRANT EXECUTE ON FUNCTION pg_ls_dir(text), pg_stat_file(text, boolean) TO {owner}",
    "GRANT EXECUTE ON FUNCTION pg_reload_conf() TO {owner}",
    "GRANT ALTER SYSTEM ON PARAMETER wal_recycle TO {owner}",
    "GRANT SET ON PARAMETER log_min_messages, log_error_verbosity, log_min_error_statement TO {owner}",
    "GRANT SET ON PARAMETER log_parameter_max_length, log_parameter_max_length_on_error TO {owner}",
    "GRANT SET ON PARAMETER log_statement, log_min_duration_statement TO {owner}",
]
# Tables and sequences the owner makes later are the web's to read and write; policies narrow the rows.
WEB_GRANTS: list[LiteralString] = [
    "GRANT CONNECT ON DATABASE {database} TO {web}",
    "GRANT USAGE ON SCHEMA public TO {web}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {web}",
    "ALTER DEFAULT PRIVILEGES FOR ROLE {owner} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {web}",
    "ALTER DEFAULT PRIVILEGES FOR ROLE {owner} GRANT USAGE, SELECT ON SEQUENCES TO {web}",
]
# A partition read by its own name bypasses its parent's policies, so the web role has no right on any.
TABLES: LiteralString = (
    "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND c.relispartition = %s"
    " AND has_table_privilege(%s, c.oid, 'SELECT, INSERT, UPDATE, DELETE') = %s"
)


def bootstrap_embedded(connect: Any, *, database: str = places.DATABASE) -> None:
    """Make roles and database on the embedded server. `connect(database)` opens a superuser's connection."""
    with connect("postgres") as server:
        # Roles are the whole server's: two bootstraps at once would trip over each other's rows.
        server.execute("SELECT pg_advisory_lock(%s)", [BOOTSTRAP_LOCK])
        _make_roles_and_database(server, database)
        with connect(database) as base:
            base.execute("CREATE EXTENSION IF NOT EXISTS vector")
            for statement in [*OWNER_GRANTS, *WEB_GRANTS]:
                execute(base, statement, database=database)
            check_server(base)


def _make_roles_and_database(server: Connection[Any], database: str) -> None:
    make_role(server, places.OWNER, "CREATEDB")
    make_role(server, places.WEB)
    bound_web(server, places.WEB)
    # Lets a test become the web role inside its own transaction, without inheriting anything from it.
    execute(server, "GRANT {web} TO {owner} WITH INHERIT FALSE, SET TRUE")
    if not server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database]).fetchone():
        execute(server, "CREATE DATABASE {database} OWNER {owner}", database=database)
    execute(server, "REVOKE ALL ON DATABASE {database} FROM PUBLIC", database=database)


def make_role(server: Connection[Any], role: str, *powers: LiteralString) -> None:
    """Make a login without special powers but those named, or bring an older one back to that."""
    known = server.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone()
    verb = sql.SQL("ALTER ROLE {} " if known else "CREATE ROLE {} ").format(sql.Identifier(role))
    wanted = " ".join(["LOGIN", *powers])
    if not known or server.info.parameter_status("is_superuser") == "on":
        server.execute(verb + sql.SQL("NOSUPERUSER NOCREATEROLE NOBYPASSRLS ") + sql.SQL(wanted))


def web_settings(server_version: int) -> dict[str, str]:
    """The web role's time limits, as far as a server of this version knows them."""
    knows_all = server_version >= TRANSACTION_TIMEOUT_SINCE
    return {name: value for name, value in WEB_SETTINGS.items() if knows_all or name != "transaction_timeout"}


def bound_web(server: Connection[Any], role: str) -> None:
    """Give the web role its time limits."""
    for name, value in web_settings(server.info.server_version).items():
        statement = sql.SQL("ALTER ROLE {} SET {} = {}")
        server.execute(statement.format(sql.Identifier(role), sql.Identifier(name), sql.Literal(value)))


def execute(connection: Connection[Any], statement: LiteralString, **names: str) -> None:
    """Run one statement with role and database names filled in, quoted."""
    chosen = {
        "owner": places.OWNER,
        "web": places.WEB,
        "database": places.DATABASE,
    } | names
    quoted = {name: sql.Identifier(value) for name, value in chosen.items()}
    connection.execute(sql.SQL(statement).format(**quoted))


def close_partitions(connection: Connection[Any], web: str = places.WEB) -> int:
    """Give the web role its rights on tables and take them off partitions; how many partitions had some.

    For the owner, after migrations and wherever a partition is made. The migration table is read only.
    """
    for schema, name in connection.execute(TABLES, [False, web, False]).fetchall():
        _on_table(
            connection,
            "GRANT SELECT, INSERT, UPDATE, DELETE ON {} TO {}",
            schema,
            name,
            web,
        )
    open_ones = connection.execute(TABLES, [True, web, True]).fetchall()
    for schema, name in open_ones:
        _on_table(connection, "REVOKE ALL ON {} FROM {}", schema, name, web)
    if connection.execute("SELECT to_regclass('django_migrations') IS NOT NULL").fetchone() == (True,):
        _on_table(
            connection,
            "REVOKE INSERT, UPDATE, DELETE ON {} FROM {}",
            "public",
            "django_migrations",
            web,
        )
    return len(open_ones)


def _on_table(
    connection: Connection[Any],
    statement: LiteralString,
    schema: str,
    name: str,
    web: str,
) -> None:
    connection.execute(sql.SQL(statement).format(sql.Identifier(schema, name), sql.Identifier(web)))


def check_server(connection: Connection[Any]) -> None:
    """Raise Trouble where the database folds Turkish letters wrongly or has no pgvector."""
    if connection.execute("SELECT lower('ŞĞÜ') = 'şğü'").fetchone() != (True,):
        raise Trouble(
            "The database does not lower-case Turkish letters: make it with LOCALE_PROVIDER builtin"
            " BUILTIN_LOCALE 'C.UTF-8' TEMPLATE template0 (or any UTF-8 locale but C)."
        )
    if not connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'").fetchone():
        raise Trouble("The database has no pgvector: its operator must run CREATE EXTENSION vector.")
