"""Every sign's own judgement, the frequency calls, and how three sources combine."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.twin.rules.signs import category_and_signs
from twin.rules.categories import CATEGORIES, NOT_OBSERVED, SCHEMAS, SignField
from twin.rules.entries import Polarity
from twin.rules.polarity import (
    ABNORMAL_WHEN_TRUE,
    HARMLESS,
    NO_FINDING,
    NORMAL_MEMBERS,
    NORMAL_TEMPERATURE_C,
    PERSON_BANDS,
    WITHOUT_RANGE,
    PolarityContext,
    derived_polarity,
    resolve_polarity,
)

CAT = PolarityContext(species="cat")
SPECIES = ["person", "cat", "dog", "rabbit", "bird", "other"]
EVERY_SIGN = [(category, field) for category, fields in SCHEMAS.items() for field in fields]
TRI = [(category, field.name) for category, field in EVERY_SIGN if field.kind == "tri"]
MEMBERS = [(c, f.name, m) for c, f in EVERY_SIGN if f.kind == "enum" and f.name != "side" for m in f.members]
JUDGED_NUMBERS = {"temperature_c", "vomit_count", "stool_count", "urine_count", "bcs"}


@pytest.mark.parametrize(("category", "name"), TRI)
def test_every_tri_state_sign_is_a_finding_when_true_or_known_to_be_harmless(
    category: str, name: str
) -> None:
    is_finding = name in ABNORMAL_WHEN_TRUE[category]
    assert is_finding is (name not in HARMLESS.get(category, ()))
    assert derived_polarity(category, {name: True}, CAT) == ("abnormal" if is_finding else "normal")
    assert derived_polarity(category, {name: False}, CAT) == "normal"


@pytest.mark.parametrize(("category", "name", "member"), MEMBERS)
def test_every_member_is_normal_abnormal_or_nobody_looked(category: str, name: str, member: str) -> None:
    is_normal = member in NORMAL_MEMBERS[category, name]
    expected = None if member == NOT_OBSERVED else "normal" if is_normal else "abnormal"
    assert derived_polarity(category, {name: member}, CAT) == expected


def test_the_normal_members_are_these() -> None:
    assert {
        ("appetite_intake", "amount"): {"usual"},
        ("thirst_hydration", "amount"): {"usual"},
        ("lower_digestive", "form"): {"firm"},
        ("oral_dental", "gum_colour"): {"pink"},
    } == NORMAL_MEMBERS


@pytest.mark.parametrize(("category", "field"), EVERY_SIGN)
def test_every_sign_stands_in_exactly_one_table(category: str, field: SignField) -> None:
    tables = [
        field.name in ABNORMAL_WHEN_TRUE[category],
        field.name in HARMLESS.get(category, ()),
        (category, field.name) in NORMAL_MEMBERS,
        field.name in WITHOUT_RANGE.get(category, ()),
        field.name in NO_FINDING.get(category, ()),
        field.name in JUDGED_NUMBERS,
    ]
    assert sum(tables) == 1


@pytest.mark.parametrize(("category", "names"), NO_FINDING.items())
def test_where_and_how_long_is_no_finding(category: str, names: frozenset[str]) -> None:
    values: dict[str, Any] = {"side": "left", "minutes": 45}
    assert derived_polarity(category, {name: values.get(name, "the tail") for name in names}, CAT) is None


@pytest.mark.parametrize("category", CATEGORIES)
def test_nothing_looked_at_is_no_judgement(category: str) -> None:
    assert derived_polarity(category, {}, CAT) is None


@pytest.mark.parametrize(("category", "names"), WITHOUT_RANGE.items())
@pytest.mark.parametrize("species", SPECIES)
def test_amounts_are_compared_with_nothing(category: str, names: frozenset[str], species: str) -> None:
    for name, value in product(names, (0.01, 3, 11)):
        assert derived_polarity(category, {name: value}, PolarityContext(species)) == "normal"


@pytest.mark.parametrize("species", SPECIES)
def test_a_temperature_is_judged_by_species_and_not_where_none_is_known(species: str) -> None:
    low, high = NORMAL_TEMPERATURE_C.get(species, (37.0, 41.0))
    values = (low - 0.1, low, high, high + 0.1)
    known = ["abnormal", "normal", "normal", "abnormal"]
    expected = known if species in NORMAL_TEMPERATURE_C else [None] * 4
    context = PolarityContext(species)
    assert [derived_polarity("whole_body", {"temperature_c": v}, context) for v in values] == expected


@pytest.mark.parametrize(("count", "expected"), [(0, "normal"), (1, "abnormal"), (7, "abnormal")])
def test_any_vomiting_counted_is_a_finding(count: int, expected: Polarity) -> None:
    assert derived_polarity("upper_digestive", {"vomit_count": count}, CAT) == expected


@pytest.mark.parametrize(
    ("previous", "now", "expected"),
    [
        (None, 9, "normal"),
        (5, 5, "normal"),
        (5, 5.5, "normal"),
        (5, 6, "abnormal"),
        (5, 4, "abnormal"),
        (9, 9, "normal"),
    ],
)
def test_body_condition_is_compared_with_its_own_previous_value(
    previous: float | None, now: float, expected: Polarity
) -> None:
    context = PolarityContext("dog", previous_bcs=previous)
    assert derived_polarity("metabolic_weight", {"bcs": now}, context) == expected


@pytest.mark.parametrize(
    ("category", "name", "baseline", "count", "expected"),
    [
        ("lower_digestive", "stool_count", 2.0, 0, "abnormal"),
        ("lower_digestive", "stool_count", 2.0, 1, "abnormal"),
        ("lower_digestive", "stool_count", 2.0, 2, "normal"),
        ("lower_digestive", "stool_count", 2.0, 3, "abnormal"),
        ("lower_digestive", "stool_count", 6.0, 5, "normal"),  # more than four, and usual for this one
        ("urinary", "urine_count", 4.0, 2, "abnormal"),
        ("urinary", "urine_count", 4.0, 3, "normal"),
        ("urinary", "urine_count", 4.0, 5, "normal"),
        ("urinary", "urine_count", 4.0, 6, "abnormal"),
        ("urinary", "urine_count", 10.0, 12, "normal"),
    ],
)
def test_a_count_is_compared_with_its_baseline_where_there_is_one(
    category: str, name: str, baseline: float, count: int, expected: Polarity
) -> None:
    context = PolarityContext(
        "cat",
        stool_per_day=baseline,
        urine_per_day=baseline,
        hours_since_stool=1,
        hours_since_urine=1,
    )
    assert derived_polarity(category, {name: count}, context) == expected


ABSOLUTE = [
    ("lower_digestive", "stool_count", 48, 4),
    ("urinary", "urine_count", 24, 8),
]


@pytest.mark.parametrize(("category", "name", "none_hours", "most"), ABSOLUTE)
@pytest.mark.parametrize("baseline", [None, 0.0])
@pytest.mark.parametrize("species", SPECIES)
def test_without_a_baseline_a_count_is_judged_absolutely(
    category: str, name: str, none_hours: int, most: int, baseline: float | None, species: str
) -> None:
    def call(count: int, hours: float | None) -> Polarity | None:
        context = PolarityContext(
            species,
            stool_per_day=baseline,
            urine_per_day=baseline,
            hours_since_stool=hours,
            hours_since_urine=hours,
        )
        return derived_polarity(category, {name: count}, context)

    assert call(0, none_hours) == "abnormal"
    assert call(0, none_hours - 0.1) == "normal"
    assert call(0, None) is None  # none, and nobody knows since when
    assert call(1, 100) == "normal"
    assert call(most, None) == "normal"
    assert call(most + 1, None) == "abnormal"


@pytest.mark.parametrize("age_months", [0, 11, 12, 47, 48, 143, 144, 600])
def test_a_person_is_judged_by_age_band(age_months: int) -> None:
    band = next(b for b in PERSON_BANDS if age_months < b.below_months)
    for category, name, usual in (
        ("lower_digestive", "stool_count", band.stool),
        ("urinary", "urine_count", band.urine),
    ):
        calls = []
        for count, hours in (
            (int(usual.most), 1.0),
            (int(usual.most) + 1, 1.0),
            (0, usual.none_hours - 1),
            (0, usual.none_hours),
        ):
            context = PolarityContext(
                "person", age_months=age_months, hours_since_stool=hours, hours_since_urine=hours
            )
            calls.append(derived_polarity(category, {name: count}, context))
        assert calls == ["normal", "abnormal", "normal", "abnormal"]


@given(category_and_signs(), st.sampled_from(SPECIES))
def test_a_finding_is_never_outvoted_by_what_was_normal(
    drawn: tuple[str, dict[str, Any]], species: str
) -> None:
    category, signs = drawn
    context = PolarityContext(species)
    alone = [derived_polarity(category, {name: value}, context) for name, value in signs.items()]
    expected = "abnormal" if "abnormal" in alone else "normal" if "normal" in alone else None
    assert derived_polarity(category, signs, context) == expected


SOURCES: list[Polarity | None] = [None, "normal", "abnormal"]


@pytest.mark.parametrize(("asserted", "derived", "model_read"), list(product(SOURCES, repeat=3)))
def test_any_abnormal_wins_and_nothing_known_is_abnormal(
    asserted: Polarity | None, derived: Polarity | None, model_read: Polarity | None
) -> None:
    sources = {asserted, derived, model_read}
    expected = "normal" if "normal" in sources and "abnormal" not in sources else "abnormal"
    assert resolve_polarity(asserted, derived, model_read) == expected
