"""The labelled questions: what the files hold, and how the composer does on them."""

from __future__ import annotations

import datetime as dt
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from household.management.cases import read_cases
from memory.management.commands.ask_cases import as_text, merged
from memory.services.asking.scoring import NoDemo, Outcome, Score, find_demo
from memory.services.demo.labels import COURSES, PATTERNS
from memory.services.demo.story import tell_story
from memory.services.demo.write import write_story
from tests.housemate import PASSPHRASE
from tests.makers import a_household, a_person

CASES = Path(__file__).resolve().parents[1] / "cases"
TODAY = dt.date(2026, 5, 20)
FIELDS = {"id", "lang", "subject", "question", "expect", "forbid", "nothing", "says"}
TARGET = 0.90


def cases_of(lang: str) -> list[dict[str, Any]]:
    return read_cases(CASES / f"ask.{lang}.jsonl")


@pytest.mark.parametrize("lang", ["en", "tr"])
def test_a_file_holds_sixty_questions_of_whole_shape_with_labels_the_story_has(lang: str) -> None:
    cases = cases_of(lang)
    assert len(cases) >= 60
    assert all(case.keys() == FIELDS and case["lang"] == lang for case in cases)
    assert len({(case["subject"], case["question"]) for case in cases}) == len(cases)
    assert len({case["id"] for case in cases}) == len(cases)
    known = {act.label for act in tell_story(seed=1, today=TODAY, language=lang).acts}
    known |= COURSES.keys() | PATTERNS.keys() | {"leo", "mavi", "bruno"}
    used = {label for case in cases for label in (*case["expect"], *case["forbid"])}
    assert {label.split(".record")[0] for label in used} <= known


def test_scores_are_kept_by_language_and_merge() -> None:
    score = Score()
    score.add(Outcome("a", "en", "q", ()))
    score.add(Outcome("b", "en", "q", ("not cited: x",)))
    report = score.as_json()
    assert report["en"] == {"cases": 2, "held": 1, "score": 0.5}
    both = merged(
        [report, {"cases": 2, "held": 2, "failures": [], "tr": {"cases": 2, "held": 2, "score": 1.0}}]
    )
    assert (both["cases"], both["held"], both["score"]) == (4, 3, 0.75)
    assert "not cited: x" in as_text(both)


@pytest.mark.parametrize(
    ("text", "says"), [(None, "Cannot read"), ("no json", "not one JSON"), ("[1]", "not one JSON")]
)
def test_a_broken_file_ends_in_a_sentence(tmp_path: Path, text: str | None, says: str) -> None:
    file = tmp_path / "cases.jsonl"
    if text is not None:
        file.write_text(text)
    with pytest.raises(CommandError, match=says):
        call_command("ask_cases", str(file))


@pytest.mark.django_db
def test_a_book_without_the_demo_has_nobody_to_ask_about() -> None:
    with pytest.raises(NoDemo):
        find_demo()


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("lang", ["en", "tr"])
def test_the_composer_holds_nine_of_ten(lang: str) -> None:
    a_household(time_zone="Europe/Istanbul", language=lang)
    story = tell_story(seed=1, today=TODAY, language=lang)
    write_story(story, parent=a_person("Ana"), passphrase=PASSPHRASE)
    out = io.StringIO()
    call_command("ask_cases", str(CASES / f"ask.{lang}.jsonl"), "--json", stdout=out)
    report = json.loads(out.getvalue())
    assert report["score"] >= TARGET, report["failures"]
