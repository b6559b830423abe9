"""The only way to a subject's rows: what this person may see, asked once a request.

`seen_by(person)` opens the one durable transaction in which subject rows may be read. It loads the
person's memberships, decides by `household.rules.permissions`, and tells PostgreSQL the same decision in
transaction-local settings, so that the page's filter and the database's policies cannot differ.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import connection, models, transaction
from django.db.models import Q
from django.http import Http404

from household.models import Membership, Person
from household.rules.permissions import (
    Action,
    Grant,
    Resource,
    Role,
    is_logged,
    may,
    visible_from,
    visible_resources,
)

M = TypeVar("M", bound=models.Model)
OWN_ROWS = {"twin.Question": "entry__statement__author_id"}  # the teller answers what was asked back
WINDOW_FIELDS = ("local_day", "day", "sort_on", "on", "measured_on")


class Denied(Http404):
    """Not there for this person: denied and absent look the same."""


@dataclass(frozen=True)
class SubjectSight:
    """What one person may do about one subject: resources to view and to add, first visible days."""

    subject: Any  # the subject's row, so that no page asks for it again
    name: str
    species: str
    roles: frozenset[Role]
    views: frozenset[Resource]
    adds: frozenset[Resource]
    windows: dict[Resource, dt.date]
    is_logged: bool


@dataclass(frozen=True)
class Sight:
    """What one person may see, by subject id, as of the start of the transaction."""

    person_id: int
    subjects: dict[int, SubjectSight]
    is_founder: bool = False  # made the household, and nobody is a parent of anybody yet

    def viewable(self, resource: Resource) -> list[int]:
        """Ids of the subjects whose rows of this resource may be seen."""
        return [pk for pk, sight in self.subjects.items() if resource in sight.views]

    def addable(self, resource: Resource) -> list[int]:
        """Ids of the subjects for whom rows of this resource may be added."""
        return [pk for pk, sight in self.subjects.items() if resource in sight.adds]

    def is_parent(self) -> bool:
        """Whether the person is a parent of anybody, or founded a household without subjects yet."""
        return self.is_founder or any(Role.PARENT in sight.roles for sight in self.subjects.values())


_current: ContextVar[Sight | None] = ContextVar("hearthbook_sight", default=None)


def _grant(row: Membership, now: dt.datetime) -> Grant:
    overrides = {}
    for cell, is_on in row.overrides.items():
        resource, _, action = cell.partition(":")
        overrides[(Resource(resource), Action(action))] = bool(is_on)
    ended = row.ends_at is not None and row.ends_at <= now
    return Grant(role=Role(row.role), overrides=overrides, window_from=row.data_from, is_ended=ended)


def _sight(person: Person, now: dt.datetime) -> Sight:
    rows = Membership.objects.live(now).filter(person=person).select_related("subject").order_by("subject_id")
    grants: dict[int, list[Grant]] = {}
    known: dict[int, Membership] = {}
    for row in rows:
        grants.setdefault(row.subject_id, []).append(_grant(row, now))
        known[row.subject_id] = row
    subjects = {pk: _subject_sight(known[pk], grants[pk], now) for pk in grants}
    return Sight(person.pk, subjects, is_founder=not subjects and _is_founder(person, now))


def _is_founder(person: Person, now: dt.datetime) -> bool:
    """Whether this is the household's first person while it has no parent of anybody."""
    if Membership.objects.live(now).filter(role=Role.PARENT.value).exists():
        return False
    return not Person.objects.filter(pk__lt=person.pk).exists()


def _subject_sight(row: Membership, grants: list[Grant], now: dt.datetime) -> SubjectSight:
    kind = "person" if row.subject.species == "person" else "animal"
    today = now.date()
    views = visible_resources(grants, subject_kind=kind, today=today)
    adds = {r for r in Resource if may(grants, Action.ADD, r, subject_kind=kind, today=today)}
    windows = {r: visible_from(grants, r, subject_kind=kind, today=today) for r in views}
    return SubjectSight(
        subject=row.subject,
        name=row.subject.name,
        species=row.subject.species,
        roles=frozenset(grant.role for grant in grants),
        views=views,
        adds=frozenset(adds),
        windows={r: day for r, day in windows.items() if day is not None},
        is_logged=is_logged(grants, subject_kind=kind, today=today),
    )


def _tell_database(sight: Sight) -> None:
    """Set the transaction-local arrays that row-level security compares `subject_id` with."""
    settings = {f"hearthbook.view_{r.value}": sight.viewable(r) for r in Resource}
    settings |= {f"hearthbook.add_{r.value}": sight.addable(r) for r in Resource}
    settings["hearthbook.member"] = list(sight.subjects)
    values = [(name, "{" + ",".join(map(str, ids)) + "}") for name, ids in settings.items()]
    values.append(("hearthbook.person", str(sight.person_id)))
    calls = ", ".join(["set_config(%s, %s, true)"] * len(values))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {calls}", [part for pair in values for part in pair])


@contextmanager
def seen_by(person: Person, *, now: dt.datetime) -> Iterator[Sight]:
    """One durable transaction in which this person's subject rows, and no others, can be reached."""
    with transaction.atomic(durable=True):
        sight = _sight(person, now)
        _tell_database(sight)
        token = _current.set(sight)
        try:
            yield sight
        finally:
            _current.reset(token)


def sight_of(person: Person) -> Sight:
    """The sight opened for this person. Raises RuntimeError outside `seen_by`."""
    sight = _current.get()
    if sight is None or sight.person_id != person.pk:
        raise RuntimeError("subject rows are reached inside access.seen_by(person) only")
    return sight


def _subject_path(model: type[models.Model]) -> str:
    return "id" if model._meta.label == "twin.Subject" else "subject_id"


def _has(model: type[models.Model], name: str) -> bool:
    return any(getattr(field, "name", "") == name for field in model._meta.get_fields())


def _author_path(model: type[models.Model]) -> str | None:
    """Who added a row, where its table says so: an author sees their own rows while they are a member."""
    return OWN_ROWS.get(model._meta.label) or ("author_id" if _has(model, "author") else None)


def visible(person: Person, resource: Resource, queryset: models.QuerySet[M]) -> models.QuerySet[M]:
    """The rows of `queryset` this person may see: by the matrix and its window, or their own."""
    sight = sight_of(person)
    path = _subject_path(queryset.model)
    free = [pk for pk in sight.viewable(resource) if resource not in sight.subjects[pk].windows]
    allowed = Q(**{f"{path}__in": free})
    window_field = next((name for name in WINDOW_FIELDS if _has(queryset.model, name)), None)
    for pk in sight.viewable(resource):
        first = sight.subjects[pk].windows.get(resource)
        if first is not None:
            limits = {f"{window_field}__gte": first} if window_field else {}
            if window_field or path == "id":
                allowed |= Q(**{path: pk}, **limits)
    if path == "id":  # a member knows of the subject, whatever else they may see
        allowed |= Q(id__in=list(sight.subjects))
    elif author := _author_path(queryset.model):
        allowed |= Q(**{author: person.pk, "subject_id__in": list(sight.subjects)})
    return queryset.filter(allowed)


def may_do(person: Person, action: Action, resource: Resource, subject_id: int) -> bool:
    """Whether this person may view or add rows of this resource of this subject."""
    found = sight_of(person).subjects.get(subject_id)
    return found is not None and resource in (found.views if action == Action.VIEW else found.adds)


def require(person: Person, action: Action, resource: Resource, subject_id: int) -> SubjectSight:
    """The person's sight of the subject. Raises Denied where the matrix refuses."""
    if not may_do(person, action, resource, subject_id):
        raise Denied
    return sight_of(person).subjects[subject_id]


def require_parent(person: Person, subject_id: int | None = None) -> None:
    """Pass for a parent of this subject, or of anybody where none is named. Raises Denied."""
    sight = sight_of(person)
    if subject_id is None:
        if not sight.is_parent():
            raise Denied
        return
    found = sight.subjects.get(subject_id)
    if found is None or Role.PARENT not in found.roles:
        raise Denied
