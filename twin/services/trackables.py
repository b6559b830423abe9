"""A family's own trackables: defining one, logging it, putting it away with its history kept."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models, transaction
from django.db.models import F, Func, QuerySet, Value

from household.models import Person
from twin.models import Trackable, TrackableEntry, TrackableSubject
from twin.rules.trackables import TrackedValue, parse_fields, validate_values
from twin.services.days import day_of, mark_dirty
from twin.services.filing import lock_subject


class PutAway(ValueError):
    """The trackable was put away: its history is kept and nothing is added."""


class NotFor(ValueError):
    """The trackable is not logged for this subject."""


class FieldsInUse(ValueError):
    """What a trackable holds cannot change once something is logged."""


def trackables_only_of(subject_ids: Iterable[int]) -> QuerySet[Trackable]:
    """Trackables counted for one of these and nobody else, also nobody hidden from the asking person."""
    ids = sorted(subject_ids)
    known = Value(ids, output_field=ArrayField(models.BigIntegerField()))
    is_all = Func(F("pk"), known, function="twin_trackable_is_all_of", output_field=models.BooleanField())
    linked = TrackableSubject.objects.filter(subject_id__in=ids).values("trackable_id")
    return Trackable.objects.filter(is_all, pk__in=linked)


@transaction.atomic
def define_trackable(
    *,
    person: Person,
    client_id: str,
    name: str,
    icon: str,
    fields: list[dict[str, Any]],
    subject_ids: Iterable[int],
    now: dt.datetime,
) -> Trackable:
    """A new trackable for these subjects; the same client id twice is one row. Raises InvalidTrackable."""
    parse_fields(fields)
    row, is_new = Trackable.objects.get_or_create(
        author=person,
        client_id=client_id,
        defaults={"name": name, "icon": icon, "fields": fields, "created_at": now, "gid": uuid.uuid4()},
    )
    if is_new:
        _be_for(row, subject_ids)
    return row


@transaction.atomic
def change_trackable(
    *, trackable_id: int, name: str, icon: str, fields: list[dict[str, Any]], subject_ids: Iterable[int]
) -> Trackable:
    """Rename it, log it for others, or hold other fields. Raises InvalidTrackable, FieldsInUse."""
    parse_fields(fields)
    row = _locked(trackable_id)
    if fields != row.fields and TrackableEntry.objects.filter(trackable=row).exists():
        raise FieldsInUse
    row.name, row.icon, row.fields = name, icon, fields
    row.save(update_fields=["name", "icon", "fields"])
    _be_for(row, subject_ids)
    return row


@transaction.atomic
def put_away(*, trackable_id: int, now: dt.datetime) -> Trackable:
    """Offer it no more; everything logged stays. Twice changes nothing."""
    row = _locked(trackable_id)
    if row.put_away_at is None:
        row.put_away_at = now
        row.save(update_fields=["put_away_at"])
    return row


@transaction.atomic
def bring_back(*, trackable_id: int) -> Trackable:
    """Offer it again."""
    row = _locked(trackable_id)
    row.put_away_at = None
    row.save(update_fields=["put_away_at"])
    return row


@transaction.atomic
def log_entry(
    *,
    person: Person,
    trackable_id: int,
    subject_id: int,
    client_id: str,
    values: Mapping[str, object],
    at: dt.datetime,
    device: str = "home",
) -> TrackableEntry:
    """Keep one entry; the same client id twice is one row. Raises InvalidTrackable, PutAway, NotFor."""
    subject = lock_subject(subject_id)
    found = TrackableEntry.objects.filter(author=person, device=device, client_id=client_id).first()
    if found is not None:
        return found
    link = TrackableSubject.objects.filter(trackable_id=trackable_id, subject=subject)
    row = link.select_related("trackable").first()
    if row is None:
        raise NotFor
    if row.trackable.put_away_at is not None:
        raise PutAway
    entry = TrackableEntry.objects.create(
        trackable=row.trackable,
        subject=subject,
        author=person,
        device=device,
        client_id=client_id,
        at=at,
        local_day=day_of(subject, at),
        values=validate_values(parse_fields(row.trackable.fields), values),
    )
    mark_dirty(subject, entry.local_day)
    return entry


@transaction.atomic
def take_back_entry(*, entry_id: int, now: dt.datetime) -> TrackableEntry:
    """Count an entry no more; the row stays and says when it was taken back. Twice changes nothing."""
    row = TrackableEntry.objects.select_related("subject").get(pk=entry_id)
    if row.undone_at is None:
        row.undone_at = now
        row.save(update_fields=["undone_at"])
        mark_dirty(row.subject, row.local_day)
    return row


def values_by_day(rows: Iterable[TrackableEntry]) -> list[tuple[dt.date, Mapping[str, TrackedValue]]]:
    """What the tallies count: day and values of entries that stand."""
    return [(row.local_day, row.values) for row in rows if row.undone_at is None]


def _be_for(row: Trackable, subject_ids: Iterable[int]) -> None:
    wanted = set(subject_ids)
    TrackableSubject.objects.filter(trackable=row).exclude(subject_id__in=wanted).delete()
    have = set(TrackableSubject.objects.filter(trackable=row).values_list("subject_id", flat=True))
    TrackableSubject.objects.bulk_create(
        TrackableSubject(trackable=row, subject_id=pk) for pk in sorted(wanted - have)
    )


def _locked(trackable_id: int) -> Trackable:
    return Trackable.objects.select_for_update(no_key=True).get(pk=trackable_id)
