"""The access log: which professional looked at what of whom, and when."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.db import models

from household.models import AccessLog, Person
from household.rules.permissions import Resource

JUST_NOW = dt.timedelta(minutes=10)


def note_look(
    *, person: Person, subject_id: int, resource: Resource, now: dt.datetime, row_ids: Iterable[str] = ()
) -> AccessLog:
    """Keep that this person looked; parents read it as a page."""
    return AccessLog.objects.create(
        person=person, subject_id=subject_id, resource=resource.value, row_ids=list(row_ids), at=now
    )


def note_part(
    *, person: Person, subject_id: int, resource: Resource, now: dt.datetime, row_id: str
) -> AccessLog | None:
    """Keep a look at a part of a row, its picture; none where the page it stands on was just written down."""
    mine = AccessLog.objects.filter(person=person, subject_id=subject_id, resource=resource.value)
    if mine.filter(at__gte=now - JUST_NOW, row_ids__contains=[row_id]).exists():
        return None
    return note_look(person=person, subject_id=subject_id, resource=resource, now=now, row_ids=[row_id])


def looks_at(subject_id: int) -> models.QuerySet[AccessLog]:
    """Who looked at a subject, the newest first; whoever asks has made sure that a parent does."""
    return AccessLog.objects.filter(subject_id=subject_id).select_related("person").order_by("-at", "-pk")
