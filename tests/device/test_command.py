"""A person plays a tablet from a terminal; what it stands on is the pure rules alone."""

import ast
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

import memory.device
from household.box.places import CHECKOUT

PURE = ("household.rules", "memory.rules", "memory.device")


@pytest.fixture
def play(tmp_path):
    def act(*words):
        said = StringIO()
        call_command("device", "--at", str(tmp_path / "tablet.sqlite"), *words, stdout=said)
        return said.getvalue().strip()

    return act


def test_the_device_stands_on_the_pure_rules_alone():
    for path in Path(memory.device.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            ours = [name for name in names if (CHECKOUT / name.split(".")[0]).is_dir()]
            assert all(name.startswith(PURE) for name in ours), (path.name, ours)
            assert not any(name.startswith("django") for name in names), path.name


def test_what_is_told_offline_waits_on_the_tablet(play):
    gid = play("tell", "I like herons").split()[-1].rstrip(".")
    assert f"{gid}: I like herons [told 1x]" in play("show")
    assert "3 lines; 3 lines and 1 documents wait" in play("show")
    assert play("offline").startswith("Offline")
    with pytest.raises(CommandError, match="nothing is lost"):
        play("sync")
    assert f"{gid}: I like herons" in play("show")


def test_a_memory_is_put_away_brought_back_changed_and_forgotten(play):
    gid = play("tell", "I like herons").split()[-1].rstrip(".")
    action = play("put-away", gid).split()[-1]
    assert f"{gid} (put away)" in play("show")
    play("undo", gid, action)
    play("edit", gid, "I like storks")
    assert f"{gid}: I like storks" in play("show")
    play("forget", gid)
    assert "storks" not in play("show") and f"{gid}: forgotten" in play("show")
    with pytest.raises(CommandError, match="no such memory"):
        play("edit", gid, "again")


def test_a_wrong_clock_and_a_backup_are_played_too(play):
    before = play("show").splitlines()[0]
    assert "7200" in play("clock", "7200")
    assert play("show").splitlines()[0] != before
    assert play("restored").split()[9] not in before
    assert play("use", "5") == "Counted."
