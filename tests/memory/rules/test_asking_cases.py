"""The house's own cases of complexity and drawers keep their figures; odd files are answered plainly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from memory.rules.case_scores import score_complexity, score_drawers

CASES = Path(__file__).resolve().parent.parent / "cases"


def _cases(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("lang", ["en", "tr"])
def test_questions_are_told_apart_by_the_thought_they_need(lang: str) -> None:
    report = score_complexity(_cases("complexity.jsonl"))
    assert report[lang]["cases"] >= 60
    assert report[lang]["accuracy"] >= 0.95


@pytest.mark.parametrize("lang", ["en", "tr"])
def test_paraphrases_land_in_one_drawer_and_others_do_not(lang: str) -> None:
    report = score_drawers(_cases("drawers.jsonl"))
    assert report[lang]["cases"] >= 60
    assert report[lang]["accuracy"] >= 0.90
    assert report[lang]["phrases"] >= 0.95


def test_other_names_of_the_same_fields_are_taken() -> None:
    asked = [{"id": 1, "language": "en", "text": "why does he limp?", "label": "analytical"}]
    assert score_complexity(asked)["en"]["accuracy"] == 1.0
    drawn = [{"lang": "en", "paraphrases": ["he limps", "his limp"], "elsewhere": ["her ear"]}]
    assert score_drawers(drawn)["en"]["accuracy"] == 1.0


@pytest.mark.parametrize("command", ["complexity_cases", "drawer_cases"])
@pytest.mark.parametrize("text", ["not json", '{"id": "x", "lang": "en"}'])
def test_a_file_of_another_shape_is_refused_with_a_sentence(command: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(text)
    with pytest.raises(CommandError, match=r"."):
        call_command(command, str(file))


@pytest.mark.parametrize("command", ["complexity_cases", "drawer_cases"])
def test_the_commands_print_figures_by_language(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = "complexity.jsonl" if command == "complexity_cases" else "drawers.jsonl"
    call_command(command, str(CASES / name), "--json")
    printed = json.loads(capsys.readouterr().out)
    assert {"all", "en", "tr", "cases"} <= printed.keys()
