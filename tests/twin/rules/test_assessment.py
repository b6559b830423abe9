"""The assessment's key, its differences, bands and the text by rules."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.rules.assessment import (
    AGE_BANDS,
    BAND_LABELS,
    LongMedicine,
    age_band,
    canonical_json,
    compose,
    differences,
    inputs_key,
    inputs_of,
    is_long_term,
    is_stale,
)
from twin.rules.drift import Drift

DAY = date(2025, 6, 11)


def inputs(**changes: Any) -> dict[str, Any]:
    given_inputs: dict[str, Any] = {
        "species": "cat",
        "breed": "Van",
        "sex": "male",
        "neutered": True,
        "age_months": 50,
        "chronic": ["asthma", "kidneys"],
        "medicines": [LongMedicine("Prednisolone", 2.5, "mg")],
        "profile_version": 2,
        "profile": {"weight_kg": 4.0},
        "drift": [Drift("weight_kg", 3.0, 4.0, 0.33, "drift"), Drift("mood", 3, 3, 0, "same")],
    }
    return inputs_of(**(given_inputs | changes))


CHANGES: list[tuple[dict[str, Any], tuple[str, ...]]] = [
    ({}, ()),
    ({"species": "dog"}, ("age_band", "species")),
    ({"breed": "Ankara"}, ("breed",)),
    ({"breed": "  Van "}, ()),
    ({"sex": "female"}, ("sex",)),
    ({"neutered": None}, ("neutered",)),
    ({"age_months": 51}, ()),
    ({"age_months": 83}, ()),
    ({"age_months": 84}, ("age_band",)),
    ({"age_months": None}, ("age_band",)),
    ({"chronic": ["kidneys", "asthma", "asthma"]}, ()),
    ({"chronic": ["kidneys"]}, ("chronic",)),
    ({"medicines": []}, ("medicines",)),
    ({"medicines": [LongMedicine("Prednisolone", 5, "mg")]}, ("medicines",)),
    ({"profile": {"weight_kg": 4}}, ()),
    ({"profile": {"weight_kg": 4.4}}, ("profile.weight_kg",)),
    (
        {"profile": {"weight_kg": 4.4, "mood": 2}, "profile_version": 3},
        ("profile.mood", "profile.version", "profile.weight_kg"),
    ),
    ({"drift": []}, ("drift.weight_kg",)),
]


@pytest.mark.parametrize(("change", "names"), CHANGES)
def test_only_lasting_changes_make_it_stale_and_they_are_named(
    change: dict[str, Any], names: tuple[str, ...]
) -> None:
    old, new = inputs(), inputs(**change)
    assert differences(old, new) == differences(new, old) == names
    assert is_stale(inputs_key(old), new) is bool(names)


def test_the_key_is_sha_256_of_one_spelling() -> None:
    assert canonical_json({"b": 2.0, "a": [1, "ş"]}) == '{"a":[1,"ş"],"b":2}'
    assert len(inputs_key(inputs())) == 64
    with pytest.raises(ValueError, match=r"range|JSON"):
        canonical_json(float("nan"))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=5) | st.floats(-1e6, 1e6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


@given(st.dictionaries(st.text(max_size=5), json_values, max_size=5))
def test_equal_values_have_one_key_whatever_their_order(value: dict[str, Any]) -> None:
    turned = dict(reversed(list(value.items())))
    assert inputs_key(value) == inputs_key(turned)
    assert differences(value, turned) == ()


@pytest.mark.parametrize("species", AGE_BANDS)
def test_every_age_has_one_band_and_bands_follow_each_other(species: str) -> None:
    bands = [age_band(species, months) for months in range(400)]
    order = [band for band, _ in AGE_BANDS[species]]
    assert sorted(set(bands), key=order.index) == order
    assert [order.index(band) for band in bands] == sorted(order.index(band) for band in bands)
    assert set(order) <= set(BAND_LABELS)
    assert age_band(species, None) == age_band(species, -1) == "unknown"


@pytest.mark.parametrize(
    ("days", "ended", "expected"),
    [
        (29, None, False),
        (30, None, True),
        (400, None, True),
        (400, -1, False),
        (400, 0, True),
        (29, 30, False),
    ],
)
def test_a_medicine_is_long_term_from_thirty_days_while_it_is_given(
    days: int, ended: int | None, expected: bool
) -> None:
    ended_on = None if ended is None else DAY + timedelta(ended)
    assert is_long_term(DAY - timedelta(days), ended_on, DAY) is expected


def filled(**changes: Any) -> list[str]:
    return [sentence.message % sentence.params for sentence in compose(inputs(**changes))]


def test_the_text_by_rules_says_what_the_inputs_hold() -> None:
    assert filled() == [
        "Life stage: young adult.",
        "Breed: Van.",
        "Chronic background: asthma, kidneys.",
        "Long-term medicine: Prednisolone 2.5 mg.",
        "Clearly changed since the last profile: weight_kg.",
    ]


def test_the_text_by_rules_says_what_is_missing() -> None:
    text = filled(
        breed="", chronic=[], medicines=[], profile_version=None, profile=None, drift=[], age_months=None
    )
    assert text == [
        "Life stage: age not known.",
        "No chronic background is recorded.",
        "No steady-state profile has been measured yet.",
    ]
    assert filled(drift=[])[-1] == "The profile is steady against the one before."
    assert (
        filled(drift=[Drift("mood", 3, 2, -1, "noted")])[-1]
        == "Slightly changed since the last profile: mood."
    )


def test_what_is_to_be_translated_first_is_named() -> None:
    for sentence in compose(inputs()):
        assert sentence.labels <= set(sentence.params)
