"""What roles, resources and permissions are called in front of people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from household.models.people import ROLES
from household.rules.permissions import (
    MATRIX,
    Action,
    Grant,
    Resource,
    Role,
    Rule,
    State,
    is_decidable,
    matrix_page,
    rule_of,
)

ROLE_LABELS: Mapping[str, Any] = dict(ROLES)
RESOURCE_LABELS: Mapping[Resource, Any] = {
    Resource.OBSERVATION: _("Observations"),
    Resource.DOCUMENT: _("Documents"),
    Resource.CONVERSATION: _("Conversations"),
    Resource.PROFILE: _("Profile"),
    Resource.MEMORY: _("Memories"),
}
ACTION_LABELS: Mapping[Action, Any] = {Action.VIEW: _("see"), Action.ADD: _("add")}
# rule: its words, icon and style
RULES: Mapping[Rule, tuple[Any, str, str]] = {
    Rule.ALWAYS: (_("always"), "check", "is-always"),
    Rule.NEVER: (_("never"), "lock", "is-never"),
    Rule.DECIDES_ON: (_("you decide: yes"), "check", "is-decides"),
    Rule.DECIDES_OFF: (_("you decide: no"), "close", "is-decides"),
    Rule.OWN: (_("only their own"), "person", "is-always"),
}


@dataclass(frozen=True)
class Cell:
    """One permission as the page shows it."""

    action: str
    text: str
    icon: str
    style: str


@dataclass(frozen=True)
class Row:
    """One role with its cells, by resource."""

    role: str
    cells: list[list[Cell]]


@dataclass(frozen=True)
class MatrixTable:
    """The whole matrix in words."""

    resources: list[str]
    rows: list[Row]


def matrix_table() -> MatrixTable:
    """The permission matrix in words, made from the one table that is enforced."""
    rows = [Row(str(ROLE_LABELS[role]), [_cells(role, resource) for resource in Resource]) for role in MATRIX]
    return MatrixTable([str(RESOURCE_LABELS[resource]) for resource in Resource], rows)


def _cells(role: Role, resource: Resource) -> list[Cell]:
    cells = []
    for action in Action:
        text, icon, style = RULES[rule_of(role, resource, action)]
        cells.append(Cell(str(ACTION_LABELS[action]), str(text), icon, style))
    return cells


# state: its words, icon and style, for one member
STATES: Mapping[State, tuple[Any, str, str]] = {
    State.ALWAYS: RULES[Rule.ALWAYS],
    State.NEVER: RULES[Rule.NEVER],
    State.OWN: RULES[Rule.OWN],
    State.ON: (_("yes"), "check", "is-decides"),
    State.OFF: (_("no"), "close", "is-decides"),
}


@dataclass(frozen=True)
class MemberCell:
    """One permission of one member; `turn` is what a tap sends, empty where a parent decides nothing."""

    action: str
    text: str
    icon: str
    style: str
    is_on: bool
    turn: str


@dataclass(frozen=True)
class MemberRow:
    """One resource with what the member may do."""

    resource: str
    cells: list[MemberCell]


def member_table(grant: Grant) -> list[MemberRow]:
    """One member's permissions in words, as they are enforced."""
    page = matrix_page(grant)
    return [
        MemberRow(
            str(RESOURCE_LABELS[resource]),
            [_member_cell(grant.role, resource, action, page[resource, action]) for action in Action],
        )
        for resource in Resource
    ]


def _member_cell(role: Role, resource: Resource, action: Action, state: State) -> MemberCell:
    text, icon, style = STATES[state]
    is_on = state == State.ON
    other = f"{resource.value}:{action.value}:{'off' if is_on else 'on'}"
    turn = other if is_decidable(role, resource, action) else ""
    return MemberCell(str(ACTION_LABELS[action]), str(text), icon, style, is_on, turn)
