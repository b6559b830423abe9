"""The category schemas, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.twin.rules.signs import category_and_signs
from twin.rules.categories import (
    CATEGORIES,
    FIELDS,
    LOCATORS,
    NOT_OBSERVED,
    SCHEMAS,
    TEXT_LIMIT,
    InvalidSigns,
    SignField,
    observed,
    validate_signs,
)

EVERY_SIGN = [(category, field) for category, fields in SCHEMAS.items() for field in fields]
NEVER_VALID: list[Any] = [None, [], {}, (), b"x", float("nan"), float("inf"), -float("inf"), -1, 10**9]


def valid_values(field: SignField) -> list[Any]:
    """Some accepted values of a sign, with both ends of a number."""
    match field.kind:
        case "tri":
            return [True, False]
        case "enum":
            return list(field.members)
        case "number":
            return [field.low, field.high]
        case _:
            return ["left hind", "x" * TEXT_LIMIT]


def test_there_are_nineteen_categories() -> None:
    assert len(CATEGORIES) == 19
    assert CATEGORIES[0] == "whole_body"
    assert CATEGORIES[-1] == "behaviour"


@pytest.mark.parametrize("category", CATEGORIES)
def test_names_within_a_category_are_unique(category: str) -> None:
    assert len(FIELDS[category]) == len(SCHEMAS[category])


@pytest.mark.parametrize(("category", "field"), EVERY_SIGN)
def test_every_sign_accepts_its_own_values(category: str, field: SignField) -> None:
    for value in valid_values(field):
        assert validate_signs(category, {field.name: value}) == {field.name: value}


@pytest.mark.parametrize(("category", "field"), EVERY_SIGN)
def test_every_sign_refuses_every_other_kind_of_value_and_names_itself(
    category: str, field: SignField
) -> None:
    others = {"tri": ["true", 1, 0, NOT_OBSERVED], "enum": [True, 1, "", "purple"]}
    others |= {
        "number": [True, "3", "", field.high and field.high + 1],
        "text": [True, 3, "", "  ", "x" * 201],
    }
    for value in (*others[field.kind], *NEVER_VALID):
        with pytest.raises(InvalidSigns) as refused:
            validate_signs(category, {field.name: value})
        assert refused.value.path == field.name


@pytest.mark.parametrize(("category", "field"), EVERY_SIGN)
def test_a_sign_of_another_category_is_refused(category: str, field: SignField) -> None:
    for other in CATEGORIES:
        if field.name not in FIELDS[other]:
            with pytest.raises(InvalidSigns, match="unknown_sign"):
                validate_signs(other, {field.name: valid_values(field)[0]})


def test_an_unknown_category_is_refused_with_an_empty_path() -> None:
    with pytest.raises(InvalidSigns) as refused:
        validate_signs("ear_infection", {})
    assert (refused.value.path, refused.value.code) == ("", "unknown_category")


def test_every_enumeration_knows_not_observed() -> None:
    assert all(NOT_OBSERVED in field.members for _, field in EVERY_SIGN if field.kind == "enum")


def test_a_count_is_whole_and_comes_back_as_an_int() -> None:
    assert type(validate_signs("lower_digestive", {"stool_count": 2.0})["stool_count"]) is int
    with pytest.raises(InvalidSigns, match="not_whole"):
        validate_signs("lower_digestive", {"stool_count": 2.5})


@given(category_and_signs())
def test_validating_twice_changes_nothing_and_order_is_the_schemas(drawn: tuple[str, dict[str, Any]]) -> None:
    category, signs = drawn
    once = validate_signs(category, signs)
    assert once == signs
    assert validate_signs(category, once) == once
    assert list(once) == [name for name in FIELDS[category] if name in signs]


@given(
    st.sampled_from(CATEGORIES), st.dictionaries(st.text(max_size=8), st.integers() | st.text() | st.none())
)
def test_whatever_comes_is_validated_or_refused_in_its_own_error(
    category: str, signs: dict[str, Any]
) -> None:
    try:
        assert set(validate_signs(category, signs)) <= set(FIELDS[category])
    except InvalidSigns as refused:
        assert refused.path in signs


@pytest.mark.parametrize(("category", "field"), EVERY_SIGN)
def test_only_words_that_nobody_looked_are_unobserved(category: str, field: SignField) -> None:
    for value in valid_values(field):
        assert observed(category, {field.name: value}) is (value != NOT_OBSERVED)


def test_nothing_said_of_signs_leaves_the_speakers_own_judgement_to_count() -> None:
    assert observed("ears", {})


def test_one_thing_looked_at_is_enough() -> None:
    assert observed("lower_digestive", {"form": NOT_OBSERVED, "stool_count": 1})
    assert not observed("lower_digestive", {"form": NOT_OBSERVED})


@pytest.mark.parametrize(("category", "name"), LOCATORS.items())
def test_what_locates_a_finding_is_a_sign_of_its_category(category: str, name: str) -> None:
    assert name in FIELDS[category]
