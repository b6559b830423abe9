"""The built-in reader keeps its figures on our own labelled statements, tuned on or not."""

from __future__ import annotations

import json
import random
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from twin.reading.builtin import read
from twin.reading.scoring import FIELDS, score
from twin.rules.entries import Reading, ReadingContext

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "cases" / "own.jsonl").read_text("utf-8").splitlines()
]
NIGHT_ENDS = 3
# The least each figure may be, in the order of FIELDS.
FLOORS = {
    ("tune", "en"): (0.95, 0.98, 0.98, 0.98, 0.95, 0.98),
    ("tune", "tr"): (0.97, 0.98, 0.96, 0.98, 0.97, 0.98),
    ("held", "en"): (0.92, 0.97, 0.96, 0.95, 0.94, 0.96),
    ("held", "tr"): (0.95, 0.97, 0.97, 0.97, 0.93, 0.97),
    ("held2", "en"): (0.80, 0.88, 0.93, 0.93, 0.86, 0.91),
    ("held2", "tr"): (0.86, 0.96, 0.90, 0.92, 0.90, 0.96),
    ("held3", "en"): (0.88, 0.88, 0.93, 0.93, 0.86, 0.85),
    ("held3", "tr"): (0.93, 0.88, 0.92, 0.92, 0.88, 0.92),
}
STRAYS = [
    "🙈",
    "\u200b",
    "\u200f",
    "\u202e",
    "\ufeff",
    "\x00",
    "ﷺ",
    "½",
    "٣",
    "İ",
    "ı",
    "👩\u200d👧",
    "\n",
    "???",
    "99/99",
    "31:61",
]


def context_of(case: dict[str, Any]) -> ReadingContext:
    """What the reader may know of a case; the hours before three belong to the day before."""
    at = datetime.fromisoformat(case["spoken_at"])
    born = date.fromisoformat(case["born"]) if case["born"] else None
    day = at.date() - timedelta(days=at.hour < NIGHT_ENDS)
    return ReadingContext(case["lang"], case["species"], day, at.hour, born)


@cache
def report(split: str) -> dict[str, Any]:
    """The figures of one split."""
    cases = [case for case in CASES if case["split"] == split]
    return score(cases, [read(case["text"], context=context_of(case)) for case in cases])


@pytest.mark.parametrize(("split", "language"), FLOORS)
def test_no_figure_falls_below_its_floor(split: str, language: str) -> None:
    figures = report(split)[language]
    fallen = {
        f: figures[f] for f, least in zip(FIELDS, FLOORS[split, language], strict=True) if figures[f] < least
    }
    assert not fallen


def test_every_statement_is_its_own() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert len({case["text"] for case in CASES}) == len(CASES)


def test_the_words_and_time_words_of_every_label_are_the_speakers() -> None:
    for case in CASES:
        for entry in case["expect"]["entries"]:
            assert entry["words"] in case["text"], case["id"]
            assert entry["phrase"] is None or entry["phrase"] in case["text"], case["id"]


@pytest.mark.parametrize("seed", range(12))
def test_statements_run_together_with_strange_marks_are_read_without_a_fault(seed: int) -> None:
    rng = random.Random(seed)
    length = (80, 400, 2_000, 10_500)[seed % 4]
    text = ""
    while len(text) < length:
        text += rng.choice(CASES)["text"] + rng.choice([*STRAYS, ". ", " ", ", ", " and ", " ve "])
    for language in ("en", "tr"):
        reading = read(text[:length], context=context_of({**rng.choice(CASES), "lang": language}))
        assert isinstance(reading, Reading)
        assert reading.kinds
        assert all(entry.words in text for entry in reading.entries)
