"""Time only rises, a day is the sum of its devices, and tokens are never overspent."""

from datetime import date
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from household.rules.days import HOUR_MS, MINUTE_MS
from household.rules.limits import (
    NotReserved,
    OverLimit,
    Spend,
    SpendState,
    TimeRow,
    extra_minutes,
    foreign_rows,
    free_at_ms,
    is_quiet,
    latest_day,
    merge_time,
    merge_time_rows,
    refund,
    remaining_ms,
    reserve,
    says_goodnight,
    settle,
    spent,
    time_rows,
    used_ms,
)

MONDAY, TUESDAY = date(2025, 3, 10), date(2025, 3, 11)

rows = st.lists(
    st.builds(
        TimeRow,
        st.sampled_from(["tablet", "phone", "box"]),
        st.sampled_from([MONDAY, TUESDAY]),
        st.integers(0, 5),
        st.integers(0, 2),
    ),
    max_size=6,
).map(time_rows)


@given(rows, rows, rows)
def test_time_merges_in_any_order_and_as_often_as_one_likes(a, b, c):
    assert merge_time_rows(a, b) == merge_time_rows(b, a)
    assert merge_time_rows(merge_time_rows(a, b), c) == merge_time_rows(a, merge_time_rows(b, c))
    assert merge_time_rows(a, a) == a
    kept = reduce(merge_time_rows, [a, b, c])
    assert merge_time_rows(kept, b) == kept


@given(rows, rows)
def test_a_merge_never_lowers_a_count(a, b):
    merged = merge_time_rows(a, b)
    for at, row in a.items():
        assert merged[at].used_ms >= row.used_ms and merged[at].extra_minutes >= row.extra_minutes


def test_a_row_that_says_nothing_is_not_kept():
    assert time_rows([TimeRow("tablet", MONDAY)]) == {}


def test_rows_of_two_days_do_not_merge():
    with pytest.raises(ValueError):
        merge_time(TimeRow("tablet", MONDAY, 1), TimeRow("tablet", TUESDAY, 1))


@pytest.mark.parametrize(("used", "extra"), [(-1, 0), (0, -1), (10**9, 0), (0, 10**6)])
def test_counts_out_of_range_are_refused(used, extra):
    with pytest.raises(ValueError):
        TimeRow("tablet", MONDAY, used, extra)


def test_a_day_is_the_sum_over_its_devices_and_extra_minutes_extend_it():
    held = time_rows(
        [
            TimeRow("tablet", MONDAY, 20 * MINUTE_MS, 5),
            TimeRow("phone", MONDAY, 10 * MINUTE_MS, 5),
            TimeRow("tablet", TUESDAY, 40 * MINUTE_MS),
        ]
    )
    assert used_ms(held, MONDAY) == 30 * MINUTE_MS
    assert extra_minutes(held, MONDAY) == 10
    assert remaining_ms(held, MONDAY, daily_minutes=30) == 10 * MINUTE_MS
    assert remaining_ms(held, MONDAY, daily_minutes=None) is None
    assert remaining_ms(held, TUESDAY, daily_minutes=30) == 0
    assert list(latest_day(held)) == [("tablet", TUESDAY)]
    assert latest_day({}) == {}


@pytest.mark.parametrize(
    ("used", "limit", "goodnight"),
    [(0, None, False), (29, 30, False), (30, 30, True), (31, 30, True), (0, 0, True)],
)
def test_goodnight_comes_when_the_day_is_used_up(used, limit, goodnight):
    held = time_rows([TimeRow("tablet", MONDAY, used * MINUTE_MS)])
    assert says_goodnight(held, MONDAY, daily_minutes=limit) is goodnight


def test_a_device_writes_only_its_own_rows():
    own, other = TimeRow("tablet", MONDAY, 1), TimeRow("phone", MONDAY, 1)
    assert foreign_rows([own, other], "tablet") == (other,)


@pytest.mark.parametrize(
    ("start", "end", "quiet"),
    [
        ("20:00", "07:00", {0: True, 419: True, 420: False, 1199: False, 1200: True}),
        ("13:00", "14:30", {779: False, 780: True, 869: True, 870: False}),
        ("08:00", "08:00", {480: False, 0: False}),
    ],
)
def test_quiet_hours_may_pass_midnight(start, end, quiet):
    assert {minute: is_quiet({"from": start, "to": end}, minute) for minute in quiet} == quiet
    assert not is_quiet(None, 0)


DAY = {"limit": 100, "window_hours": 24}


def test_a_call_is_refused_when_it_does_not_fit_and_told_when_it_would():
    spends = [Spend(0, 60, SpendState.SETTLED), Spend(HOUR_MS, 30)]
    assert reserve(spends, 10, now_ms=2 * HOUR_MS, **DAY) == Spend(2 * HOUR_MS, 10)
    with pytest.raises(OverLimit) as refused:
        reserve(spends, 11, now_ms=2 * HOUR_MS, **DAY)
    assert refused.value.free_at_ms == 24 * HOUR_MS
    with pytest.raises(OverLimit) as never:
        reserve([], 101, now_ms=0, **DAY)
    assert never.value.free_at_ms is None


def test_no_limit_admits_every_call():
    assert reserve([Spend(0, 10**9)], 5, now_ms=1, limit=None, window_hours=24) == Spend(1, 5)


def test_a_negative_estimate_is_refused():
    with pytest.raises(ValueError):
        reserve([], -1, now_ms=0, **DAY)


def test_settling_replaces_the_estimate_and_refunding_gives_it_back():
    reserved = Spend(5, 40)
    assert spent([settle(reserved, 55)], now_ms=6, window_hours=1) == 55
    assert spent([refund(reserved)], now_ms=6, window_hours=1) == 0


@pytest.mark.parametrize("state", [SpendState.SETTLED, SpendState.REFUNDED])
def test_a_spend_is_settled_or_refunded_once(state):
    done = Spend(0, 1, state)
    with pytest.raises(NotReserved):
        settle(done, 1)
    with pytest.raises(NotReserved):
        refund(done)


def test_a_spend_leaves_the_window_to_the_millisecond():
    assert spent([Spend(0, 7)], now_ms=HOUR_MS - 1, window_hours=1) == 7
    assert spent([Spend(0, 7)], now_ms=HOUR_MS, window_hours=1) == 0


@given(st.lists(st.tuples(st.integers(0, 3 * HOUR_MS), st.integers(0, 60)), max_size=20))
def test_reservations_never_pass_the_limit_and_free_at_is_the_first_instant_that_fits(calls):
    spends = []
    for now_ms, tokens in sorted(calls):
        try:
            spends.append(reserve(spends, tokens, now_ms=now_ms, limit=100, window_hours=1))
        except OverLimit as refused:
            free = refused.free_at_ms
            assert free > now_ms
            assert reserve(spends, tokens, now_ms=free, limit=100, window_hours=1)
            with pytest.raises(OverLimit):
                reserve(spends, tokens, now_ms=free - 1, limit=100, window_hours=1)
        assert spent(spends, now_ms=now_ms, window_hours=1) <= 100
    assert free_at_ms(spends, 0, now_ms=4 * HOUR_MS, limit=100, window_hours=1) == 4 * HOUR_MS
