"""Every tap of both forms: what it files, how it ranks, and what is shown for it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.rules.categories import observed, validate_signs
from twin.rules.form_fields import (
    DIDNT_LOOK,
    FORMS,
    NOT_LOOKED_RANK,
    FormField,
    Level,
    entry_for,
    fields_for,
    is_level,
    level_of,
    worst,
)
from twin.rules.polarity import PolarityContext, derived_polarity, resolve_polarity

ICONS = set(re.findall(r'id="([\w-]+)"', (Path(__file__).parents[3] / "static" / "icons.svg").read_text()))
FIELDS = [(kind, one) for kind, form in FORMS.items() for one in form.values()]
TAPS = [(kind, one.key, level) for kind, one in FIELDS for level in one.levels]


def test_a_child_has_seven_fields_and_an_animal_its_own() -> None:
    assert list(fields_for("person")) == [
        "arousal",
        "emotion",
        "regulation",
        "sensory",
        "sleep",
        "nutrition",
        "environment",
    ]
    assert list(fields_for("animal")) == [
        "appetite",
        "drinking",
        "stool_count",
        "stool_form",
        "urine",
        "energy",
        "mood",
        "skin",
    ]


@pytest.mark.parametrize(("kind", "one"), FIELDS)
def test_a_field_is_a_row_of_three_to_five_taps_with_icon_and_word(kind: str, one: FormField) -> None:
    assert 3 <= len(one.levels) <= 5
    assert (
        len({level.key for level in one.levels})
        == len({level.label for level in one.levels})
        == len(one.levels)
    )
    assert {one.icon, *(level.icon for level in one.levels)} <= ICONS
    assert one.label and all(level.label for level in one.levels)


@pytest.mark.parametrize(("kind", "one"), FIELDS)
def test_every_field_has_a_level_of_no_concern_and_one_of_some(kind: str, one: FormField) -> None:
    ranks = [level.rank for level in one.levels]
    assert 0 in ranks
    assert max(ranks) >= 2


@pytest.mark.parametrize(("kind", "one"), FIELDS)
def test_didnt_look_is_there_for_every_field_of_an_animal_and_for_no_child(kind: str, one: FormField) -> None:
    keys = [level.key for level in one.levels]
    assert (DIDNT_LOOK in keys) is (kind == "animal")
    assert kind == "person" or keys[-1] == DIDNT_LOOK


def test_arousal_is_of_concern_at_both_ends() -> None:
    ranks = [level.rank for level in fields_for("person")["arousal"].levels]
    middle = ranks.index(0)
    assert ranks == sorted(ranks[:middle], reverse=True) + sorted(ranks[middle:])
    assert ranks[0] == ranks[-1] == max(ranks)


@pytest.mark.parametrize(("kind", "key", "level"), TAPS)
def test_a_tap_files_a_valid_entry_about_today_or_none(kind: str, key: str, level: Level) -> None:
    entry = entry_for(kind, key, level.key)
    assert (entry is None) is (level.category is None)
    if entry is not None:
        assert entry.today == "yes"
        assert entry.since is None
        assert validate_signs(entry.category, entry.signs) == entry.signs


@pytest.mark.parametrize(("kind", "key", "level"), TAPS)
def test_a_tap_of_no_concern_files_a_normal_finding_and_the_worst_an_abnormal_one(
    kind: str, key: str, level: Level
) -> None:
    entry = entry_for(kind, key, level.key)
    if entry is None or level.key == DIDNT_LOOK:
        return
    context = PolarityContext("person" if kind == "person" else "cat", hours_since_stool=72)
    derived = derived_polarity(entry.category, entry.signs, context)
    polarity = resolve_polarity(entry.asserted, derived, entry.model_read)
    assert level.rank == 1 or polarity == ("abnormal" if level.rank else "normal")


@pytest.mark.parametrize(("kind", "key", "level"), [tap for tap in TAPS if tap[2].key == DIDNT_LOOK])
def test_didnt_look_files_no_finding(kind: str, key: str, level: Level) -> None:
    entry = entry_for(kind, key, level.key)
    assert level.rank == NOT_LOOKED_RANK
    assert entry is None or not observed(entry.category, entry.signs)


def test_an_entry_is_its_own_copy_of_the_table() -> None:
    first = entry_for("animal", "appetite", "usual")
    assert first is not None
    first.signs["picky"] = True
    again = entry_for("animal", "appetite", "usual")
    assert again is not None
    assert again.signs == {"amount": "usual"}


@pytest.mark.parametrize(
    ("kind", "field_key", "level_key", "expected"),
    [
        ("person", "sleep", "good", True),
        ("person", "appetite", "usual", False),
        ("animal", "appetite", "usual", True),
        ("animal", "appetite", "good", False),
        ("animal", "", "", False),
    ],
)
def test_a_form_knows_its_own_levels_only(kind: str, field_key: str, level_key: str, expected: bool) -> None:
    assert is_level(kind, field_key, level_key) is expected
    if not expected:
        assert entry_for(kind, field_key, level_key) is None


fills = st.sampled_from(FIELDS).flatmap(lambda pair: st.lists(st.sampled_from(pair[1].levels), max_size=6))


@given(fills)
def test_the_worst_of_several_fills_counts(levels: list[Level]) -> None:
    found = worst(levels)
    if not levels:
        assert found is None
    else:
        assert found in levels
        assert found.rank == max(level.rank for level in levels)
        assert worst([found, *levels]) == worst(levels)


def test_a_look_counts_before_not_looking_and_the_later_of_equals_is_shown() -> None:
    def appetite(key: Any) -> Level:
        level = level_of("animal", "appetite", key)
        assert level is not None
        return level

    assert worst([appetite(DIDNT_LOOK), appetite("usual"), appetite(DIDNT_LOOK)]) == appetite("usual")
    arousal = fields_for("person")["arousal"].levels
    assert worst([arousal[0], arousal[-1]]) == arousal[-1]
    assert worst([arousal[-1], arousal[0]]) == arousal[0]
