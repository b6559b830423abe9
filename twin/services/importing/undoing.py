"""Taking a whole import back: every row it added goes, and what it made for them alone."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.db.models import QuerySet

from twin.models import Dose, ImportBatch, ImportLine, Medicine, Record, Subject, Trackable, TrackableEntry
from twin.services.days import mark_dirty
from twin.services.filing import lock_subject
from twin.services.importing.staging import erase_files


@transaction.atomic
def undo_import(*, batch_id: int, now: dt.datetime) -> ImportBatch:
    """Take back what an import added; new people it made stay, with empty pages. Twice changes nothing."""
    batch = ImportBatch.objects.select_for_update(no_key=True).get(pk=batch_id)
    if batch.state != "done":
        return batch
    lines = ImportLine.objects.filter(batch=batch)
    for pk in sorted(set(lines.values_list("subject_id", flat=True))):
        _undo_of(lock_subject(pk), lines.filter(subject_id=pk))
    lines.delete()
    batch.state, batch.ended_at = "undone", now
    batch.save(update_fields=["state", "ended_at"])
    erase_files(batch)
    return batch


def _undo_of(subject: Subject, lines: QuerySet[ImportLine]) -> None:
    rows = list(lines.values_list("record_id", "dose_id", "entry_id"))
    records = Record.objects.filter(pk__in=[one for one, _dose, _entry in rows if one])
    doses = Dose.every.filter(pk__in=[one for _record, one, _entry in rows if one])
    entries = TrackableEntry.objects.filter(pk__in=[one for _record, _dose, one in rows if one])
    medicines = set(doses.values_list("medicine_id", flat=True))
    days = [day for day in records.values_list("started_on", flat=True) if day]
    days += [*doses.values_list("local_day", flat=True), *entries.values_list("local_day", flat=True)]
    for gone in (records, doses, entries):
        gone.delete()
    Medicine.objects.filter(pk__in=medicines, client_id__startswith="import-", doses=None).delete()
    empty = Trackable.objects.filter(client_id__startswith="import-", subjects=subject)
    empty.exclude(pk__in=TrackableEntry.objects.values("trackable_id")).delete()
    if days:
        mark_dirty(subject, min(days))
