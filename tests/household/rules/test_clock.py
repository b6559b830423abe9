"""Stamps only rise, and the household's day follows its offset."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from household.rules.clock import MAX_AHEAD_MS, Offset, corrected, is_skewed, offset_to, restamped, stamp
from household.rules.days import DAY_MS, day_bounds_ms, household_day, is_offset, minute_of_day

moments = st.integers(0, 4_102_444_800_000)
offsets = st.none() | st.integers(-56, 56).map(lambda quarter: quarter * 15)


@given(moments, moments)
def test_a_stamp_is_later_than_all_seen_and_never_before_the_clock(now, seen):
    assert stamp(now, seen) > seen
    assert stamp(now, seen) >= now


@pytest.mark.parametrize(
    ("ahead", "skewed"), [(-(10**12), False), (0, False), (MAX_AHEAD_MS, False), (MAX_AHEAD_MS + 1, True)]
)
def test_five_minutes_ahead_is_the_most(ahead, skewed):
    assert is_skewed(1_700_000_000_000 + ahead, 1_700_000_000_000) is skewed


@given(moments, st.integers(-(10**11), 10**11), st.integers(0, 60_000))
def test_a_device_that_measured_its_offset_is_no_longer_skewed(house, wrong, delay):
    sent = house + wrong
    offset = offset_to(house + delay // 2, sent_ms=sent, received_ms=sent + delay)
    assert abs(corrected(sent, offset) - house) <= 1
    assert not is_skewed(restamped([sent], offset, now_ms=house)[sent], house)


@given(st.lists(moments, min_size=1), st.integers(-(10**11), 10**11), moments)
def test_restamping_keeps_what_was_later_later_and_nothing_ahead_of_now(stamps, offset, now):
    moved = restamped(stamps, Offset(offset), now_ms=now)
    in_order = [moved[at] for at in sorted(set(stamps))]
    assert in_order == sorted(set(in_order))
    assert in_order[-1] <= now


@pytest.mark.parametrize(
    ("offset", "day"),
    [(None, 9), (0, 9), (180, 10), (-180, 9), (840, 10), (-840, 9), (7, 9), (10_000, 9)],
)
def test_the_households_day_follows_its_offset_and_is_utc_without_one(offset, day):
    late = 20_156 * DAY_MS + 23 * 3_600_000
    assert household_day(late, offset) == date(2025, 3, day)


@given(moments, offsets)
def test_an_instant_lies_in_the_bounds_of_its_day(at, offset):
    day = household_day(at, offset)
    start, end = day_bounds_ms(day, offset)
    assert start <= at < end == start + DAY_MS
    assert household_day(start, offset) == day
    assert household_day(end, offset) == day + timedelta(days=1)
    assert minute_of_day(at, offset) == (at - start) // 60_000 < 1440


@pytest.mark.parametrize("value", [None, "0", True, 7, 841, 855, 1.0])
def test_what_is_no_offset(value):
    assert not is_offset(value)
