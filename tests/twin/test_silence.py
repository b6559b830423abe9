"""Through the database: silence closes no course, no proposal is below the floors, chronic never ends."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import transaction
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.makers import a_cat
from tests.slices import IS_LONG, is_turn
from tests.twin.stories import MONDAY, at, day_number, ear, run_until, tell
from twin.models import CourseMove, Record, Subject
from twin.services.closing import mark_chronic

pytestmark = pytest.mark.django_db
EXAMPLES = 100 if IS_LONG else 2
LENGTH = 22 if IS_LONG else 16

# What is found on a day: "b" bad, "g" good, "." nobody speaks.
PATTERNS = st.text(alphabet="bgg..", min_size=LENGTH, max_size=LENGTH)
QUIET = st.integers(-3, 40)
PROPOSALS = st.fixed_dictionaries({}, optional={"to_passive": QUIET, "to_close": QUIET})


def lived(pattern: str, *, proposal: dict[str, Any] | None = None, is_chronic: bool = False) -> Record:
    """A course of two bad days, then the pattern, every night run."""
    cat: Subject = a_cat(now=at(MONDAY, 5))
    for n in (0, 1):
        tell(cat, at(day_number(n)), ear())
    run_until(cat, day_number(1))
    course = Record.objects.courses().get(subject=cat)
    Record.objects.filter(pk=course.pk).update(horizons=proposal)
    mark_chronic(course_id=course.pk, chronic=is_chronic, now=at(day_number(2), 8))
    for n, found in enumerate(pattern, start=2):
        if found != ".":
            tell(cat, at(day_number(n)), ear(bad=found == "b"))
    run_until(cat, day_number(len(pattern) + 1))
    course.refresh_from_db()
    return course


def moves_to(course: Record, *states: str) -> list[tuple[dt.date, str]]:
    return list(CourseMove.objects.filter(course=course, became__in=states).values_list("day", "became"))


def seen(course: Record, day: dt.date) -> tuple[int, int]:
    """Days since the last bad one at the end of `day`, and on how many of them it was seen well."""
    days = course.days.filter(day__lte=day)
    last_bad = days.filter(polarity="abnormal").latest("day").day
    return (day - last_bad).days, days.filter(day__gt=last_bad, polarity="normal").count()


@settings(max_examples=EXAMPLES, deadline=None)
@given(PATTERNS, PROPOSALS, st.booleans())
@example("gggggggggg.....b", {"to_passive": 0, "to_close": 0}, False)
@example("g" * LENGTH, {"to_passive": -1, "to_close": 1}, True)
@example("ggg.gg" + "." * 10, {"to_close": 7}, False)
def test_no_proposal_moves_a_course_below_the_floors(
    pattern: str, proposal: dict[str, int], is_chronic: bool
) -> None:
    with transaction.atomic():
        course = lived(pattern, proposal=proposal, is_chronic=is_chronic)
        for day, state in moves_to(course, "passive", "closed"):
            quiet, well = seen(course, day)
            assert well >= (5 if state == "closed" else 3)
            assert quiet >= (7 if state == "closed" else 3)
            assert quiet >= proposal.get("to_close" if state == "closed" else "to_passive", 0)
        assert not (is_chronic and moves_to(course, "closed"))
        transaction.set_rollback(True)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 4), st.integers(0, 6), PROPOSALS)
@example(4, 0, {"to_passive": 0, "to_close": 0})
def test_silence_never_closes_however_long_and_whatever_is_proposed(
    seen_well: int, before: int, proposal: dict[str, int]
) -> None:
    """Four days seen well are one short of the floor: then no silence makes up for the fifth."""
    with transaction.atomic():
        course = lived("." * before + "g" * seen_well + "." * (60 if IS_LONG else 20), proposal=proposal)
        assert course.lifecycle == "dormant"
        assert course.ended_on is None
        assert moves_to(course, "closed") == []
        transaction.set_rollback(True)


def test_a_chronic_course_settles_and_stays_however_long_it_is_seen_well() -> None:
    course = lived("g" * (180 if IS_LONG else 30), proposal={"to_passive": 0, "to_close": 0}, is_chronic=True)
    assert moves_to(course, "passive", "dormant", "closed") == [(day_number(4), "passive")]


NONSENSE = [{"to_close": "soon"}, {"to_passive": None}, {"to_close": True}, [], 7]


@pytest.mark.parametrize("proposal", [one for n, one in enumerate(NONSENSE) if is_turn(n, one_in=3)])
def test_a_proposal_that_is_no_number_of_days_is_none(proposal: Any) -> None:
    course = lived("g" * 13, proposal=proposal)
    assert moves_to(course, "passive", "closed") == [(day_number(6), "passive")]
