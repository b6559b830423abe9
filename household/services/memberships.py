"""Who belongs to a subject: what a parent decides for each, from when they see, and when it ends."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from household.access import Denied, require_parent
from household.models import Membership, Person
from household.rules.invitations import check_end, check_limits
from household.rules.permissions import Action, Resource, Role, check_overrides


class LastParent(ValueError):
    """Without this parent nobody could decide for the subject any more."""


def members_of(person: Person, subject_id: int, *, now: dt.datetime) -> list[Membership]:
    """Everybody who belongs or belonged to a subject, those who do first. For its parents. Raises Denied."""
    require_parent(person, subject_id)
    rows = Membership.objects.filter(subject_id=subject_id).select_related("person", "invited_by")
    return sorted(rows.order_by("role", "person__name", "pk"), key=lambda row: has_ended(row, now))


def has_ended(row: Membership, now: dt.datetime) -> bool:
    """Whether a membership is over at `now`."""
    return row.ends_at is not None and row.ends_at <= now


def membership_of(
    person: Person, membership_id: int, *, now: dt.datetime, for_update: bool = False
) -> Membership:
    """A membership that holds, of a subject this person is a parent of. Raises Denied."""
    rows = Membership.objects.live(now).select_related("person", "subject")
    rows = rows.select_for_update(of=("self",)) if for_update else rows
    row = rows.filter(pk=membership_id).first()
    if row is None:
        raise Denied
    require_parent(person, row.subject_id)
    return row


@transaction.atomic
def decide(
    *, person: Person, membership_id: int, resource: Resource, action: Action, is_on: bool, now: dt.datetime
) -> Membership:
    """Let a member do something, or no longer, from their next request on. Raises Denied, NotDecidable."""
    row = membership_of(person, membership_id, now=now, for_update=True)
    check_overrides(Role(row.role), {(resource, action): is_on})
    row.overrides = {**row.overrides, f"{resource.value}:{action.value}": is_on}
    row.save(update_fields=["overrides"])
    return row


@transaction.atomic
def limit_membership(
    *,
    person: Person,
    membership_id: int,
    ends_at: dt.datetime | None,
    data_from: dt.date | None,
    now: dt.datetime,
) -> Membership:
    """Set from which day a member sees, and when they stop. Raises Denied, NotForParents, EndsBefore."""
    row = membership_of(person, membership_id, now=now, for_update=True)
    check_limits(Role(row.role), ends_at=ends_at, data_from=data_from)
    check_end(ends_at, now=now)
    row.ends_at, row.data_from = ends_at, data_from
    row.save(update_fields=["ends_at", "data_from"])
    return row


@transaction.atomic
def end_membership(*, person: Person, membership_id: int, now: dt.datetime) -> Membership:
    """End it at once: nothing is shown from the member's next request on. Raises Denied, LastParent."""
    row = membership_of(person, membership_id, now=now, for_update=True)
    parents = Membership.objects.live(now).filter(subject=row.subject_id, role=Role.PARENT.value)
    if row.role == Role.PARENT.value:
        # Two parents who end each other at the same moment wait for one another here.
        others = list(parents.select_for_update(of=("self",)).order_by("pk").values_list("person", flat=True))
        if set(others) <= {row.person_id}:
            raise LastParent
    row.ends_at = max(now, row.starts_at)
    row.save(update_fields=["ends_at"])
    return row
