"""Putting ledger entries where the routing rule says, and taking them back."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from household.access import filing
from twin.models import LedgerEntry, Question, Record, Statement, Subject
from twin.rules.day import question_deadline
from twin.rules.entries import Entry
from twin.rules.folding import daily_key
from twin.rules.provenance import Provenance, weakest
from twin.rules.routing import Decision, may_undo, route
from twin.services.above import above
from twin.services.days import mark_dirty, route_context
from twin.services.folding import entry_of, refold, since_to_json, sources_of
from twin.services.kept import keeping


class TooLate(ValueError):
    """Undo was asked for after its sixty seconds and those it was held."""


def lock_subject(subject_id: int) -> Subject:
    """The subject's row, locked to the end of the transaction: one filing at a time for each subject."""
    return Subject.objects.select_for_update(no_key=True).get(pk=subject_id)


def add_to_ledger(statement: Statement, entries: tuple[Entry, ...]) -> list[LedgerEntry]:
    """Every entry as it was read, before anything else happens to it."""
    return LedgerEntry.objects.bulk_create(
        _ledger_row(entry, position, statement) for position, entry in enumerate(entries)
    )


def _ledger_row(entry: Entry, position: int, statement: Statement) -> LedgerEntry:
    assert statement.subject_id is not None  # a statement is filed only once its subject is known
    return LedgerEntry(
        subject_id=statement.subject_id,
        statement=statement,
        position=position,
        turn=statement.turn,
        said_at=statement.said_at,
        local_day=statement.local_day,
        **entry_fields(entry),
    )


def entry_fields(entry: Entry) -> dict[str, Any]:
    """The columns of a ledger row that come from what was read."""
    return {
        "category": entry.category,
        "site": daily_key(entry.category, entry.signs),
        "asserted": entry.asserted,
        "model_read": entry.model_read,
        "signs": entry.signs,
        "today": entry.today,
        "since": since_to_json(entry.since),
        "phrase": entry.phrase,
        "words": entry.words,
        "why": list(entry.why),
    }


@transaction.atomic
def file_entry(
    row: LedgerEntry, *, subject: Subject, now: dt.datetime, has_been_asked: bool = False
) -> Decision:
    """Route one ledger row and do what the decision says. The subject must be locked."""
    asked = has_been_asked or _is_settled(row)
    context = route_context(subject, day=row.local_day, has_been_asked=asked)
    decision = route(entry_of(row), context)
    match decision.action:
        case "ask":
            _ask(row, subject=subject, now=now)
        case "discard":
            _move(row, state="discarded")
        case "fold":
            _file_into(_day_row(row, decision, subject), row, decision, subject=subject, now=now)
        case "history":
            _file_into(_history_row(row, decision, subject), row, decision, subject=subject, now=now)
    keeping.entry(row)
    return decision


def _is_settled(row: LedgerEntry) -> bool:
    """Whether everything an undated entry found is settled already: then nobody is asked when it was."""
    found = {(row.category, sign) for sign, value in row.signs.items() if value is True}
    return row.today == "unknown" and bool(found) and found <= above.settled(row.subject_id, row.local_day)


def _ask(row: LedgerEntry, *, subject: Subject, now: dt.datetime) -> None:
    deadline = question_deadline(now, zone=subject.time_zone, day_starts_at=subject.day_starts_at)
    Question.objects.create(
        entry=row, subject=subject, category=row.category, asked_at=now, deadline_at=deadline
    )
    _move(row, state="asked")


def _move(row: LedgerEntry, **changes: Any) -> None:
    for name, value in changes.items():
        setattr(row, name, value)
    row.save(update_fields=list(changes))


def _day_row(row: LedgerEntry, decision: Decision, subject: Subject) -> Record:
    key = {"subject": subject, "category": row.category, "site": row.site, "day": decision.day}
    found = Record.objects.standing().filter(kind="symptom", lifecycle="day", **key).first()
    return found or Record(kind="symptom", lifecycle="day", **key)


def _history_row(row: LedgerEntry, decision: Decision, subject: Subject) -> Record:
    return Record(
        kind="history",
        subject=subject,
        category=row.category,
        site=row.site,
        started_on=decision.started_on,
        precision=decision.precision,
        age_low_months=decision.low_months,
        age_high_months=decision.high_months,
        time_phrase=decision.phrase,
    )


def _file_into(
    record: Record, row: LedgerEntry, decision: Decision, *, subject: Subject, now: dt.datetime
) -> None:
    author_id, said_as = said_by(row)
    if record.pk is None:
        record.author_id, record.provenance = author_id, said_as
        record.created_at = now
    else:
        weaken(record, Provenance(said_as, "stated"))
    record.changed_at = now
    earlier = sources_of(record) if record.pk else []
    said = sorted([*earlier, row], key=lambda one: (one.said_at, one.pk))
    record = refold(record, said, subject=subject)
    _move(
        row,
        state="filed",
        record=record,
        filed_day=decision.day,
        adjudicate=decision.adjudicate,
        filed_at=now,
    )
    if decision.marks_dirty and decision.day:
        mark_dirty(subject, decision.day)


def weaken(record: Record, told: Provenance) -> None:
    """Let a record that rests on one more word be as weak as the weakest: what is summed up never rises."""
    both = weakest([Provenance(record.provenance, record.manner), told])
    record.provenance, record.manner = both.said_by, both.manner


def said_by(row: LedgerEntry) -> tuple[int | None, str]:
    """Who said it and as what: a parent unless their only role for the subject is another."""
    source = row.statement or row.fill
    person = source.author if source else None
    if person is None:
        return None, "child" if row.statement and row.statement.through == "device" else "import"
    roles = list(person.memberships.filter(subject_id=row.subject_id).values_list("role", flat=True))
    return person.pk, "parent" if "parent" in roles or not roles else roles[0]


def said_together(sources: Sequence[LedgerEntry]) -> tuple[int | None, str]:
    """Who said a record's words first, and as what they count together: as the weakest of them."""
    told = [said_by(row) for row in sources]
    return told[0][0], weakest([Provenance(said_as, "stated") for _author, said_as in told]).said_by


@transaction.atomic
def take_back(row: LedgerEntry, *, subject: Subject, now: dt.datetime) -> None:
    """Reverse one filing, not the ledger: the record keeps what its other sources say, or goes."""
    record = row.record
    _move(row, state="undone", undone_at=now, adjudicate=False)
    keeping.entry(row)
    if record is None:
        return
    if row.filed_day:
        mark_dirty(subject, row.filed_day)
    remaining = sources_of(record)
    if remaining:
        record.changed_at = now
        refold(record, remaining, subject=subject)
    else:
        record.delete()


@transaction.atomic
def undo_turn(*, turn: str, person_id: int, now: dt.datetime, held: dt.timedelta = dt.timedelta(0)) -> int:
    """Take back what one turn of this person filed, within sixty seconds and those held. Raises TooLate."""
    said = Statement.objects.filter(turn=turn, author_id=person_id, subject__isnull=False)
    with filing(said.values_list("subject_id", flat=True)):
        return _undo_turn(turn, person_id, now, held)


def _undo_turn(turn: str, person_id: int, now: dt.datetime, held: dt.timedelta) -> int:
    wanted = LedgerEntry.objects.filter(
        turn=turn, statement__author_id=person_id, state__in=["filed", "asked"]
    ).order_by("id")
    owners = sorted(set(wanted.values_list("subject_id", flat=True)))
    subjects = {pk: lock_subject(pk) for pk in owners}  # before reading what a round may be moving
    rows = list(wanted.filter(subject__in=owners).select_related("record", "question"))
    filed = [row.filed_at or now for row in rows if row.state == "filed"]
    if not all(may_undo("filed", at, now, held=held) for at in filed):
        raise TooLate
    for row in rows:
        if row.state == "filed":
            take_back(row, subject=subjects[row.subject_id], now=now)
        else:
            row.question.state, row.question.closed_at = "expired", now
            row.question.save(update_fields=["state", "closed_at"])
            _move(row, state="discarded")
    return len(rows)
