"""What goes with what, as the database itself does it: read from the catalogue, not from the models."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import connection

from memory.services.forgetting.registry import TABLES

pytestmark = pytest.mark.django_db
# (table, column, what becomes of the row when the one it points to goes)
CASCADES = [
    ("memory_memory", "subject_id", "c"),
    ("memory_memorymention", "memory_id", "c"),
    ("memory_memoryrevision", "memory_id", "c"),
    ("memory_memoryembedding", "memory_id", "c"),
    ("memory_memorypicture", "memory_id", "c"),
    ("memory_softaction", "memory_id", "c"),
    ("memory_linepicture", "line_id", "c"),
    ("memory_picture", "subject_id", "c"),
    ("memory_tombstone", "subject_id", "n"),
    ("memory_tombstoneturn", "tombstone_id", "c"),
    ("memory_tombstonepicture", "tombstone_id", "c"),
    ("memory_chatsession", "subject_id", "c"),
    ("memory_chatturn", "session_id", "c"),
    ("memory_pendingreflection", "subject_id", "c"),
    ("memory_journalline", "subject_id", "n"),
    ("memory_journalline", "author_id", "n"),
    ("memory_openquestion", "asked_of_id", "c"),
    ("memory_openquestion", "subject_id", "c"),
    ("memory_owederasure", "subject_id", "n"),
]
ACTIONS = """
    SELECT c.conrelid::regclass::text, a.attname, c.confrelid::regclass::text, c.confdeltype::text
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace AND cardinality(c.conkey) = 1
"""


def actions() -> list[tuple[str, str, str, str]]:
    """Every foreign key: table, column, the table it points to, and `confdeltype`."""
    with connection.cursor() as cursor:
        cursor.execute(ACTIONS)
        return [(table, column, upper, action) for table, column, upper, action in cursor.fetchall()]


@pytest.mark.parametrize(("table", "column", "action"), CASCADES)
def test_the_database_does_with_the_row_what_the_design_says(table: str, column: str, action: str):
    assert {one[3] for one in actions() if one[:2] == (table, column)} == {action}


def test_what_follows_in_the_registry_goes_by_the_database():
    held = {(table, upper, action) for table, _column, upper, action in actions()}
    missing = [
        (label, upper)
        for label, entry in TABLES.items()
        for upper in entry.labels
        if (table_of(label), table_of(upper), "c") not in held
    ]
    assert not missing, "\n".join(f"{lower} does not go with {upper}" for lower, upper in missing)


def table_of(label: str) -> str:
    return apps.get_model(label)._meta.db_table
