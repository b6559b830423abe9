"""The working set's laws: nothing leaves while a reason lives, children cascade, stubs come back by id."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.rules.working_set import (
    LAST_TURNS,
    SEMANTIC_TURNS,
    Brought,
    Turn,
    WorkingSet,
    advance,
    from_json,
    has_semantic_reason,
    to_json,
)

LAW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])  # on a busy box
REFS = [f"rec_{n:06d}" for n in range(1, 7)]
brought = st.builds(
    Brought, st.sampled_from(REFS), st.just("ears"), st.none(), st.none() | st.sampled_from(REFS)
)
turns = st.lists(
    st.builds(
        lambda n, found, named: Turn(f"t{n}", tuple(found), frozenset(named)),
        st.integers(0, 10_000),
        st.lists(brought, max_size=4),
        st.sets(st.sampled_from(REFS), max_size=2),
    ),
    max_size=14,
)


def play(story: list[Turn]) -> WorkingSet:
    held = WorkingSet()
    for turn in story:
        held = advance(held, turn)
    return held


@LAW
@given(turns)
def test_a_record_stays_exactly_while_a_reason_lives(story: list[Turn]) -> None:
    held = WorkingSet()
    for turn in story:
        before, held = held, advance(held, turn)
        for ref, one in held.held.items():
            reasons = has_semantic_reason(one, held.count) or any(p in held.held for p in one.parents)
            assert reasons, ref
        for ref, one in before.held.items():
            if has_semantic_reason(one, held.count):
                assert ref in held.held
        assert all(parent in held.held for one in held.held.values() for parent in one.parents)


@LAW
@given(turns)
def test_what_left_is_a_stub_and_its_id_brings_it_back(story: list[Turn]) -> None:
    held = play(story)
    assert not {stub.ref for stub in held.stubs} & held.held.keys()
    ever = {one.ref for turn in story for one in turn.brought}
    assert {stub.ref for stub in held.stubs} | held.held.keys() == ever
    for stub in held.stubs:
        again = advance(held, Turn("again", named=frozenset({stub.ref})))
        assert stub.ref in again.held
        assert stub.ref not in {one.ref for one in again.stubs}


@LAW
@given(turns)
def test_silence_empties_the_set_and_only_the_last_turns_are_kept(story: list[Turn]) -> None:
    held = play(story)
    assert len(held.turns) <= LAST_TURNS
    for n in range(SEMANTIC_TURNS):
        held = advance(held, Turn(f"quiet{n}"))
    assert not held.held


@LAW
@given(turns)
def test_it_is_stored_and_read_back_as_it_was(story: list[Turn]) -> None:
    assert from_json(to_json(play(story))) == play(story)


def test_a_child_lapses_when_its_parent_leaves_and_not_before() -> None:
    parent, child = Brought("rec_000001"), Brought("rec_000002", parent="rec_000001")
    held = advance(WorkingSet(), Turn("t1", (parent, child)))
    for n in range(2, 2 + 5):
        held = advance(held, Turn(f"t{n}", (parent,)))
        assert set(held.held) == {"rec_000001", "rec_000002"}
    for n in range(7, 7 + SEMANTIC_TURNS - 1):
        held = advance(held, Turn(f"t{n}"))
        assert set(held.held) == {"rec_000001", "rec_000002"}
    held = advance(held, Turn("t9"))
    assert not held.held and [stub.ref for stub in held.stubs] == ["rec_000001", "rec_000002"]
