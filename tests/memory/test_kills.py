"""Power fails at any instant: nothing acknowledged is lost, and nothing is there twice."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import psycopg
import pytest
import requests

from household.box import places
from tests.household.box.running import Box, until
from tests.housemate import Housemate

ROUNDS = 12 if os.environ.get("HEARTHBOOK_LONG") else 2
TELLS = 12
ROUND = [sys.executable, "manage.py", "round"]


@pytest.fixture
def box() -> Iterator[Box]:
    """A running box with an empty book."""
    folder = Path(tempfile.mkdtemp(prefix="hearthbook-"))
    folder.chmod(0o755)
    made = Box(folder / "house")
    try:
        yield made.ready()
    finally:
        made.clear()
        shutil.rmtree(folder, ignore_errors=True)


def rows(box: Box, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(places.embedded_url(box.house, places.OWNER)) as connection:
        return connection.execute(query).fetchall()


class Teller(threading.Thread):
    """Tells one statement after another until it is stopped or the box is gone."""

    def __init__(self, mate: Housemate, names: list[str]) -> None:
        super().__init__()
        self.mate, self.names = mate, names
        self.acknowledged: set[str] = set()
        self.is_stopped = threading.Event()

    def run(self) -> None:
        for name in self.names:
            if self.is_stopped.is_set():
                return
            try:
                if self.mate.tell(words_of(name), name):
                    self.acknowledged.add(name)
            except requests.RequestException:
                return

    def has_told(self, count: int) -> bool:
        return len(self.acknowledged) >= count or not self.is_alive()


def words_of(name: str) -> str:
    return f"threw up this morning, number {name}"


@pytest.mark.parametrize("victim", ["granian", "postgres", "household.box"])
def test_a_kill_during_tell_loses_nothing_acknowledged_and_doubles_nothing(box: Box, victim: str) -> None:
    mate = Housemate(box)
    mate.set_up(box)
    mate.add_cat()
    choose = random.Random(victim)
    told: list[str] = []
    for turn in range(ROUNDS):
        names = [f"{victim}-{turn}-{n}" for n in range(TELLS)]
        told += names
        teller = Teller(mate, names)
        teller.start()
        until(partial(teller.has_told, choose.randint(2, 6)), "tells")
        kill(box, victim)
        teller.is_stopped.set()
        teller.join()
        restart(box, victim)
        kept = {str(name) for (name,) in rows(box, "SELECT client_id FROM twin_statement")}
        assert teller.acknowledged <= kept
        for name in names:  # what a browser does after a lost answer: send the same turn again
            assert mate.tell(words_of(name), name)
    held = [str(client_id) for (client_id,) in rows(box, "SELECT client_id FROM twin_statement ORDER BY id")]
    assert sorted(held) == sorted(told)
    (heard,) = rows(box, "SELECT count(*) FROM memory_journalline WHERE envelope->>'event' = 'Heard'")
    assert heard == (len(told),)
    (gaps,) = rows(box, "SELECT max(seq) + 1 - count(*) FROM memory_journalline WHERE device = 'home'")
    assert gaps == (0,)
    assert rows(box, "SELECT count(*) FROM twin_ledgerentry WHERE state <> 'filed'") == [(0,)]
    assert rows(box, "SELECT count(*) FROM twin_record") == [(1,)]


def kill(box: Box, victim: str) -> None:
    if victim == "household.box":
        assert box.process is not None
        box.process.kill()
        box.process.wait()
        return
    for number in box.children(victim):
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            continue


def restart(box: Box, victim: str) -> None:
    if victim == "household.box":
        box.ready()
    until(lambda: (box.health() or {}).get("ok", False) and not box.has_ended(), "healthy again")


def test_a_kill_during_the_round_leaves_it_to_be_finished_exactly_once(box: Box) -> None:
    mate = Housemate(box)
    mate.set_up(box)
    mate.add_cat()
    for n in range(6):
        assert mate.tell(f"scratching her left ear for {n + 3} days", f"ear-{n}")
    with psycopg.connect(places.embedded_url(box.house, places.OWNER)) as connection:
        connection.execute("UPDATE twin_subject SET created_at = created_at - interval '40 days'")
        connection.execute("UPDATE household_membership SET starts_at = starts_at - interval '40 days'")
    choose = random.Random(7)
    for _ in range(ROUNDS * 2):
        running = subprocess.Popen(
            ROUND, cwd=places.CHECKOUT, env=box.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until(partial(has_closed, box, running, days_closed(box) + choose.randint(1, 9)), "some days closed")
        running.kill()
        running.wait()
        with psycopg.connect(places.embedded_url(box.house, places.OWNER)) as connection:
            connection.execute("UPDATE twin_lease SET expires_at = now() - interval '1 second'")
    done = subprocess.run(ROUND, cwd=places.CHECKOUT, env=box.env, capture_output=True, text=True, check=True)
    assert "Traceback" not in done.stderr
    days = [day for (day,) in rows(box, "SELECT day FROM twin_roundrun ORDER BY day")]
    assert len(days) == len(set(days)) == (max(days) - min(days)).days + 1  # type: ignore[operator, type-var]
    assert rows(box, "SELECT count(*) FROM twin_lease") == [(0,)]
    assert rows(box, "SELECT day FROM twin_framelog GROUP BY day HAVING count(*) > 1") == []


def days_closed(box: Box) -> int:
    return int(str(rows(box, "SELECT count(*) FROM twin_roundrun")[0][0]))


def has_closed(box: Box, running: subprocess.Popen[bytes], wanted: int) -> bool:
    return running.poll() is not None or days_closed(box) >= wanted
