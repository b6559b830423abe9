"""A family's own trackables: every kind of field, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.rules.trackables import (
    KINDS,
    InvalidTrackable,
    TrackedField,
    counted,
    one_tap_values,
    parse_fields,
    validate_values,
)


def raw(kind: str, **changes: Any) -> dict[str, Any]:
    options = {"options": ["yes", "a bit", "no"]} if kind == "choice" else {}
    return {"key": "k", "name": "Name", "kind": kind} | options | changes


def parsed(kind: str) -> tuple[TrackedField, ...]:
    return parse_fields([raw(kind)])


VALUES: dict[str, tuple[list[Any], list[Any]]] = {
    "count": ([0, 1, 3.0, 10_000], [-1, 1.5, 10_001, "1"]),
    "number": ([-2.5, 0, 38.4], [10**10, "3", float("nan"), float("inf")]),
    "scale": ([1, 3, 5], [0, 6, 2.5, "3"]),
    "choice": (["yes", "a bit"], ["maybe", "", 1]),
    "yes_no": ([True, False], [1, 0, "yes"]),
    "duration": ([0, 45, 1_440], [-1, 1_441, 3.5]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_takes_its_own_values_and_no_others(kind: str) -> None:
    fields = parsed(kind)
    good, bad = VALUES[kind]
    for value in good:
        assert validate_values(fields, {"k": value}) == {"k": value}
    for value in (*bad, None, [], {}, *([True] if kind != "yes_no" else [])):
        with pytest.raises(InvalidTrackable) as refused:
            validate_values(fields, {"k": value})
        assert refused.value.path == "k"


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        (None, "fields"),
        ([], "fields"),
        ([raw("count")] * 9, "fields"),
        ([raw("count"), raw("scale")], "fields"),
        (["count"], "fields.0"),
        ([raw("guess")], "fields.0.kind"),
        ([{"key": "k", "name": "n", "kind": 3}], "fields.0.kind"),
        ([raw("count", key="")], "fields.0.key"),
        ([raw("count", name="  ")], "fields.0.name"),
        ([raw("count", name="x" * 61)], "fields.0.name"),
        ([raw("number", unit=3)], "fields.0.unit"),
        ([raw("count", colour="red")], "fields.0.colour"),
        ([raw("count", options=["a", "b"])], "fields.0.options"),
        ([raw("choice", options=[])], "fields.0.options"),
        ([raw("choice", options=["one"])], "fields.0.options"),
        ([raw("choice", options=["a", "a"])], "fields.0.options"),
        ([raw("choice", options="ab")], "fields.0.options"),
        ([raw("choice", options=[str(n) for n in range(13)])], "fields.0.options"),
    ],
)
def test_a_definition_that_makes_no_sense_is_refused_where_it_is_wrong(fields: Any, path: str) -> None:
    with pytest.raises(InvalidTrackable) as refused:
        parse_fields(fields)
    assert refused.value.path == path


def test_a_definition_keeps_its_order_and_units() -> None:
    fields = parse_fields([raw("number", key="w", unit=" kg "), raw("yes_no", key="a")])
    assert fields == (TrackedField("w", "Name", "number", unit="kg"), TrackedField("a", "Name", "yes_no"))
    assert list(validate_values(fields, {"a": True, "w": 3})) == ["w", "a"]


def test_an_entry_says_something_and_nothing_unknown() -> None:
    with pytest.raises(InvalidTrackable, match="empty"):
        validate_values(parsed("count"), {})
    with pytest.raises(InvalidTrackable, match="unknown_field"):
        validate_values(parsed("count"), {"other": 1})


@pytest.mark.parametrize("kind", KINDS)
def test_one_tap_logs_what_needs_no_choosing(kind: str) -> None:
    expected = {"count": {"k": 1}, "yes_no": {"k": True}}.get(kind)
    assert one_tap_values(parsed(kind)) == expected
    if expected:
        assert validate_values(parsed(kind), expected) == expected
    assert one_tap_values(parse_fields([raw(kind), raw("count", key="other")])) is None


def test_an_entry_counts_its_counts_else_itself() -> None:
    fields = parse_fields([raw("count", key="a"), raw("count", key="b"), raw("scale", key="c")])
    assert counted(fields, {"a": 2, "b": 3, "c": 5}) == 5
    assert counted(fields, {"c": 5}) == 1
    assert counted(fields, {"a": 0}) == 0


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["key", "name", "kind", "options"]), inner)
    ),
)


@given(json_values)
def test_whatever_comes_is_a_definition_or_refused_in_its_own_error(value: Any) -> None:
    try:
        assert parse_fields(value)
    except InvalidTrackable as refused:
        assert refused.path.startswith("fields")
