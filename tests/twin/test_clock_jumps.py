"""A clock that jumps far ahead or back, a box that was off for days: the book stays as it was told."""

from __future__ import annotations

import datetime as dt

import pytest

from tests.makers import a_cat, a_person
from tests.slices import IS_LONG
from tests.snapshots import database_snapshot
from tests.twin.stories import at, day_number, ear, tell, unsure
from twin.models import CourseDay, Question, Record, RoundRun, Statement, Subject
from twin.models.records import OPEN_LIFECYCLES
from twin.services.rounds.run import catch_up, due_days, run_due

pytestmark = pytest.mark.django_db
# Each night is really run: the year and the thirty days of the long form take minutes.
JUMP = dt.timedelta(days=365 if IS_LONG else 9)
OFF = 30 if IS_LONG else 9


@pytest.fixture
def mavi() -> Subject:
    """A cat with a sore ear for three days, and one finding of which nobody could say when."""
    mavi = a_cat(a_person("Ana"), now=at(day_number(0), 8))
    for n in range(3):
        tell(mavi, at(day_number(n)), ear())
        if n == 2:
            tell(mavi, at(day_number(n), 13), unsure())
        run_due(now=at(day_number(n + 1), 10))
    return mavi


def standing(subject: Subject) -> list[object]:
    """How the book stands: its courses, the days they were seen on, what is asked, which days are closed."""
    courses = Record.objects.courses().filter(subject=subject).order_by("id")
    return [
        list(courses.values_list("pk", "lifecycle", "started_on", "ended_on")),
        list(CourseDay.objects.filter(subject=subject).order_by("day").values_list("course", "day")),
        list(Question.objects.filter(subject=subject).order_by("id").values_list("pk", "state")),
        list(RoundRun.objects.filter(subject=subject).order_by("day").values_list("day", "is_dirty")),
    ]


def test_a_jump_ahead_and_back_leaves_the_book_as_it_was_and_its_nights_go_on(mavi: Subject):
    before, words = standing(mavi), Statement.objects.count()
    run_due(now=at(day_number(3), 10) + JUMP)
    assert RoundRun.objects.filter(day__gt=day_number(9)).exists()
    run_due(now=at(day_number(3), 11))
    assert standing(mavi) == before
    assert Statement.objects.count() == words
    tell(mavi, at(day_number(3)), ear())
    assert run_due(now=at(day_number(4), 10)) == 1
    course = Record.objects.courses().get(subject=mavi)
    assert CourseDay.objects.filter(course=course).count() == 4
    assert due_days(mavi, now=at(day_number(4), 10)) == []


def test_a_clock_that_came_back_and_went_on_ends_like_one_that_never_jumped(mavi: Subject):
    other = a_cat(a_person("Ana"), "Boncuk", now=at(day_number(0), 8))
    for n in range(3):
        tell(other, at(day_number(n)), ear())
    tell(other, at(day_number(2), 13), unsure())
    list(catch_up(other, now=at(day_number(3), 10)))
    list(catch_up(mavi, now=at(day_number(3), 10) + JUMP))
    for subject in (mavi, other):
        for n in range(3, 12):
            tell(subject, at(day_number(n)), ear(bad=n < 5))
            list(catch_up(subject, now=at(day_number(n + 1), 10)))
    ended = [
        Record.objects.courses().filter(subject=one).values_list("lifecycle", "started_on", "ended_on")
        for one in (mavi, other)
    ]
    assert list(ended[0]) == list(ended[1])


def test_a_jump_back_closes_nothing_and_changes_nothing(mavi: Subject):
    before = database_snapshot()
    assert run_due(now=at(day_number(3), 10) - JUMP) == 0
    assert run_due(now=at(day_number(3), 11)) == 0
    assert database_snapshot() == before


def test_days_off_are_closed_in_order_each_once_and_silence_ends_nothing(mavi: Subject):
    lifecycle = Record.objects.courses().get(subject=mavi).lifecycle
    done = run_due(now=at(day_number(3 + OFF), 10))
    days = list(RoundRun.objects.filter(subject=mavi).order_by("day").values_list("day", flat=True))
    assert done == OFF
    assert days == [day_number(n) for n in range(3 + OFF)]
    course = Record.objects.courses().get(subject=mavi)
    assert course.ended_on is None and lifecycle == "active" and course.lifecycle in OPEN_LIFECYCLES
    assert run_due(now=at(day_number(3 + OFF), 10)) == 0
