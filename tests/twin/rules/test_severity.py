"""Severity of every sign, every step of a trajectory, and the default horizons."""

from __future__ import annotations

from itertools import product
from typing import Any, get_args

import pytest
from hypothesis import given

from tests.twin.rules.signs import category_and_signs
from twin.rules.categories import CATEGORIES, FIELDS, NOT_OBSERVED, SCHEMAS, SignField
from twin.rules.entries import Polarity
from twin.rules.lifecycle import clamp
from twin.rules.polarity import ABNORMAL_WHEN_TRUE, PolarityContext, derived_polarity
from twin.rules.severity import (
    GRAVE,
    MEMBER_GRAVITY,
    NUMBER_GRAVITY,
    QUIET_DAYS,
    TRAJECTORIES,
    Trajectory,
    day_severity,
    quiet_days,
    severity,
    trajectory,
)

EVERY_SIGN = [(category, field) for category, fields in SCHEMAS.items() for field in fields]
TRI = [(category, field.name) for category, field in EVERY_SIGN if field.kind == "tri"]
MEMBERS = [(c, f.name, m) for c, f in EVERY_SIGN if f.kind == "enum" for m in f.members]
OTHER_ANIMAL = PolarityContext("other")


@pytest.mark.parametrize(("category", "name"), TRI)
def test_a_sign_that_is_a_finding_is_at_least_mild_when_true_and_nothing_when_false(
    category: str, name: str
) -> None:
    graded = severity(category, {name: True})
    assert severity(category, {name: False}) == 0
    assert graded == (GRAVE[category].get(name, 1) if name in ABNORMAL_WHEN_TRUE[category] else 0)
    assert 0 <= graded <= 3


@pytest.mark.parametrize(("category", "name", "member"), MEMBERS)
def test_a_member_is_graded_exactly_when_it_is_not_normal(category: str, name: str, member: str) -> None:
    is_abnormal = derived_polarity(category, {name: member}, OTHER_ANIMAL) == "abnormal"
    assert (severity(category, {name: member}) > 0) is is_abnormal


@pytest.mark.parametrize(
    ("category", "name", "value", "expected"),
    [
        ("upper_digestive", "vomit_count", 0, 0),
        ("upper_digestive", "vomit_count", 1, 2),
        ("upper_digestive", "vomit_count", 4, 2),
        ("upper_digestive", "vomit_count", 5, 3),
        ("lower_digestive", "stool_count", 0, 0),
        ("lower_digestive", "stool_count", 4, 0),
        ("lower_digestive", "stool_count", 5, 1),
        ("lower_digestive", "stool_count", 7, 2),
        ("urinary", "urine_count", 8, 0),
        ("urinary", "urine_count", 9, 1),
        ("urinary", "urine_count", 13, 2),
        ("whole_body", "temperature_c", 42.0, 0),
        ("metabolic_weight", "weight_kg", 4.1, 0),
        ("sleep", "hours", 2, 0),
        ("behaviour", "minutes", 90, 0),
        ("behaviour", "place", "market", 0),
    ],
)
def test_counts_are_graded_by_steps(category: str, name: str, value: Any, expected: int) -> None:
    assert severity(category, {name: value}) == expected


def test_the_tables_speak_only_of_signs_that_exist() -> None:
    assert set(GRAVE) == set(QUIET_DAYS) == set(CATEGORIES)
    assert all(set(graded) <= ABNORMAL_WHEN_TRUE[category] for category, graded in GRAVE.items())
    for category, name in (*MEMBER_GRAVITY, *NUMBER_GRAVITY):
        assert name in FIELDS[category]


@given(category_and_signs())
def test_a_days_severity_is_that_of_its_gravest_sign(drawn: tuple[str, dict[str, Any]]) -> None:
    category, signs = drawn
    assert severity(category, signs) == max((severity(category, {n: v}) for n, v in signs.items()), default=0)


@given(category_and_signs())
def test_whatever_is_graded_is_abnormal_unless_the_subject_has_a_baseline(
    drawn: tuple[str, dict[str, Any]],
) -> None:
    category, signs = drawn
    if severity(category, signs) > 0:
        assert derived_polarity(category, signs, OTHER_ANIMAL) == "abnormal"


@pytest.mark.parametrize(("graded", "polarity"), list(product(range(4), get_args(Polarity))))
def test_a_normal_day_has_no_severity_and_an_abnormal_one_some(graded: int, polarity: Polarity) -> None:
    expected = {"normal": 0, "abnormal": max(1, graded)}[polarity]
    assert day_severity(graded, polarity) == expected


@pytest.mark.parametrize(("previous", "today"), list(product([None, 0, 1, 2, 3], range(4))))
def test_every_step_has_its_word(previous: int | None, today: int) -> None:
    word = trajectory(previous, today)
    assert word in get_args(Trajectory)
    if today == 0:
        assert word == "normal"
    elif previous is None:
        assert word == "onset"
    else:
        difference = today - previous
        assert word == ("worsening" if difference > 0 else "improving" if difference < 0 else "unchanged")
    assert len(TRAJECTORIES) == 20


@pytest.mark.parametrize(("previous", "graded"), list(product([None, 0, 1, 2, 3], range(4))))
def test_polarity_decides_whether_the_day_counts_as_ill(previous: int | None, graded: int) -> None:
    assert trajectory(previous, graded, "normal") == "normal"
    assert trajectory(previous, graded, "abnormal") == trajectory(previous, max(1, graded))


@pytest.mark.parametrize("category", CATEGORIES)
def test_default_quiet_days_already_obey_the_floors(category: str) -> None:
    assert clamp(quiet_days(category)) == quiet_days(category)


def test_not_looking_is_not_graded() -> None:
    assert severity("thirst_hydration", {"amount": NOT_OBSERVED}) == 0


@pytest.mark.parametrize(("category", "field"), [(c, f) for c, f in EVERY_SIGN if f.kind == "text"])
def test_words_are_not_graded(category: str, field: SignField) -> None:
    assert severity(category, {field.name: "anywhere"}) == 0
