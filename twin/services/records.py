"""Correcting a record: a new record takes its place, the old one and its ledger stay."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from household.models import Person
from household.rules.text import sanitise
from twin.models import LedgerEntry, Record, Statement, Subject
from twin.rules.categories import validate_signs
from twin.rules.entries import SignValue, Since
from twin.rules.folding import daily_key
from twin.services.days import day_of, mark_dirty
from twin.services.filing import lock_subject
from twin.services.folding import refold, since_to_json

READER = "correction"


class NotCorrectable(ValueError):
    """Courses follow their days, and rows without a category have no signs to correct."""


class AlreadyCorrected(ValueError):
    """Somebody corrected the record meanwhile; `by` is the record that counts now."""

    def __init__(self, by: Record) -> None:
        super().__init__(by.rec_id)
        self.by = by


class DayTaken(ValueError):
    """Another record of the same finding stands on that day; `by` is it."""

    def __init__(self, by: Record) -> None:
        super().__init__(by.rec_id)
        self.by = by


@dataclass(frozen=True)
class Correction:
    """What a record should say."""

    asserted: str | None
    signs: Mapping[str, SignValue]
    day: dt.date | None
    started_on: dt.date | None = None
    precision: str | None = None
    time_phrase: str | None = None


def is_correctable(record: Record) -> bool:
    """Whether a record can be corrected: a single finding that no correction replaced."""
    return bool(record.category) and record.lifecycle == "day" and record.superseded_by_id is None


@transaction.atomic
def correct_record(
    *,
    record_id: int,
    person: Person,
    correction: Correction,
    client_id: str,
    now: dt.datetime,
    note: str = "",
) -> Record:
    """The record that takes another's place. The same client id twice is one correction.

    Raises NotCorrectable, AlreadyCorrected, DayTaken, InvalidSigns.
    """
    subject = lock_subject(Record.objects.values_list("subject_id", flat=True).get(pk=record_id))
    old = Record.objects.select_for_update(no_key=True).get(pk=record_id)
    done = _done_before(subject, person, client_id)
    if done is not None:
        return done
    if old.superseded_by_id is not None:
        raise AlreadyCorrected(Record.objects.get(pk=old.superseded_by_id))
    if not is_correctable(old):
        raise NotCorrectable
    new = _successor(old, correction, person=person, now=now)
    _refuse_taken_day(new, old)
    statement = _statement(subject, person, old, client_id=client_id, note=note, now=now)
    return _replace(old, new, statement, correction, subject=subject, now=now)


def _done_before(subject: Subject, person: Person, client_id: str) -> Record | None:
    entry = (
        LedgerEntry.objects.filter(
            subject=subject,
            statement__author=person,
            statement__client_id=client_id,
            statement__reader=READER,
        )
        .select_related("record")
        .first()
    )
    return entry.record if entry else None


def _successor(old: Record, correction: Correction, *, person: Person, now: dt.datetime) -> Record:
    category = old.category or ""
    signs = validate_signs(category, correction.signs)
    has_time = correction.day is not None or correction.started_on is not None
    return Record(
        subject_id=old.subject_id,
        kind="symptom" if correction.day else "history",
        category=category,
        site=daily_key(category, signs),
        day=correction.day,
        started_on=correction.started_on,
        precision=correction.precision if correction.started_on else None,
        age_low_months=None if has_time else old.age_low_months,
        age_high_months=None if has_time else old.age_high_months,
        time_phrase=correction.time_phrase,
        tags=old.tags,
        text=old.text,
        chronic=old.chronic,
        course=old.course,
        provenance="parent",
        manner=old.manner,
        author=person,
        created_at=now,
        changed_at=now,
    )


def _refuse_taken_day(new: Record, old: Record) -> None:
    key = {"subject_id": new.subject_id, "category": new.category, "site": new.site, "day": new.day}
    rows = Record.objects.standing().filter(kind="symptom", lifecycle="day", **key).exclude(pk=old.pk)
    taken = rows.first() if new.day else None
    if taken is not None:
        raise DayTaken(taken)


def _statement(
    subject: Subject, person: Person, old: Record, *, client_id: str, note: str, now: dt.datetime
) -> Statement:
    """The parent's own reason, said now, as what stands behind the new record."""
    return Statement.objects.create(
        subject=subject,
        author=person,
        client_id=client_id,
        turn=f"correct-{hashlib.sha256(client_id.encode()).hexdigest()[:12]}",
        language=person.language,
        text=sanitise(note).strip(),
        said_at=now,
        local_day=day_of(subject, now),
        kinds=["observation"],
        reader=READER,
        read_at=now,
    )


def _replace(
    old: Record,
    new: Record,
    statement: Statement,
    correction: Correction,
    *,
    subject: Subject,
    now: dt.datetime,
) -> Record:
    new.superseded_by = old  # for the moment: only one row of a day stands at a time
    entry = _entry(statement, new, correction, now=now)
    refold(new, [entry], subject=subject)
    entry.record = new
    entry.save()
    old.superseded_by, old.changed_at = new, now
    old.save(update_fields=["superseded_by", "changed_at"])
    new.superseded_by = None
    new.save(update_fields=["superseded_by"])
    for day in {day for day in (old.day, new.day) if day}:
        mark_dirty(subject, day)
    new.refresh_from_db()
    return new


def _entry(statement: Statement, new: Record, correction: Correction, *, now: dt.datetime) -> LedgerEntry:
    since = (
        Since("date", on=correction.started_on, precision=correction.precision or "day")  # type: ignore[arg-type]
        if correction.started_on
        else None
    )
    return LedgerEntry(
        subject_id=new.subject_id,
        statement=statement,
        turn=statement.turn,
        said_at=statement.said_at,
        local_day=statement.local_day,
        category=new.category or "",
        site=new.site,
        asserted=correction.asserted,
        signs=dict(correction.signs),
        today="yes" if new.day == statement.local_day else "no",
        since=since_to_json(since),
        phrase=correction.time_phrase,
        words=statement.text,
        state="filed",
        filed_day=new.day,
        filed_at=now,
    )
