"""Everything between a running database and a page: roles, migrations, translations, static files.

Runs as a child of `up`, which stays small without Django. Prints a line of JSON, or a sentence and exit 1.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import psycopg

from household.box import assets, bootstrap, foreign, places
from household.box.trouble import Trouble, of_disk

if TYPE_CHECKING:
    from django.db.migrations.executor import MigrationExecutor

OURS = {"household", "twin", "memory", "voice"}


@dataclass(frozen=True)
class Prepared:
    """What the web server and the worker are to be started with."""

    addresses: foreign.Addresses
    is_first_run: bool


def prepare() -> Prepared:
    """Bring database and files to this build's state. Raises Trouble."""
    addresses = _addresses()
    os.environ.update(
        DATABASE_URL=addresses.web,
        OWNER_DATABASE_URL=addresses.owner,
        HEARTHBOOK_ROLE="owner",
        DJANGO_SETTINGS_MODULE="household.settings",
    )
    import django

    django.setup()
    _migrate()
    with psycopg.connect(addresses.owner, autocommit=True) as base:
        if addresses.second_wall:
            bootstrap.close_partitions(base, foreign.login(addresses.web))
    _sweep()
    assets.compile_words()
    assets.collect_files()
    return Prepared(addresses, is_first_run=not _has_people())


def _sweep() -> None:
    """Finish what a stop left owed on disk; whoever still holds it is waited for by the worker."""
    from django.utils import timezone

    from household.services.erasing import sweep_at_start

    try:
        sweep_at_start(now=timezone.now())
    except psycopg.Error as error:
        print(f"What is owed on disk stays owed ({type(error).__name__}).", file=sys.stderr, flush=True)


def _addresses() -> foreign.Addresses:
    house = places.home()
    given = os.environ.get("DATABASE_URL", "").strip()
    owner = os.environ.get("OWNER_DATABASE_URL", "").strip()
    if given or owner:
        return foreign.adopt(owner or given, given or owner, house)

    def connect(database: str) -> psycopg.Connection[Any]:
        return psycopg.connect(places.embedded_url(house, places.SUPERUSER, database), autocommit=True)

    bootstrap.bootstrap_embedded(connect)
    return foreign.Addresses(places.embedded_url(house, places.WEB), places.embedded_url(house, places.OWNER))


def _migrate() -> None:
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    from household.services.policies import raise_wall

    executor = MigrationExecutor(connection)
    refuse_newer(executor)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        print("Bringing the database up to date.", file=sys.stderr, flush=True)
        call_command("migrate", interactive=False, verbosity=0)
    raise_wall()


def refuse_newer(executor: MigrationExecutor) -> None:
    """Raise Trouble where the database knows migrations of ours that this build does not."""
    applied = {key for key in executor.loader.applied_migrations if key[0] in OURS}
    unknown = sorted(f"{app}.{name}" for app, name in applied - set(executor.loader.disk_migrations or ()))
    replaced = {key for node in (executor.loader.disk_migrations or {}).values() for key in node.replaces}
    unknown = [name for name in unknown if tuple(name.split(".", 1)) not in replaced]
    if unknown:
        raise Trouble(
            f"The database was written by a newer Hearthbook (it knows {unknown[-1]}): update this one."
        )


def _has_people() -> bool:
    from django.contrib.auth import get_user_model

    return bool(get_user_model()._default_manager.exists())


def main() -> int:
    """Prepare, and tell `up` on standard output what came of it."""
    try:
        prepared = prepare()
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 1
    except OSError as error:
        print(of_disk(error, places.home()), file=sys.stderr)
        return 1
    except psycopg.Error as error:
        print(f"The database refused to be prepared ({foreign.reason(error)}).", file=sys.stderr)
        return 1
    print(json.dumps(asdict(prepared)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
