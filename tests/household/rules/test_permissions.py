"""The matrix as the page of the design prints it, and the laws of the function that reads it."""

from datetime import date, timedelta
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from household.rules.permissions import (
    MATRIX,
    Action,
    Grant,
    NotDecidable,
    Resource,
    Role,
    Rule,
    State,
    check_overrides,
    explain,
    is_decidable,
    is_in_window,
    is_logged,
    matrix_page,
    may,
    sees_subject,
    visible_from,
    visible_resources,
)

TODAY = date(2025, 3, 10)

# The printed table: role | observation | document | conversation | profile | memory, each "view/add";
# A always, N never, + decides (on), - decides (off), O own.
PRINTED = """
parent    A/A A/A A/A A/A A/A
family    +/A -/- N/N A/N -/N
child     O/O N/N O/O N/N O/O
therapist +/+ -/+ N/N +/N +/N
teacher   -/+ N/+ N/N +/N -/N
vet       A/+ +/A N/N A/N -/N
"""
LETTERS = {
    "A": Rule.ALWAYS,
    "N": Rule.NEVER,
    "+": Rule.DECIDES_ON,
    "-": Rule.DECIDES_OFF,
    "O": Rule.OWN,
}
CELLS = list(product(Resource, Action))


def printed_cells():
    for line in PRINTED.split("\n"):
        if line:
            role, *cells = line.split()
            for resource, cell in zip(Resource, cells, strict=True):
                for action, letter in zip(Action, cell.split("/"), strict=True):
                    yield Role(role), resource, action, LETTERS[letter]


def allowed(*grants, action=Action.VIEW, resource=Resource.OBSERVATION, kind="animal", **more):
    return may(grants, action, resource, subject_kind=kind, today=TODAY, **more)


@pytest.mark.parametrize(("role", "resource", "action", "rule"), list(printed_cells()))
def test_each_cell_is_as_printed_and_may_follows_it(role, resource, action, rule):
    assert MATRIX[role][resource][list(Action).index(action)] == rule
    expected = {
        Rule.ALWAYS: True,
        Rule.NEVER: False,
        Rule.DECIDES_ON: True,
        Rule.DECIDES_OFF: False,
        Rule.OWN: action == Action.ADD,
    }[rule]
    assert allowed(Grant(role), action=action, resource=resource) is expected


def test_the_matrix_has_every_cell():
    assert {(r, a, b) for r, a, b, _ in printed_cells()} == set(product(Role, Resource, Action))
    assert MATRIX.keys() == set(Role)
    assert all(row.keys() == set(Resource) for row in MATRIX.values())


@pytest.mark.parametrize("decision", [True, False])
@pytest.mark.parametrize(("role", "resource", "action", "rule"), list(printed_cells()))
def test_a_parents_decision_counts_only_where_the_matrix_says_decides(role, resource, action, rule, decision):
    plain, decided = Grant(role), Grant(role, {(resource, action): decision})
    after = allowed(decided, action=action, resource=resource)
    if rule in {Rule.DECIDES_ON, Rule.DECIDES_OFF}:
        assert after is decision
        assert is_decidable(role, resource, action)
        check_overrides(role, decided.overrides)
    else:
        assert after == allowed(plain, action=action, resource=resource)
        with pytest.raises(NotDecidable):
            check_overrides(role, decided.overrides)


def test_never_beats_always_across_the_roles_of_one_person():
    parent, therapist = Grant(Role.PARENT), Grant(Role.THERAPIST)
    assert allowed(parent, resource=Resource.CONVERSATION)
    assert not allowed(parent, therapist, resource=Resource.CONVERSATION)
    assert allowed(parent, therapist, resource=Resource.OBSERVATION)


def test_an_off_in_one_role_does_not_beat_an_always_in_another():
    assert allowed(Grant(Role.PARENT), Grant(Role.FAMILY), resource=Resource.DOCUMENT)


def test_own_is_never_for_the_rows_of_others():
    child = Grant(Role.CHILD)
    assert not allowed(child, resource=Resource.MEMORY)
    assert not allowed(child, Grant(Role.THERAPIST), resource=Resource.MEMORY)
    assert allowed(child, resource=Resource.MEMORY, is_own=True)


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("resource", Resource)
def test_an_author_sees_what_they_added_while_the_membership_lasts(role, resource):
    assert allowed(Grant(role), resource=resource, is_own=True)
    assert not allowed(Grant(role, is_ended=True), resource=resource, is_own=True)
    assert not allowed(Grant(role, ends_on=TODAY - timedelta(days=1)), resource=resource, is_own=True)


def test_owning_a_row_gives_no_right_to_add():
    assert not allowed(Grant(Role.TEACHER), action=Action.ADD, resource=Resource.MEMORY, is_own=True)


@pytest.mark.parametrize(("resource", "action"), CELLS)
def test_a_vet_is_nothing_to_a_person(resource, action):
    vet = Grant(Role.VET, dict.fromkeys(CELLS, True))
    assert not allowed(vet, resource=resource, action=action, kind="person", is_own=True)
    assert not sees_subject([vet], subject_kind="person", today=TODAY)
    # and takes nothing from another role there
    assert allowed(vet, Grant(Role.PARENT), resource=resource, action=action, kind="person")


def test_the_last_day_counts_and_the_next_does_not():
    grants = [Grant(Role.PARENT, ends_on=TODAY)]
    for day, seen in ((TODAY, True), (TODAY + timedelta(days=1), False)):
        assert may(grants, "view", "profile", subject_kind="person", today=day) is seen
        assert sees_subject(grants, subject_kind="person", today=day) is seen


def test_an_ended_role_no_longer_takes_away():
    ended = Grant(Role.THERAPIST, is_ended=True)
    assert allowed(Grant(Role.PARENT), ended, resource=Resource.CONVERSATION)


def test_nobody_sees_nothing():
    assert visible_resources([], subject_kind="person", today=TODAY) == frozenset()


def test_visible_resources_are_those_that_may_be_viewed():
    therapist = Grant(Role.THERAPIST, {(Resource.PROFILE, Action.VIEW): False})
    assert visible_resources([therapist], subject_kind="person", today=TODAY) == {"observation", "memory"}


def test_the_widest_window_of_the_roles_that_allow_counts():
    spring, autumn = date(2025, 2, 1), date(2024, 9, 1)
    teacher = Grant(Role.TEACHER, {(Resource.OBSERVATION, Action.VIEW): True}, window_from=autumn)
    therapist = Grant(Role.THERAPIST, window_from=spring)

    def first(*grants, resource=Resource.OBSERVATION):
        return visible_from(grants, resource, subject_kind="person", today=TODAY)

    assert first(therapist) == spring
    assert first(therapist, teacher) == autumn
    assert first(therapist, teacher, Grant(Role.FAMILY)) is None
    # a role that sees nothing of it widens nothing
    assert first(therapist, Grant(Role.TEACHER, window_from=autumn)) == spring
    assert first(therapist, Grant(Role.FAMILY), resource=Resource.MEMORY) == spring


@pytest.mark.parametrize(
    ("day", "window", "inside"),
    [
        (TODAY, None, True),
        (None, None, True),
        (TODAY, TODAY, True),
        (TODAY - timedelta(days=1), TODAY, False),
        (None, TODAY, False),
    ],
)
def test_a_row_is_in_the_window_from_its_first_day_on(day, window, inside):
    assert is_in_window(day, window) is inside


@pytest.mark.parametrize("role", Role)
def test_only_professionals_are_logged(role):
    grants = [Grant(role)]
    assert is_logged(grants, subject_kind="animal", today=TODAY) is (role in {"therapist", "teacher", "vet"})


def test_the_page_shows_every_cell_by_the_same_function():
    grant = Grant(
        Role.TEACHER, {(Resource.OBSERVATION, Action.VIEW): True, (Resource.DOCUMENT, Action.VIEW): True}
    )
    page = matrix_page(grant)
    assert list(page) == CELLS
    assert page[Resource.OBSERVATION, Action.VIEW] == State.ON
    assert page[Resource.DOCUMENT, Action.VIEW] == State.NEVER
    assert all(page[cell] == explain(grant, *cell) for cell in CELLS)


grants_ = st.lists(
    st.builds(
        Grant,
        st.sampled_from(Role),
        st.dictionaries(st.sampled_from(CELLS), st.booleans()),
        ends_on=st.none() | st.just(TODAY) | st.just(TODAY - timedelta(days=1)),
        is_ended=st.booleans(),
    ),
    max_size=4,
)
kinds = st.sampled_from(["person", "animal"])


@given(grants_, st.sampled_from(CELLS), kinds)
def test_order_and_repetition_of_roles_do_not_matter(grants, cell, kind):
    resource, action = cell
    once = allowed(*grants, resource=resource, action=action, kind=kind)
    assert once == allowed(*reversed(grants), *grants, resource=resource, action=action, kind=kind)


@given(grants_, st.sampled_from(CELLS), kinds)
def test_what_any_active_role_never_allows_no_set_of_roles_allows(grants, cell, kind):
    resource, action = cell
    refusing = [
        g
        for g in grants
        if sees_subject([g], subject_kind=kind, today=TODAY) and explain(g, resource, action) == State.NEVER
    ]
    if refusing:
        assert not allowed(*grants, resource=resource, action=action, kind=kind)


@given(grants_, kinds)
def test_the_page_and_the_wall_agree_for_one_role(grants, kind):
    for grant in grants:
        for (resource, action), state in matrix_page(grant).items():
            seen = allowed(grant, resource=resource, action=action, kind=kind)
            shown = state in {State.ALWAYS, State.ON} or (state == State.OWN and action == Action.ADD)
            assert seen == (shown and sees_subject([grant], subject_kind=kind, today=TODAY))
