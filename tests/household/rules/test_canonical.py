"""Canonical JSON gives equal values equal bytes, and texts lose only what no store can hold."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from household.rules.canonical import canonical, canonical_bytes
from household.rules.text import sanitise

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [True, None]}, '{"a":[true,null],"b":1}'),
        (2.0, "2"),
        (-0.0, "0"),
        (0.5, "0.5"),
        ("kedi şöyle", '"kedi şöyle"'),
        ("a\x00b\ud800", '"a\ufffdb\ufffd"'),
        ((1, 2), "[1,2]"),
    ],
)
def test_a_value_has_one_spelling(value, text):
    assert canonical(value) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {1, 2}])
def test_what_json_cannot_hold_is_refused(value):
    with pytest.raises(ValueError):
        canonical(value)


@given(json_values)
def test_reading_canonical_json_back_and_writing_it_again_changes_nothing(value):
    assert canonical(json.loads(canonical(value))) == canonical(value)


@given(st.text(), st.text())
def test_byte_order_is_the_order_of_code_points(a, b):
    a, b = sanitise(a), sanitise(b)
    assert (a.encode() < b.encode()) == (a < b)
    assert canonical_bytes(a).decode() == canonical(a)


@given(st.text(alphabet=st.characters()))
def test_a_sanitised_text_can_be_stored_and_is_left_alone(text):
    clean = sanitise(text)
    assert "\x00" not in clean
    assert clean.encode().decode() == clean
    assert sanitise(clean) == clean
    assert len(clean) == len(text)


def test_emoji_and_every_other_character_stay():
    assert sanitise("🐈\u200d⬛ ığüşöç \uffff \U0010ffff \x01") == "🐈\u200d⬛ ığüşöç \uffff \U0010ffff \x01"
