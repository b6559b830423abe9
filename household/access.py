"""The only way to a subject's rows: what this person may see, asked once a request.

`seen_by(person)` opens the one durable transaction in which subject rows may be read. It loads the
person's memberships, decides by `household.rules.permissions`, and tells PostgreSQL the same decision in
transaction-local settings, so that the page's filter and the database's policies cannot differ.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, TypeVar

from django.db import connection, models, transaction
from django.db.models import F, Func, Q, Subquery
from django.http import Http404

from household.models import Device, Household, Membership, Person
from household.prepared import Prepared, prepared
from household.rules.permissions import (
    Action,
    Grant,
    Resource,
    Role,
    is_logged,
    may,
    sees_subject,
    visible_from,
    visible_resources,
)

M = TypeVar("M", bound=models.Model)
# Whose own row it is, where it has no author of its own; the policies of the second wall say the same.
OWN_ROWS = {
    "twin.LedgerEntry": ("statement__author_id", "fill__author_id"),
    "twin.Question": ("entry__statement__author_id",),  # the teller answers what was asked back
}
# The house folds a day's words of several people into one record: it is one's own while all are.
SHARED_ROWS = {"twin.Record": "twin_record_is_all_by"}
WINDOW_FIELDS = ("local_day", "day", "sort_on", "on", "measured_on", "last_on")


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
    zone: str = "UTC"  # the household's, by which pages tell the time

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
_opened: ContextVar[frozenset[int]] = ContextVar("hearthbook_opened", default=frozenset())


def grant_of(row: Membership, now: dt.datetime) -> Grant:
    """One membership as the matrix reads it."""
    overrides = {}
    for cell, is_on in row.overrides.items():
        resource, _, action = cell.partition(":")
        overrides[(Resource(resource), Action(action))] = bool(is_on)
    ended = row.ends_at is not None and row.ends_at <= now
    return Grant(role=Role(row.role), overrides=overrides, window_from=row.data_from, is_ended=ended)


@prepared()
def _held(*, person: int, now: dt.datetime) -> models.QuerySet[Membership]:
    rows = Membership.objects.live(now).filter(person=person).select_related("subject").order_by("subject_id")
    return rows.annotate(house_zone=Subquery(Household.objects.values("time_zone")[:1]))


def _sight(person: Person, now: dt.datetime) -> Sight:
    grants: dict[int, list[Grant]] = {}
    known: dict[int, Membership] = {}
    for row in _held.rows(person=person.pk, now=now):
        grants.setdefault(row.subject_id, []).append(grant_of(row, now))
        known[row.subject_id] = row
    held = {pk: one for pk, one in known.items() if _counts(one, grants[pk], now)}
    today = now.date()
    found = {pk: _reach(_key(grants[pk]), _kind(one), today) for pk, one in held.items()}
    subjects = {pk: _subject_sight(one, grants[pk], found[pk]) for pk, one in held.items()}
    zone = next((getattr(row, "house_zone", None) for row in known.values()), None) or "UTC"
    return Sight(person.pk, subjects, is_founder=not subjects and _is_founder(person, now), zone=zone)


def _counts(row: Membership, grants: list[Grant], now: dt.datetime) -> bool:
    """Whether the subject is there at all for these memberships: a vet's of a child never counts."""
    return sees_subject(grants, subject_kind=_kind(row), today=now.date())


def _kind(row: Membership) -> str:
    return "person" if row.subject.species == "person" else "animal"


def _is_founder(person: Person, now: dt.datetime) -> bool:
    """Whether this is the household's first person while it has no parent of anybody."""
    with connection.cursor() as cursor:  # the memberships of others are not this person's to read
        cursor.execute("SELECT household_has_parent(%s)", [now])
        if cursor.fetchone()[0]:
            return False
    return not Person.objects.filter(pk__lt=person.pk).exists()


Key = tuple[tuple[Role, frozenset[tuple[tuple[Resource, Action], bool]], dt.date | None, bool], ...]


@dataclass(frozen=True)
class Reach:
    """What memberships of one kind open of a subject of one kind; of twelve subjects most share theirs."""

    views: frozenset[Resource]
    adds: frozenset[Resource]
    windows: tuple[tuple[Resource, dt.date], ...]
    is_logged: bool


def _key(grants: list[Grant]) -> Key:
    return tuple(
        (one.role, frozenset(one.overrides.items()), one.window_from, one.is_ended) for one in grants
    )


@lru_cache(maxsize=256)
def _reach(key: Key, kind: str, today: dt.date) -> Reach:
    grants = [
        Grant(role=role, overrides=dict(overrides), window_from=since, is_ended=ended)
        for role, overrides, since, ended in key
    ]
    views = visible_resources(grants, subject_kind=kind, today=today)
    windows = {r: visible_from(grants, r, subject_kind=kind, today=today) for r in views}
    return Reach(
        views=frozenset(views),
        adds=frozenset(r for r in Resource if may(grants, Action.ADD, r, subject_kind=kind, today=today)),
        windows=tuple((r, day) for r, day in windows.items() if day is not None),
        is_logged=is_logged(grants, subject_kind=kind, today=today),
    )


def _subject_sight(row: Membership, grants: list[Grant], reach: Reach) -> SubjectSight:
    return SubjectSight(
        subject=row.subject,
        name=row.subject.name,
        species=row.subject.species,
        roles=frozenset(grant.role for grant in grants),
        views=reach.views,
        adds=reach.adds,
        windows=dict(reach.windows),
        is_logged=reach.is_logged,
    )


def _tell_database(sight: Sight, opened: frozenset[int] = frozenset()) -> None:
    """Set the transaction-local values that row-level security compares a row with.

    Arrays of subject ids for viewing, adding and (a parent's) changing, by resource the first visible day of
    each subject with a data window, and who is asking. `opened` are the books that lie open for filing.
    """
    settings: dict[str, str] = {}
    for r in Resource:
        windows = {pk: one.windows[r] for pk, one in sight.subjects.items() if r in one.windows}
        settings[f"view_{r.value}"] = _array({*sight.viewable(r)} - windows.keys() | opened)
        settings[f"add_{r.value}"] = _array({*sight.addable(r)} | opened)
        settings[f"from_{r.value}"] = json.dumps({pk: day.isoformat() for pk, day in windows.items()})
    parents_of = {pk for pk, one in sight.subjects.items() if Role.PARENT in one.roles}
    settings["change"] = _array(parents_of | opened)
    settings["member"] = _array({*sight.subjects} | opened)
    settings["person"] = str(sight.person_id)
    _set(settings)


def _array(ids: Iterable[int]) -> str:
    return "{" + ",".join(map(str, sorted(ids))) + "}"


def _set(settings: Mapping[str, str]) -> None:
    calls = ", ".join(["set_config('hearthbook.' || %s, %s, true)"] * len(settings))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {calls}", [part for pair in settings.items() for part in pair])


@contextmanager
def _kept(sight: Sight) -> Iterator[None]:
    """The sight holds for queries in here, in Python and in the database."""
    _tell_database(sight)
    token = _current.set(sight)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def seen_by(person: Person, *, now: dt.datetime) -> Iterator[Sight]:
    """One durable transaction in which this person's subject rows, and no others, can be reached."""
    with transaction.atomic(durable=True):
        _set({"person": str(person.pk)})
        sight = _sight(person, now)
        with _kept(sight):
            yield sight


@contextmanager
def seen_as(member: Person, subject_id: int, *, now: dt.datetime) -> Iterator[Sight]:
    """What a member sees of one subject and of nobody else, to look at and not to touch: a parent's preview.

    The caller has made sure that a parent of that subject asks. Nothing can be written in here, and no look
    is put down to the member.
    """
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
        _set({"person": str(member.pk)})
        found = _sight(member, now).subjects.get(subject_id)
        sight = Sight(member.pk, {subject_id: replace(found, is_logged=False)} if found else {})
        with _kept(sight):
            yield sight


class DeviceEnded(ValueError):
    """Whoever paired this device is no parent of its child any more."""


@contextmanager
def seen_through(device: Device, *, now: dt.datetime) -> Iterator[Sight]:
    """What a paired device reaches: its child's rows, or those of every child of the parent who paired it.

    Raises DeviceEnded.
    """
    if device.paired_by is None or not device.paired_by.is_active:
        raise DeviceEnded
    with transaction.atomic(durable=True):
        _set({"person": str(device.paired_by.pk)})
        whole = _sight(device.paired_by, now)
        own = {
            pk: replace(one, is_logged=False)
            for pk, one in whole.subjects.items()
            if Role.PARENT in one.roles and device.child_id in (None, pk)
        }
        if not own:
            raise DeviceEnded
        sight = Sight(device.paired_by.pk, own, zone=whole.zone)
        with _kept(sight):
            yield sight


@contextmanager
def filing(subject_ids: Iterable[int]) -> Iterator[None]:
    """Lay open the books of those subjects for whom the person may add observations, while words are filed.

    Folding reads and writes rows of others: the day's record, its other sources, the usual of a profile, the
    rounds to repeat. Who may add and not view causes that too. Nothing read in here is shown: pages ask again
    afterwards. Outside `seen_by` it changes nothing.
    """
    sight = _current.get()
    books = frozenset(subject_ids) & frozenset(sight.addable(Resource.OBSERVATION) if sight else ())
    with _book_open(books):
        yield


@contextmanager
def beginning() -> Iterator[int]:
    """The number of a subject that a parent is about to add, its book open meanwhile. Raises Denied."""
    sight = _current.get()
    if sight is not None and not sight.is_parent():
        raise Denied
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval(pg_get_serial_sequence('twin_subject', 'id'))")
        number = int(cursor.fetchone()[0])
    with _book_open(frozenset({number})):
        yield number


@contextmanager
def _book_open(books: frozenset[int]) -> Iterator[None]:
    sight, before = _current.get(), _opened.get()
    if sight is None or books <= before:
        yield
        return
    with transaction.atomic():  # a failure takes the settings back with everything else
        _tell_database(sight, before | books)
        token = _opened.set(before | books)
        try:
            yield
        finally:
            _opened.reset(token)
        _tell_database(sight, before)


def look_again(person: Person, *, now: dt.datetime) -> None:
    """Let this transaction know memberships that were made meanwhile."""
    if _current.get() is None:
        return
    _set({"member": ""})  # as at the start: memberships themselves say whose subjects may be read
    sight = _sight(person, now)
    _tell_database(sight, _opened.get())
    _current.set(sight)


def current() -> Sight | None:
    """The sight that holds now, None outside of every one."""
    return _current.get()


def sight_of(person: Person) -> Sight:
    """The sight opened for this person. Raises RuntimeError outside `seen_by`."""
    sight = _current.get()
    if sight is None or sight.person_id != person.pk:
        raise RuntimeError("subject rows are reached inside access.seen_by(person) only")
    return sight


def _subject_path(model: type[models.Model]) -> str:
    return "id" if model._meta.label == "twin.Subject" else "subject_id"


@cache
def _has(model: type[models.Model], name: str) -> bool:
    return any(getattr(field, "name", "") == name for field in model._meta.get_fields())


def _own(model: type[models.Model], person: Person) -> Q | None:
    """Rows this person added, where a table says so: an author sees their own while they are a member."""
    label = model._meta.label
    paths = OWN_ROWS.get(label) or (("author_id",) if _has(model, "author") else ())
    if not paths:
        return None
    own = Q()
    for path in paths:
        own |= Q(**{path: person.pk})
    if label in SHARED_ROWS:
        own &= Q(Func(F("pk"), person.pk, function=SHARED_ROWS[label], output_field=models.BooleanField()))
    return own


def visible(person: Person, resource: Resource, queryset: models.QuerySet[M]) -> models.QuerySet[M]:
    """The rows of `queryset` this person may see: by the matrix and its window, or their own."""
    sight = sight_of(person)
    path = _subject_path(queryset.model)
    if path == "id":  # a member knows of the subject, whatever else they may see
        return queryset.filter(id__in=list(sight.subjects))
    free = [pk for pk in sight.viewable(resource) if resource not in sight.subjects[pk].windows]
    allowed = Q(**{f"{path}__in": free})
    window_field = next((name for name in WINDOW_FIELDS if _has(queryset.model, name)), None)
    for pk in sight.viewable(resource):
        first = sight.subjects[pk].windows.get(resource)
        if first is not None and window_field:
            allowed |= Q(**{path: pk, f"{window_field}__gte": first})
    rest = [pk for pk in sight.subjects if pk not in free]
    if _has(queryset.model, "is_private"):  # such a row is its author's alone
        allowed &= Q(is_private=False)
        rest = list(sight.subjects)
    if rest and (own := _own(queryset.model, person)) is not None:
        allowed |= own & Q(subject_id__in=rest)
    return queryset.filter(allowed)


def seen(person: Person, resource: Resource, query: Prepared[M], *shape: Hashable, **values: Any) -> list[M]:
    """What `visible` lets this person see of a prepared query. Raises TypeError as `rows_of` does."""
    sight = sight_of(person)
    if sees_all(person, resource):
        return query.rows_of(sight.subjects, *shape, **values)
    return list(query.narrowed(lambda rows: visible(person, resource, rows), *shape, **values))


def sees_all(person: Person, resource: Resource) -> bool:
    """Whether this person sees every row of this resource of every subject they know, but private ones."""
    subjects = sight_of(person).subjects.values()
    return all(resource in one.views and resource not in one.windows for one in subjects)


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
