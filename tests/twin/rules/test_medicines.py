"""Due, overdue and too soon, by the clock and by the hour, through clock changes."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.rules.medicines import (
    GRACE,
    LOOK_BACK,
    OUTCOMES,
    Course,
    Dose,
    Due,
    InvalidSchedule,
    Schedule,
    TooSoon,
    due,
    due_times,
    next_dose,
    overdue,
    parse_schedule,
    too_soon,
    usual_gap,
)

THREE = time(3, 0)
TWICE = Schedule("times", times=(time(8), time(20)))
EIGHT_HOURLY = Schedule("every", every=timedelta(hours=8))
NEEDED = Schedule("needed")
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


def course(schedule: Schedule = TWICE, **changes: Any) -> Course:
    given_course: dict[str, Any] = {
        "zone": "UTC",
        "day_starts_at": THREE,
        "started_on": date(2025, 1, 1),
        "until_on": None,
        "known_since": LONG_AGO,
    }
    return Course(schedule, **(given_course | changes))


def at(hour: int, minute: int = 0, day: int = 11) -> datetime:
    return datetime(2025, 6, day, hour, minute, tzinfo=UTC)


def test_the_three_forms_are_read() -> None:
    assert parse_schedule({"kind": "times", "times": ["20:00", "08:00"]}) == TWICE
    assert parse_schedule({"kind": "every", "hours": 8}) == EIGHT_HOURLY
    assert parse_schedule({"kind": "needed"}) == NEEDED


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ({}, "kind"),
        ({"kind": "daily"}, "kind"),
        ({"kind": ["times"]}, "kind"),
        ({"kind": "times"}, "times"),
        ({"kind": "times", "times": []}, "times"),
        ({"kind": "times", "times": ["8:00"]}, "times"),
        ({"kind": "times", "times": ["24:00"]}, "times"),
        ({"kind": "times", "times": ["08:00\n"]}, "times"),
        ({"kind": "times", "times": ["08:00", "08:00"]}, "times"),
        ({"kind": "times", "times": [8]}, "times"),
        ({"kind": "times", "times": ["08:00"] * 13}, "times"),
        ({"kind": "every"}, "hours"),
        ({"kind": "every", "hours": 0}, "hours"),
        ({"kind": "every", "hours": True}, "hours"),
        ({"kind": "every", "hours": float("nan")}, "hours"),
        ({"kind": "every", "hours": 5000}, "hours"),
        ({"kind": "needed", "hours": 8}, "hours"),
    ],
)
def test_any_other_form_is_refused_by_name(raw: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidSchedule) as refused:
        parse_schedule(raw)
    assert refused.value.path == path


BY_CLOCK = [
    # now, doses, overdue, next
    (at(7), [], at(20, day=10), at(8)),
    (at(7), [Dose(at(20, 10, day=10))], None, at(8)),
    (at(8, 10), [Dose(at(20, day=10))], None, at(8)),
    (at(8, 30), [Dose(at(20, day=10))], at(8), at(20)),
    (at(8, 10), [Dose(at(20, day=10)), Dose(at(8, 5))], None, at(20)),
    (at(7, 40), [Dose(at(20, day=10)), Dose(at(7, 35))], None, at(20)),
    (at(9), [Dose(at(8), "skipped")], None, at(20)),
    (at(9), [Dose(at(8), "refused")], None, at(20)),
    (at(13), [Dose(at(12, 50), due_at=at(8))], None, at(20)),
    (at(21), [Dose(at(8)), Dose(at(20))], None, at(8, day=12)),
    (at(7, 59), [Dose(at(20, day=9))], at(20, day=10), at(8)),
    (at(21), [], at(20), at(8, day=12)),
    (at(21), [Dose(at(20))], None, at(8, day=12)),  # the morning was missed
]


@pytest.mark.parametrize(("now", "doses", "overdue_at", "next_at"), BY_CLOCK)
def test_times_of_day_are_due_until_a_dose_settles_them(
    now: datetime, doses: list[Dose], overdue_at: datetime | None, next_at: datetime
) -> None:
    assert due(course(), doses, now) == Due(overdue_at, next_at)
    assert (overdue(course(), doses, now), next_dose(course(), doses, now)) == (overdue_at, next_at)


BY_HOUR = [
    (at(12), [], None, at(12)),
    (at(12), [Dose(at(6))], None, at(14)),
    (at(14, 29), [Dose(at(6))], None, at(14)),
    (at(14, 30), [Dose(at(6))], at(14), None),
    (at(14, 30), [Dose(at(6)), Dose(at(14, 10), "skipped")], None, at(22, 10)),
    (at(14, 30), [Dose(at(14, 10)), Dose(at(6))], None, at(22, 10)),
]


@pytest.mark.parametrize(("now", "doses", "overdue_at", "next_at"), BY_HOUR)
def test_every_n_hours_counts_from_the_last_dose(
    now: datetime, doses: list[Dose], overdue_at: datetime | None, next_at: datetime | None
) -> None:
    assert due(course(EIGHT_HOURLY, known_since=at(12)), doses, now) == Due(overdue_at, next_at)


def test_as_needed_is_never_due() -> None:
    assert due(course(NEEDED), [], at(12)) == due(course(NEEDED), [Dose(at(1))], at(12)) == Due(None, None)


def test_a_medicine_entered_at_noon_does_not_miss_the_morning() -> None:
    assert due(course(known_since=at(12)), [], at(12, 5)) == Due(None, at(20))


def test_nothing_is_due_before_the_first_or_after_the_last_local_day() -> None:
    assert due(course(started_on=date(2025, 6, 13)), [], at(12)) == Due(None, at(8, day=13))
    assert next_dose(course(EIGHT_HOURLY, started_on=date(2025, 6, 13)), [], at(12)) == at(3, day=13)
    assert due(course(until_on=date(2025, 6, 11)), [Dose(at(8)), Dose(at(20))], at(21)) == Due(None, None)
    assert due(course(EIGHT_HOURLY, until_on=date(2025, 6, 11)), [Dose(at(20))], at(21)).next_at is None


def test_the_dose_after_midnight_belongs_to_the_last_evening() -> None:
    late = Schedule("times", times=(time(1, 0),))
    one_day = course(late, started_on=date(2025, 6, 11), until_on=date(2025, 6, 11))
    assert due_times(one_day, at(0, day=10), at(0, day=14)) == (at(1, day=12),)


def test_the_morning_dose_stays_in_the_morning_through_both_clock_changes() -> None:
    berlin = course(Schedule("times", times=(time(8),)), zone="Europe/Berlin")
    spring = due_times(berlin, datetime(2025, 3, 29, tzinfo=UTC), datetime(2025, 3, 31, tzinfo=UTC))
    autumn = due_times(berlin, datetime(2025, 10, 25, tzinfo=UTC), datetime(2025, 10, 27, tzinfo=UTC))
    assert [each.hour for each in spring] == [7, 6]
    assert [each.hour for each in autumn] == [6, 7]


def test_a_time_in_the_skipped_or_the_doubled_hour_is_due_once() -> None:
    berlin = course(Schedule("times", times=(time(2, 30),)), zone="Europe/Berlin")
    for night in (datetime(2025, 3, 30, tzinfo=UTC), datetime(2025, 10, 26, tzinfo=UTC)):
        assert len(due_times(berlin, night - timedelta(hours=6), night + timedelta(hours=6))) == 1


def test_hours_are_real_hours_through_a_clock_change() -> None:
    berlin = course(EIGHT_HOURLY, zone="Europe/Berlin")
    given_at = datetime(2025, 3, 29, 22, 0, tzinfo=UTC)  # 23:00 on the clock
    assert next_dose(berlin, [Dose(given_at)], given_at) == given_at + timedelta(hours=8)


zones = st.sampled_from(["UTC", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia"])
instants = st.datetimes(datetime(2024, 12, 1), datetime(2026, 2, 1), timezones=st.just(UTC))
schedules = st.lists(
    st.times().map(lambda t: t.replace(second=0, microsecond=0)), min_size=1, max_size=4, unique=True
).map(lambda times: Schedule("times", times=tuple(sorted(times))))
doses_near = st.lists(st.tuples(st.integers(-3000, 0), st.sampled_from(OUTCOMES)), max_size=6)


@given(schedules, zones, instants, doses_near)
def test_what_is_next_lies_ahead_and_what_is_overdue_behind(
    schedule: Schedule, zone: str, now: datetime, minutes: list[tuple[int, Any]]
) -> None:
    doses = [Dose(now + timedelta(minutes=ago), outcome) for ago, outcome in minutes]
    found = due(course(schedule, zone=zone, started_on=date(2024, 1, 1)), doses, now)
    assert found.next_at is not None
    assert found.next_at > now - GRACE
    assert found.overdue_at is None or now - LOOK_BACK < found.overdue_at <= now - GRACE


@given(schedules, zones, instants)
def test_every_day_has_as_many_due_times_as_the_schedule(
    schedule: Schedule, zone: str, now: datetime
) -> None:
    week = due_times(course(schedule, zone=zone, started_on=date(2024, 1, 1)), now, now + timedelta(days=7))
    assert abs(len(week) - 7 * len(schedule.times)) <= len(schedule.times)
    assert list(week) == sorted(set(week))


SOON: list[tuple[Schedule, timedelta | None, int, bool]] = [
    # schedule, gap the household set, minutes since the last dose, too soon
    (EIGHT_HOURLY, None, 383, True),
    (EIGHT_HOURLY, None, 384, False),
    (TWICE, None, 359, True),
    (TWICE, None, 360, False),
    (NEEDED, None, 1, False),
    (NEEDED, timedelta(hours=4), 239, True),
    (NEEDED, timedelta(hours=4), 240, False),
    (TWICE, timedelta(minutes=30), 40, False),
    (TWICE, timedelta(0), 1, False),
]


@pytest.mark.parametrize(("schedule", "min_gap", "minutes", "expected"), SOON)
def test_a_dose_too_soon_names_the_last_one(
    schedule: Schedule, min_gap: timedelta | None, minutes: int, expected: bool
) -> None:
    last = at(12) - timedelta(minutes=minutes)
    gap = min_gap if min_gap is not None else usual_gap(schedule)
    found = too_soon(schedule, [Dose(last), Dose(at(0, day=1))], at(12), min_gap=min_gap)
    assert found == (TooSoon(last, last + gap) if expected else None)


def test_only_doses_that_were_given_make_the_next_too_soon() -> None:
    assert too_soon(EIGHT_HOURLY, [Dose(at(11), "refused"), Dose(at(11), "skipped")], at(12)) is None


def test_a_dose_entered_late_is_too_soon_before_one_that_is_in_the_book() -> None:
    assert too_soon(EIGHT_HOURLY, [Dose(at(13))], at(12)) == TooSoon(
        at(13), at(13) + EIGHT_HOURLY.every * 0.8
    )  # type: ignore[operator]


def test_one_time_a_day_asks_for_half_a_day_between_doses() -> None:
    assert usual_gap(Schedule("times", times=(time(8),))) == timedelta(hours=12)
