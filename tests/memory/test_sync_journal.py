"""The journal between the house and its devices."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from memory.models import JournalLine, JournalWords, LinePicture
from memory.rules.journal import EVENTS, WORDED, Part
from memory.rules.merge import Tombstone
from memory.services.journal import make_partition, write_line
from memory.services.lines import WORDS_FAR, WORDS_NEAR
from tests.makers import a_child, a_person
from tests.wire import Wire, a_device, now_ms

pytestmark = pytest.mark.django_db
AT = 1_700_000_000_000


@pytest.fixture
def tablet() -> Wire:
    ana = a_person("Ana")
    return a_device(ana, a_child(ana))


def heard(text: str = "the red boat", turn: str = "turn-1", at_ms: int = AT, **more: Any) -> dict[str, Any]:
    return {"event": "Heard", "at_ms": at_ms, "turn": turn, "text": text, "pictures": [], **more}


def push(wire: Wire, *lines: dict[str, Any], from_seq: int = 0) -> Any:
    return wire.post("journal", {"from_seq": from_seq, "lines": list(lines)})


def test_lines_are_kept_with_their_words_beside_them(tablet: Wire) -> None:
    named = {
        "event": "Recalled",
        "at_ms": AT,
        "turn": "turn-1",
        "entries": [{"gid": "m-1", "fact": "a boat"}],
    }
    response = push(
        tablet, heard(), named, {"event": "TurnEnded", "at_ms": AT, "turn": "turn-1", "how": "done"}
    )
    assert response.json()["next_seq"] == 3
    rows = JournalLine.objects.order_by("seq")
    assert [row.envelope["event"] for row in rows] == ["Heard", "Recalled", "TurnEnded"]
    assert rows[1].envelope["entries"] == ["m-1"]
    assert {row.subject for row in rows} == {tablet.device.child}
    assert JournalWords.objects.get(line=rows[1]).body == {"entries": ["a boat"]}


def test_a_push_again_is_done_and_writes_nothing(tablet: Wire) -> None:
    push(tablet, heard(), heard("and a fish"))
    assert push(tablet, heard(), heard("and a fish")).json()["next_seq"] == 2
    assert push(tablet, heard("and a fish"), heard("more"), from_seq=1).json()["next_seq"] == 3
    assert JournalLine.objects.count() == 3


def test_other_words_for_a_held_line_are_refused_and_nothing_of_the_push_is_kept(tablet: Wire) -> None:
    push(tablet, heard())
    response = push(tablet, heard("other words"), heard("new"))
    problem = response.json()
    assert (response.status_code, problem["code"], problem["seqs"]) == (409, "conflict", [0])
    assert JournalLine.objects.count() == 1


def test_a_gap_is_refused_with_the_next_number(tablet: Wire) -> None:
    response = push(tablet, heard(), from_seq=4)
    assert (response.status_code, response.json()["code"], response.json()["next_seq"]) == (409, "gap", 0)


def test_a_stamp_from_the_future_is_refused_with_the_houses_time(tablet: Wire) -> None:
    response = push(tablet, heard(), heard(at_ms=now_ms() + 6 * 60_000))
    assert (response.status_code, response.json()["code"]) == (409, "clock_skew")
    assert abs(int(response["X-Hearthbook-Time"]) - now_ms()) < 60_000
    assert not JournalLine.objects.exists()


def test_a_line_of_a_forgotten_turn_is_emptied_as_it_comes(tablet: Wire) -> None:
    stone = Tombstone("t-1", "turn", AT, tablet.gid, frozenset({"turn-1"}), frozenset({"p-1"}))
    tablet.memory(tombstones=[stone, Tombstone("m-1", "memory", AT, tablet.gid)])
    seen = {"event": "PictureSeen", "at_ms": AT, "turn": "turn-2", "picture": "p-1", "description": "a dog"}
    recalled = {"event": "Recalled", "at_ms": AT, "turn": "turn-3", "entries": [{"gid": "m-1", "fact": "x"}]}
    kept = {"event": "Remembered", "at_ms": AT, "turn": "turn-1", "gid": "m-2", "fact": "another"}
    push(tablet, heard(), seen, recalled, kept)
    assert JournalLine.objects.count() == 4
    assert [row.line.seq for row in JournalWords.objects.select_related("line")] == [3]
    assert not LinePicture.objects.exists()
    assert push(tablet, heard("whatever"), from_seq=0).json()["next_seq"] == 4  # compared with nothing


def test_forgetting_a_turn_empties_the_lines_held(tablet: Wire) -> None:
    push(tablet, heard(), heard("other", "turn-2"))
    tablet.memory(tombstones=[Tombstone("t-1", "turn", AT, tablet.gid, frozenset({"turn-1"}))])
    assert JournalLine.objects.count() == 2
    assert [row.line.turn for row in JournalWords.objects.select_related("line")] == ["turn-2"]


def test_a_device_is_given_the_lines_of_its_childs_other_devices_only(tablet: Wire) -> None:
    ana = a_person("Ana")
    phone = a_device(ana, tablet.device.child, "phone")
    other_child = a_device(ana, a_child(ana, "Mia"), "second tablet")
    olga = a_person("Olga")
    foreign = a_device(olga, a_child(olga, "Zoe"))
    for wire in (tablet, phone, other_child, foreign):
        push(wire, heard(f"told to {wire.device.name}"))
    write_line(
        event="Heard",
        at=timezone.now(),
        turn="h",
        fields={"text": "at home"},
        subject_id=tablet.device.child_id,
    )
    found = tablet.get("journal").json()
    assert [one["line"]["text"] for one in found["lines"]] == ["told to phone"]
    assert (found["lines"][0]["device"], found["lines"][0]["seq"]) == (phone.gid, 0)
    assert found["more"] is False
    assert tablet.get(f"journal?after={found['next']}").json()["lines"] == []


def test_lines_are_pulled_in_pages(tablet: Wire) -> None:
    phone = a_device(a_person("Ana"), tablet.device.child, "phone")
    push(phone, *[heard(f"line {at}") for at in range(7)])
    found, after, seen = {"more": True}, 0, []
    while found["more"]:
        found = tablet.get(f"journal?after={after}&limit=3").json()
        after = found["next"]
        seen += [one["seq"] for one in found["lines"]]
    assert seen == list(range(7))


def test_an_emptied_line_travels_without_words(tablet: Wire) -> None:
    phone = a_device(a_person("Ana"), tablet.device.child, "phone")
    push(phone, heard())
    phone.memory(tombstones=[Tombstone("t-1", "turn", AT, phone.gid, frozenset({"turn-1"}))])
    (one,) = tablet.get("journal").json()["lines"]
    assert one["line"]["emptied"] is True
    assert "text" not in one["line"]


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ({"event": "Sung", "at_ms": 1}, "lines[0].event"),
        (heard(mood="sad"), "lines[0].mood"),
        ({"event": "Said", "at_ms": 1, "turn": "t"}, "lines[0].text"),
        (heard(turn="a turn of words"), "lines[0].turn"),
        (heard(text="x" * 20_001), "lines[0]"),
        ("Heard", "lines[0]"),
    ],
)
def test_a_line_that_is_none_is_refused_with_its_path(tablet: Wire, line: Any, path: str) -> None:
    response = push(tablet, line)
    assert (response.status_code, response.json()["path"]) == (422, path)


def test_a_device_writes_no_lines_of_another(tablet: Wire) -> None:
    response = tablet.post("journal", {"device": "home", "from_seq": 0, "lines": [heard()]})
    assert (response.status_code, response.json()["code"]) == (403, "forbidden")


def test_words_late_by_years_find_a_partition(tablet: Wire) -> None:
    old = int(dt.datetime(2001, 1, 1, tzinfo=dt.UTC).timestamp() * 1000)
    assert push(tablet, heard(at_ms=old)).status_code == 200
    assert JournalWords.objects.get().arrived_on == timezone.now().date()


def test_a_page_of_lines_of_two_months_has_the_words_of_both(tablet: Wire) -> None:
    phone = a_device(a_person("Ana"), tablet.device.child, "phone")
    assert push(tablet, heard(text="before"), heard(text="after")).status_code == 200
    make_partition(dt.date(2001, 1, 31))
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL hearthbook.forgetting = 'on'")
        cursor.execute(
            "UPDATE memory_journalwords SET arrived_on = '2001-01-31' WHERE body ->> 'text' = 'before'"
        )
        cursor.execute(
            "UPDATE memory_journalline l SET arrived_on = w.arrived_on"
            " FROM memory_journalwords w WHERE w.position = l.position"
        )
    lines = phone.get("journal?after=0").json()["lines"]
    assert [one["line"]["text"] for one in lines] == ["before", "after"]


@pytest.mark.parametrize("asked", [WORDS_NEAR, WORDS_FAR])
def test_words_are_looked_for_in_their_month_alone(tablet: Wire, asked: str) -> None:
    push(tablet, heard())
    for month in range(1, 13):
        make_partition(dt.date(2001, month, 1))
    line = JournalLine.objects.get()
    between = [line.position, line.position] if asked == WORDS_NEAR else [[line.position]]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {asked}", [line.arrived_on, line.arrived_on, *between])
        plan = " ".join(row[0] for row in cursor.fetchall())
    parts = set(re.findall(r"memory_journalwords_\d{4}_\d\d\b", plan))
    assert parts == {f"memory_journalwords_{line.arrived_on:%Y_%m}"}


SAMPLES: dict[Part, Any] = {
    Part.WORDS: 'a "quoted" \\ word, ğ \u2028 and {"event": "Said"}',
    Part.IDENTITY: "m-1",
    Part.IDENTITIES: ["p-1", "p-2"],
    Part.ENTRIES: [{"gid": "m-1", "fact": "a boat"}, {"gid": "m-2", "fact": "}"}],
    Part.COUNT: 7,
    Part.CODE: "done",
}


def test_every_kind_of_line_is_pulled_as_it_was_pushed(tablet: Wire) -> None:
    whole = [
        {
            "event": event.value,
            "at_ms": AT,
            "turn": "turn-1",
            **{name: SAMPLES[of] for name, of in parts.items()},
        }
        for event, parts in EVENTS.items()
    ]
    emptied = [
        {name: value for name, value in line.items() if name not in ("text", "fact", "description", "why")}
        | ({"entries": ["m-1", "m-2"]} if "entries" in line else {})
        | {"emptied": True}
        for line in whole
        if line["event"] in WORDED
    ]
    sent = [*whole, *emptied]
    assert push(tablet, *sent).json()["next_seq"] == len(sent)
    parent, child = tablet.device.paired_by, tablet.device.child
    assert parent is not None
    found = a_device(parent, child, "phone").get("journal").json()
    assert [one["line"] for one in found["lines"]] == sent
    assert [(one["device"], one["seq"]) for one in found["lines"]] == [
        (tablet.gid, n) for n in range(len(sent))
    ]
    assert found["next"] == found["lines"][-1]["position"] and not found["more"]


def lines_read() -> int:
    """Rows of the journal's spine that this transaction read so far."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_stat_get_xact_tuples_fetched(c) + pg_stat_get_xact_tuples_returned(c)"
            " FROM (SELECT 'memory_journalline'::regclass AS c) t"
        )
        return int(cursor.fetchone()[0])


def test_a_push_reads_no_more_lines_for_all_that_were_pushed_before(tablet: Wire) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        read = []
        for start in range(0, 1_600, 400):
            cursor.execute("ANALYZE memory_journalline")
            before = lines_read()
            push(tablet, *(heard(turn=f"turn-{start}-{n}") for n in range(100)), from_seq=start)
            read.append(lines_read() - before)
            push(tablet, *(heard(turn=f"t-{start}-{n}") for n in range(300)), from_seq=start + 100)
    assert JournalLine.objects.count() == 1_600
    assert read[3] <= read[1]
