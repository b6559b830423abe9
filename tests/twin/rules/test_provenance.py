"""Provenance never rises."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.rules.provenance import MANNERS, SAID_BY, Provenance, inferred_by, is_raised, weakest

EVERY = [Provenance(said_by, manner) for said_by, manner in product(SAID_BY, MANNERS)]
some = st.lists(st.sampled_from(EVERY), min_size=1, max_size=5)


@pytest.mark.parametrize("one", EVERY)
def test_a_thing_alone_keeps_its_provenance(one: Provenance) -> None:
    assert weakest([one]) == one
    assert not is_raised(one, [one])


@pytest.mark.parametrize(("one", "other"), list(product(EVERY, EVERY)))
def test_two_things_together_are_as_weak_as_the_weaker(one: Provenance, other: Provenance) -> None:
    both = weakest([one, other])
    assert SAID_BY.index(both.said_by) == min(SAID_BY.index(one.said_by), SAID_BY.index(other.said_by))
    assert MANNERS.index(both.manner) == min(MANNERS.index(one.manner), MANNERS.index(other.manner))
    assert weakest([other, one]) == both
    assert is_raised(one, [other]) is (both != one)


@given(some, some)
def test_summing_up_in_steps_never_raises(first: list[Provenance], second: list[Provenance]) -> None:
    assert weakest([weakest(first), weakest(second)]) == weakest(first + second)
    assert not is_raised(weakest(first + second), first)


@given(st.sampled_from(SAID_BY), some)
def test_a_conclusion_is_inferred_and_no_stronger_than_its_author_or_sources(
    author: str, sources: list[Provenance]
) -> None:
    concluded = inferred_by(author, sources)
    assert concluded.manner == "inferred"
    assert not is_raised(concluded, sources)
    assert SAID_BY.index(concluded.said_by) <= SAID_BY.index(author)


def test_what_rests_on_nothing_has_no_provenance() -> None:
    with pytest.raises(ValueError, match="nothing"):
        weakest([])
