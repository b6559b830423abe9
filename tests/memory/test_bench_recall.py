"""The recall bench: its form, its refusals, and on real talks the goal."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from memory.services.recall import measure
from tests.slices import IS_LONG

TALKS = Path(os.environ.get("HEARTHBOOK_DATA", "../shared/data")) / "locomo_first5_CC-BY-NC.json"
TALK = {
    "speakers": ["Ana", "Ben"],
    "sessions": [
        {
            "date": "1 May 2026",
            "turns": [["1", "Ana", "Did the dog like the lake?"], ["2", "Ben", "It swam for hours."]],
        },
        {
            "date": "9 May 2026",
            "turns": [["3", "Ana", "I bought a trumpet."], ["4", "Ben", "Loud!", "a brass horn"]],
        },
    ],
    "qa": [
        {"q": "What did Ana buy?", "cat": 4, "ev": ["3"]},
        {"q": "Where did the dog swim?", "cat": 1, "ev": ["1", "2"]},
        {"q": "Who sang?", "cat": 5, "ev": []},
    ],
}  # fmt: skip


class Flat:
    """An embedder to which everything is the same."""

    def queries(self, texts):
        return [[1.0, 0.0] for _ in texts]

    passages = queries


def test_the_report_has_every_way_and_category_and_leaves_out_questions_without_evidence():
    found = measure([TALK], embedder=Flat())
    assert set(found) == {"hybrid", "text", "vector", "by_category"}
    assert all(set(found[way]) == {"5", "10", "20"} for way in ("hybrid", "text", "vector"))
    assert found["hybrid"]["5"] == 1.0
    assert {name: one["questions"] for name, one in found["by_category"].items()} == {"1": 1, "4": 1}


@pytest.mark.parametrize("content", ["{}", "no", '[{"speakers": []}]'])
def test_what_is_no_file_of_talks_is_refused_in_one_sentence(tmp_path, content):
    path = tmp_path / "talks.json"
    path.write_text(content)
    with pytest.raises(CommandError, match="Cannot measure"):
        call_command("bench_recall", str(path))
    with pytest.raises(CommandError, match="Cannot read"):
        call_command("bench_recall", str(tmp_path / "none"))


@pytest.mark.long
@pytest.mark.skipif(not TALKS.exists(), reason=f"{TALKS} is not there: set HEARTHBOOK_DATA")
@pytest.mark.skipif(not IS_LONG, reason="HEARTHBOOK_LONG is not set")
def test_real_talks_reach_the_goal():
    out = io.StringIO()
    call_command("bench_recall", str(TALKS), "--json", stdout=out)
    hybrid = json.loads(out.getvalue())["hybrid"]
    assert hybrid["5"] >= 0.70
    assert hybrid["10"] >= 0.80
    assert hybrid["20"] >= 0.87
