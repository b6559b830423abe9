"""Bringing an import into the book, whole or not at all; rows that are there already are left as they are."""

from __future__ import annotations

import datetime as dt
import hashlib
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import translation

from household.models import Membership, Person
from twin.import_labels import (
    FIELDS,
    ICONS,
    TABLE_LABELS,
    clock_of,
    measured_words,
    trackable_fields,
    trackable_values,
)
from twin.models import (
    Dose,
    ImportBatch,
    ImportChild,
    ImportLine,
    Medicine,
    Record,
    Subject,
    Trackable,
    TrackableEntry,
    TrackableSubject,
)
from twin.rules.importing.babybuddy import Child, Found
from twin.rules.timeline import sort_position
from twin.rules.trackables import parse_fields, validate_values
from twin.services.days import day_of, mark_dirty
from twin.services.filing import lock_subject
from twin.services.importing.staging import NEW, contents_of, erase_files
from twin.services.subjects import add_subject

DEVICE = "import"


class NotTheirs(ValueError):
    """The person is no parent of a subject the import names."""


@dataclass
class Work:
    """What one batch is about to add to one subject."""

    batch: ImportBatch
    person: Person
    subject: Subject
    zone: str
    now: dt.datetime
    lines: list[ImportLine] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    doses: list[Dose] = field(default_factory=list)
    entries: list[TrackableEntry] = field(default_factory=list)


def apply_import(batch_id: int, *, now: dt.datetime) -> ImportBatch:
    """Bring in what waits; an import that is over is left as it is. One that fails changes nothing."""
    try:
        batch = _apply(batch_id, now=now)
    except Exception as error:
        ImportBatch.objects.filter(pk=batch_id, state="waiting").update(
            state="failed", error_code=type(error).__name__[:60], ended_at=now
        )
        raise
    if batch.state == "done":
        erase_files(batch)
    return batch


@transaction.atomic
def _apply(batch_id: int, *, now: dt.datetime) -> ImportBatch:
    batch = ImportBatch.objects.select_for_update(no_key=True).get(pk=batch_id)
    if batch.state != "waiting":
        return batch
    if batch.author is None:
        raise NotTheirs
    contents = contents_of(batch)
    with translation.override(batch.author.language):
        subjects = _subjects(batch, batch.author, contents.children, now=now)
        counts = Counter[str]()
        for pk in sorted({one.pk for one in subjects.values()}):
            work = Work(batch, batch.author, lock_subject(pk), batch.choices["zone"], now)
            rows = [row for row in contents.found if _goes_to(row, subjects, pk)]
            counts += _add(work, rows)
    left_out = sum(row.child.source not in subjects for row in contents.found)
    batch.counts = {
        **counts,
        "left_out": left_out,
        "refused": sum(not problem.is_kept for problem in contents.problems),
    }
    batch.state, batch.ended_at = "done", now
    batch.save(update_fields=["counts", "state", "ended_at"])
    return batch


def _goes_to(row: Found, subjects: Mapping[str, Subject], pk: int) -> bool:
    subject = subjects.get(row.child.source)
    return subject is not None and subject.pk == pk


def _subjects(
    batch: ImportBatch, person: Person, children: Iterable[Child], *, now: dt.datetime
) -> dict[str, Subject]:
    """The subject of each child that is not left out, new ones made. Raises NotTheirs."""
    found: dict[str, Subject] = {}
    chosen: Mapping[str, str] = batch.choices.get("children", {})
    parents_of = set(
        Membership.objects.live(now).filter(person=person, role="parent").values_list("subject_id", flat=True)
    )
    for child in children:
        who = str(chosen.get(child.source, ""))
        if not who:
            continue
        if who != NEW and int(who) not in parents_of:
            raise NotTheirs
        subject = (
            _new_subject(batch, person, child, now=now) if who == NEW else Subject.objects.get(pk=int(who))
        )
        found[child.source] = subject
        ImportChild.objects.update_or_create(
            author=person, source=child.source, defaults={"subject": subject, "created_at": now}
        )
    return found


def _new_subject(batch: ImportBatch, person: Person, child: Child, *, now: dt.datetime) -> Subject:
    return add_subject(
        person=person,
        now=now,
        gid=uuid.uuid5(batch.gid, child.source),
        species="person",
        name=(child.name or f"{TABLE_LABELS['child']} {child.number}")[:80],
        born_on=child.born_on,
        born_precision="day" if child.born_on else "unknown",
        time_zone=batch.choices["zone"],
        language=person.language,
    )


def _add(work: Work, rows: Sequence[Found]) -> Counter[str]:
    """Add the rows that are not there yet; how many of each table."""
    held = set(
        ImportLine.objects.filter(subject=work.subject, digest__in=[row.digest for row in rows]).values_list(
            "digest", flat=True
        )
    )
    fresh = list({row.digest: row for row in rows if row.digest not in held}.values())
    trackables = {table: _trackable(work, table) for table in FIELDS if any(r.table == table for r in fresh)}
    medicines = _medicines(work, [row for row in fresh if row.table == "medication"])
    for row in fresh:
        _plan(work, row, trackables, medicines)
    Record.objects.bulk_create(work.records, batch_size=1000)
    Dose.objects.bulk_create(work.doses, batch_size=1000)
    TrackableEntry.objects.bulk_create(work.entries, batch_size=1000)
    for line in work.lines:  # their rows have numbers now
        line.record, line.dose, line.entry = line.record, line.dose, line.entry
    ImportLine.objects.bulk_create(work.lines, batch_size=1000)
    days = [one.local_day for one in work.doses] + [one.local_day for one in work.entries]
    days += [one.started_on for one in work.records if one.started_on]
    if days:
        mark_dirty(work.subject, min(days))
    counts = Counter(f"added:{row.table}" for row in fresh)
    counts["there"] = len(rows) - len(fresh)
    return counts


def _plan(
    work: Work, row: Found, trackables: Mapping[str, Trackable], medicines: Mapping[str, Medicine]
) -> None:
    line = ImportLine(batch=work.batch, subject=work.subject, digest=row.digest)
    client_id = hashlib.sha256(f"{row.digest}:{work.subject.pk}".encode()).hexdigest()
    said = {"subject": work.subject, "author": work.person, "device": DEVICE, "client_id": client_id}
    if row.table in trackables and row.at is not None:
        trackable = trackables[row.table]
        values = trackable_values(row, trackable.fields)
        line.entry = TrackableEntry(
            trackable=trackable,
            at=row.at,
            local_day=day_of(work.subject, row.at),
            values=validate_values(parse_fields(trackable.fields), values),
            **said,
        )
        work.entries.append(line.entry)
    elif row.table == "medication" and row.at is not None:
        line.dose = Dose(
            medicine=medicines[_medicine_key(work, row)],
            at=row.at,
            local_day=day_of(work.subject, row.at),
            **said,
        )
        work.doses.append(line.dose)
    if row.measured is not None or row.note or row.tags:
        line.record = _record(work, row)
        work.records.append(line.record)
    work.lines.append(line)


def _record(work: Work, row: Found) -> Record:
    """What a row says in words: a measurement, a note, or what was noted beside something counted."""
    on = row.on if row.on is not None else day_of(work.subject, row.at) if row.at is not None else None
    is_measured = row.measured is not None
    title = str(TABLE_LABELS[row.table])
    return Record(
        subject=work.subject,
        author=work.person,
        kind="measurement" if is_measured else "note",
        text=measured_words(row, work.zone) if is_measured else row.note or title,
        tags=list(row.tags) if row.table == "note" or is_measured else [title[:60], *row.tags],
        started_on=on,
        precision="day" if on else None,
        time_phrase=clock_of(row, work.zone),
        sort_on=sort_position(started_on=on, born_on=work.subject.born_on),
        context={"what": row.table, "value": float(row.measured)} if row.measured is not None else {},
        provenance="import",
        manner="measured" if is_measured else "stated",
        created_at=work.now,
        changed_at=work.now,
    )


def _trackable(work: Work, table: str) -> Trackable:
    """What a table is counted as: the one an earlier import made for this person, else a new one."""
    row, _is_new = Trackable.objects.get_or_create(
        author=work.person,
        client_id=f"import-{table}",
        defaults={
            "name": str(TABLE_LABELS[table]),
            "icon": ICONS[table],
            "fields": trackable_fields(table),
            "created_at": work.now,
        },
    )
    TrackableSubject.objects.get_or_create(trackable=row, subject=work.subject)
    return row


def _medicine_key(work: Work, row: Found) -> str:
    said = "\x1f".join((str(work.subject.pk), row.name.casefold(), str(row.number), row.unit))
    return f"import-{hashlib.sha256(said.encode()).hexdigest()[:48]}"


def _medicines(work: Work, rows: Sequence[Found]) -> dict[str, Medicine]:
    """The medicines of these doses: history, so that nothing becomes due by bringing it in."""
    groups: dict[str, list[Found]] = {}
    for row in rows:
        groups.setdefault(_medicine_key(work, row), []).append(row)
    there = {
        one.client_id: one for one in Medicine.objects.filter(author=work.person, client_id__in=list(groups))
    }
    for key, group in groups.items():
        times = [row.at for row in group if row.at is not None]
        if key not in there:
            there[key] = Medicine.objects.create(
                subject=work.subject,
                author=work.person,
                client_id=key,
                created_at=work.now,
                started_on=day_of(work.subject, min(times)),
                ended_at=max(times),
                **_medicine_fields(group),
            )
        elif (ended := there[key].ended_at) is not None and ended < max(times):
            there[key].ended_at = max(times)
            there[key].save(update_fields=["ended_at"])
    return there


def _medicine_fields(group: Sequence[Found]) -> dict[str, Any]:
    newest = max(group, key=lambda row: row.at or dt.datetime.min.replace(tzinfo=ZoneInfo("UTC")))
    hours = next((row.hours for row in group if row.hours is not None), None)
    number = newest.number
    is_dose = number is not None and 0 <= number < 1_000_000
    return {
        "name": newest.name,
        "dose": number.quantize(Decimal("0.001")) if number is not None and is_dose else None,
        "unit": newest.unit,
        "schedule": {"kind": "needed"} if hours is None else {"kind": "every", "hours": hours},
    }
