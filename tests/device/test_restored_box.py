"""A box that puts a backup in its place: tablets give back what it lost, and nothing forgotten comes back."""

from __future__ import annotations

import subprocess
import sys

import pytest

from household.box import places
from memory.device.syncing import sync
from tests.device.test_faults import Home
from tests.household.box.running import a_running_box

pytestmark = pytest.mark.long


@pytest.fixture
def home():
    with a_running_box() as box:
        yield Home(box)


def manage(home, *command):
    done = subprocess.run(
        [sys.executable, "manage.py", *command],
        env=home.box.env,
        cwd=places.CHECKOUT,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_tablet_gives_back_what_a_restore_took_and_what_was_forgotten_stays_so(home, tmp_path):
    tablet, other = home.tablet(), home.tablet()
    tablet.tell("told before the backup")
    gone = tablet.tell("forgotten after the backup")
    for one in (tablet, other):
        sync(one)
    backup = str(tmp_path / "one.hearthbook")
    manage(home, "backup", backup)
    tablet.tell("told after the backup")
    tablet.forget(gone.gid)
    for one in (tablet, other):
        sync(one)
    assert home.box.stop() == 0
    manage(home, "restore", "--replace", backup)
    home.box.ready()
    assert [sync(one).was_resync for one in (tablet, other, tablet)] == [True, True, False]
    texts = {"told before the backup", "told after the backup"}
    assert {text for (text,) in home.rows("SELECT text FROM memory_memory")} == texts
    for one in (tablet, other):
        assert {memory.text for memory in one.store.memories.values()} == texts
        assert gone.gid in one.store.tombstones
