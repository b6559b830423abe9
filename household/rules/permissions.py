"""Who may do what with a subject's rows: the permission matrix and the one function that reads it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum


class Role(StrEnum):
    """What a member is to one subject."""

    PARENT = "parent"
    FAMILY = "family"
    CHILD = "child"
    THERAPIST = "therapist"
    TEACHER = "teacher"
    VET = "vet"


class Resource(StrEnum):
    """A kind of rows about a subject."""

    OBSERVATION = "observation"
    DOCUMENT = "document"
    CONVERSATION = "conversation"
    PROFILE = "profile"
    MEMORY = "memory"


class Action(StrEnum):
    """What a member wants to do with rows of a resource."""

    VIEW = "view"
    ADD = "add"


class Rule(StrEnum):
    """What the matrix says in one cell; `own` is never for the rows of others, always for one's own."""

    ALWAYS = "always"
    NEVER = "never"
    DECIDES_ON = "decides_on"
    DECIDES_OFF = "decides_off"
    OWN = "own"


ALWAYS, NEVER, ON, OFF, OWN = Rule.ALWAYS, Rule.NEVER, Rule.DECIDES_ON, Rule.DECIDES_OFF, Rule.OWN

# role: resource: (view, add)
MATRIX: Mapping[Role, Mapping[Resource, tuple[Rule, Rule]]] = {
    Role.PARENT: {
        Resource.OBSERVATION: (ALWAYS, ALWAYS),
        Resource.DOCUMENT: (ALWAYS, ALWAYS),
        Resource.CONVERSATION: (ALWAYS, ALWAYS),
        Resource.PROFILE: (ALWAYS, ALWAYS),
        Resource.MEMORY: (ALWAYS, ALWAYS),
    },
    Role.FAMILY: {
        Resource.OBSERVATION: (ON, ALWAYS),
        Resource.DOCUMENT: (OFF, OFF),
        Resource.CONVERSATION: (NEVER, NEVER),
        Resource.PROFILE: (ALWAYS, NEVER),
        Resource.MEMORY: (OFF, NEVER),
    },
    Role.CHILD: {
        Resource.OBSERVATION: (OWN, OWN),
        Resource.DOCUMENT: (NEVER, NEVER),
        Resource.CONVERSATION: (OWN, OWN),
        Resource.PROFILE: (NEVER, NEVER),
        Resource.MEMORY: (OWN, OWN),
    },
    Role.THERAPIST: {
        Resource.OBSERVATION: (ON, ON),
        Resource.DOCUMENT: (OFF, ON),
        Resource.CONVERSATION: (NEVER, NEVER),
        Resource.PROFILE: (ON, NEVER),
        Resource.MEMORY: (ON, NEVER),
    },
    Role.TEACHER: {
        Resource.OBSERVATION: (OFF, ON),
        Resource.DOCUMENT: (NEVER, ON),
        Resource.CONVERSATION: (NEVER, NEVER),
        Resource.PROFILE: (ON, NEVER),
        Resource.MEMORY: (OFF, NEVER),
    },
    Role.VET: {
        Resource.OBSERVATION: (ALWAYS, ON),
        Resource.DOCUMENT: (ON, ALWAYS),
        Resource.CONVERSATION: (NEVER, NEVER),
        Resource.PROFILE: (ALWAYS, NEVER),
        Resource.MEMORY: (OFF, NEVER),
    },
}

PROFESSIONALS = frozenset({Role.THERAPIST, Role.TEACHER, Role.VET})
ANIMALS_ONLY = frozenset({Role.VET})
DEFAULTS: Mapping[Rule, bool] = {ON: True, OFF: False}

Cell = tuple[Resource, Action]


class NotDecidable(ValueError):
    """A parent tried to decide a cell where the matrix leaves nothing to decide."""


class State(StrEnum):
    """What one cell comes to for one membership, as the page shows it."""

    ALWAYS = "always"
    NEVER = "never"
    ON = "on"
    OFF = "off"
    OWN = "own"


@dataclass(frozen=True)
class Grant:
    """One membership of one person on one subject; `ends_on` is its last day, `window_from` its first row."""

    role: Role
    overrides: Mapping[Cell, bool] = field(default_factory=dict)
    window_from: date | None = None
    ends_on: date | None = None
    is_ended: bool = False


def rule_of(role: Role, resource: Resource, action: Action) -> Rule:
    """The matrix's word for one cell."""
    view, add = MATRIX[role][resource]
    return view if action == Action.VIEW else add


def is_decidable(role: Role, resource: Resource, action: Action) -> bool:
    """Whether a parent decides this cell."""
    return rule_of(role, resource, action) in DEFAULTS


def check_overrides(role: Role, overrides: Mapping[Cell, bool]) -> None:
    """Refuse a parent's decision on a cell that is not theirs to decide. Raises NotDecidable."""
    for resource, action in overrides:
        if not is_decidable(role, resource, action):
            raise NotDecidable(f"{role} {resource} {action} is not for a parent to decide")


def explain(grant: Grant, resource: Resource, action: Action) -> State:
    """What one cell comes to for one membership; an override outside `decides` changes nothing."""
    rule = rule_of(grant.role, resource, action)
    if rule not in DEFAULTS:
        return State(rule.value)
    return State.ON if grant.overrides.get((resource, action), DEFAULTS[rule]) else State.OFF


def matrix_page(grant: Grant) -> dict[Cell, State]:
    """Every cell of one membership, in the order of the page."""
    return {(r, a): explain(grant, r, a) for r in Resource for a in Action}


def is_active(grant: Grant, *, subject_kind: str, today: date) -> bool:
    """Whether the membership counts today; a vet's never does for a person."""
    if grant.is_ended or (grant.role in ANIMALS_ONLY and subject_kind != "animal"):
        return False
    return grant.ends_on is None or today <= grant.ends_on


def active(grants: Sequence[Grant], *, subject_kind: str, today: date) -> tuple[Grant, ...]:
    """The memberships that count today."""
    return tuple(g for g in grants if is_active(g, subject_kind=subject_kind, today=today))


def may(
    grants: Sequence[Grant],
    action: Action,
    resource: Resource,
    *,
    subject_kind: str,
    today: date,
    is_own: bool = False,
) -> bool:
    """Whether one person, by all their memberships of one subject, may do this.

    A row the person added is seen while any membership lasts, before the matrix. For the rows of others
    `never` in one role beats every other role, and `own` is a never there.
    """
    counting = active(grants, subject_kind=subject_kind, today=today)
    if is_own and action == Action.VIEW:
        return bool(counting)
    states = {explain(g, resource, action) for g in counting}
    if State.NEVER in states or (action == Action.VIEW and State.OWN in states):
        return False
    return bool(states & {State.ALWAYS, State.ON, State.OWN})


def visible_resources(grants: Sequence[Grant], *, subject_kind: str, today: date) -> frozenset[Resource]:
    """The resources of which the person sees the rows of others; a question's scope is exactly this set."""
    return frozenset(
        r for r in Resource if may(grants, Action.VIEW, r, subject_kind=subject_kind, today=today)
    )


def visible_from(
    grants: Sequence[Grant], resource: Resource, *, subject_kind: str, today: date
) -> date | None:
    """The first day the person sees of a resource they may view: the widest window; None is all of it."""
    windows = [
        g.window_from
        for g in active(grants, subject_kind=subject_kind, today=today)
        if explain(g, resource, Action.VIEW) in {State.ALWAYS, State.ON}
    ]
    if not windows or None in windows:
        return None
    return min(day for day in windows if day is not None)


def is_in_window(day: date | None, window_from: date | None) -> bool:
    """Whether a row of `day` lies in a data window; a row without a day lies in no limited window."""
    return window_from is None or (day is not None and day >= window_from)


def sees_subject(grants: Sequence[Grant], *, subject_kind: str, today: date) -> bool:
    """Whether the subject exists at all for this person; absent and denied look the same."""
    return bool(active(grants, subject_kind=subject_kind, today=today))


def is_logged(grants: Sequence[Grant], *, subject_kind: str, today: date) -> bool:
    """Whether this person's views are written to the access log: any professional's are."""
    roles = {g.role for g in active(grants, subject_kind=subject_kind, today=today)}
    return bool(roles & PROFESSIONALS)
