"""A server whose role has no special rights: what it needs is printed, what it cannot know it says."""

from __future__ import annotations

import io
import subprocess
from collections.abc import Iterator

import pytest
from django.core.management import call_command
from psycopg import sql

from household.box import bootstrap, places
from household.box.cluster import binary
from household.models import ForgetOwed
from household.services.erasing import grants
from tests.memory.forgetting.bytes.house import House
from tests.memory.forgetting.bytes.planting import plant
from tests.memory.forgetting.bytes.test_bytes import a_canary, drop, swept

pytestmark = pytest.mark.long
OWNER = sql.Identifier(places.OWNER)


@pytest.fixture
def without_rights(house: House) -> Iterator[House]:
    """The owner's special rights taken away, and files of the log reused as servers do by default."""
    settings = {"wal_recycle": "on", "max_wal_size": "'32MB'"}
    with house.connect(places.SUPERUSER) as base:
        for statement in bootstrap.OWNER_GRANTS:
            taken = statement.replace("GRANT ", "REVOKE ", 1).replace(" TO {owner}", " FROM {owner}")
            base.execute(sql.SQL(taken).format(owner=OWNER))
        for name, value in settings.items():
            base.execute(f"ALTER SYSTEM SET {name} = {value}")
        base.execute("SELECT pg_reload_conf()")
    yield house
    with house.connect(places.SUPERUSER) as base:
        for name in settings:
            base.execute(f"ALTER SYSTEM RESET {name}")
        for statement in bootstrap.OWNER_GRANTS:
            base.execute(sql.SQL(statement).format(owner=OWNER))
        base.execute("SELECT pg_reload_conf()")


def checked(*switches: str) -> tuple[str, bool]:
    """What the command printed, and whether all was well."""
    out = io.StringIO()
    try:
        call_command("forgetting", *switches, stdout=out)
    except SystemExit:
        return out.getvalue(), False
    return out.getvalue(), True


def test_without_the_rights_it_is_asked_for_and_not_called_done(without_rights: House):
    house, gone = without_rights, a_canary()
    plant(gone, house)
    drop(gone)
    printed, is_well = checked("--check")
    assert not is_well and "MISSING  GRANT pg_checkpoint TO" in printed
    outcome = swept()
    assert outcome.closed == 1 and not outcome.is_certain
    assert ForgetOwed.objects.latest("pk").state == "asked"
    assert not [one for one in house.holding(gone) if "/base/" in one]  # the tables were rewritten

    with house.connect() as base:
        missing = [one.statement for one in grants(base) if one.is_needed and not one.is_there]
    with house.connect(places.SUPERUSER) as operator:
        for statement in missing:
            operator.execute(statement)
    printed, is_well = checked("--check")
    assert is_well and "MISSING" not in printed
    later = a_canary()
    plant(later, house)
    drop(later)
    assert swept().is_certain
    assert house.holding(later) == []
    assert house.holding(gone) == []  # reused files of the log are run over too


def test_the_command_rewrites_what_is_owed_and_says_what_is_left(house: House):
    gone = a_canary()
    plant(gone, house)
    drop(gone)
    assert "Owed since" in checked()[0]
    printed, is_well = checked("--sweep")
    assert is_well and "Nothing is owed on disk." in printed
    assert house.holding(gone) == []


def test_a_copy_made_afterwards_is_clean(house: House):
    gone, kept = a_canary(), a_canary()
    plant(gone, house)
    plant(kept, house)
    drop(gone)
    swept()
    dump = subprocess.run(
        [binary("pg_dump"), house.url(places.OWNER)], check=True, capture_output=True
    ).stdout
    assert kept.plain.encode() in dump
    assert [name for name, one in gone.patterns() if one in dump] == []
