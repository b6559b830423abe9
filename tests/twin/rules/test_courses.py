"""When a day becomes a course, which course a finding joins, and how often it came back."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.rules.courses import (
    Recurrence,
    ToldOnset,
    clinical_site,
    course_onset,
    courses_spoken_of,
    recurrence,
    should_open,
)

DAY = date(2025, 6, 11)


def ago(days: int) -> date:
    return DAY - timedelta(days=days)


@pytest.mark.parametrize("abnormal", list(product([True, False], repeat=5)))
def test_a_course_opens_when_today_is_the_second_abnormal_day_of_three(abnormal: tuple[bool, ...]) -> None:
    days = {ago(back) for back, is_abnormal in enumerate(abnormal) if is_abnormal}
    expected = "two_of_three" if abnormal[0] and (abnormal[1] or abnormal[2]) else None
    assert should_open(DAY, days, severity=1) == expected


@pytest.mark.parametrize("severity", [0, 1, 2, 3])
def test_a_high_severity_opens_at_once(severity: int) -> None:
    assert should_open(DAY, {DAY}, severity=severity) == ("severe" if severity == 3 else None)
    assert should_open(DAY, {ago(1)}, severity=severity) is None


ONSETS: list[tuple[date, Any, bool]] = [
    (ago(0), "day", False),
    (ago(1), "day", False),
    (ago(2), "day", True),
    (ago(2), None, True),
    (ago(300), "day", True),
    (ago(2), "week", False),  # "this week" may be today
    (ago(7), "week", False),
    (ago(8), "week", True),
    (date(2025, 6, 1), "month", False),
    (date(2025, 5, 1), "month", True),
    (date(2025, 6, 1), "season", False),
    (date(2025, 3, 1), "season", True),
    (date(2025, 1, 1), "year", False),
    (date(2024, 1, 1), "year", True),
]


@pytest.mark.parametrize(("started_on", "precision", "opens"), ONSETS)
def test_a_stated_onset_two_days_old_opens(started_on: date, precision: Any, opens: bool) -> None:
    reason = should_open(DAY, {DAY}, severity=1, started_on=started_on, precision=precision)
    assert reason == ("old_onset" if opens else None)


def test_an_onset_told_as_an_age_is_old() -> None:
    assert should_open(DAY, {DAY}, severity=1, has_age_onset=True) == "old_onset"


@given(
    st.sets(st.integers(-3, 6).map(ago)),
    st.integers(0, 3),
    st.none() | st.integers(-3, 400).map(ago),
    st.booleans(),
)
def test_nothing_opens_on_a_day_without_a_finding(
    days: set[date], severity: int, started_on: date | None, has_age_onset: bool
) -> None:
    days.discard(DAY)
    opened = should_open(DAY, days, severity=severity, started_on=started_on, has_age_onset=has_age_onset)
    assert opened is None


SPOKEN: list[tuple[str, Any, set[str], tuple[str, ...]]] = [
    ("left", "abnormal", {"left", "right"}, ("left",)),
    ("left", "normal", {"left", "right"}, ("left",)),
    ("left", "abnormal", {"right"}, ()),
    ("left", "normal", {"right"}, ()),
    ("both", "normal", {"left", "right"}, ("left", "right")),
    ("both", "abnormal", {"left"}, ("left",)),
    ("both", "normal", {""}, ("",)),
    ("both", "abnormal", {""}, ("",)),
    ("left", "abnormal", {"both"}, ("both",)),
    ("left", "normal", {"both"}, ()),  # the pair is not well because one side is
    ("left", "abnormal", {""}, ("",)),
    ("left", "normal", {""}, ()),
    ("left", "abnormal", {"left", "both"}, ("left",)),
    ("", "normal", {"left", "right"}, ("left", "right")),
    ("", "normal", {"", "left"}, ("", "left")),
    ("", "abnormal", {"left", "right"}, ()),
    ("", "abnormal", {"left"}, ("left",)),
    ("", "abnormal", {"", "left"}, ("",)),
    ("belly", "abnormal", {"tail"}, ()),
    ("belly", "abnormal", {"belly", "tail"}, ("belly",)),
    ("belly", "normal", {"belly", "tail"}, ("belly",)),
    ("belly", "abnormal", {""}, ("",)),
    ("", "normal", {"belly", "tail"}, ("belly", "tail")),
    ("", "abnormal", set(), ()),
    ("", "normal", set(), ()),
]


@pytest.mark.parametrize(("site", "polarity", "open_sites", "expected"), SPOKEN)
def test_a_finding_speaks_of_its_own_courses(
    site: str, polarity: Any, open_sites: set[str], expected: tuple[str, ...]
) -> None:
    assert courses_spoken_of(site, polarity, open_sites) == expected


sites = st.sampled_from(["", "left", "right", "both", "belly", "tail"])


@given(sites, st.sampled_from(["normal", "abnormal"]), st.sets(sites))
def test_a_finding_joins_open_courses_only_and_always_its_own(
    site: str, polarity: Any, open_sites: set[str]
) -> None:
    found = courses_spoken_of(site, polarity, open_sites)
    assert set(found) <= open_sites
    assert site not in open_sites or site in found
    assert {site, *found} != {"left", "right"}


def test_left_and_right_are_two_sites() -> None:
    assert clinical_site("ears", {"side": "left"}) != clinical_site("ears", {"side": "right"})


def test_the_third_ear_course_since_march_is_counted() -> None:
    march, may = date(2025, 3, 4), date(2025, 5, 1)
    assert recurrence(DAY, []) is None
    assert recurrence(DAY, [may]) == Recurrence(2, may)
    assert recurrence(DAY, [may, march]) == Recurrence(3, march)
    assert recurrence(DAY, [DAY, ago(366), DAY + timedelta(1)]) is None
    assert recurrence(DAY, [ago(365)]) == Recurrence(2, ago(365))


D = date(2026, 11, 10)


@pytest.mark.parametrize(
    ("told", "began"),
    [
        ([], (D, "day")),
        ([(date(2026, 11, 3), "day")], (date(2026, 11, 3), "day")),
        ([(date(2026, 11, 12), "day")], (D, "day")),  # a later beginning moves nothing
        ([(date(2026, 10, 1), "month")], (date(2026, 10, 1), "month")),
        ([(date(2026, 11, 1), "month")], (D, "day")),  # that month may as well mean the known day
        ([(date(2026, 10, 1), "month"), (date(2026, 10, 20), "day")], (date(2026, 10, 20), "day")),
        ([(date(2026, 10, 20), "day"), (date(2026, 10, 1), "month")], (date(2026, 10, 20), "day")),
        ([(date(2026, 11, 3), "day"), (date(2026, 11, 1), "day")], (date(2026, 11, 1), "day")),
    ],
)
def test_a_course_begins_where_its_days_say_as_precisely_as_they_do(
    told: list[tuple[date, str]], began: tuple[date, str]
) -> None:
    days = [ToldOnset(D), ToldOnset(D + timedelta(1))]
    days += [
        ToldOnset(D + timedelta(2 + n), on, precision)  # type: ignore[arg-type]
        for n, (on, precision) in enumerate(told)
    ]
    assert course_onset(days, opened_on=D + timedelta(1)) == began


def test_the_onset_told_at_the_opening_counts_first() -> None:
    old = date(2026, 9, 1)
    assert course_onset([ToldOnset(D, old, "month")], opened_on=D) == (old, "month")
    assert course_onset([ToldOnset(D, old, "month", is_same_site=False)], opened_on=D) is None
