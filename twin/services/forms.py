"""The tap form: one tap is one level of one field, kept at once and filed by the table of fields."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from household.access import filing
from household.models import Person
from household.rules.text import sanitise
from twin.models import FormFill, LedgerEntry, Subject
from twin.rules.form_fields import entry_for, fields_for, is_level
from twin.services.days import day_of
from twin.services.filing import entry_fields, file_entry, lock_subject, take_back
from twin.services.spent import refuse_spent

NOTE_LONGEST = 4_000
GOES_ON_FOR = dt.timedelta(hours=1)  # after that, opening the form begins another fill


class UnknownTap(ValueError):
    """The field or its level is in no form of this subject's kind."""


@transaction.atomic
def tap(
    *,
    person: Person,
    subject_id: int,
    client_id: str,
    field: str,
    level: str,
    now: dt.datetime,
    device: str = "home",
) -> FormFill:
    """Keep one tap; tapping another level of the field replaces it. Raises UnknownTap."""
    with filing([subject_id]):
        return _tap(person, lock_subject(subject_id), client_id, field, level, now=now, device=device)


def _tap(
    person: Person, subject: Subject, client_id: str, field: str, level: str, *, now: dt.datetime, device: str
) -> FormFill:
    if not is_level(subject.kind, field, level):
        raise UnknownTap(field)
    fill = _open_fill(person, subject, client_id, now=now, device=device)
    if fill.levels.get(field) == level:
        return fill
    _take_back_field(fill, field, subject=subject, now=now)
    fill.levels[field] = level
    fill.changed_at = now
    fill.save(update_fields=["levels", "changed_at"])
    _file_field(fill, field, level, subject=subject, now=now)
    return fill


@transaction.atomic
def note(
    *, person: Person, subject_id: int, client_id: str, text: str, now: dt.datetime, device: str = "home"
) -> FormFill:
    """Keep the form's free text: it can be found again and is never counted."""
    with filing([subject_id]):
        fill = _open_fill(person, lock_subject(subject_id), client_id, now=now, device=device)
        fill.note = sanitise(text).strip()[:NOTE_LONGEST]
        fill.changed_at = now
        fill.save(update_fields=["note", "changed_at"])
    return fill


def open_fill(person: Person, subject: Subject, *, now: dt.datetime) -> FormFill | None:
    """The fill this person began a short while ago and may still be at, so that a reload loses no tap."""
    rows = FormFill.objects.filter(
        author=person, subject=subject, local_day=day_of(subject, now), changed_at__gte=now - GOES_ON_FOR
    )
    return rows.order_by("-changed_at").first()


def _open_fill(
    person: Person, subject: Subject, client_id: str, *, now: dt.datetime, device: str
) -> FormFill:
    """The fill this client id names: made by its first tap, found by the others. Raises Forgotten."""
    refuse_spent(author_id=person.pk, client_id=client_id)
    return FormFill.objects.get_or_create(
        author=person,
        device=device,
        client_id=client_id,
        defaults={
            "subject": subject,
            "turn": f"form-{client_id}"[:40],
            "at": now,
            "local_day": day_of(subject, now),
            "changed_at": now,
        },
    )[0]


def _take_back_field(fill: FormFill, field: str, *, subject: Subject, now: dt.datetime) -> None:
    rows = LedgerEntry.objects.filter(fill=fill, field=field, state="filed").select_related("record")
    for row in rows:
        take_back(row, subject=subject, now=now)


def _file_field(fill: FormFill, field: str, level: str, *, subject: Subject, now: dt.datetime) -> None:
    entry = entry_for(subject.kind, field, level)
    if entry is None:
        return
    row = LedgerEntry.objects.create(
        subject=subject,
        fill=fill,
        field=field,
        position=list(fields_for(subject.kind)).index(field),
        turn=fill.turn,
        said_at=now,
        local_day=fill.local_day,
        **entry_fields(entry),
    )
    file_entry(row, subject=subject, now=now)
