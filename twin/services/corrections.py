"""Learning from how people correct a reading: what was wrong is kept, and read rightly from then on."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, cast

from django.db import transaction

from household.access import visible
from household.models import Person
from household.rules.permissions import Resource
from twin.models import LedgerEntry, ReadingCorrection, Record
from twin.reading.exemplars import Bank, Exemplar
from twin.rules.categories import FIELDS
from twin.services.filing import lock_subject, take_back
from twin.services.records import Correction, correct_record

Verdict = Literal["normal", "abnormal", "nothing"]
VERDICTS: tuple[Verdict, ...] = ("normal", "abnormal", "nothing")
NOT_READ = {"correction", "form"}  # nobody read these: they were tapped
MOST = 400  # the newest corrections are the ones that speak


class UnknownVerdict(ValueError):
    """The tap is none of the panel's."""


@transaction.atomic
def judge_reading(
    *, record: Record, person: Person, verdict: str, client_id: str, now: dt.datetime
) -> Record | None:
    """Say in one tap what a record's words meant. Gives the record that counts now, None where none does.

    Raises UnknownVerdict, and what `correct_record` raises.
    """
    if verdict not in VERDICTS:
        raise UnknownVerdict(verdict)
    if verdict == "nothing":
        _withdraw(record, person=person, now=now)
        return None
    signs = turned(record.category or "", record.signs, is_there=verdict == "abnormal")
    correction = Correction(
        asserted=verdict,
        signs=signs,
        day=record.day,
        started_on=record.started_on,
        precision=record.precision,
        time_phrase=record.time_phrase,
    )
    return correct_and_learn(
        record=record, person=person, correction=correction, client_id=client_id, now=now
    )


@transaction.atomic
def correct_and_learn(
    *,
    record: Record,
    person: Person,
    correction: Correction,
    client_id: str,
    now: dt.datetime,
    note: str = "",
) -> Record:
    """Correct a record, and keep how its words should have been read. Raises what `correct_record` raises."""
    new = correct_record(
        record_id=record.pk,
        person=person,
        correction=correction,
        client_id=client_id,
        now=now,
        note=note,
    )
    said = {"category": new.category or "", "signs": dict(new.signs)}
    note_corrections(record, said, str(new.polarity), person=person, now=now)
    return new


def turned(category: str, signs: Mapping[str, Any], *, is_there: bool) -> dict[str, Any]:
    """The signs with every seen-or-absent one set to `is_there`; counts of what was not are left out."""
    kept: dict[str, Any] = {}
    for name, value in signs.items():
        kind = FIELDS[category][name].kind
        if kind == "tri":
            kept[name] = is_there
        elif kind == "text" or is_there or name == "side":
            kept[name] = value
    return kept


def _withdraw(record: Record, *, person: Person, now: dt.datetime) -> None:
    subject = lock_subject(record.subject_id)
    note_corrections(record, None, "nothing", person=person, now=now)
    for entry in record.sources.filter(state="filed").select_related("record"):
        take_back(entry, subject=subject, now=now)


def note_corrections(
    record: Record, said: dict[str, Any] | None, polarity: str, *, person: Person, now: dt.datetime
) -> int:
    """Keep how the words behind a record should have been read; None says they meant nothing like it.

    Gives how many sentences spoke for the record.
    """
    told = record.sources.filter(statement__isnull=False).exclude(words="").select_related("statement")
    rows = [
        ReadingCorrection(
            subject_id=record.subject_id,
            entry=entry,
            author=person,
            language=entry.statement.language,
            reader=entry.statement.reader,
            words=entry.words,
            was=_as_read(entry),
            became={"polarity": polarity, "entries": [*([said] if said else []), *_beside(entry)]},
            at=now,
        )
        for entry in told
        if entry.statement and entry.statement.reader not in NOT_READ
    ]
    ReadingCorrection.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def _as_read(entry: LedgerEntry) -> dict[str, Any]:
    return {
        "category": entry.category,
        "signs": entry.signs,
        "asserted": entry.asserted,
        "model_read": entry.model_read,
    }


def _beside(entry: LedgerEntry) -> list[dict[str, Any]]:
    """What the very same words also said, which nobody corrected."""
    others = LedgerEntry.objects.filter(statement=entry.statement, words=entry.words, state="filed")
    return [{"category": one.category, "signs": one.signs} for one in others.exclude(pk=entry.pk)]


def corrections_for(person: Person, language: str) -> Bank | None:
    """The household's own examples in a language, as far as this person may see them. Inside `seen_by`."""
    rows = ReadingCorrection.objects.filter(language=language).order_by("-id")
    seen = visible(person, Resource.OBSERVATION, rows).values_list("words", "became")[:MOST]
    examples = tuple((words, _frozen(became)) for words, became in seen)
    return _bank(language, examples) if examples else None


def _frozen(became: dict[str, Any]) -> tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]:
    return tuple((one["category"], tuple(sorted(one["signs"].items()))) for one in became["entries"])


@lru_cache(maxsize=4)
def _bank(language: str, examples: tuple[tuple[str, Any], ...]) -> Bank:
    """The examples ready to be compared with; kept while they stay the same."""
    return Bank(
        cast(Literal["en", "tr"], language),
        [
            Exemplar(words, tuple((category, dict(signs)) for category, signs in entries))
            for words, entries in examples
            if all(signs for _category, signs in entries)  # a judgement without a sign teaches no words
        ],
    )
