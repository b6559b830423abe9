"""No word may rest in statistics or compression: the guard over every column and partition."""

import datetime as dt

import pytest
from django.db import connection

from household.services.columns import bearing_columns, guard_columns

pytestmark = pytest.mark.django_db


def test_every_column_that_may_bear_words_is_quiet_and_plain():
    columns = bearing_columns()
    assert {"twin_statement", "memory_journalwords", "django_session", "huey_task"} <= {
        one.relation for one in columns
    }
    assert [one for one in columns if not (one.is_quiet and (one.is_plain or one.is_index))] == []


def test_a_new_partition_is_born_quiet_and_plain():
    with connection.cursor() as cursor:
        cursor.execute("SELECT memory_words_partition(%s::date)", [dt.date(2031, 5, 17)])
    made = [one for one in bearing_columns() if one.relation == "memory_journalwords_2031_05"]
    assert [(one.name, one.is_quiet, one.is_plain) for one in made] == [("body", True, True)]


def test_a_column_that_lost_its_settings_gets_them_back():
    with connection.cursor() as cursor:
        cursor.execute(
            "ALTER TABLE twin_statement ALTER text SET STATISTICS 100, ALTER text SET STORAGE EXTENDED"
        )
    assert guard_columns() == 1
    assert guard_columns() == 0
