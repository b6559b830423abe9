"""One order for dates, ages and the undated."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.rules.timeline import sort_position

DAY, ONSET, BORN = date(2025, 6, 11), date(2025, 6, 8), date(2021, 6, 1)
POSITIONS = [
    # day, onset, born, low, high, position
    (DAY, ONSET, BORN, None, None, DAY),
    (DAY, None, BORN, 0, 12, DAY),
    (None, ONSET, None, None, None, ONSET),
    (None, None, BORN, 0, 12, date(2021, 12, 1)),
    (None, None, BORN, 0, 0, BORN),
    (None, None, BORN, 24, 35, date(2023, 11, 16)),
    (None, None, None, 0, 12, None),
    (None, None, BORN, None, None, None),
    (None, None, BORN, 0, None, None),
    (None, None, None, None, None, None),
    (None, None, BORN, 0, 10**6, None),
]


@pytest.mark.parametrize(("day", "onset", "born", "low", "high", "position"), POSITIONS)
def test_a_record_stands_at_its_day_else_its_onset_else_the_middle_of_its_age(
    day: date | None,
    onset: date | None,
    born: date | None,
    low: int | None,
    high: int | None,
    position: date | None,
) -> None:
    found = sort_position(day=day, started_on=onset, born_on=born, low_months=low, high_months=high)
    assert found == position


@given(
    st.dates(date(1990, 1, 1), date(2030, 1, 1)), st.integers(0, 300), st.integers(0, 300), st.integers(0, 60)
)
def test_older_ages_come_later(born: date, low: int, width: int, older: int) -> None:
    def at(months: int) -> date:
        position = sort_position(started_on=None, born_on=born, low_months=months, high_months=months + width)
        assert position is not None
        return position

    assert born <= at(low) <= at(low + older)
