"""Events: something that happened, kept as a structured row, corrected in place, undone within its minute."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from household.access import filing
from household.models import Person
from household.rules.text import sanitise
from twin.models import Event
from twin.rules.events import KINDS
from twin.rules.routing import may_undo
from twin.services.days import day_of, mark_dirty
from twin.services.filing import TooLate, lock_subject
from twin.services.kept import keeping
from twin.services.spent import refuse_spent

PAGE = 30
# What stays of an event that was taken back, so that a post sent again does not bring it back: no words.
SPENT = ("subject", "author", "client_id", "turn", "kind", "at", "local_day", "created_at")


class UnknownKind(ValueError):
    """The kind of event is in no table."""


@transaction.atomic
def add_event(
    *,
    person: Person,
    subject_id: int,
    client_id: str,
    kind: str,
    at: dt.datetime,
    now: dt.datetime,
    **said: Any,
) -> Event:
    """Keep one event; the same client id twice is one row. Raises UnknownKind, Forgotten."""
    _check_kind(kind)
    refuse_spent(author_id=person.pk, client_id=client_id)
    subject = lock_subject(subject_id)
    values = {"subject": subject, "kind": kind, "at": at, "local_day": day_of(subject, at), **_clean(said)}
    row, is_new = Event.every.get_or_create(
        author=person,
        client_id=client_id,
        defaults={**values, "turn": f"event-{client_id}"[:40], "created_at": now},
    )
    if is_new:
        with filing([subject_id]):
            keeping.event(row)
            mark_dirty(subject, row.local_day)
    return row


@transaction.atomic
def correct_event(*, event_id: int, kind: str, at: dt.datetime, **said: Any) -> Event:
    """Say what an event should have said; who told it first stays. Raises UnknownKind."""
    _check_kind(kind)
    subject = lock_subject(Event.objects.values_list("subject_id", flat=True).get(pk=event_id))
    row = Event.objects.get(pk=event_id)
    days = {row.local_day, day_of(subject, at)}
    values = {"kind": kind, "at": at, "local_day": day_of(subject, at), **_clean(said)}
    for name, value in values.items():
        setattr(row, name, value)
    row.save(update_fields=list(values))
    with filing([subject.pk]):
        keeping.event(row)
        mark_dirty(subject, min(days))
    return row


@transaction.atomic
def undo_event(*, event_id: int, now: dt.datetime, held: dt.timedelta = dt.timedelta(0)) -> None:
    """Take an event back within sixty seconds; afterwards it is corrected instead. Raises TooLate."""
    row = Event.objects.filter(pk=event_id).select_related("subject").first()
    if row is None:
        return
    if not may_undo("filed", row.created_at, now, held=held):
        raise TooLate
    kept = {name: getattr(row, name) for name in SPENT}
    row.delete()
    Event.every.create(**kept, undone_at=now)
    mark_dirty(row.subject, row.local_day)


def events_page(rows: QuerySet[Event], *, after: Event | None) -> tuple[list[Event], Event | None]:
    """The next events, latest first, and the one to go on after where there are more."""
    if after is not None:
        rows = rows.filter(Q(at__lt=after.at) | Q(at=after.at, pk__lt=after.pk))
    found = list(rows.select_related("author").order_by("-at", "-pk")[: PAGE + 1])
    return found[:PAGE], found[PAGE - 1] if len(found) > PAGE else None


def _check_kind(kind: str) -> None:
    if kind not in KINDS:
        raise UnknownKind(kind)


def _clean(said: dict[str, Any]) -> dict[str, Any]:
    return {name: sanitise(value) if isinstance(value, str) else value for name, value in said.items()}
