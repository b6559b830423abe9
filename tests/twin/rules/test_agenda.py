"""At most three questions a day, deterministic, one for each course."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.rules.agenda import AgendaEntry, OpenCourse, WaitingQuestion, agenda, is_profile_aged

DAY = date(2025, 6, 12)


def course(number: int, **changes: Any) -> OpenCourse:
    given_course: dict[str, Any] = {
        "category": "ears",
        "lifecycle": "active",
        "severity": 1,
        "last_abnormal": date(2025, 6, 11),
    }
    return OpenCourse(number, **(given_course | changes))


def keys(*courses: OpenCourse, questions: int = 0, measured: date | None = DAY) -> list[str]:
    waiting = [WaitingQuestion(n, DAY - timedelta(n)) for n in range(1, questions + 1)]
    return [e.key for e in agenda(DAY, courses=courses, questions=waiting, profile_measured_on=measured)]


def test_a_course_asks_for_what_was_last_abnormal() -> None:
    found = agenda(DAY, courses=[course(12, abnormal_signs=("redness", "odour"))], profile_measured_on=DAY)
    assert found == (AgendaEntry(1, "course:12", "course", 12, "ears", ("odour", "redness")),)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"severity": 3}, {"severity": 2}),
        ({"severity": 1}, {"severity": 3, "lifecycle": "passive"}),
        ({"lifecycle": "passive"}, {"lifecycle": "dormant", "severity": 3}),
        ({"last_abnormal": date(2025, 6, 11)}, {"last_abnormal": date(2025, 6, 9)}),
        ({"severity": 1}, {"severity": 3, "unanswered": 3}),
        ({"severity": 3, "unanswered": 2}, {"severity": 1}),
    ],
)
def test_the_weightier_course_comes_first(first: dict[str, Any], second: dict[str, Any]) -> None:
    assert keys(course(9, **first), course(1, **second)) == ["course:9", "course:1"]
    assert keys(course(1, **second), course(9, **first)) == ["course:9", "course:1"]


def test_closed_courses_and_single_days_are_not_asked_about() -> None:
    assert keys(course(1, lifecycle="closed"), course(2, lifecycle="day")) == []


def test_a_waiting_question_always_finds_room_the_oldest_first() -> None:
    courses = [course(n) for n in range(1, 6)]
    assert keys(*courses) == ["course:1", "course:2", "course:3"]
    assert keys(*courses, questions=2) == ["course:1", "course:2", "question:2"]
    assert keys(course(1), questions=5) == ["course:1", "question:5", "question:4"]


@pytest.mark.parametrize(("days", "aged"), [(None, True), (0, False), (90, False), (91, True)])
def test_a_profile_is_asked_for_when_it_is_missing_or_old_and_room_is_left(
    days: int | None, aged: bool
) -> None:
    measured = None if days is None else DAY - timedelta(days)
    assert is_profile_aged(measured, DAY) is aged
    assert keys(course(1), measured=measured) == ["course:1"] + (["profile"] if aged else [])
    assert "profile" not in keys(course(1), course(2), course(3), measured=measured)


courses = st.lists(
    st.builds(
        OpenCourse,
        st.integers(1, 50),
        st.sampled_from(["ears", "sleep"]),
        st.sampled_from(["day", "active", "passive", "dormant", "closed"]),
        st.integers(0, 3),
        st.dates(date(2025, 5, 1), DAY),
        unanswered=st.integers(0, 5),
    ),
    unique_by=lambda each: each.id,
    max_size=8,
)
questions = st.lists(
    st.builds(WaitingQuestion, st.integers(1, 50), st.dates(date(2025, 5, 1), DAY)),
    unique_by=lambda each: each.id,
    max_size=5,
)


@given(courses, questions, st.randoms(use_true_random=False))
def test_at_most_three_one_for_each_and_the_same_in_any_order(
    courses: list[OpenCourse], questions: list[WaitingQuestion], random: Any
) -> None:
    found = agenda(DAY, courses=courses, questions=questions)
    assert len(found) <= 3
    assert [entry.rank for entry in found] == list(range(1, len(found) + 1))
    assert len({entry.key for entry in found}) == len(found)
    assert not questions or any(entry.kind == "question" for entry in found)
    random.shuffle(courses)
    random.shuffle(questions)
    assert agenda(DAY, courses=courses, questions=questions) == found
