"""Today at a glance: how each subject is, and the one thing that comes next."""

from __future__ import annotations

import datetime as dt
from itertools import product

import pytest

from twin.rules.glance import Condition, Next, Waiting, condition_of, next_of

NOON = dt.datetime(2025, 3, 3, 12, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("trajectories", "noted", "is_looked", "expected"),
    [
        (["worsening"], [], True, Condition.WORSE),
        (["improving", "onset"], [], True, Condition.WORSE),
        (["improving", "normal"], ["abnormal"], True, Condition.BETTER),
        (["unchanged", "improving"], [], False, Condition.GOING_ON),
        ([None], [], False, Condition.GOING_ON),
        ([], ["normal", "abnormal"], True, Condition.NOTED),
        ([], ["normal"], True, Condition.QUIET),
        ([], [], True, Condition.QUIET),
        ([], [], False, Condition.UNSEEN),
    ],
)
def test_a_subject_is_in_one_word(
    trajectories: list[str | None], noted: list[str], is_looked: bool, expected: Condition
) -> None:
    assert condition_of(trajectories, noted=noted, is_looked=is_looked) == expected


@pytest.mark.parametrize(("late", "asked", "agenda", "dose", "unnoted"), product([0, 2], repeat=5))
def test_the_most_urgent_thing_comes_next(
    late: int, asked: int, agenda: int, dose: int, unnoted: int
) -> None:
    waiting = Waiting(asked, agenda, late, NOON if dose else None, unnoted)
    order = [
        (late, Next.LATE_DOSE),
        (asked, Next.QUESTION),
        (agenda, Next.AGENDA),
        (dose, Next.DOSE),
        (unnoted, Next.NOTE),
        (1, Next.NOTHING),
    ]
    assert next_of(waiting) == next(what for count, what in order if count)
