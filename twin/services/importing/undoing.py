"""Taking a whole import back: every row it added goes, and whom and what it made for them alone."""

from __future__ import annotations

import datetime as dt
import uuid

from django.db import connection, transaction
from django.db.models import ManyToOneRel, Q, QuerySet

from household.models import Invitation
from twin.models import Dose, ImportBatch, ImportLine, Medicine, Record, Subject, Trackable, TrackableEntry
from twin.models.triggers import END_FORGETTING, MARK_FORGETTING
from twin.services.days import mark_dirty
from twin.services.filing import lock_subject
from twin.services.importing.staging import NEW, erase_files

# What stands about a person although nobody ever wrote a word: nights, counts, looks, and the import itself.
# An app above adds its own when it is loaded.
OF_ITSELF = {
    "household.AccessLog",
    "twin.Frame",
    "twin.FrameLog",
    "twin.ImportChild",
    "twin.Lease",
    "twin.RoundRun",
}
# Of these, the rows that somebody wrote or chose.
WRITTEN = {
    "household.Membership": ~Q(role="parent"),
    "twin.AgendaItem": Q(state="answered"),
    "twin.PersonProfile": ~Q(
        sensory="", communication="", diagnoses=[], methodologies=[], interests=[], calming=[], never_do=[]
    ),
    "twin.TrackableSubject": ~Q(trackable__client_id__startswith="import-"),
}


@transaction.atomic
def undo_import(*, batch_id: int, now: dt.datetime) -> list[Subject]:
    """Take back what an import added, new people included; twice changes nothing.

    Gives the new people who stay, because something else is written about them.
    """
    batch = ImportBatch.objects.select_for_update(no_key=True).get(pk=batch_id)
    if batch.state != "done":
        return []
    lines = ImportLine.objects.filter(batch=batch)
    for pk in sorted(set(lines.values_list("subject_id", flat=True))):
        _undo_of(lock_subject(pk), lines.filter(subject_id=pk))
    lines.delete()
    batch.state, batch.ended_at = "undone", now
    batch.save(update_fields=["state", "ended_at"])
    erase_files(batch)
    return _take_back_people(batch)


def _take_back_people(batch: ImportBatch) -> list[Subject]:
    """Remove whom the import made where nothing else hangs on them; the others."""
    chosen = batch.choices.get("children", {})
    gids = [uuid.uuid5(batch.gid, source) for source, who in chosen.items() if who == NEW]
    stay = []
    for pk in Subject.objects.filter(gid__in=gids).order_by("pk").values_list("pk", flat=True):
        subject = lock_subject(pk)
        if is_bare(subject):
            _remove(subject)
        else:
            stay.append(subject)
    return stay


def _remove(subject: Subject) -> None:
    """Delete somebody with the nights that were closed meanwhile, which nobody else may take away."""
    with connection.cursor() as cursor:
        cursor.execute(MARK_FORGETTING)
        subject.delete()
        cursor.execute(END_FORGETTING)


def is_bare(subject: Subject) -> bool:
    """Whether nobody wrote anything about a subject, invited anybody, or shares it with a second parent."""
    if (
        subject.memberships.count() > 1
        or Invitation.objects.filter(subject_ids__contains=[subject.pk]).exists()
    ):
        return False
    for relation in Subject._meta.get_fields(include_hidden=True):
        if isinstance(relation, ManyToOneRel) and _is_written(relation, subject):
            return False
    return True


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


def _is_written(relation: ManyToOneRel, subject: Subject) -> bool:
    model = relation.field.model
    if model._meta.label in OF_ITSELF:
        return False
    rows = model._base_manager.filter(**{relation.field.name: subject})
    return rows.filter(WRITTEN.get(model._meta.label, Q())).exists()
