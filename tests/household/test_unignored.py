"""No session can say that a trigger is to be ignored."""

import pytest
from django.db import DatabaseError, connection, transaction

from household.services.unignored import after_migrate
from memory.models import JournalLine

pytestmark = pytest.mark.django_db
ASKED = "SELECT prosrc FROM pg_proc WHERE proname = '_pgtrigger_should_ignore'"


def test_a_trigger_that_is_to_be_ignored_refuses_all_the_same():
    line = JournalLine.objects.create(device="home", seq=0, envelope={"event": "Expired", "at_ms": 1})
    with connection.cursor() as cursor:
        cursor.execute("SELECT tgname FROM pg_trigger WHERE tgrelid = 'memory_journalline'::regclass")
        names = ",".join(name for (name,) in cursor.fetchall() if "pgtrigger" in name)
        cursor.execute("SELECT set_config('pgtrigger.ignore', %s, true)", [f"{{{names}}}"])
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        JournalLine.objects.filter(pk=line.pk).update(seq=7)


def test_what_a_migration_made_anew_is_put_right_after_it():
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE OR REPLACE FUNCTION public._pgtrigger_should_ignore(trigger_name name) RETURNS boolean"
            " LANGUAGE plpgsql AS 'BEGIN RETURN true; END'"
        )
        after_migrate(using="default")
        cursor.execute(ASKED)
        assert cursor.fetchall() == [("SELECT false",)]
