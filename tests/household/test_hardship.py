"""A disk that fills while the box runs, and one that may not be written: clear words, and nothing is lost."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
import requests

from tests.household.box.running import Box, a_small_disk, until
from tests.housemate import Housemate

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk"),
]


@pytest.fixture
def box() -> Iterator[Box]:
    """A box on a disk of its own, with a cat in its book."""
    with a_small_disk(size="500m") as disk:
        made = Box(disk / "home")
        made.output = disk.parent / "output"
        try:
            yield made.ready()
        finally:
            made.clear()


def fill(path: Path) -> None:
    """Write until nothing more fits."""
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x" * 2**16)


def kept(box: Box) -> set[str]:
    return {name for (name,) in box.rows("SELECT client_id FROM twin_statement")}


def say(mate: Housemate, name: str) -> bool | None:
    """Whether the house acknowledged a sentence; None where nobody answered."""
    try:
        return mate.tell(f"threw up, number {name}", name)
    except requests.RequestException:
        return None


def is_well(box: Box) -> bool:
    return (box.health() or {}).get("ok", False)


def test_a_disk_that_fills_loses_nothing_acknowledged_and_all_goes_on_once_there_is_room(box: Box) -> None:
    mate = Housemate(box)
    mate.set_up(box)
    mate.add_cat()
    told = {f"before-{n}" for n in range(3)}
    assert all(say(mate, name) for name in told)
    filler = box.house.parent / "filler"
    fill(filler)
    with suppress(psycopg.OperationalError), box.database(autocommit=True) as base:  # it may stop the server
        base.execute("SELECT pg_switch_wal()")
    answers = {f"full-{n}": say(mate, f"full-{n}") for n in range(5)}
    assert not all(answers.values())
    told |= {name for name, answer in answers.items() if answer}
    page = mate.get("/system") if is_well(box) else None
    assert page is None or page.status_code == 200
    assert not box.has_ended()
    filler.unlink()
    until(lambda: is_well(box), "well once there is room", patience_s=600)
    until(lambda: all(say(mate, name) for name in answers), "everything told at last")
    assert kept(box) == told | answers.keys()
    heard = box.rows("SELECT count(*) FROM memory_journalline WHERE envelope->>'event' = 'Heard'")
    assert heard == [(len(told | answers.keys()),)]
    assert "Traceback" not in box.printed()
    assert box.printed().count("The disk under") == box.printed().count("The database runs again.") > 0
    assert box.stop() == 0


def test_a_disk_that_may_not_be_written_is_said_in_one_sentence_and_the_book_waits(box: Box) -> None:
    mate = Housemate(box)
    mate.set_up(box)
    mate.add_cat()
    assert say(mate, "before")
    assert box.stop() == 0
    disk = str(box.house.parent)
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    assert "read-only" in box.refusal()
    subprocess.run(["mount", "-o", "remount,rw", disk], check=True)
    box.ready()
    assert kept(box) == {"before"}
    assert box.stop() == 0
