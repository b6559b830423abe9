"""The power fails at any instant, 200 times: nothing acknowledged is lost, nothing is there twice."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.device.lines import own_lines
from memory.device.syncing import sync
from tests.device.test_faults import Home
from tests.household.box.running import Box, until
from tests.memory.power import Killer, Load, doubled

IS_LONG = bool(os.environ.get("HEARTHBOOK_LONG"))
KILLS = int(os.environ.get("HEARTHBOOK_KILLS", "200" if IS_LONG else "3"))
SEED = int(os.environ.get("HEARTHBOOK_SEED", "12"))


@pytest.fixture
def home() -> Iterator[Home]:
    """A running box with a child in its book."""
    folder = Path(tempfile.mkdtemp(prefix="hearthbook-"))
    folder.chmod(0o755)
    box = Box(folder / "house")
    try:
        yield Home(box.ready())
    finally:
        box.clear()
        shutil.rmtree(folder, ignore_errors=True)


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
    heard = home.rows(
        "SELECT count(*) FROM memory_journalline WHERE envelope->>'event' = 'Heard' AND device = 'home'"
    )
    assert heard == [(len(kept["words"]),)]
    gaps = "SELECT device FROM memory_journalline GROUP BY device HAVING max(seq) + 1 <> count(*)"
    assert home.rows(gaps) == []
    assert home.rows("SELECT state FROM twin_ledgerentry WHERE state <> 'filed'") == []
    assert home.rows("SELECT state FROM memory_document WHERE state <> 'ready'") == []
    the_tablets_copy_is_the_houses(home, load)


def waiting(home: Home) -> list[int]:
    """How much of each kind the worker has still to do; what would be tried again later is due at once.

    A letter whose reading was cut off three times is set aside, as one that takes its reader down would
    be; somebody presses "Try again".
    """
    with home.writing() as connection:
        connection.execute("UPDATE memory_documentstage SET due_at = now() WHERE due_at > now()")
    for (number,) in home.rows("SELECT id FROM memory_document WHERE state = 'failed'"):
        assert home.mate.post(f"/d/doc_{number:06}/retry").status_code == 302
    asked = (
        "SELECT count(*) FROM memory_document WHERE state <> 'ready'",
        "SELECT count(*) FROM twin_statement WHERE read_at IS NULL",
    )
    return [int(str(home.rows(query)[0][0])) for query in asked]


def the_tablets_copy_is_the_houses(home: Home, load: Load) -> None:
    tablet = load.opened()
    sync(tablet)
    (sent,) = (writer.sent for writer in load.of("tablet"))
    told = [memory.text for memory in tablet.store.memories.values()]
    assert sorted(told) == sorted(sent) and not doubled(load.kept()["tablet"])
    lines = home.rows(f"SELECT count(*) FROM memory_journalline WHERE device = '{tablet.device}'")
    assert lines == [(len(own_lines(tablet.copy, tablet.device)),)]
    told_once = home.rows(
        "SELECT m.text FROM memory_memory m JOIN memory_memorymention t ON t.memory_id = m.id"
        " GROUP BY m.id HAVING count(*) <> 1"
    )
    assert told_once == []
    other = home.tablet()
    sync(other)
    assert {m.text for m in other.store.memories.values()} == set(told)
