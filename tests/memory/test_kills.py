"""A round that is killed at any instant is finished once, by the next one."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from functools import partial

import pytest

from household.box import places
from tests.household.box.running import Box, a_running_box, until
from tests.housemate import Housemate
from tests.slices import IS_LONG

ROUNDS = 12 if IS_LONG else 2
ROUND = [sys.executable, "manage.py", "round"]


@pytest.fixture
def box() -> Iterator[Box]:
    """A running box with an empty book."""
    with a_running_box() as running:
        yield running


def test_a_kill_during_the_round_leaves_it_to_be_finished_exactly_once(box: Box) -> None:
    mate = Housemate(box)
    mate.set_up(box)
    mate.add_cat()
    for n in range(6):
        assert mate.tell(f"scratching her left ear for {n + 3} days", f"ear-{n}")
    with box.database() as connection:
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
        with box.database() as connection:
            connection.execute("UPDATE twin_lease SET expires_at = now() - interval '1 second'")
    done = subprocess.run(ROUND, cwd=places.CHECKOUT, env=box.env, capture_output=True, text=True, check=True)
    assert "Traceback" not in done.stderr
    days = [day for (day,) in box.rows("SELECT day FROM twin_roundrun ORDER BY day")]
    assert len(days) == len(set(days)) == (max(days) - min(days)).days + 1
    assert box.rows("SELECT count(*) FROM twin_lease") == [(0,)]
    assert box.rows("SELECT day FROM twin_framelog GROUP BY day HAVING count(*) > 1") == []


def days_closed(box: Box) -> int:
    return int(str(box.rows("SELECT count(*) FROM twin_roundrun")[0][0]))


def has_closed(box: Box, running: subprocess.Popen[bytes], wanted: int) -> bool:
    return running.poll() is not None or days_closed(box) >= wanted
