"""The arithmetic of counting, against fresh counts, tables of every step, and known values."""

from __future__ import annotations

import datetime as dt
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.rules.counting.patterns import Standing, days_to_confirm, next_step, p_of
from memory.rules.counting.significance import benjamini_hochberg, fisher_greater, wilson_lower, wilson_upper
from memory.rules.counting.tables import Counts, Pair, Table, counts_at, edges, moved_on

DAY = dt.date(2026, 5, 1)
PAIR = Pair("a", "o", 1)


@given(st.lists(st.one_of(st.none(), st.tuples(st.booleans(), st.booleans())), max_size=450))
def test_a_night_in_and_a_day_out_equal_a_fresh_count(days: list[tuple[bool, bool] | None]) -> None:
    diary = {
        DAY + dt.timedelta(days=n): {"a": one[0], "o": one[1]}
        for n, one in enumerate(days)
        if one is not None
    }
    counts = Counts()
    for n in range(len(days)):
        counts = moved_on(counts, PAIR, diary, DAY + dt.timedelta(days=n))
    assert counts == counts_at(PAIR, diary, DAY + dt.timedelta(days=len(days) - 1))


def test_a_night_reads_six_days_and_no_more() -> None:
    assert len(edges(DAY, [PAIR])) == 6


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_fisher_is_the_tail_of_the_hypergeometric(a: int, b: int, c: int, d: int) -> None:
    n = a + b + c + d
    tail = sum(
        comb(a + b, k) * comb(c + d, a + c - k) for k in range(a, min(a + b, a + c) + 1) if a + c - k <= c + d
    )
    assert fisher_greater(a, a + b, a + c, n) == pytest.approx(tail / comb(n, a + c) if n else 1.0)


def test_wilson_has_the_values_of_the_books() -> None:
    assert wilson_lower(9, 10) == pytest.approx(0.5958, abs=1e-4)
    assert wilson_lower(1, 1) == pytest.approx(0.2065, abs=1e-4)
    assert (wilson_lower(0, 0), wilson_upper(0, 0)) == (0.0, 1.0)


@given(st.integers(1, 200), st.data())
def test_wilson_holds_the_share_between_its_ends(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    assert 0 <= wilson_lower(k, n) <= k / n + 1e-12 and k / n <= wilson_upper(k, n) + 1e-12 <= 1 + 1e-9


def test_benjamini_and_hochberg_believe_by_rank() -> None:
    assert benjamini_hochberg([0.01, 0.02, 0.03], 3, 0.05) == 0.03
    assert benjamini_hochberg([0.01], 100, 0.05) == 0.0
    assert benjamini_hochberg([0.0004, 0.9], 100, 0.05) == 0.0004
    assert benjamini_hochberg([], 100, 0.05) == 0.0


STRONG, FLAT, FEW = Table(20, 25, 30, 100), Table(6, 20, 30, 100), Table(3, 3, 30, 100)
BAD_WEEKS, GOOD_WEEKS, SILENT_WEEKS = Table(1, 10, 20, 50), Table(8, 10, 20, 50), Table(0, 2, 20, 50)
LONG_AGO = DAY - dt.timedelta(days=56)
# (standing, its year, its last weeks, believed): what it becomes
STEPS = {
    (None, STRONG, GOOD_WEEKS, True): "hypothesis",
    (None, STRONG, BAD_WEEKS, False): "hypothesis",
    (None, FLAT, GOOD_WEEKS, False): None,
    (None, FEW, GOOD_WEEKS, True): None,
    ("hypothesis", STRONG, GOOD_WEEKS, True): "supported",
    ("hypothesis", STRONG, GOOD_WEEKS, False): None,
    ("hypothesis", STRONG, BAD_WEEKS, True): "weakening",
    ("hypothesis", FLAT, GOOD_WEEKS, False): "retired",
    ("hypothesis", FEW, SILENT_WEEKS, False): "retired",
    ("supported", STRONG, GOOD_WEEKS, True): None,
    ("supported", STRONG, SILENT_WEEKS, True): None,
    ("supported", STRONG, GOOD_WEEKS, False): "hypothesis",
    ("supported", STRONG, BAD_WEEKS, True): "weakening",
    ("weakening", STRONG, BAD_WEEKS, True): None,
    ("weakening", STRONG, GOOD_WEEKS, True): "hypothesis",
    ("retired", STRONG, GOOD_WEEKS, True): "hypothesis",
    ("retired", STRONG, BAD_WEEKS, True): None,
}


@pytest.mark.parametrize(("given_", "became"), STEPS.items())
def test_every_step_of_the_machine(given_: tuple, became: str | None) -> None:  # type: ignore[type-arg]
    lifecycle, year, recent, believed = given_
    standing = Standing(lifecycle, DAY) if lifecycle else None
    step = next_step(standing, Counts(year, recent), is_believed=believed, day=DAY)
    assert (step[0] if step else None) == became


def test_weakening_for_eight_more_weeks_retires_and_not_a_day_earlier() -> None:
    for days, became in ((55, None), (56, "retired")):
        standing = Standing("weakening", DAY - dt.timedelta(days=days))
        step = next_step(standing, Counts(STRONG, BAD_WEEKS), is_believed=True, day=DAY)
        assert (step[0] if step else None) == became


def test_no_night_brings_back_what_a_person_retired() -> None:
    standing = Standing("retired", LONG_AGO, by_hand=True)
    for year, recent, believed in product((STRONG, FLAT), (GOOD_WEEKS, BAD_WEEKS), (True, False)):
        assert next_step(standing, Counts(year, recent), is_believed=believed, day=DAY) is None


def test_what_would_confirm_it_does_and_one_day_less_does_not() -> None:
    table = Table(5, 8, 20, 60)
    more = days_to_confirm(table, needed=0.0005)
    assert more is not None and more > 1
    assert p_of(table + Table(more, more, more, more)) <= 0.0005
    assert p_of(table + Table(more - 1, more - 1, more - 1, more - 1)) > 0.0005
