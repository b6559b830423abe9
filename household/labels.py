"""What roles, resources and permissions are called in front of people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from household.models.people import ROLES
from household.rules.permissions import MATRIX, Action, Resource, Role, Rule, rule_of

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
