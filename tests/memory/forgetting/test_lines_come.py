"""A batch of lines at the database's own door: forgotten words stay out, places stand in their order."""

from __future__ import annotations

import json
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction

from household.services.erasing.untouched import count_writes
from memory.models import JournalLine, JournalWords, JournalWriter, LinePicture
from tests.makers import a_child, a_person
from tests.memory.forgetting.test_triggers import MEMORY, SHOWN, STONE, TURN, count, sql

pytestmark = pytest.mark.django_db
COME = "SELECT memory_lines_come(%s, %s, %s, current_date, %s::jsonb, %s::jsonb)"
LINE = (
    "INSERT INTO memory_journalline (device, seq, subject_id, envelope) VALUES ('e', %s, %s, %s::jsonb)"
    " RETURNING position"
)
WORDS = "INSERT INTO memory_journalwords (position, arrived_on, body) VALUES (%s, current_date, %s::jsonb)"
WRITER = "d"


@pytest.fixture
def leo() -> int:
    sql("SELECT memory_words_partition(current_date)")
    JournalWriter.objects.create(device=WRITER)
    child = a_child(a_person("Ana")).pk
    may_add(child)
    return child


def may_add(*children: int) -> None:
    sql("SELECT set_config('hearthbook.add_conversation', %s, true)", f"{{{','.join(map(str, children))}}}")


def a_line(event: str, *, turn: str = "", is_said: bool = True, **more: Any) -> tuple[dict[str, Any], Any]:
    return {"event": event, "at_ms": 1, "turn": turn, **more}, {"text": "words"} if is_said else None


def come(child: int, *lines: tuple[dict[str, Any], Any], since: int = 0) -> Any:
    spine, spoken = [json.dumps([line[at] for line in lines]) for at in (0, 1)]
    return sql(COME, WRITER, child, since, spine, spoken)


def worded() -> list[int]:
    """The numbers of the lines that have words."""
    return list(JournalWords.objects.order_by("line__seq").values_list("line__seq", flat=True))


def forgotten(leo: int) -> None:
    """A turn, a memory and a picture that are forgotten, and a memory whose identity alone was dropped."""
    sql(TURN, sql(STONE, "turn:t", "turn", 5, leo), "t")
    sql(STONE, "m", "memory", 5, leo)
    sql(STONE, "dropped", "memory", 0, leo)
    sql(SHOWN, sql(STONE, "day:x", "day", 5, leo), "p")


def test_lines_come_with_their_words_in_the_order_of_their_places(leo: int):
    assert come(leo, a_line("Heard", turn="a"), a_line("TurnEnded", is_said=False, how="x")) is None
    assert come(leo, a_line("Said", turn="a"), since=2) is None
    rows = JournalLine.objects.order_by("position").values_list("device", "seq", "subject", "turn")
    assert list(rows) == [(WRITER, 0, leo, "a"), (WRITER, 1, leo, ""), (WRITER, 2, leo, "a")]
    assert worded() == [0, 2] and JournalWriter.objects.get().next_seq == 3


def test_words_of_what_is_forgotten_stay_out_whatever_names_it(leo: int):
    forgotten(leo)
    lost = [
        *(a_line(event, turn="t") for event in ("Heard", "Said", "ModelWrote", "NotRemembered")),
        a_line("PictureSeen", turn="t", picture="other"),
        a_line("Remembered", gid="m"),
        a_line("PutAway", gid="m"),
        a_line("Recalled", entries=["n", "m"]),
        a_line("PictureSeen", picture="p"),
    ]
    kept = [
        a_line("Heard", turn="u", pictures=["p"]),
        a_line("Remembered", turn="t", gid="n"),
        a_line("Remembered", gid="dropped"),
        a_line("Recalled", turn="t", entries=["n", "dropped"]),
        a_line("PictureSeen", turn="u", picture="q"),
    ]
    assert come(leo, *lost, *kept) == ["t"]
    assert JournalLine.objects.count() == len(lost) + len(kept)
    assert worded() == list(range(len(lost), len(lost) + len(kept)))


def test_a_batch_ends_as_the_same_lines_one_by_one(leo: int):
    """The triggers of each row and the function of all rows are two spellings of one rule."""
    forgotten(leo)
    events = ("Heard", "Said", "Remembered", "Recalled", "PictureSeen", "NotRemembered", "Restored")
    named: list[dict[str, Any]] = [{}, {"gid": "m"}, {"gid": "n"}, {"entries": ["m"]}, {"entries": []}]
    named += [{"picture": "p"}, {"picture": "q"}, {"pictures": []}, {"pictures": ["q", "q"]}]
    lines = [a_line(event, turn=turn, **one) for event in events for turn in ("", "t", "u") for one in named]
    come(leo, *lines)
    for at, (envelope, body) in enumerate(lines):
        sql(WORDS, sql(LINE, at, leo, json.dumps(envelope)), json.dumps(body))
    words, pictures = (
        [[tuple(row[1:]) for row in rows.order_by(*names) if row[0] == device] for device in (WRITER, "e")]
        for rows, names in (
            (JournalWords.objects.values_list("line__device", "line__seq"), ["line__seq"]),
            (
                LinePicture.objects.values_list("line__device", "line__seq", "picture"),
                ["line__seq", "picture"],
            ),
        )
    )
    assert words[0] == words[1] and 0 < len(words[0]) < len(lines)
    assert pictures[0] == pictures[1] != []


def test_a_picture_that_a_memory_shows_keeps_its_line(leo: int):
    forgotten(leo)
    memory = sql(MEMORY, "n", leo)
    sql("INSERT INTO memory_memorypicture (memory_id, position, picture) VALUES (%s, 0, 'p')", memory)
    come(leo, a_line("PictureSeen", picture="p"))
    assert worded() == [0]


@pytest.mark.parametrize("since", [1, 7])
def test_a_gap_is_refused(leo: int, since: int):
    with pytest.raises(DatabaseError, match="gap"), transaction.atomic():
        come(leo, a_line("Heard"), since=since)
    assert count("memory_journalline") == 0


@pytest.mark.parametrize("children", [(), (0,)])
def test_nobody_adds_lines_about_a_child_that_is_not_theirs(leo: int, children: tuple[int, ...]):
    may_add(*children)
    if not children:
        sql("SELECT set_config('hearthbook.add_conversation', '', true)")
    sql("SET LOCAL ROLE web")
    with pytest.raises(DatabaseError) as refused, transaction.atomic():
        come(leo, a_line("Heard"))
    sql("RESET ROLE")
    assert isinstance(refused.value.__cause__, psycopg.errors.InsufficientPrivilege)
    assert count("memory_journalline") == 0


def test_behind_the_door_lines_and_words_are_looked_at_one_by_one_again(leo: int):
    forgotten(leo)
    come(leo, a_line("Heard", turn="t"))
    line = JournalLine.objects.get()
    sql(WORDS, line.position, "{}")
    assert worded() == []
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        sql("UPDATE memory_journalline SET seq = 7")


def test_words_of_a_batch_count_as_one_write_of_their_month(leo: int):
    with connection.cursor() as cursor:
        cursor.execute("SELECT 'writes_memory_journalwords_' || to_char(current_date, 'YYYY_MM')")
        (counter,) = cursor.fetchone()
    asked = f"SELECT coalesce(pg_sequence_last_value('{counter}'), 0)"
    count_writes()
    before = sql(asked)
    come(leo, *[a_line("Heard", turn="u")] * 3)
    assert sql(asked) == before + 1
    come(leo, *[a_line("Heard", turn="t")] * 2, since=3)
    assert sql(asked) == before + 2
