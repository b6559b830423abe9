"""Days of a trackable as numbers: what is counted, what a chart draws, what one press may log."""

import datetime as dt
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.rules.quick_actions import key_of, preset_values
from twin.rules.tallies import Tally, daily_values, days_until, tally
from twin.rules.trackables import KINDS, TrackedField, validate_values

TODAY = dt.date(2025, 3, 30)
COUNT = (TrackedField("f1", "words", "count"),)
VALUES = {"count": 4, "number": 2.5, "scale": 4, "choice": "bus", "yes_no": True, "duration": 20}


def field(kind):
    return TrackedField("f1", "it", kind, options=("bus", "car") if kind == "choice" else ())


def back(days):
    return TODAY - dt.timedelta(days=days)


@pytest.mark.parametrize(
    ("days_ago", "counts"),
    [(0, (1, 1, 1)), (1, (0, 1, 1)), (6, (0, 1, 1)), (7, (0, 0, 1)), (29, (0, 0, 1)), (30, (0, 0, 0))],
)
def test_each_span_counts_its_own_days_with_the_present_one(days_ago, counts):
    assert tally(COUNT, [(back(days_ago), {"f1": 1})], today=TODAY) == Tally(*counts)


def test_counts_add_up_and_other_entries_count_as_one():
    assert tally(COUNT, [(TODAY, {"f1": 3}), (TODAY, {"f1": 2})], today=TODAY).today == 5
    scale = (TrackedField("f1", "school", "scale"),)
    assert tally(scale, [(TODAY, {"f1": 5}), (TODAY, {"f1": 1})], today=TODAY).today == 2


def test_what_lies_after_the_present_day_is_not_counted():
    assert tally(COUNT, [(TODAY + dt.timedelta(days=1), {"f1": 1})], today=TODAY) == Tally(0, 0, 0)


@pytest.mark.parametrize(
    ("kind", "values", "drawn"),
    [
        ("count", [2, 3], 5),
        ("duration", [10, 25], 35),
        ("number", [2.0, 4.0], 3),
        ("scale", [1, 4], 2.5),
        ("yes_no", [True, False, True], 2),
        ("yes_no", [False], 0),
        ("choice", ["bus", "car"], 2),
    ],
)
def test_a_day_of_each_kind_becomes_one_number(kind, values, drawn):
    entries = [(TODAY, {"f1": value}) for value in values]
    assert daily_values(field(kind), entries, [back(1), TODAY]) == [None, drawn]


def test_a_day_without_an_entry_is_none_and_not_nought():
    assert daily_values(COUNT[0], [(TODAY, {"f1": 0})], days_until(TODAY, 3)) == [None, None, 0]


@pytest.mark.parametrize("kind", KINDS)
def test_every_preset_of_a_kind_is_a_valid_entry(kind):
    presets = preset_values((field(kind),))
    assert len(presets) == {"count": 1, "yes_no": 1, "choice": 2, "scale": 5}.get(kind, 0)
    for values in presets:
        assert validate_values((field(kind),), values) == values


@pytest.mark.parametrize("kind", KINDS)
def test_two_fields_have_no_preset(kind):
    assert preset_values((field(kind), TrackedField("f2", "other", "count"))) == []


def test_keys_tell_actions_apart():
    keys = [
        key_of({"kind": "dose", "id": 3}),
        key_of({"kind": "trackable", "id": 3, "values": {}}),
        key_of({"kind": "trackable", "id": 3, "values": {}}, 1),
        key_of({"kind": "form", "field": "mood", "level": "content"}),
    ]
    assert len(set(keys)) == 4


@given(st.integers(1, 60), st.dates(dt.date(2000, 1, 1), dt.date(2100, 1, 1)))
def test_the_days_until_one_are_in_a_row_and_end_there(count, today):
    days = days_until(today, count)
    assert len(days) == count and days[-1] == today
    assert all((later - earlier).days == 1 for earlier, later in itertools.pairwise(days))


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9))))
def test_a_longer_span_never_counts_less(logged):
    found = tally(COUNT, [(back(days), {"f1": value}) for days, value in logged], today=TODAY)
    assert found.today <= found.week <= found.month
