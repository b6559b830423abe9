"""What everyday statements in both languages become: body systems, signs, and whether they are of today."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from twin.reading.builtin import read
from twin.rules.entries import ReadingContext

CASES = Path(__file__).parent / "cases"
SPOKEN_ON = date(2026, 3, 12)
BORN_ON = date(2020, 1, 1)


def _rows(language: str) -> list[dict[str, Any]]:
    lines = (CASES / f"statements_{language}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


ROWS = [*_rows("en"), *_rows("tr")]


@pytest.mark.parametrize("row", ROWS, ids=[row["text"][:60] for row in ROWS])
def test_a_statement_becomes_its_entries(row: dict[str, Any]) -> None:
    context = ReadingContext(row["lang"], row["species"], SPOKEN_ON, 19, BORN_ON)
    found = [(e.category, e.signs, e.today) for e in read(row["text"], context=context).entries]
    wanted = [(e["category"], e["signs"], e["today"]) for e in row["entries"]]
    assert sorted(found, key=repr) == sorted(wanted, key=repr)
