"""A month as a calendar: its days, and what each says of one field."""

from __future__ import annotations

import datetime as dt

import pytest

from twin.rules.form_fields import FORMS, PERSON_FIELDS
from twin.rules.months import (
    CATEGORIES,
    FIRST_FIELDS,
    SCALES,
    DayMark,
    Told,
    UnknownMonth,
    marks_of,
    month_at,
    month_of,
    share_of,
    tally_of,
)

TODAY = dt.date(2024, 2, 10)
SLEEP = next(field for field in PERSON_FIELDS if field.key == "sleep")
AROUSAL = next(field for field in PERSON_FIELDS if field.key == "arousal")


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("", dt.date(2024, 2, 1), dt.date(2024, 2, 29)),
        ("2023-02", dt.date(2023, 2, 1), dt.date(2023, 2, 28)),
        ("2024-12", dt.date(2024, 12, 1), dt.date(2024, 12, 31)),
    ],
)
def test_an_address_names_a_month(text: str, first: dt.date, last: dt.date) -> None:
    month = month_of(text, today=TODAY)
    assert (month.first, month.last) == (first, last)


@pytest.mark.parametrize(
    "text", ["2024", "2024-13", "2024-00", "24-01", "2024-1", "0000-01", "2024-01-01", "x" * 99]
)
def test_what_is_no_month_is_refused(text: str) -> None:
    with pytest.raises(UnknownMonth):
        month_of(text, today=TODAY)


@pytest.mark.parametrize("day", [dt.date(1999, 12, 31) + dt.timedelta(days=n) for n in range(0, 1600, 23)])
def test_months_follow_each_other_without_a_gap(day: dt.date) -> None:
    month = month_at(day)
    assert day in month.days
    assert month_of(month.after, today=TODAY).first == month.last + dt.timedelta(days=1)
    assert month_of(month.before, today=TODAY).last == month.first - dt.timedelta(days=1)


def test_a_day_says_its_tap_of_most_concern_then_what_was_told_then_nothing() -> None:
    month = month_at(TODAY)
    one, two, three = month.days[:3]
    marks = marks_of(
        SLEEP,
        month,
        [(one, {"sleep": "good"}), (one, {"sleep": "woke"}), (one, {"arousal": "high"})],
        {one: Told(3), two: Told(0)},
    )
    assert [mark.day for mark in marks] == month.days
    assert marks[0].level is not None
    assert (marks[0].level.key, marks[0].concern) == ("woke", 2)
    assert (marks[1].level, marks[1].concern) == (None, 0)
    assert marks[2] == DayMark(three)
    assert marks[2].concern is None
    assert tally_of(marks) == {"woke": 1, "": 1}


@pytest.mark.parametrize(("kind", "key"), [(kind, key) for kind, form in FORMS.items() for key in form])
def test_every_level_of_every_form_is_drawn_and_not_looked_stays_empty(kind: str, key: str) -> None:
    field = FORMS[kind][key]
    for level in field.levels:
        share = share_of(field, DayMark(TODAY, level=level))
        assert (share is None) == (level.rank < 0)
        assert share is None or 0 < share <= 1


def test_a_scale_rises_with_its_levels_and_anything_else_with_its_concern() -> None:
    heights = [share_of(AROUSAL, DayMark(TODAY, level=level)) for level in AROUSAL.levels]
    assert heights == sorted(heights, key=lambda share: share or 0)
    assert share_of(SLEEP, DayMark(TODAY, told=Told(3))) == 1.0
    assert share_of(SLEEP, DayMark(TODAY, told=Told(0))) == 0.25


def test_the_tables_name_fields_there_are() -> None:
    every = {key for form in FORMS.values() for key in form}
    assert every >= SCALES
    assert every >= CATEGORIES.keys()
    assert all(set(keys) <= FORMS[kind].keys() for kind, keys in FIRST_FIELDS.items())
