"""Which due time a dose answers: the overdue one, the next one where it is near, or none in particular."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.rules.doses import answered
from twin.rules.medicines import Course, Dose, Due, Schedule, due

MONDAY = dt.datetime(2025, 3, 3, tzinfo=dt.UTC)
TWICE = Schedule("times", times=(dt.time(8), dt.time(20)))
COURSE = Course(TWICE, "UTC", dt.time(3), MONDAY.date(), None, MONDAY)


def at(hour, minute=0):
    return MONDAY + dt.timedelta(hours=hour, minutes=minute)


@pytest.mark.parametrize("outcome", ["given", "skipped", "refused"])
@pytest.mark.parametrize(
    ("overdue", "upcoming", "hour", "given_answers", "other_answers"),
    [
        (8, 20, 9, 8, 8),
        (8, 20, 14.2, 8, 8),  # nearer to the next one, and still the late one
        (8, 20, 16.9, 8, 8),
        (8, 20, 17, 20, 8),  # a quarter of twelve hours before
        (8, 20, 20.2, 20, 8),
        (8, None, 23, 8, 8),
        (None, 20, 19, None, 20),
        (None, 20, 9, None, 20),
        (None, None, 9, None, None),
    ],
)
def test_every_standing_and_outcome(outcome, overdue, upcoming, hour, given_answers, other_answers):
    times = Due(*(None if hours is None else at(hours) for hours in (overdue, upcoming)))
    expected = given_answers if outcome == "given" else other_answers
    assert answered(times, at(hour), outcome) == (None if expected is None else at(expected))


@given(st.lists(st.sampled_from([True, False]), min_size=1, max_size=20), st.integers(-25, 25))
def test_after_missed_doses_one_given_about_its_time_leaves_nothing_overdue(taken, minutes):
    doses: list[Dose] = []
    for n, is_taken in enumerate([*taken, True]):
        moment = at(8 + 12 * n, minutes)
        if is_taken:
            doses.append(Dose(moment, "given", answered(due(COURSE, doses, moment), moment, "given")))
    assert due(COURSE, doses, moment + dt.timedelta(minutes=1)) == Due(None, at(8 + 12 * (n + 1)))
