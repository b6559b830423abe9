"""What the database itself does and refuses, said to it in plain SQL: no service, no model stands between."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from tests.makers import a_child, a_person

pytestmark = pytest.mark.django_db
MEMORY = (
    "INSERT INTO memory_memory (gid, subject_id, text, text_at_ms, hidden, visibility_at_ms, kind, who,"
    " place, said_when, learned_at_ms, change) VALUES (%s, %s, 'words', 0, false, 0, '', '', '', '', 1, 0)"
    " RETURNING id"
)
MENTION = "INSERT INTO memory_memorymention (memory_id, at_ms, device, turn) VALUES (%s, 1, 'd', %s)"
PICTURE = (
    "INSERT INTO memory_picture (name, subject_id, file, type, size, width, height, device)"
    " VALUES (%s, %s, %s, 'image/png', 1, 1, 1, 'd')"
)
LINE = (
    "INSERT INTO memory_journalline (device, seq, subject_id, envelope) VALUES ('d', %s, %s,"
    " jsonb_build_object('event', 'Heard', 'at_ms', 1, 'turn', %s::text, 'pictures', %s::jsonb))"
    " RETURNING position"
)
WORDS = "INSERT INTO memory_journalwords (position, arrived_on, body) VALUES (%s, current_date, '{}')"
STONE = (
    "INSERT INTO memory_tombstone (gid, kind, at_ms, device, subject_id, change)"
    " VALUES (%s, %s, %s, 'd', %s, 0) RETURNING id"
)
TURN = "INSERT INTO memory_tombstoneturn (tombstone_id, turn) VALUES (%s, %s)"
SHOWN = "INSERT INTO memory_tombstonepicture (tombstone_id, picture) VALUES (%s, %s)"


def sql(statement: str, *values: Any) -> Any:
    """Run one statement; the first column of its first row, where it gives one."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        row = cursor.fetchone() if cursor.description else None
    return row[0] if row else None


def count(table: str) -> int:
    return int(sql(f"SELECT count(*) FROM {table}"))


@pytest.fixture
def leo() -> int:
    sql("SELECT memory_words_partition(current_date)")
    return a_child(a_person("Ana")).pk


def test_a_line_has_the_day_of_its_words(leo: int) -> None:
    position = sql(LINE, 0, leo, "t", "[]")
    assert sql("SELECT arrived_on = current_date FROM memory_journalline")
    sql("SELECT memory_words_partition('2001-01-31')")
    sql(
        "INSERT INTO memory_journalwords (position, arrived_on, body) VALUES (%s, '2001-01-31', '{}')",
        position,
    )
    assert sql("SELECT arrived_on = '2001-01-31' FROM memory_journalline")


def a_line(leo: int, seq: int, turn: str, pictures: str = "[]") -> int:
    position = sql(LINE, seq, leo, turn, pictures)
    sql(WORDS, position)
    return int(position)


def refused(statement: str, *values: Any) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        sql(statement, *values)


@pytest.mark.parametrize("at_ms", [0, 5])
def test_a_tombstone_takes_its_memory_and_the_memory_cannot_be_written_again(leo: int, at_ms: int):
    sql(MENTION, sql(MEMORY, "m", leo), "t")
    stone = sql(STONE, "m", "memory", at_ms, leo)
    assert count("memory_memory") == count("memory_memorymention") == 0
    assert sql("SELECT turn FROM memory_tombstoneturn WHERE tombstone_id = %s", stone) == "t"
    refused(MEMORY, "m", leo)


def test_only_a_forgetting_with_a_time_empties_the_turns_and_one_that_gets_a_time_does_then(leo: int):
    sql(MENTION, sql(MEMORY, "m", leo), "t")
    a_line(leo, 0, "t")
    a_line(leo, 1, "other")
    stone = sql(STONE, "m", "memory", 0, leo)
    assert count("memory_journalwords") == 2
    sql("UPDATE memory_tombstone SET at_ms = 5 WHERE id = %s", stone)
    assert count("memory_journalwords") == 1 and count("memory_journalline") == 2


def test_a_turn_named_later_is_emptied_and_what_comes_of_it_later_has_no_words(leo: int):
    a_line(leo, 0, "t")
    stone = sql(STONE, "turn:t", "turn", 5, leo)
    assert count("memory_journalwords") == 1
    sql(TURN, stone, "t")
    assert count("memory_journalwords") == 0
    a_line(leo, 1, "t")
    assert count("memory_journalwords") == 0 and count("memory_journalline") == 2


def test_a_picture_goes_with_the_last_that_showed_it_and_its_file_is_owed(leo: int):
    sql(PICTURE, "p", leo, "p.png")
    memory = sql(MEMORY, "m", leo)
    sql("INSERT INTO memory_memorypicture (memory_id, position, picture) VALUES (%s, 0, 'p')", memory)
    a_line(leo, 0, "t", '["p"]')
    assert count("memory_linepicture") == 1
    refused("DELETE FROM memory_memorypicture")
    sql("SELECT memory_mark('on')")
    sql("DELETE FROM memory_memorypicture")
    sql("SELECT memory_mark('')")
    assert count("memory_picture") == 1
    sql(TURN, sql(STONE, "turn:t", "turn", 5, leo), "t")
    assert count("memory_picture") == count("memory_linepicture") == 0
    assert sql("SELECT file FROM memory_fileowed") == "p.png" and count("memory_fileowed") == 1


def test_a_tombstone_takes_a_picture_it_names_unless_a_memory_shows_it(leo: int):
    for name in ("p", "q"):
        sql(PICTURE, name, leo, f"{name}.png")
    memory = sql(MEMORY, "m", leo)
    sql("INSERT INTO memory_memorypicture (memory_id, position, picture) VALUES (%s, 0, 'q')", memory)
    a_line(leo, 0, "t", '["p", "q"]')
    stone = sql(STONE, "turn:x", "turn", 5, leo)
    for name in ("p", "q"):
        sql(SHOWN, stone, name)
    assert sql("SELECT name FROM memory_picture") == "q" and count("memory_picture") == 1


def test_the_file_of_a_picture_that_goes_with_its_subject_is_owed(leo: int):
    sql(PICTURE, "p", leo, "p.png")
    sql("SELECT set_config('hearthbook.forgetting', 'on', true)")
    sql("DELETE FROM memory_picture")
    assert sql("SELECT file FROM memory_fileowed") == "p.png"


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM memory_journalwords",
        'UPDATE memory_journalwords SET body = \'{"text": "x"}\'',
        "DELETE FROM memory_journalline",
        "UPDATE memory_journalline SET seq = 7",
        "UPDATE memory_journalline SET envelope = '{}'",
    ],
)
def test_the_journal_is_append_only(leo: int, statement: str):
    a_line(leo, 0, "t")
    refused(statement)


def test_a_memory_keeps_its_identity(leo: int):
    sql(MEMORY, "m", leo)
    refused("UPDATE memory_memory SET gid = 'n'")


def test_lines_of_a_companion_get_their_places_as_they_arrive(leo: int):
    first, second = a_line(leo, 0, "t"), a_line(leo, 1, "t")
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO memory_journalline (position, device, seq, subject_id, envelope)"
            ' VALUES (%s, \'d\', 2, %s, \'{"event": "TurnEnded", "at_ms": 1}\') RETURNING position',
            [first - 1 or 999_999, leo],
        )
        (third,) = cursor.fetchone()
    assert first < second < third


def test_a_forgetting_empties_the_chat_and_a_copy_that_does_not_know_of_it_cannot_come_back(leo: int):
    session = sql(
        "INSERT INTO memory_chatsession (gid, subject_id, last_activity_at_ms, version, stamp_ms, summary,"
        " scrubbed) VALUES ('c', %s, 1, 3, 1, 'words', '{}') RETURNING id",
        leo,
    )
    sql(
        "INSERT INTO memory_chatturn (session_id, position, turn, who, text, at_ms)"
        " VALUES (%s, 0, 't', 'child', 'words', 1)",
        session,
    )
    sql(STONE, "m", "memory", 5, leo)
    assert count("memory_chatturn") == 0
    assert sql("SELECT summary FROM memory_chatsession") == ""
    assert sql("SELECT scrubbed FROM memory_chatsession") == ["m"]
    refused("UPDATE memory_chatsession SET scrubbed = '{}', version = 4, summary = 'words'")
