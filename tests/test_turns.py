"""What comes by turns comes for certain: every test within a week, and what a home rests on every day."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import turns
from tests.shared_cluster import CHECKOUT
from tests.slices import DAYS, is_turn

NAMED = [*turns.TURNS, *turns.EVERY_DAY]
ids = st.builds(
    "{}{}".format,
    st.sampled_from([*NAMED, "tests/twin/test_quick.py::test_it"]),
    st.sampled_from(["", "[a]", "[b-1]", "[a::b]"]),
).map(lambda name: name if "::" in name.partition("[")[0] else name.replace(".py", ".py::test_it", 1))


@given(st.lists(ids, max_size=40), st.integers(0, 1_000_000))
def test_a_week_in_a_row_runs_every_test_once_and_what_is_not_named_every_day(tests: list[str], day: int):
    given_turns = turns.turns_of(tests)
    days = [sum(turns.is_due(turn, day=day + n) for n in range(DAYS)) for turn in given_turns]
    assert days == [DAYS if turns.entry_of(test) is None else 1 for test in tests]


@given(st.sampled_from(turns.ONE_BY_ONE), st.integers(0, 1_000_000))
def test_of_many_cases_some_come_every_day(entry: str, day: int):
    path, _, name = entry.partition("::")
    cases = turns.turns_of([f"{path}::{name or 'test_it'}[{number}]" for number in range(3 * DAYS)])
    assert sum(turns.is_due(turn, day=day) for turn in cases) == 3


@pytest.mark.parametrize("entry", NAMED)
def test_what_is_named_is_there(entry: str):
    path, *names = entry.split("::")
    starts = [f"class {name}" for name in names[:-1]] + [f"def {name}" for name in names[-1:]]
    for start in starts or [r"def test_\w+"]:
        assert re.search(rf"^ *{start}\b", Path(CHECKOUT, path).read_text(), re.MULTILINE)


def test_nothing_is_named_twice():
    named = Counter([*(entry for day in turns.WEEK for entry in day), *turns.ONE_BY_ONE])
    assert [entry for entry, count in named.items() if count > 1] == []
    assert [entry for entry in turns.TURNS if "::" in entry and entry.partition("::")[0] in turns.TURNS] == []
    assert len(turns.WEEK) == DAYS


@pytest.mark.parametrize("entry", turns.EVERY_DAY)
def test_what_a_home_rests_on_is_tried_every_day(entry: str):
    path, _, name = entry.partition("::")
    others = [one for one in turns.TURNS if one.partition("::")[0] == path]
    assert entry not in others and path not in others and (name or others == [])
    before, _, _ = Path(CHECKOUT, path).read_text().partition(f"def {name}(" if name else "def test_")
    assert not re.search(r"pytestmark.*(long|skip)", before)
    assert not re.search(r"(long|skip)", before.rpartition("\n\n\n")[2])


def test_a_slice_that_would_never_get_to_all_of_what_comes_by_turns_is_refused():
    with pytest.raises(AssertionError, match="every"):
        is_turn(0, one_in=2 * DAYS)
