"""Rows of one statement get their entries, and many memories their change numbers, as one by one."""

from __future__ import annotations

import pytest

from memory.models import ChangeCounter, Memory, MemoryEntry
from tests.makers import a_child, a_person
from tests.memory.forgetting.test_triggers import count, sql

pytestmark = pytest.mark.django_db
MANY = (
    "INSERT INTO memory_memory (gid, subject_id, text, text_at_ms, hidden, visibility_at_ms, kind, who,"
    " place, said_when, learned_at_ms, change)"
    " SELECT 'm' || n, %s, 'words', 0, false, 0, '', '', '', '', 1, 0 FROM generate_series(1, %s) n"
    " ON CONFLICT (gid) DO NOTHING"
)
ALL_CHANGED = "SELECT memory_all_changed(ARRAY(SELECT id FROM memory_memory WHERE gid = ANY (%s)))"


@pytest.fixture
def leo() -> int:
    child: int = a_child(a_person("Ana")).pk
    return child


def changes() -> list[int]:
    return list(Memory.objects.order_by("id").values_list("change", flat=True))


def test_every_row_of_a_statement_has_its_entry_and_takes_it_along(leo: int):
    sql(MANY, leo, 3)
    sql(MANY, leo, 5)
    held = MemoryEntry.objects.filter(kind="memory")
    ids = list(Memory.objects.order_by("id").values_list("id", flat=True))
    assert len(ids) == 5
    assert list(held.order_by("row_id").values_list("row_id", "subject", "is_due", "version")) == [
        (pk, leo, True, 0) for pk in ids
    ]
    sql("SELECT memory_mark('on')")
    sql("DELETE FROM memory_memory WHERE id = ANY (%s)", ids[:2])
    assert sorted(held.values_list("row_id", flat=True)) == ids[2:]


def test_no_row_no_entry(leo: int):
    sql(MANY, leo, 0)
    assert count("memory_memoryentry") == 0


def test_many_memories_get_a_number_each_and_one_a_transaction(leo: int):
    sql(MANY, leo, 4)
    sql(ALL_CHANGED, ["m1", "m2", "m3"])
    began = changes()[0] - 1
    assert changes() == [began + 1, began + 2, began + 3, 0]
    sql("SET CONSTRAINTS ALL IMMEDIATE")
    assert changes() == [began + 1, began + 2, began + 3, began + 4]
    sql(ALL_CHANGED, ["m1", "m4"])
    assert changes() == [began + 1, began + 2, began + 3, began + 4]
    assert ChangeCounter.objects.get().n == began + 4


def test_none_of_them_changed_takes_no_number(leo: int):
    before = ChangeCounter.objects.get().n
    sql(ALL_CHANGED, ["nobody"])
    assert ChangeCounter.objects.get().n == before
