"""Folding a day's statements, and the part of the body they are about."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.twin.rules.signs import signs_of
from twin.rules.categories import CATEGORIES, LOCATORS, NOT_OBSERVED
from twin.rules.entries import Since
from twin.rules.folding import SITE_LIMIT, Onset, daily_key, fold_onset, fold_signs

parts_of_a_day = st.sampled_from(CATEGORIES).flatmap(
    lambda category: st.lists(signs_of(category), max_size=5)
)


def test_the_later_word_stands_and_the_rest_stays() -> None:
    morning = {"redness": True, "odour": False, "side": "left"}
    evening = {"redness": False, "head_shaking": True}
    assert fold_signs([morning, evening]) == {
        "redness": False,
        "odour": False,
        "side": "left",
        "head_shaking": True,
    }
    assert fold_signs([evening, morning])["redness"] is True


def test_who_did_not_look_takes_nothing_away() -> None:
    seen, unseen = {"form": "firm"}, {"form": NOT_OBSERVED}
    assert fold_signs([seen, unseen]) == fold_signs([unseen, seen]) == seen
    assert fold_signs([unseen, unseen]) == unseen


def test_a_false_or_zero_said_later_replaces_what_was_seen() -> None:
    assert fold_signs([{"stool_count": 2}, {"stool_count": 0}]) == {"stool_count": 0}


def test_nothing_said_is_an_empty_view() -> None:
    assert fold_signs([]) == {}


@given(parts_of_a_day, st.integers(0, 5))
def test_folding_in_any_grouping_gives_one_view(parts: list[dict[str, Any]], cut: int) -> None:
    before, after = parts[:cut], parts[cut:]
    whole = fold_signs(parts)
    assert fold_signs([fold_signs(before), *after]) == whole
    assert fold_signs([*before, fold_signs(after)]) == whole
    assert fold_signs([whole, whole]) == whole


@given(parts_of_a_day)
def test_every_sign_has_the_last_value_somebody_saw(parts: list[dict[str, Any]]) -> None:
    view = fold_signs(parts)
    assert set(view) == {name for signs in parts for name in signs}
    for name, value in view.items():
        said = [signs[name] for signs in parts if name in signs]
        assert value == ([seen for seen in said if seen != NOT_OBSERVED] or [NOT_OBSERVED])[-1]


KEYS: list[tuple[str, dict[str, Any], str]] = [
    ("ears", {"side": "left", "redness": True}, "left"),
    ("ears", {"side": "right"}, "right"),
    ("ears", {"side": "both"}, "both"),
    ("ears", {"side": NOT_OBSERVED, "redness": True}, ""),
    ("ears", {"redness": True}, ""),
    ("eyes", {"side": "left"}, "left"),
    ("skin_coat", {"site": "Belly", "rash": True}, "belly"),
    ("skin_coat", {"site": "  the   belly "}, "belly"),
    ("skin_coat", {"site": "her back"}, "back"),
    ("skin_coat", {"site": "the"}, ""),
    ("skin_coat", {"site": "SIRTI"}, "sirti"),
    ("skin_coat", {"site": "Sırtı"}, "sirti"),
    ("skin_coat", {"site": "x" * 200}, "x" * SITE_LIMIT),
    ("musculoskeletal", {"limb": "left back leg"}, "left hind leg"),
    ("musculoskeletal", {"limb": "his left hind paw"}, "left hind leg"),
    ("musculoskeletal", {"limb": "sol ön patisi"}, "sol on bacak"),
    ("musculoskeletal", {"limb": "Sol Ön bacağı"}, "sol on bacak"),
    ("musculoskeletal", {"limping": True}, ""),
    ("behaviour", {"place": "the market"}, ""),
    ("lower_digestive", {"form": "loose"}, ""),
]


@pytest.mark.parametrize(("category", "signs", "key"), KEYS)
def test_a_key_names_the_part_of_the_body(category: str, signs: dict[str, Any], key: str) -> None:
    assert daily_key(category, signs) == key


@given(st.sampled_from(CATEGORIES), st.text(max_size=300))
def test_any_words_make_a_short_key_that_is_its_own_key(category: str, words: str) -> None:
    locator = LOCATORS.get(category, "place")
    key = daily_key(category, {locator: words})
    assert len(key) <= SITE_LIMIT
    assert key == key.strip()
    assert key == "" or category in LOCATORS


@pytest.mark.parametrize(("category", "signs", "key"), KEYS)
def test_a_key_is_a_key_of_itself(category: str, signs: dict[str, Any], key: str) -> None:
    assert daily_key(category, {LOCATORS.get(category, "x"): key}) == key


DAY = dt.date(2026, 3, 10)
EARLIER, EARLIEST = dt.date(2026, 3, 8), dt.date(2026, 3, 1)
AGE = Since("age", low_months=0, high_months=6)


@pytest.mark.parametrize(
    ("told", "onset"),
    [
        ([], Onset()),
        ([None, Since("phrase")], Onset()),
        ([Since("date", on=EARLIER, precision="day")], Onset(EARLIER, "day")),
        ([Since("date", on=EARLIER)], Onset(EARLIER, "day")),
        (
            [Since("date", on=EARLIER), Since("date", on=EARLIEST, precision="month")],
            Onset(EARLIEST, "month"),
        ),
        ([Since("date", on=DAY), AGE], Onset(DAY, "day")),
        ([Since("date", on=DAY + dt.timedelta(days=1))], Onset()),
        ([AGE, None], Onset(low_months=0, high_months=6)),
        ([AGE, Since("age", low_months=12, high_months=35)], Onset(low_months=12, high_months=35)),
        ([Since("age", low_months=6, high_months=0)], Onset()),
    ],
)
def test_the_onset_of_a_day_is_the_earliest_date_told_else_the_last_age(
    told: list[Since | None], onset: Onset
) -> None:
    assert fold_onset(DAY, told) == onset
