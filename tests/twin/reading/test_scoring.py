"""The measuring contract: what counts as right, and by how much."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from twin.reading.scoring import as_text, context_of, cut, same_since, same_value, score
from twin.rules.entries import Entry, Reading, Since


def case(**more: Any) -> dict[str, Any]:
    made = {
        "id": "c1",
        "lang": "en",
        "species": "dog",
        "spoken_at": "2026-03-12T19:00:00",
        "born": None,
        "text": "x",
    }
    return {**made, "expect": {"kinds": ["observation"], "entries": []}, **more}


def wanting(*entries: dict[str, Any], kinds: tuple[str, ...] = ("observation",)) -> dict[str, Any]:
    return case(expect={"kinds": list(kinds), "entries": list(entries)})


def reading(*entries: Entry) -> Reading:
    return Reading(frozenset({"observation"}), entries)


COUGH = {"category": "respiratory", "model_read": "abnormal", "signs": {"coughing": True}, "today": "yes"}


def test_a_right_reading_scores_one_everywhere() -> None:
    right = Entry("respiratory", None, "abnormal", {"coughing": True}, "yes")
    assert set(score([wanting(COUGH)], [reading(right)])["en"].values()) == {1.0}


def test_an_entry_too_many_and_one_too_few_lower_the_entry_figure() -> None:
    two = reading(Entry("respiratory", None, "abnormal", {"coughing": True}, "yes"), Entry("ears"))
    assert score([wanting(COUGH)], [two])["all"]["entry_f1"] == pytest.approx(2 / 3)
    assert score([wanting(COUGH)], [reading()])["all"]["entry_f1"] == 0


def test_entries_of_one_category_are_paired_for_the_best_total() -> None:
    was = {"category": "ears", "signs": {"redness": True}, "today": "no", "model_read": "abnormal"}
    now = {"category": "ears", "signs": {"redness": False}, "today": "yes", "model_read": "normal"}
    swapped = reading(
        Entry("ears", None, "normal", {"redness": False}, "yes"),
        Entry("ears", None, "abnormal", {"redness": True}, "no"),
    )
    assert set(score([wanting(was, now)], [swapped])["all"].values()) == {1.0}


def test_polarity_is_the_resolved_one() -> None:
    asserted = {**COUGH, "asserted": "normal", "model_read": None}
    read = Entry("respiratory", None, None, {"coughing": True}, "yes")
    assert score([wanting(asserted)], [reading(read)])["all"]["polarity"] == 1.0


def test_kinds_must_be_the_exact_set() -> None:
    both = wanting(COUGH, kinds=("observation", "question"))
    right = Entry("respiratory", None, "abnormal", {"coughing": True}, "yes")
    assert score([both], [reading(right)])["all"]["kinds"] == 0.0


def day(year: int, month: int, of_month: int, precision: str) -> Since:
    return Since("date", date(year, month, of_month), precision)  # type: ignore[arg-type]


SINCES = [
    (None, None, True),
    (None, Since("phrase"), False),
    (Since("phrase"), Since("phrase"), True),
    (day(2026, 3, 10, "day"), day(2026, 3, 10, "day"), True),
    (day(2026, 3, 10, "day"), day(2026, 3, 9, "day"), False),
    (day(2026, 3, 10, "week"), day(2026, 3, 9, "week"), True),
    (day(2026, 3, 10, "week"), day(2026, 3, 9, "day"), False),
    (day(2026, 3, 10, "month"), day(2026, 3, 31, "month"), True),
    (day(2026, 1, 10, "season"), day(2025, 12, 1, "season"), True),
    (day(2026, 3, 10, "year"), day(2026, 12, 31, "year"), True),
    (Since("age", low_months=0, high_months=12), Since("age", low_months=2, high_months=10), True),
    (Since("age", low_months=0, high_months=12), Since("age", low_months=4, high_months=12), False),
]


@pytest.mark.parametrize(("want", "got", "agree"), SINCES)
def test_onsets_agree_cut_to_their_precision(want: Since | None, got: Since | None, agree: bool) -> None:
    assert same_since(want, got) is agree
    assert same_since(got, want) is agree


def test_a_season_is_cut_to_its_first_day() -> None:
    assert cut(day(2026, 8, 20, "season")) == date(2026, 6, 1)
    assert cut(day(2026, 2, 20, "season")) == date(2025, 12, 1)


@pytest.mark.parametrize(
    ("name", "want", "got", "agree"),
    [
        ("limb", "front left leg", "left leg", True),
        ("site", "sırt", "SIRT", True),
        ("place", "school", "park", False),
        ("fever", True, True, True),
        ("fever", True, False, False),
        ("vomit_count", 1, True, False),
        ("weight_kg", 4.1, 4.08, True),
        ("amount", "less", "less", True),
    ],
)
def test_the_speakers_words_agree_by_containment_and_the_rest_by_value(
    name: str, want: Any, got: Any, agree: bool
) -> None:
    assert same_value(name, want, got) is agree


def test_before_three_in_the_morning_it_is_still_the_day_before() -> None:
    assert context_of(case(spoken_at="2026-03-12T02:30:00")).spoken_on == date(2026, 3, 11)
    assert context_of(case(spoken_at="2026-03-12T03:00:00")).spoken_on == date(2026, 3, 12)


def test_the_printed_report_names_every_figure_and_each_miss() -> None:
    text = as_text(score([wanting(COUGH)], [reading()]))
    for name in ("entry_f1", "polarity", "today", "since", "signs_f1", "kinds", "c1", "missing respiratory"):
        assert name in text
