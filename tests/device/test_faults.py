"""What goes wrong between a tablet and a running box over HTTP: nothing is lost, nothing comes twice."""

from __future__ import annotations

import re
import signal
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from household.services.devices import hash_token
from memory.device.copy import Copy
from memory.device.house import House, Refused, Unreachable
from memory.device.lines import all_lines, own_lines
from memory.device.syncing import sync
from memory.device.tablet import Revoked, Tablet
from tests.device.histories import Wire
from tests.household.box.running import Box, a_running_box
from tests.housemate import Housemate
from tests.slices import IS_LONG

YEAR_MS = 365 * 86_400_000
MANY = 100_000 if IS_LONG else 300


class Home:
    """A running box with one child, whose parent pairs tablets."""

    def __init__(self, box: Box) -> None:
        self.box, self.mate = box, Housemate(box)
        self.mate.set_up(box)
        self.mate.post(
            "/book/add?kind=person",
            client_id=str(uuid.uuid4()),
            name="Leo",
            sex="unknown",
            time_zone="UTC",
            day_starts_at="03:00",
        )

    def code(self) -> str:
        """Six digits from the page of devices."""
        page = self.mate.post("/devices/pair", child="1").text
        found = re.search(r'class="pair-code[^>]*>(\d{3}) (\d{3})<', page)
        assert found, page
        return found[1] + found[2]

    def tablet(self, path: Path | str = ":memory:", *, ahead_ms: int = 0) -> Tablet:
        """A paired tablet, whose wire can be told to fail."""
        wire = Wire(House(self.mate.base, timeout_s=20))
        made = Tablet(Copy(path), wire, clock=lambda: time.time_ns() // 1_000_000 + ahead_ms)
        self.admit(made)
        return made

    def admit(self, tablet: Tablet) -> None:
        """Pair a tablet past the limit of codes a minute: its row, and the token in its copy."""
        token = uuid.uuid4().hex
        with self.box.database() as connection:
            connection.execute(
                "INSERT INTO household_device (gid, name, app, token_hash, child_id, paired_by_id,"
                " revoked_why, change_seen, position_seen) VALUES (%s, 'Tablet', '', %s, 1, 1, '', 0, 0)",
                [tablet.device, hash_token(token)],
            )
        with tablet.writing():
            tablet.copy.note(token=token)


@pytest.fixture(scope="module")
def one_home() -> Iterator[Home]:
    with a_running_box() as box:
        yield Home(box)


@pytest.fixture
def home(one_home: Home) -> Home:
    """The home of all these tests, running again where one of them left it killed."""
    if one_home.box.has_ended():
        one_home.box.ready()
    return one_home


def until_done(tablet, tries=60):
    """Sync again and again, as a tablet does, until one went through."""
    for _ in range(tries):
        try:
            return sync(tablet)
        except Unreachable:
            continue
    raise AssertionError("it never went through")


def test_whatever_answer_is_lost_everything_arrives_once(home):
    for lost in range(1, 9):
        tablet = home.tablet()
        told = tablet.tell(f"lost answer {lost}")
        tablet.house.fates = ["ok"] * (lost - 1) + ["lost response"]
        until_done(tablet)
        until_done(tablet)
        lines = home.box.rows(f"SELECT count(*) FROM memory_journalline WHERE device = '{tablet.device}'")
        tellings = home.box.rows(
            "SELECT count(*) FROM memory_memorymention t JOIN memory_memory m ON m.id = t.memory_id"
            f" WHERE m.gid = '{told.gid}'"
        )
        assert lines == [(3,)] and tellings == [(1,)]


def test_half_a_page_is_no_page(home):
    first, second = home.tablet(), home.tablet()
    for number in range(5):
        first.tell(f"half {number}")
    sync(first)

    class Torn:
        """A house whose answers break off in the middle, once each."""

        def __init__(self, house):
            self.house, self.torn = house, set()

        def ask(self, method, path, body=None, *, token=""):
            answer = self.house.ask(method, path, body, token=token)
            if path.split("?")[0] in {"memory", "journal"} and path not in self.torn:
                self.torn.add(path)
                raise Unreachable("the answer broke off")
            return answer

    second.house = Torn(second.house)
    until_done(second)
    assert {f"half {number}" for number in range(5)} <= {m.text for m in second.store.memories.values()}
    assert [held.line.envelope for held in all_lines(second.copy) if held.device == first.device] == [
        held.line.envelope for held in own_lines(first.copy, first.device)
    ]


def test_a_box_killed_between_pages_goes_on_where_it_stood(home):
    tablet = home.tablet()
    for number in range(30):
        tablet.tell(f"page {number}")

    def kill(*_args, **_kwargs):
        home.box.process.send_signal(signal.SIGKILL)
        home.box.clear()
        raise Unreachable("the box is gone")

    asks, real = [], tablet.house.ask

    def ask(method, path, body=None, *, token=""):
        asks.append(path)
        return kill() if len(asks) == 4 else real(method, path, body, token=token)

    tablet.house.ask = ask
    with pytest.raises(Unreachable):
        sync(tablet)
    home.box.ready()
    tablet.house.ask = real
    until_done(tablet)
    lines = home.box.rows(f"SELECT count(*) FROM memory_journalline WHERE device = '{tablet.device}'")
    kept = home.box.rows("SELECT count(*) FROM memory_memory WHERE text LIKE 'page %'")
    assert lines == [(90,)] and kept == [(30,)]


def test_two_tablets_edit_the_same_card_and_the_later_wins_on_both(home):
    first, second = home.tablet(ahead_ms=5_000), home.tablet()  # never at the same millisecond
    gid = first.tell("the same card").gid
    sync(first), sync(second)
    second.edit(gid, "edited first")
    first.edit(gid, "edited later")
    for tablet in (first, second, first):
        sync(tablet)
    for tablet in (first, second):
        memory = tablet.store.memories[gid]
        assert memory.text == "edited later"
        assert [one.text for one in memory.revisions] == ["the same card", "edited first"]


def test_what_was_forgotten_while_a_tablet_was_away_leaves_its_file(home, tmp_path):
    away = home.tablet(tmp_path / "away.sqlite")
    told = away.tell("a quite unheard-of word")
    away.edit(told.gid, "another unheard-of word")
    sync(away)
    other = home.tablet()
    sync(other)
    other.forget(told.gid)
    sync(other)
    kept = away.tell("the word that stays")
    assert b"unheard-of" in (tmp_path / "away.sqlite").read_bytes()
    sync(away)
    raw = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"unheard-of" not in raw and b"the word that stays" in raw
    assert told.gid not in away.store.memories and kept.gid in away.store.memories


@pytest.mark.parametrize("ahead_ms", [YEAR_MS, 10 * YEAR_MS, 7_200_000])
def test_a_clock_that_runs_ahead_is_set_right_and_nothing_is_dropped(home, ahead_ms):
    tablet = home.tablet(ahead_ms=ahead_ms)
    told = tablet.tell(f"ahead by {ahead_ms}")
    turns = [held.line.turn for held in own_lines(tablet.copy, tablet.device)]
    report = sync(tablet)
    assert report.was_set_right
    sent = own_lines(tablet.copy, tablet.device)
    assert [held.line.turn for held in sent] == turns
    assert all(abs(held.line.at_ms - time.time_ns() // 1_000_000) < 120_000 for held in sent)
    assert tablet.store.memories[told.gid].text == f"ahead by {ahead_ms}"
    count = "SELECT count(*) FROM memory_journalline WHERE device = %s"
    assert home.box.rows(count, tablet.device) == [(3,)]


def test_a_tablet_a_year_behind_catches_up_and_one_that_sends_all_again_changes_nothing(home):
    first, second = home.tablet(ahead_ms=-YEAR_MS), home.tablet()
    first.tell("a year ago")
    for number in range(MANY // 3):
        first.write("Heard", turn=f"t{number}", text=f"line {number}", pictures=[])
    sync(first)
    sync(second)
    theirs = own_lines(second.copy, first.device)
    assert len(theirs) == MANY // 3 + 3
    assert [held.line for held in theirs] == [held.line for held in own_lines(first.copy, first.device)]
    before = (
        home.box.rows("SELECT gid, text FROM memory_memory ORDER BY gid"),  # meanings are added meanwhile
        home.box.rows("SELECT max(position) FROM memory_journalline"),
    )
    with first.writing():
        first.copy.owe_all()
        first.copy.note(cursor="", next_seq=0)
    sync(first)
    after = (
        home.box.rows("SELECT gid, text FROM memory_memory ORDER BY gid"),  # meanings are added meanwhile
        home.box.rows("SELECT max(position) FROM memory_journalline"),
    )
    assert before == after


def test_a_tablet_restored_from_an_older_copy_loses_nothing(home, tmp_path):
    tablet = home.tablet(tmp_path / "one.sqlite")
    tablet.tell("before the copy")
    tablet.copy.db.execute("VACUUM INTO ?", [str(tmp_path / "copy.sqlite")])
    sync(tablet)
    gone = tablet.tell("after the copy")
    sync(tablet)
    copy = Copy(tmp_path / "copy.sqlite")
    back = Tablet(copy, tablet.house, clock=tablet.clock)
    back.restored()
    assert back.device != tablet.device
    back.pair(home.code(), name="Restored")  # as a person does it
    sync(back), sync(back)
    assert gone.gid in back.store.memories
    count = home.box.rows("SELECT count(*) FROM memory_journalwords WHERE body->>'text' = 'before the copy'")
    assert count == [(1,)]


def test_a_revoked_tablet_stops_and_keeps_nothing(home, tmp_path):
    tablet = home.tablet(tmp_path / "lost.sqlite")
    tablet.tell("nobody may read this any more")
    sync(tablet)
    home.mate.post(f"/devices/{tablet.device}/revoke")
    with pytest.raises(Revoked):
        sync(tablet)
    assert b"nobody may read" not in (tmp_path / "lost.sqlite").read_bytes()
    assert tablet.is_revoked and not tablet.token and not tablet.store.memories
    with pytest.raises(Refused):
        tablet.house.ask("GET", "state", token=tablet.token)


def test_what_is_a_parents_to_set_is_forbidden_and_the_houses_value_stands(home):
    tablet = home.tablet()
    home.mate.post("/household", card="limits", **{"limits-daily_minutes": "30"})
    sync(tablet)
    tablet.set("daily_minutes", 600)
    tablet.set("keep_mic_open", True)
    assert sync(tablet).forbidden == ["daily_minutes"]
    held = tablet.registers()
    assert held["", "daily_minutes"].value == 30 and held["", "keep_mic_open"].value is True
