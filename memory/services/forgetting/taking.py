"""Taking away what a forgetting reaches, in the caller's transaction and under its locks."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import F, Q

from household.models import Invitation
from memory.models import (
    Document,
    JournalLine,
    JournalWords,
    Memory,
    Tombstone,
    TombstonePicture,
    TombstoneTurn,
)
from memory.rules.forgetting import HeldRecord, Reach, RecordPlan, Target, plan_records
from memory.services.documents.forgetting import take as take_document
from memory.services.forgetting.registry import TABLES
from memory.services.forgetting.surveying import survey
from memory.services.journal import to_ms
from twin.models import AgendaItem, FormFill, LedgerEntry, Question, Record, Statement, Subject, Trackable
from twin.models.triggers import MARK_FORGETTING
from twin.services.filing import said_together
from twin.services.folding import refold, sources_of
from twin.services.spent import spend

HOME = "home"
DRAFTS = "measuring"  # what an unfinished wizard holds in a browser's session


@dataclass(frozen=True)
class Name:
    """The identity one tombstone has, and whose it is."""

    kind: str
    gid: str
    subject_id: int | None


def names_of(target: Target, reach: Reach, subjects: list[int]) -> list[Name]:
    """The tombstones of a forgetting: its own, and one for each memory that goes with it."""
    only = subjects[0] if len(subjects) == 1 else None
    gid = _identity(target)
    own = [] if target.kind == "memory" else [Name(target.kind, gid, only)]
    if target.kind == "day":
        own = [Name("day", f"{gid}:{pk}", pk) for pk in subjects]
    rows = Memory.objects.filter(gid__in=reach.memories)
    return [*own, *(Name("memory", one, pk) for one, pk in rows.values_list("gid", "subject_id"))]


def _identity(target: Target) -> str:
    if target.kind in ("statement", "event", "subject"):
        model = apps.get_model("twin", target.kind)
        return str(model._base_manager.values_list("gid", flat=True).get(pk=target.number))
    prefix = {"record": "rec_", "document": "doc_"}.get(target.kind)
    return f"{prefix}{target.number:06d}" if prefix else f"{target.kind}:{target.key}"[:120]


def bury(names: list[Name], reach: Reach, pictures: frozenset[str], *, now: dt.datetime) -> None:
    """Write the tombstones with their turns and pictures; the database takes what they name."""
    at_ms, gids = to_ms(now), [one.gid for one in names]
    Tombstone.objects.bulk_create(
        [Tombstone(gid=n.gid, kind=n.kind, at_ms=at_ms, device=HOME, subject_id=n.subject_id) for n in names],
        ignore_conflicts=True,
    )
    held = Tombstone.objects.filter(gid__in=gids)
    held.filter(at_ms=0).update(at_ms=at_ms, device=HOME)  # of a duplicate dropped earlier
    # A memory brings the turns of its own mentions, by trigger.
    stones = list(held.exclude(gid__in=[one.gid for one in names if one.kind == "memory"]))
    if stones:
        turns = _turns(reach)
        TombstoneTurn.objects.bulk_create(
            [TombstoneTurn(tombstone=stone, turn=turn) for stone in stones for turn in turns],
            ignore_conflicts=True,
        )
        TombstonePicture.objects.bulk_create(
            [TombstonePicture(tombstone=one, picture=name) for one in stones for name in sorted(pictures)],
            ignore_conflicts=True,
        )


def _turns(reach: Reach) -> list[str]:
    """The turns a tombstone names; of a whole subject only those a device may bring again."""
    if not reach.subjects:
        return sorted(reach.turns)
    lines = JournalLine.objects.filter(pk__in=reach.lines).exclude(device=HOME).exclude(turn="")
    return sorted({turn for turn in lines.values_list("turn", flat=True) if turn})


def held_records(reach: Reach) -> tuple[HeldRecord, ...]:
    """The records a forgetting touches, as the plan needs to know them."""
    return survey(reach).held


def plan(reach: Reach) -> RecordPlan:
    """Which records go and which are folded again."""
    return plan_records(held_records(reach), reach)


def spend_ids(reach: Reach) -> None:
    """Use up the client ids of what goes: a phone that sends it again does not bring it back."""
    used: set[tuple[int | None, str]] = set()
    for label, wanted in (
        ("twin.Statement", reach.statements),
        ("twin.FormFill", reach.fills),
        ("twin.Event", reach.events),
    ):
        rows = apps.get_model(label)._base_manager
        found = rows.filter(Q(pk__in=wanted) | Q(subject__in=reach.subjects))
        used |= set(found.values_list("author_id", "client_id"))
    spend(used)


def delete_found(reach: Reach, gone: frozenset[int], *, now: dt.datetime) -> None:
    """Delete every row the registry finds by the identities of the reach, in its order."""
    for label, entry in TABLES.items():
        if entry.how != "found":
            continue
        model = apps.get_model(label)
        wanted = Q()
        for lookup, name in entry.by.items():
            wanted |= Q(**{lookup: gone if name == "gone" else getattr(reach, name)})
        rows = model._base_manager.filter(wanted)
        if model is Document:
            for document in rows:
                take_document(document)
        elif model is JournalWords:
            rows._raw_delete(rows.db)
        else:
            rows.delete()


def fields_of_fills(reach: Reach) -> None:
    """Take a forgotten tap out of a form whose other taps stay; its note may speak of it and goes."""
    taps = LedgerEntry.objects.filter(pk__in=reach.entries, fill__isnull=False).exclude(fill__in=reach.fills)
    for fill_id, tapped in taps.values_list("fill_id", "field"):
        fill = FormFill.objects.get(pk=fill_id)
        fill.levels.pop(tapped, None)
        fill.note = ""
        fill.save(update_fields=["levels", "note"])


def corrected_rows(planned: RecordPlan, reach: Reach) -> frozenset[int]:
    """Forgotten corrections of which others told more since: what those said returns to the first row."""
    lost = LedgerEntry.objects.filter(pk__in=reach.entries, statement__reader="correction")
    return frozenset(lost.filter(record__in=planned.folded).values_list("record_id", flat=True))


def records(planned: RecordPlan, reach: Reach, uncorrected: frozenset[int], *, now: dt.datetime) -> None:
    """Delete the records without a source, and fold the others again from what remains."""
    going = planned.gone | uncorrected
    standing = Record.objects.filter(superseded_by__in=going).exclude(pk__in=planned.gone)
    again = list(standing.values_list("pk", "superseded_by_id"))
    # Only one row of a day may stand: until the others are gone, each is its own successor.
    Record.objects.filter(superseded_by__in=going).update(superseded_by=F("pk"))
    for first, correction in again:
        LedgerEntry.objects.filter(record=correction).update(record=first)
    Record.objects.filter(pk__in=going).update(day=None)  # none of them holds the place of its day
    Record.objects.filter(pk__in=going).delete()
    for first, _correction in again:
        _stand_again(Record.objects.get(pk=first), now=now)
    of_documents = reach.refolds if reach.documents else frozenset()
    for record in Record.objects.filter(pk__in=planned.folded).order_by("pk"):
        fold_again(record, now=now, without_text=record.pk in of_documents)


def _stand_again(record: Record, *, now: dt.datetime) -> None:
    """Let a record count again whose correction is forgotten; where its day is taken, it joins that row."""
    key = {"subject": record.subject_id, "category": record.category, "site": record.site, "day": record.day}
    days = Record.objects.standing().filter(kind="symptom", lifecycle="day", **key)
    taken = days.exclude(pk=record.pk).first() if record.kind == "symptom" else None
    if taken is None:
        Record.objects.filter(pk=record.pk).update(superseded_by=None)
        record.refresh_from_db()
        fold_again(record, now=now)
        return
    LedgerEntry.objects.filter(record=record).update(record=taken)
    record.delete()
    fold_again(taken, now=now)


def fold_again(record: Record, *, now: dt.datetime, without_text: bool = False) -> None:
    """Set a record to what its remaining sources say, as if they had been all; or delete it."""
    sources = sources_of(record)
    if not sources:
        record.delete()
        return
    record.author_id, record.provenance = said_together(sources)
    record.created_at = sources[0].filed_at or record.created_at
    record.changed_at = now
    if without_text:
        record.text = ""
    refold(record, sources, subject=record.subject)


def reopen_questions(reach: Reach, *, now: dt.datetime) -> list[LedgerEntry]:
    """Let a question whose answer is forgotten wait again; the round files it when nobody answers."""
    asked = Question.objects.filter(answered_by__in=reach.statements).exclude(entry__in=reach.entries)
    opened = []
    for question in asked.select_related("entry__record__subject"):
        entry, record = question.entry, question.entry.record
        entry.state, entry.record, entry.resolved = "asked", None, None
        entry.filed_day = entry.filed_at = None
        entry.adjudicate = False
        entry.save()
        if record is not None:
            fold_again(record, now=now)
        question.state, question.closed_at, question.answered_by = "open", None, None
        question.save(update_fields=["state", "closed_at", "answered_by"])
        opened.append(entry)
    return opened


def pass_on_follow_ups(reach: Reach) -> None:
    """Let a question that waits hang on what gave rise to it as well, where its first cause is forgotten."""
    with connection.cursor() as cursor:
        cursor.execute(ALSO_ASKED, {"entries": sorted(reach.entries)})


ALSO_ASKED = """
    UPDATE memory_openquestion q SET asked_of_id = n.id, asked_at = n.filed_at
    FROM (
        SELECT DISTINCT ON (o.id) o.id AS question, e.id, e.filed_at
        FROM memory_openquestion o JOIN twin_ledgerentry e
            ON e.subject_id = o.subject_id AND e.category = o.category AND e.filed_at >= o.asked_at
        WHERE o.asked_of_id = ANY (%(entries)s::bigint[]) AND o.state <> 'closed'
          AND e.state = 'filed' AND e.statement_id IS NOT NULL AND NOT e.id = ANY (%(entries)s::bigint[])
          AND coalesce(e.resolved ->> 'today', e.today) = 'yes' AND e.signs -> o.sign IS NULL
        ORDER BY o.id, e.filed_at, e.id
    ) n WHERE q.id = n.question
"""


def reopen_agenda(reach: Reach, last_closed: Mapping[int, dt.date | None]) -> None:
    """Let the day's questions that were answered by a forgotten tap stand as if nobody had tapped."""
    numbers = [turn.split("-")[1] for turn in reach.turns if turn.startswith("agenda-")]
    for item in AgendaItem.objects.filter(pk__in=[int(one) for one in numbers if one.isdecimal()]):
        last = last_closed.get(item.subject_id)
        item.state = "skipped" if last is not None and item.day <= last else "open"
        item.answered_at = None
        item.save(update_fields=["state", "answered_at"])


def empty_shares(reach: Reach) -> None:
    """Empty the whole sentences of others that also spoke of a forgotten subject; their own parts stay."""
    Statement.objects.filter(pk__in=reach.shares).update(text="")


def subject(pk: int) -> None:
    """Delete a subject with everything of theirs, and what only they gave a meaning to."""
    counted = list(Trackable.objects.filter(subjects=pk).values_list("pk", flat=True))
    Subject.objects.get(pk=pk).delete()
    Trackable.objects.filter(pk__in=counted, subjects=None, entries=None).delete()
    for invitation in Invitation.objects.filter(subject_ids__contains=[pk]):
        invitation.subject_ids = [one for one in invitation.subject_ids if one != pk]
        if invitation.subject_ids:
            invitation.save(update_fields=["subject_ids"])
        else:
            invitation.delete()
    drafts(pk)


def drafts(subject_id: int) -> None:
    """Take what an unfinished wizard holds of a subject out of every browser's session."""
    for session in Session.objects.all():
        held: Mapping[str, Any] = session.get_decoded()
        kept = {
            key: draft for key, draft in held.get(DRAFTS, {}).items() if draft.get("subject") != subject_id
        }
        if DRAFTS in held and kept != held[DRAFTS]:
            session.session_data = Session.objects.encode({**held, DRAFTS: kept})
            session.save(update_fields=["session_data"])


def files_owed(reach: Reach) -> list[str]:
    """The media files to remove after the commit: of documents, and of pictures nothing shows any more."""
    rows = Document.objects.filter(pk__in=reach.documents).values_list("stored", "unlocked", "thumbnail")
    return sorted({name for row in rows for name in row if name})


def mark_forgetting() -> None:
    """Let this transaction take rows that nothing else may take."""
    with connection.cursor() as cursor:
        cursor.execute(MARK_FORGETTING)
