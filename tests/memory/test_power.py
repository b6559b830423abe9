"""Programs of a house under load are killed at any instant: nothing acknowledged is lost or there twice.

The machine itself goes on, so what a program has handed to the operating system is kept; a disk that loses
what was not flushed is not tried here.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest

from memory.device.lines import own_lines
from memory.device.syncing import sync
from tests.device.test_faults import Home
from tests.household.box.running import a_running_box, until
from tests.memory.power import Killer, Load, doubled
from tests.slices import IS_LONG

KILLS = int(os.environ.get("HEARTHBOOK_KILLS", "200" if IS_LONG else "3"))
SEED = int(os.environ.get("HEARTHBOOK_SEED", "12"))


@pytest.fixture
def home() -> Iterator[Home]:
    """A running box with a child in its book."""
    with a_running_box() as box:
        yield Home(box)


def test_kills_under_load_lose_nothing_acknowledged_and_double_nothing(home: Home) -> None:
    load, killer, began = Load(home), Killer(home.box, SEED), time.monotonic()
    for number in range(KILLS):
        victim = killer.strike(load)
        print(
            f"{time.monotonic() - began:7.1f} s  {number + 1} {victim} {killer.away[victim][-1]:.1f} s",
            flush=True,
        )
    load.end()
    print(killer.figures())
    until(lambda: not any(waiting(home)), "everything read", patience_s=1800)
    kept = load.kept()
    for kind, writers in {"words": ("words", "more"), "event": ("event",), "paper": ("paper",)}.items():
        sent = [name for writer in load.of(*writers) for name in writer.sent]
        assert sorted(kept[kind]) == sorted(sent), kind
        print(kind, len(sent))
    heard = home.box.rows(
        "SELECT count(*) FROM memory_journalline WHERE envelope->>'event' = 'Heard' AND device = 'home'"
    )
    assert heard == [(len(kept["words"]),)]
    gaps = "SELECT device FROM memory_journalline GROUP BY device HAVING max(seq) + 1 <> count(*)"
    assert home.box.rows(gaps) == []
    assert home.box.rows("SELECT state FROM twin_ledgerentry WHERE state <> 'filed'") == []
    assert home.box.rows("SELECT state FROM memory_document WHERE state <> 'ready'") == []
    the_tablets_copy_is_the_houses(home, load)


def waiting(home: Home) -> list[int]:
    """How much of each kind the worker has still to do; what would be tried again later is due at once.

    A letter whose reading was cut off three times is set aside, as one that takes its reader down would
    be; somebody presses "Try again".
    """
    with home.box.database() as connection:
        connection.execute("UPDATE memory_documentstage SET due_at = now() WHERE due_at > now()")
    for (number,) in home.box.rows("SELECT id FROM memory_document WHERE state = 'failed'"):
        assert home.mate.post(f"/d/doc_{number:06}/retry").status_code == 302
    asked = (
        "SELECT count(*) FROM memory_document WHERE state <> 'ready'",
        "SELECT count(*) FROM twin_statement WHERE read_at IS NULL",
    )
    return [home.box.rows(query)[0][0] for query in asked]


def the_tablets_copy_is_the_houses(home: Home, load: Load) -> None:
    tablet = load.opened()
    sync(tablet)
    (sent,) = (writer.sent for writer in load.of("tablet"))
    told = [memory.text for memory in tablet.store.memories.values()]
    assert sorted(told) == sorted(sent) and not doubled(load.kept()["tablet"])
    lines = home.box.rows(f"SELECT count(*) FROM memory_journalline WHERE device = '{tablet.device}'")
    assert lines == [(len(own_lines(tablet.copy, tablet.device)),)]
    told_once = home.box.rows(
        "SELECT m.text FROM memory_memory m JOIN memory_memorymention t ON t.memory_id = m.id"
        " GROUP BY m.id HAVING count(*) <> 1"
    )
    assert told_once == []
    other = home.tablet()
    sync(other)
    assert {m.text for m in other.store.memories.values()} == set(told)
