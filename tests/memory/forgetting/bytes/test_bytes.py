"""After a forgetting no file of the house holds a word of it, an older word, a picture or its vector."""

from __future__ import annotations

import itertools
import os
import struct
import uuid
from pathlib import Path

import psycopg
import pytest
from django.utils import timezone

from household.box import places
from household.models import ForgetOwed
from household.services.erasing import BYTES_LOCK, Outcome, owe_edited, sweep, sweep_at_start, sweeping
from household.services.erasing import log as wal
from memory.models import FileOwed, Forgetting
from memory.rules.forgetting import Target
from memory.services.forgetting import forget
from memory.services.owing import owe_files
from tests.memory.forgetting.bytes.house import DIMENSIONS, Canary, House, holding
from tests.memory.forgetting.bytes.planting import a_family, an_event, plant
from tests.memory.forgetting.bytes.vectors import pieces
from tests.slices import IS_LONG

_seeds = itertools.count(1)


def a_canary() -> Canary:
    """A canary that was never planted before."""
    return Canary(next(_seeds))


def drop(canary: Canary) -> Forgetting:
    """Forget a canary's memory, and with it the turn it was told in."""
    target = Target("memory", f"m-{canary.seed}")
    return forget(target, person=a_family()[0], client_id=str(uuid.uuid4()), now=timezone.now())


def swept() -> Outcome:
    """Rewrite what is owed."""
    return sweep(now=timezone.now())


def test_no_file_holds_a_forgotten_memory_and_the_others_are_still_there(house: House):
    gone, kept = a_canary(), a_canary()
    plant(gone, house)
    plant(kept, house)
    house.checkpoint()
    before = " ".join(house.holding(gone))
    assert "plain" in before and "turkish" in before and "older" in before and "float32" in before
    assert "media/" in before and "pg_wal" in before
    drop(gone)
    assert not FileOwed.objects.exists()
    outcome = swept()
    assert outcome.closed == 1 and outcome.is_certain and outcome.is_done
    assert not (house.home / "media" / f"p-{gone.seed}").exists()
    assert house.holding(gone) == []
    assert "plain" in " ".join(house.holding(kept))
    owed = Forgetting.objects.latest("pk").owed
    assert owed is not None and owed.state == "done" and owed.left == [] and owed.files == []

    plant(a_canary(), house)  # others go on writing
    house.checkpoint()
    assert house.holding(gone) == []
    house.stop()
    assert house.holding(gone) == []
    house.start()
    house.kill()
    house.start()
    assert house.holding(gone) == []
    assert "plain" in " ".join(house.holding(kept))


@pytest.mark.long
def test_a_base_backup_made_afterwards_is_clean(house: House, tmp_path: Path):
    gone, kept = a_canary(), a_canary()
    plant(gone, house)
    plant(kept, house)
    before, after = tmp_path / "before", tmp_path / "after"
    house.base_backup(before)
    assert {"plain", "turkish", "older", "float32"} <= pieces_in(before, gone)
    drop(gone)
    assert swept().is_done
    house.base_backup(after)
    assert pieces_in(after, gone) == set()
    assert "plain" in pieces_in(after, kept)


def pieces_in(folder: Path, canary: Canary) -> set[str]:
    """The kinds of pieces of a canary in a folder's files."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {one.rpartition(": ")[2].split()[0] for one in holding(canary, files, below=folder)}


@pytest.mark.parametrize("shift", range(5))
@pytest.mark.parametrize("number", ["f", "e"])
def test_any_sixteen_bytes_of_a_vector_are_found(shift: int, number: str):
    canary, width = a_canary(), struct.calcsize(number)
    for at in range(0, DIMENSIONS - 16 // width + 1):
        window = struct.pack(f"<{16 // width}{number}", *canary.vector[at : at + 16 // width])
        assert pieces(b"x" * shift + window + b"y" * 3, canary.vector) == [f"float{8 * width} at {at}"]
        assert pieces(b"x" * shift + window[:-1], canary.vector) == []


@pytest.mark.long
def test_before_the_sweep_the_words_are_in_the_files_and_in_no_row(house: House):
    gone = a_canary()
    plant(gone, house)
    drop(gone)
    house.checkpoint()
    assert house.holding(gone) != []
    with house.connect() as base:
        (found,) = base.execute(
            "SELECT count(*) FROM twin_statement WHERE text LIKE %s", [f"%{gone.plain}%"]
        ).fetchone()
    assert found == 0
    swept()


@pytest.mark.long
def test_killed_before_the_sweep_the_next_start_finishes_it(house: House):
    gone = a_canary()
    plant(gone, house)
    drop(gone)
    house.kill()
    house.start()
    house.checkpoint()
    assert house.holding(gone) != []
    assert sweep_at_start(now=timezone.now()).closed == 1
    assert house.holding(gone) == []


STEPS = {
    "before anything is rewritten": (sweeping, "_free_of_holders"),
    "between two tables": (sweeping, "_vacuum"),
    "before the log is turned over": (wal, "turn_over"),
    "before it is noted as done": (sweeping, "_close"),
}


@pytest.mark.parametrize("step", STEPS if IS_LONG else ["between two tables"])
def test_killed_at_any_step_the_next_start_finishes_it(house: House, step: str, monkeypatch):
    gone = a_canary()
    plant(gone, house)
    drop(gone)
    module, name = STEPS[step]
    real, calls = getattr(module, name), itertools.count()

    def killed(*args, **kwargs):
        if next(calls) == (5 if name == "_vacuum" else 0):
            house.kill()
        return real(*args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(module, name, killed)
        with pytest.raises(psycopg.OperationalError):
            swept()
    house.start()
    assert ForgetOwed.objects.filter(state="owed").exists()
    assert sweep_at_start(now=timezone.now()).is_done
    assert house.holding(gone) == []


def test_an_old_view_of_the_database_is_waited_for_and_named(house: House):
    gone = a_canary()
    plant(gone, house)
    with house.connect() as reader:
        reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT count(*) FROM household_person")
        drop(gone)
        outcome = swept()
        assert not outcome.is_done and [one["what"] for one in outcome.waiting] == ["session"]
        assert ForgetOwed.objects.latest("pk").waiting[0]["what"] == "session"
        house.checkpoint()
        assert house.holding(gone) != []
        reader.execute("COMMIT")
    assert swept().is_done
    assert house.holding(gone) == []


@pytest.mark.long
def test_somebody_who_reads_a_table_is_given_way_to(house: House, monkeypatch):
    monkeypatch.setattr(sweeping, "TRIES_A_RELATION", 1)
    gone = a_canary()
    plant(gone, house)
    drop(gone)
    with house.connect() as reader:
        reader.execute("BEGIN")
        reader.execute("LOCK TABLE twin_statement IN ACCESS SHARE MODE")
        assert [one["what"] for one in swept().waiting] == ["relation"]
        assert "twin_statement" in ForgetOwed.objects.latest("pk").left
        reader.execute("COMMIT")
    assert swept().is_done
    assert house.holding(gone) == []


@pytest.mark.long
def test_a_backup_that_runs_is_waited_for(house: House):
    gone = a_canary()
    plant(gone, house)
    drop(gone)
    with house.connect() as backup:
        backup.execute("SELECT pg_advisory_lock(%s)", [BYTES_LOCK])
        assert [one["what"] for one in swept().waiting] == ["busy"]
    assert swept().is_done


def test_a_file_a_crash_left_behind_is_found_and_removed(house: House):
    gone = a_canary()
    plant(gone, house)
    house.checkpoint()
    with house.connect() as base:
        (path,) = base.execute("SELECT pg_relation_filepath('twin_statement')").fetchone()
    data = places.data_folder(house.home)
    left = (data / path).with_name("999999999")
    left.write_bytes((data / path).read_bytes())
    left.chmod(0o600)
    drop(gone)
    house.stop()
    os.utime(left, (0, 0))
    house.start()
    outcome = sweep_at_start(now=timezone.now())
    assert outcome.orphans == 1 and not left.exists()
    assert house.holding(gone) == []


def test_words_that_were_written_over_go_in_the_night(house: House):
    owe_edited()
    swept()  # whatever other tests left
    edited = a_canary()
    an_event(edited)
    with house.connect() as base:
        base.execute("SELECT pg_stat_force_next_flush()")
    house.forget_connections()  # a closed session has told the server all it counted
    house.checkpoint()
    assert house.holding(edited) != []
    night = owe_edited()
    assert night is not None and "twin_event" in night.relations and "twin_statement" not in night.relations
    assert swept().is_done
    assert house.holding(edited) == []


@pytest.mark.long
def test_the_file_of_a_picture_that_went_with_something_else_goes_in_the_night(house: House):
    gone = a_canary()
    plant(gone, house)
    with house.connect() as base, base.transaction():
        base.execute("SELECT memory_mark('on')")
        base.execute("DELETE FROM memory_memorypicture WHERE picture = %s", [f"p-{gone.seed}"])
    file = house.home / "media" / f"p-{gone.seed}"
    assert file.exists() and list(FileOwed.objects.values_list("file", flat=True)) == [file.name]
    owe_files()
    assert swept().is_done and not file.exists() and owe_files() is None
