"""The life of a course: the floors, silence, chronic courses, and closing by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from itertools import product
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.rules.lifecycle import (
    CLOSED_DAYS,
    CLOSED_NORMAL_DAYS,
    DORMANT_AFTER,
    MOVES,
    PASSIVE_NORMAL_DAYS,
    CourseState,
    Horizons,
    Lifecycle,
    ObservedDay,
    RefusedClosing,
    Transition,
    clamp,
    close_by_hand,
    next_lifecycle,
)

START = date(2025, 6, 1)
IMPATIENT, FLOORS = Horizons(0, 0), Horizons(3, 7)
LIFECYCLES = get_args(Lifecycle)


def course(lifecycle: Any = "active", *, chronic: bool = False) -> CourseState:
    return CourseState(lifecycle, started_on=START, chronic=chronic)


def diary(marks: str) -> list[ObservedDay]:
    """One letter a day from START on: a abnormal, n normal, . nobody said anything."""
    polarity: dict[str, Any] = {"a": "abnormal", "n": "normal"}
    return [ObservedDay(START + timedelta(n), polarity[m]) for n, m in enumerate(marks) if m != "."]


def at_end_of(marks: str, state: CourseState | None = None, horizons: Horizons = IMPATIENT) -> Transition:
    return next_lifecycle(state or course(), diary(marks), horizons, START + timedelta(len(marks) - 1))


DIARIES = [
    ("a", "active"),
    ("ann", "active"),
    ("annn", "passive"),
    ("an.n", "active"),
    ("an.n.n", "passive"),
    ("a.....", "active"),
    ("annna", "active"),
    ("annn.n", "passive"),
    ("annnnn", "passive"),  # five normal days and only five calendar days
    ("annnnn..", "closed"),
    ("annnnnnn", "closed"),
    ("annnn...", "passive"),  # seven calendar days and only four observed
    ("annnn....n", "closed"),
    ("annn" + "." * 13, "passive"),
    ("annn" + "." * 14, "dormant"),
    ("a" + "." * 13, "active"),
    ("a" + "." * 14, "dormant"),
    ("a" + "." * 20 + "n", "active"),
    ("a" + "." * 20 + "a", "active"),
    ("a" + "." * 20 + "nnn", "passive"),
    ("a" + "." * 20 + "nnnnn", "closed"),
    ("annnnn" + "." * 14, "dormant"),  # out of sight, it does not close
    ("nnnnnnnn", "closed"),
]


@pytest.mark.parametrize(("marks", "expected"), DIARIES)
@pytest.mark.parametrize("before", ["active", "passive", "dormant"])
def test_the_observed_days_decide_whatever_the_course_was(
    marks: str, expected: Lifecycle, before: Lifecycle
) -> None:
    transition = at_end_of(marks, course(before))
    assert (transition.was, transition.became) == (before, expected)
    assert transition.is_move is (before != expected)


@pytest.mark.parametrize(
    ("marks", "ended_on"),
    [("annnnnnn", START), ("aannnnnnn", date(2025, 6, 2)), ("nnnnnnnn", START), ("annnn..nn", START)],
)
def test_a_closed_course_ended_on_its_last_abnormal_day(marks: str, ended_on: date) -> None:
    assert at_end_of(marks).ended_on == ended_on


def test_only_closing_ends_a_course() -> None:
    assert at_end_of("annn").ended_on is None
    assert at_end_of("a" + "." * 14).ended_on is None


@pytest.mark.parametrize(
    ("before", "marks", "reason"),
    [
        ("active", "a", "unchanged"),
        ("active", "annn", "quiet"),
        ("passive", "annna", "abnormal_again"),
        ("dormant", "a" + "." * 20 + "n", "woken"),
        ("active", "a" + "." * 14, "silent"),
        ("passive", "annnnnnn", "recovered"),
    ],
)
def test_a_move_says_why(before: Lifecycle, marks: str, reason: str) -> None:
    assert at_end_of(marks, course(before)).reason == reason


def test_a_patient_proposal_is_followed() -> None:
    patient = Horizons(6, 20)
    assert at_end_of("annnnn", horizons=patient).became == "active"
    assert at_end_of("annnnnn", horizons=patient).became == "passive"
    assert at_end_of("a" + "n" * 19, horizons=patient).became == "passive"
    assert at_end_of("a" + "n" * 20, horizons=patient).became == "closed"


def test_days_after_tonight_are_not_looked_at() -> None:
    days = diary("annnnnnna")
    assert next_lifecycle(course(), days, FLOORS, START + timedelta(7)).became == "closed"


marks = st.text(alphabet="an.", min_size=1, max_size=60).map(lambda text: "a" + text)
proposals = st.builds(Horizons, st.integers(-50, 400), st.integers(-50, 400))
open_states: st.SearchStrategy[Any] = st.sampled_from(["active", "passive", "dormant"])


def normal_since_last_abnormal(text: str) -> tuple[int, int]:
    """Observed normal days, and calendar days, since the last abnormal one."""
    tail = text[text.rindex("a") + 1 :]
    return tail.count("n"), len(tail)


@given(marks, proposals, open_states, st.booleans())
def test_no_proposal_overrides_the_floors(
    text: str, proposal: Horizons, before: Lifecycle, chronic: bool
) -> None:
    became = at_end_of(text, course(before, chronic=chronic), proposal).became
    normal, calendar = normal_since_last_abnormal(text)
    if became == "passive":
        assert normal >= PASSIVE_NORMAL_DAYS
    if became == "closed":
        assert normal >= CLOSED_NORMAL_DAYS
        assert calendar >= CLOSED_DAYS


@given(marks, proposals, open_states)
def test_silence_never_recovers(text: str, proposal: Horizons, before: Lifecycle) -> None:
    silent = text.replace("n", ".")
    assert at_end_of(silent, course(before), proposal).became in ("active", "dormant")


@given(marks, proposals)
def test_unobserved_days_only_ever_add_calendar_days(text: str, proposal: Horizons) -> None:
    order = ["active", "passive", "closed"]
    spoken = at_end_of(text, horizons=proposal).became
    silenced = at_end_of(text.replace("n", ".", 1), horizons=proposal).became
    if "dormant" not in (spoken, silenced):
        assert order.index(silenced) <= order.index(spoken)


@given(marks, proposals, open_states)
def test_a_chronic_course_never_closes_by_itself(text: str, proposal: Horizons, before: Lifecycle) -> None:
    state = course(before, chronic=True)
    chronic, usual = at_end_of(text, state, proposal).became, at_end_of(text, course(before), proposal).became
    assert chronic != "closed"
    assert chronic == usual or (usual, chronic) == ("closed", "passive")


@given(marks, proposals, open_states)
def test_fourteen_days_without_a_word_and_only_they_make_it_dormant(
    text: str, proposal: Horizons, before: Lifecycle
) -> None:
    silence = len(text) - len(text.rstrip("."))
    became = at_end_of(text, course(before), proposal).became
    assert (became == "dormant") is (silence >= DORMANT_AFTER)


@given(marks, proposals, open_states, st.booleans())
def test_every_move_is_in_the_table_and_a_night_run_twice_moves_nothing(
    text: str, proposal: Horizons, before: Lifecycle, chronic: bool
) -> None:
    state = course(before, chronic=chronic)
    first = at_end_of(text, state, proposal)
    again = at_end_of(text, replace(state, lifecycle=first.became), proposal)
    assert not first.is_move or first.became in MOVES[first.was]
    assert not again.is_move


@given(marks, proposals, st.booleans())
def test_nights_run_one_by_one_move_only_along_the_table_and_end_once(
    text: str, proposal: Horizons, chronic: bool
) -> None:
    state = course(chronic=chronic)
    moves = []
    for night in range(len(text)):
        transition = next_lifecycle(state, diary(text), proposal, START + timedelta(night))
        moves += [transition] if transition.is_move else []
        state = replace(state, lifecycle=transition.became)
    assert all(move.became in MOVES[move.was] for move in moves)
    assert [move.became for move in moves[:-1]].count("closed") == 0
    if state.lifecycle != "closed":
        assert state.lifecycle == at_end_of(text, course(chronic=chronic), proposal).became


@given(marks, proposals)
def test_a_day_is_no_course_and_a_closed_one_stays_closed(text: str, proposal: Horizons) -> None:
    for lifecycle in ("day", "closed"):
        assert at_end_of(text, course(lifecycle), proposal) == Transition(lifecycle, lifecycle, "unchanged")


@given(proposals)
def test_clamping_is_done_once_and_only_lengthens(proposal: Horizons) -> None:
    clamped = clamp(proposal)
    assert clamp(clamped) == clamped
    assert clamped.to_passive >= max(proposal.to_passive, PASSIVE_NORMAL_DAYS)
    assert clamped.to_close >= max(proposal.to_close, CLOSED_DAYS, clamped.to_passive)


@pytest.mark.parametrize(
    ("lifecycle", "reason", "chronic"), list(product(LIFECYCLES, ["vet said so", "", "  "], [True, False]))
)
def test_a_person_closes_any_open_course_with_a_reason(
    lifecycle: Lifecycle, reason: str, chronic: bool
) -> None:
    state = course(lifecycle, chronic=chronic)
    today = START + timedelta(3)
    if lifecycle in ("active", "passive", "dormant") and reason.strip():
        closed = close_by_hand(state, diary("aan"), reason=reason, today=today)
        assert closed == Transition(lifecycle, "closed", reason, date(2025, 6, 2))
    else:
        with pytest.raises(RefusedClosing) as refused:
            close_by_hand(state, [], reason=reason, today=today)
        expected = {"day": "not_a_course", "closed": "closed_already"}.get(lifecycle, "reason_missing")
        assert refused.value.code == expected


def test_the_moves_are_these() -> None:
    assert {(was, became) for was, after in MOVES.items() for became in after} == {
        ("day", "active"),
        ("active", "passive"),
        ("active", "dormant"),
        ("active", "closed"),
        ("passive", "active"),
        ("passive", "dormant"),
        ("passive", "closed"),
        ("dormant", "active"),
        ("dormant", "passive"),
        ("dormant", "closed"),
    }
    assert set(MOVES) == set(LIFECYCLES)
