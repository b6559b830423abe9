"""Profile fields, thresholds, and what is missing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.rules.drift import (
    FIELDS,
    Drift,
    InvalidProfile,
    ProfileField,
    drift,
    drift_of,
    fields_of,
    relative_change,
    validate_profile,
)

CONTINUOUS = [name for name, field in FIELDS.items() if field.kind == "continuous"]
ORDINAL = [name for name, field in FIELDS.items() if field.kind == "ordinal"]


def test_the_fields_are_these() -> None:
    assert ORDINAL == ["stool_form", "bcs", "appetite", "energy", "mood"]
    assert [f.name for f in fields_of("person") if f not in fields_of("cat")] == [
        "meltdowns_per_week",
        "words_or_signs_per_day",
        "foods_accepted",
    ]
    assert len(FIELDS) == 16


@pytest.mark.parametrize("name", CONTINUOUS)
def test_a_continuous_field_drifts_from_thirty_per_cent_food_from_twenty_five(name: str) -> None:
    at = 25 if name == "food_g" else 30
    for old in (1, 10, 0.7):
        for per_cent, mark in (
            (0, "same"),
            (at - 1, "same"),
            (at, "drift"),
            (at + 1, "drift"),
            (100, "drift"),
        ):
            for new in (old * (1 + per_cent / 100), old * (1 - per_cent / 100)):
                assert drift_of(name, old, new).mark == mark


@pytest.mark.parametrize("name", ORDINAL)
def test_an_ordinal_field_is_noted_at_one_rank_and_drifts_at_two(name: str) -> None:
    top = int(FIELDS[name].high)
    for old in range(1, top + 1):
        for new in range(1, top + 1):
            expected = ("same", "noted", "drift")[min(2, abs(new - old))]
            assert drift_of(name, old, new) == Drift(name, old, new, new - old, expected)


@pytest.mark.parametrize("name", FIELDS)
def test_what_is_missing_on_either_side_is_said_and_does_not_drift(name: str) -> None:
    for old, new in ((None, 3), (3, None), (None, None)):
        assert drift_of(name, old, new) == Drift(name, old, new, None, "missing")


@pytest.mark.parametrize("name", CONTINUOUS)
def test_from_nothing_any_amount_is_drift(name: str) -> None:
    assert drift_of(name, 0, 0.1).mark == "drift"
    assert drift_of(name, 0, 0).mark == "same"
    assert drift_of(name, 0, 5).change is None
    assert relative_change(0, 5) is None


def test_a_drift_covers_what_either_version_has_in_the_fields_order() -> None:
    found = drift("cat", {"weight_kg": 4.0, "stool_per_day": 1}, {"weight_kg": 5.2, "mood": 3})
    assert [(each.field, each.mark) for each in found] == [
        ("stool_per_day", "missing"),
        ("weight_kg", "drift"),
        ("mood", "missing"),
    ]
    assert found[1].change == pytest.approx(0.3)


profiles = st.dictionaries(st.sampled_from(sorted(FIELDS)), st.integers(1, 5))


@given(profiles)
def test_a_profile_never_drifts_from_itself(values: dict[str, int]) -> None:
    assert all(each.mark == "same" for each in drift("person", values, values))


@given(profiles, profiles)
def test_ordinals_drift_alike_in_both_directions(old: dict[str, int], new: dict[str, int]) -> None:
    there = {each.field: each.mark for each in drift("person", old, new)}
    back = {each.field: each.mark for each in drift("person", new, old)}
    assert {name: there[name] for name in there if name in ORDINAL} == {
        name: back[name] for name in back if name in ORDINAL
    }


@pytest.mark.parametrize("field", FIELDS.values(), ids=lambda field: field.name)
def test_values_are_checked_against_their_field(field: ProfileField) -> None:
    assert validate_profile("person", {field.name: field.high}) == {field.name: field.high}
    assert validate_profile("person", {field.name: field.low}) == {field.name: field.low}
    refused: list[Any] = [field.high + 1, field.low - 1, True, "3", None, float("nan"), float("inf")]
    for value in refused + ([2.5] if field.is_whole else []):
        with pytest.raises(InvalidProfile) as error:
            validate_profile("person", {field.name: value})
        assert error.value.path == field.name


def test_an_animal_has_no_persons_fields() -> None:
    with pytest.raises(InvalidProfile, match="unknown_field"):
        validate_profile("dog", {"meltdowns_per_week": 2})
    assert validate_profile("dog", {"mood": 3.0, "weight_kg": 9.5}) == {"weight_kg": 9.5, "mood": 3}
