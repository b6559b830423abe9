"""The subject's local day in every zone, through both clock changes."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone
from itertools import pairwise
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.rules.day import (
    ANSWER_AT_LEAST,
    day_bounds,
    days_due,
    from_local,
    local_day,
    question_deadline,
    round_due_at,
)

ZONES = sorted(available_timezones())
THREE = time(3, 0)
ONE_DAY = timedelta(days=1)

zones = st.sampled_from(ZONES)
starts = st.times(timezones=st.none()).map(lambda t: t.replace(second=0, microsecond=0, fold=0))
instants = st.datetimes(datetime(1975, 1, 1), datetime(2060, 1, 1), timezones=st.just(UTC))
days = st.dates(date(1975, 1, 1), date(2060, 1, 1))
CLOCK_CHANGES = [
    # zone, evening before, start of the day, hours of the day that holds the change
    ("Europe/Istanbul", date(2025, 3, 29), THREE, 24.0),  # no change any more
    ("Europe/Berlin", date(2025, 3, 29), THREE, 23.0),
    ("Europe/Berlin", date(2025, 10, 25), THREE, 25.0),
    ("America/New_York", date(2025, 3, 8), THREE, 23.0),
    ("America/New_York", date(2025, 11, 1), THREE, 25.0),
    ("Australia/Lord_Howe", date(2025, 4, 5), THREE, 24.5),
    ("Australia/Lord_Howe", date(2025, 10, 4), THREE, 23.5),
    (
        "America/Santiago",
        date(2025, 9, 6),
        time(0, 0),
        24.0,
    ),  # midnight itself is skipped: the day starts at 01:00
    ("America/Santiago", date(2025, 9, 7), time(0, 0), 23.0),
    ("America/Santiago", date(2025, 4, 5), time(0, 0), 25.0),
]


@given(at=instants, zone=zones, start=starts)
def test_every_instant_lies_within_the_bounds_of_its_day(at: datetime, zone: str, start: time) -> None:
    first, end = day_bounds(local_day(at, zone=zone, day_starts_at=start), zone=zone, day_starts_at=start)
    assert first <= at < end


@given(day=days, zone=zones, start=starts)
def test_days_follow_each_other_without_gap_or_overlap(day: date, zone: str, start: time) -> None:
    first, end = day_bounds(day, zone=zone, day_starts_at=start)
    assert first <= end == day_bounds(day + ONE_DAY, zone=zone, day_starts_at=start)[0]
    assert first.utcoffset() == end.utcoffset() == timedelta(0)


@given(day=days, zone=zones, start=starts)
def test_a_day_that_is_not_empty_holds_its_own_first_and_last_instant(
    day: date, zone: str, start: time
) -> None:
    first, end = day_bounds(day, zone=zone, day_starts_at=start)
    if first < end:
        assert local_day(first, zone=zone, day_starts_at=start) == day
        assert local_day(end - timedelta(microseconds=1), zone=zone, day_starts_at=start) == day


@given(
    at=instants,
    later=st.timedeltas(timedelta(0), timedelta(days=3)),
    zone=zones,
    start=starts,
)
def test_days_never_run_backwards(at: datetime, later: timedelta, zone: str, start: time) -> None:
    before, after = (local_day(t, zone=zone, day_starts_at=start) for t in (at, at + later))
    assert before <= after


@given(at=instants, zone=zones, start=starts)
def test_away_from_clock_changes_the_day_is_the_date_on_a_clock_set_back(
    at: datetime, zone: str, start: time
) -> None:
    local = at.astimezone(ZoneInfo(zone))
    around = {(at + timedelta(hours=h)).astimezone(ZoneInfo(zone)).utcoffset() for h in range(-50, 51)}
    if len(around) == 1:
        set_back = timedelta(hours=start.hour, minutes=start.minute)
        assert local_day(at, zone=zone, day_starts_at=start) == (local.replace(tzinfo=None) - set_back).date()


@given(naive=st.datetimes(datetime(1975, 1, 1), datetime(2060, 1, 1)), zone=zones)
def test_any_local_time_is_accepted_and_read_back_unless_the_clock_skipped_it(
    naive: datetime, zone: str
) -> None:
    read_back = from_local(naive, zone=zone).astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    assert read_back == naive.replace(fold=0) or read_back > naive


@given(asked_at=instants, zone=zones, start=starts)
def test_a_question_waits_for_the_day_to_end_and_four_hours_at_least(
    asked_at: datetime, zone: str, start: time
) -> None:
    deadline = question_deadline(asked_at, zone=zone, day_starts_at=start)
    _, day_end = day_bounds(
        local_day(asked_at, zone=zone, day_starts_at=start),
        zone=zone,
        day_starts_at=start,
    )
    assert deadline >= day_end
    assert deadline - asked_at >= ANSWER_AT_LEAST
    assert deadline in (day_end, asked_at + ANSWER_AT_LEAST)


@given(
    now=instants,
    zone=zones,
    start=starts,
    away=st.integers(0, 40),
    limit=st.integers(1, 50),
)
def test_the_days_due_are_consecutive_due_and_complete(
    now: datetime, zone: str, start: time, away: int, limit: int
) -> None:
    today = local_day(now, zone=zone, day_starts_at=start)
    last_closed = today - timedelta(days=away + 1)
    due = days_due(last_closed, date(1970, 1, 1), now, zone=zone, day_starts_at=start, limit=limit)
    assert len(due) <= limit
    assert all(b - a == ONE_DAY for a, b in pairwise((last_closed, *due)))
    assert all(round_due_at(day, zone=zone, day_starts_at=start) <= now for day in due)
    if len(due) < limit:
        assert round_due_at((due or (last_closed,))[-1] + ONE_DAY, zone=zone, day_starts_at=start) > now


@pytest.mark.parametrize(("zone", "day", "start", "hours"), CLOCK_CHANGES)
def test_a_day_with_a_clock_change_is_longer_or_shorter_and_one_day(
    zone: str, day: date, start: time, hours: float
) -> None:
    first, end = day_bounds(day, zone=zone, day_starts_at=start)
    assert (end - first) / timedelta(hours=1) == hours


@pytest.mark.parametrize("zone", ["Pacific/Pago_Pago", "Pacific/Kiritimati", "UTC", "Asia/Kathmandu"])
def test_half_past_one_belongs_to_the_evening_before_from_minus_eleven_to_plus_fourteen(
    zone: str,
) -> None:
    night = from_local(datetime(2025, 6, 11, 1, 30), zone=zone)
    assert local_day(night, zone=zone, day_starts_at=THREE) == date(2025, 6, 10)
    assert local_day(night + timedelta(minutes=90), zone=zone, day_starts_at=THREE) == date(2025, 6, 11)


def test_one_instant_is_two_days_at_the_two_ends_of_the_world() -> None:
    at = datetime(2025, 6, 10, 12, 0, tzinfo=UTC)
    assert local_day(at, zone="Pacific/Pago_Pago", day_starts_at=THREE) == date(2025, 6, 9)
    assert local_day(at, zone="Pacific/Kiritimati", day_starts_at=THREE) == date(2025, 6, 10)
    assert local_day(at + timedelta(hours=1), zone="Pacific/Kiritimati", day_starts_at=THREE) == date(
        2025, 6, 11
    )


def test_an_aware_time_of_any_zone_is_the_same_instant() -> None:
    at = datetime(2025, 6, 10, 2, 30, tzinfo=timezone(timedelta(hours=3)))
    assert local_day(at, zone="Europe/Istanbul", day_starts_at=THREE) == date(2025, 6, 9)


def test_a_start_within_the_skipped_hour_is_the_moment_the_clock_jumps() -> None:
    first, _ = day_bounds(date(2025, 3, 30), zone="Europe/Berlin", day_starts_at=time(2, 30))
    assert first == datetime(2025, 3, 30, 1, 0, tzinfo=UTC)


def test_a_start_within_the_doubled_hour_is_its_first_occurrence() -> None:
    first, _ = day_bounds(date(2025, 10, 26), zone="Europe/Berlin", day_starts_at=time(2, 30))
    assert first == datetime(2025, 10, 26, 0, 30, tzinfo=UTC)


def test_a_date_the_zone_skipped_keeps_only_the_small_hours_before_the_next_day() -> None:
    first, end = day_bounds(date(2011, 12, 30), zone="Pacific/Apia", day_starts_at=THREE)
    assert end - first == timedelta(hours=3)
    assert first.astimezone(ZoneInfo("Pacific/Apia")).replace(tzinfo=None) == datetime(2011, 12, 31)


def test_a_date_the_zone_skipped_is_empty_where_days_start_at_midnight() -> None:
    first, end = day_bounds(date(2011, 12, 30), zone="Pacific/Apia", day_starts_at=time(0, 0))
    assert first == end


def test_the_skipped_and_the_doubled_hour_are_accepted() -> None:
    skipped = datetime(2025, 3, 30, 2, 30)
    doubled = datetime(2025, 10, 26, 2, 30)
    assert from_local(skipped, zone="Europe/Berlin") == datetime(2025, 3, 30, 1, 30, tzinfo=UTC)
    assert from_local(doubled, zone="Europe/Berlin") == datetime(2025, 10, 26, 0, 30, tzinfo=UTC)
    assert from_local(doubled.replace(fold=1), zone="Europe/Berlin") == datetime(
        2025, 10, 26, 1, 30, tzinfo=UTC
    )


def test_the_round_is_due_half_an_hour_after_the_day_ends_and_never_twice() -> None:
    zone, first, closed = "Europe/Istanbul", date(2025, 6, 1), date(2025, 6, 9)
    just_before = datetime(2025, 6, 11, 0, 29, 59, tzinfo=UTC)  # 03:29:59 on the subject's clock
    due = datetime(2025, 6, 11, 0, 30, tzinfo=UTC)
    assert days_due(closed, first, just_before, zone=zone, day_starts_at=THREE) == ()
    assert days_due(closed, first, due, zone=zone, day_starts_at=THREE) == (date(2025, 6, 10),)
    assert days_due(date(2025, 6, 10), first, due, zone=zone, day_starts_at=THREE) == ()


def test_a_new_subject_begins_with_its_first_day() -> None:
    now = datetime(2025, 6, 4, 12, 0, tzinfo=UTC)
    assert days_due(None, date(2025, 6, 2), now, zone="UTC", day_starts_at=THREE) == (
        date(2025, 6, 2),
        date(2025, 6, 3),
    )
    assert days_due(None, date(2025, 6, 5), now, zone="UTC", day_starts_at=THREE) == ()


def test_after_a_move_westward_a_closed_day_is_not_due_again() -> None:
    now = datetime(2025, 6, 11, 1, 0, tzinfo=UTC)
    closed = days_due(None, date(2025, 6, 10), now, zone="Europe/Istanbul", day_starts_at=THREE)[-1]
    assert closed == date(2025, 6, 10)
    assert local_day(now, zone="America/New_York", day_starts_at=THREE) == closed
    assert days_due(closed, date(2025, 6, 10), now, zone="America/New_York", day_starts_at=THREE) == ()


def test_what_crosses_midnight_stays_in_the_evening_it_began_in() -> None:
    zone = "America/New_York"
    began = from_local(datetime(2025, 11, 1, 23, 40), zone=zone)
    ended = from_local(datetime(2025, 11, 2, 1, 50, fold=1), zone=zone)
    assert ended - began == timedelta(hours=3, minutes=10)
    assert {local_day(t, zone=zone, day_starts_at=THREE) for t in (began, ended)} == {date(2025, 11, 1)}
