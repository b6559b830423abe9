"""Every sign has a name in front of people, and a normal finding reads as what was checked."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from twin.labels import (
    CATEGORY_LABELS,
    checked_signs,
    describe_signs,
    field_label,
    sign_label,
    title_of,
    unseen_signs,
)
from twin.rules.categories import CATEGORIES, LOCATORS, NOT_OBSERVED, SCHEMAS, SignField

FIELDS = [(category, field) for category, fields in SCHEMAS.items() for field in fields]


def values_of(field: SignField) -> list[Any]:
    match field.kind:
        case "tri":
            return [True, False]
        case "enum":
            return [member for member in field.members if member != NOT_OBSERVED]
        case "number":
            return [0, 1, 2, 37.5]
        case _:
            return ["the pet shop"]


def texts(labels: list[Any]) -> list[str]:
    return [label.text for label in labels]


def test_every_category_has_a_name():
    assert set(CATEGORY_LABELS) == set(CATEGORIES)


@pytest.mark.parametrize(("category", "field"), FIELDS, ids=lambda part: getattr(part, "name", part))
def test_every_value_of_every_sign_has_its_own_words(category: str, field: SignField):
    assert field_label(category, field.name)
    if field.name == LOCATORS.get(category):
        return
    said = [sign_label(category, field.name, value) for value in values_of(field)]
    assert all(label is not None and label.text and "%" not in label.text for label in said)
    assert len({label.text for label in said if label}) == len(said)


@pytest.mark.parametrize(
    ("category", "signs", "there", "checked"),
    [
        ("ears", {"odour": False, "redness": False}, [], ["no redness", "no smell"]),
        ("ears", {"scratching": True, "odour": False, "side": "left"}, ["scratching"], ["no smell"]),
        ("upper_digestive", {"vomiting": True, "vomit_count": 2}, ["vomited 2 times"], []),
        ("upper_digestive", {"vomiting": True, "vomit_count": 1}, ["vomited 1 time"], []),
        ("upper_digestive", {"vomiting": True}, ["vomiting"], []),
        ("upper_digestive", {"vomiting": False, "vomit_count": 2}, ["vomited 2 times"], ["no vomiting"]),
        ("upper_digestive", {"vomiting": False, "vomit_count": 0}, [], ["no vomiting"]),
        ("appetite_intake", {"amount": "usual"}, [], ["ate as usual"]),
        ("appetite_intake", {"amount": "less", "food_g": 40}, ["ate less than usual", "ate 40 g"], []),
        ("lower_digestive", {"form": "firm", "stool_count": 1}, ["1 stool"], ["firm stool"]),
        ("behaviour", {"meltdown": True, "trigger": "noise"}, ["meltdown", "set off by: noise"], []),
        ("whole_body", {"temperature_c": 38.5}, ["temperature 38.5 °C"], []),
        (None, {}, [], []),
    ],
)
def test_what_was_there_and_what_was_checked_read_apart(category, signs, there, checked):
    assert texts(describe_signs(category, signs)) == there
    assert texts(checked_signs(category, signs)) == checked


def test_not_having_looked_is_neither_a_finding_nor_a_check():
    signs = {"amount": NOT_OBSERVED}
    assert describe_signs("appetite_intake", signs) == checked_signs("appetite_intake", signs) == []
    assert texts(unseen_signs("appetite_intake", signs)) == ["eating not looked at"]


@pytest.mark.parametrize(
    ("kind", "category", "signs", "title"),
    [
        ("symptom", "ears", {"side": "left"}, "Left ear"),
        ("symptom", "ears", {"side": NOT_OBSERVED}, "Ears"),
        ("symptom", "eyes", {"side": "both"}, "Both eyes"),
        ("symptom", "musculoskeletal", {"limb": "hind leg"}, "Joints and muscles · hind leg"),
        ("symptom", "sleep", {}, "Sleep"),
        ("history", None, {}, "History"),
        ("vaccination", None, {}, "Vaccination"),
    ],
)
def test_a_record_is_called_by_its_place(kind, category, signs, title):
    assert title_of(kind, category, signs) == title


def test_a_number_is_written_as_the_reader_writes_it():
    with translation.override("tr"):
        assert "4,25" in texts(describe_signs("metabolic_weight", {"weight_kg": 4.25}))[0]
