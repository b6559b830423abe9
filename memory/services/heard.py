"""What the companion wrote down for the parents: distress, and what a child told of health and sadness."""

from __future__ import annotations

from dataclasses import dataclass

from household.access import require_parent, visible
from household.models import Person
from household.rules.permissions import Resource
from memory.services.crises import Crisis, crises_of
from twin.models import Statement

MOST_SHOWN = 100


@dataclass(frozen=True)
class ForParents:
    """Both, newest first, as many as one page shows; `is_more` where older ones of either were left out."""

    crises: list[Crisis]
    told: list[Statement]
    is_more: bool


def heard_for_parents(person: Person, subject_id: int) -> ForParents:
    """What a child's companion wrote down for its parents. Raises Denied. Inside `seen_by`."""
    require_parent(person, subject_id)
    rows = Statement.objects.filter(subject=subject_id, through="device", author=None)
    told = list(visible(person, Resource.OBSERVATION, rows).order_by("-said_at", "-id")[: MOST_SHOWN + 1])
    crises = crises_of(person, subject_id, most=MOST_SHOWN + 1)
    is_more = max(len(crises), len(told)) > MOST_SHOWN
    return ForParents(crises[:MOST_SHOWN], told[:MOST_SHOWN], is_more)


__all__ = ["ForParents", "heard_for_parents"]
