"""A parent forgets in a running box: web, worker and database as a family has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.household.box.running import Box, a_running_box, until
from tests.housemate import Housemate

pytestmark = pytest.mark.long
WORD = "zqxinthebox"


@pytest.fixture
def box() -> Iterator[Box]:
    with a_running_box() as running:
        yield running


def holding(house: Path) -> list[str]:
    """The files of the house that hold the word."""
    found = []
    for path in house.rglob("*"):
        try:
            if path.is_file() and WORD.encode() in path.read_bytes():
                found.append(str(path.relative_to(house)))
        except FileNotFoundError:
            continue
    return found


def test_the_proof_comes_to_say_that_the_bytes_are_gone_and_they_are(box: Box) -> None:
    ana = Housemate(box)
    ana.set_up(box)
    ana.add_cat()
    assert ana.tell(f"{WORD} she vomited twice", "one")
    turn = re.search(r"/forget/turn/([\w-]+)", ana.get("/turns/" + _turn(ana)).text)
    assert turn
    ana.get(f"/forget/turn/{turn[1]}")
    done = ana.post(f"/forget/turn/{turn[1]}", client_id="f1", sure="yes")
    assert done.status_code == 302, done.text
    proof = done.headers["Location"]
    until(lambda: "No file holds it any more" in ana.get(proof).text, "the bytes gone")
    assert holding(box.house) == []
    assert WORD not in box.printed()


def _turn(ana: Housemate) -> str:
    """The turn of what was told last: telling leads to its page."""
    again = ana.post("/tell", words=f"{WORD} she vomited twice", client_id="one", subject="1")
    return again.headers["Location"].rsplit("/", 1)[1]
