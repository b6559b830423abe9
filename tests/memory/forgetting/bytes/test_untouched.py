"""A forgetting leaves out what nobody wrote since its last rewrite, and never what somebody wrote in vain."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection
from django.utils import timezone

from household.models import ForgetOwed, Rewritten
from household.services.columns import bearing_columns
from household.services.erasing import owe, sweep
from household.services.erasing.untouched import COUNTER, LONGEST, count_writes, rewrite
from memory.rules.forgetting import Target
from memory.services.forgetting import forget
from memory.services.journal import make_partition
from tests.memory.forgetting.bytes.house import Canary, House
from tests.memory.forgetting.bytes.planting import a_family, plant

IN_VAIN = "INSERT INTO django_session (session_key, session_data, expire_date) VALUES (%s, %s, now())"


def forgotten(canary: Canary) -> ForgetOwed:
    """Plant a canary, forget it to the last byte, and give what was owed."""
    now = timezone.now()
    target = Target("memory", f"m-{canary.seed}")
    done = forget(target, person=a_family()[0], client_id=str(uuid.uuid4()), now=now)
    assert sweep(now=now).is_done
    assert done.owed is not None
    return done.owed


def in_vain(house: House, canary: Canary) -> None:
    """A write that failed: no row tells of it, and its words lie in the table."""
    with house.connect() as base:
        base.execute("BEGIN")
        base.execute(IN_VAIN, [uuid.uuid4().hex, canary.sentence])
        base.execute("ROLLBACK")
    house.checkpoint()
    assert any("base/" in where for where in house.holding(canary))


def test_what_nobody_wrote_since_is_left_out_and_a_failed_write_brings_it_back(house: House):
    first, second, third = Canary(9_001), Canary(9_002), Canary(9_003)
    Rewritten.objects.all().delete()
    plant(first, house)
    assert "auth_permission" in forgotten(first).relations  # nobody knows yet what lies in it
    plant(second, house)
    second_time = forgotten(second).relations
    assert "twin_statement" in second_time and "memory_memory" in second_time
    assert not {"auth_permission", "django_session", "memory_journalline"} & set(second_time)
    assert house.holding(second) == []
    plant(third, house)
    in_vain(house, third)
    assert "django_session" in forgotten(third).relations
    assert house.holding(third) == []


def test_a_crash_makes_nobody_believe_that_nothing_was_written(house: House):
    owe(relations=["django_session"])
    assert sweep(now=timezone.now()).is_done
    gone = Canary(9_004)
    plant(gone, house)
    in_vain(house, gone)
    house.kill()
    house.start()
    assert "django_session" in forgotten(gone).relations
    assert house.holding(gone) == []


def test_what_had_to_be_carried_over_is_not_noted_as_gone(house: House):
    with house.connect() as base, house.connect() as reader:
        base.execute(IN_VAIN, ["carried", "words"])
        reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT count(*) FROM household_person")
        base.execute("DELETE FROM django_session WHERE session_key = 'carried'")
        assert not rewrite(base, "django_session")
        reader.execute("COMMIT")
        assert rewrite(base, "django_session")


@pytest.mark.django_db
def test_every_relation_that_may_bear_words_counts_its_writes():
    make_partition(timezone.now().date())
    count_writes()
    assert count_writes() == 0
    names = {one.relation.strip('"') for one in bearing_columns() if not one.is_index}
    assert max(map(len, names)) <= LONGEST
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname FROM pg_class c JOIN pg_trigger t ON t.tgrelid = c.oid"
            " WHERE t.tgname = 'counts_writes' AND c.relkind IN ('r', 'p')"
        )
        assert {name for (name,) in cursor.fetchall()} == names
        cursor.execute("SELECT c.relname FROM pg_class c WHERE c.relkind = 'S' AND c.relname LIKE 'writes%%'")
        counted = {name.removeprefix(COUNTER) for (name,) in cursor.fetchall()}
    assert names - counted == {"memory_journalwords"}  # its months count for it


@pytest.mark.django_db
def test_a_write_counts_whoever_writes():
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(pg_sequence_last_value('writes_django_session'), 0)")
        (before,) = cursor.fetchone()
        cursor.execute("SET LOCAL ROLE web")
        cursor.execute(IN_VAIN, [uuid.uuid4().hex, "words"])
        cursor.execute("UPDATE django_session SET session_data = ''")
        cursor.execute("RESET ROLE")
        cursor.execute("SELECT pg_sequence_last_value('writes_django_session')")
        assert cursor.fetchone() == (before + 2,)
