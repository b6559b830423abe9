"""Red flags of a turn and of a day: shown in the very answer to the words that raised them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from twin.models import LedgerEntry, Record, Statement, Subject
from twin.rules.red_flags import RedFlag, gravest_first, red_flags
from twin.services.folding import age_in_months


def flags_of_turn(statements: Sequence[Statement], entries: Sequence[LedgerEntry]) -> tuple[RedFlag, ...]:
    """The flags of what was just said, most urgent first, each once: by signs, and by plain words.

    What the words put in the past raises nothing, nor does what was taken back.
    """
    now = [entry for entry in entries if entry.state != "undone" and _is_now(entry)]
    raised = [flag for entry in now for flag in _of_entry(entry)]
    for said in statements:
        if said.subject is not None and (now or not entries):
            raised += red_flags(*_of(said.subject), None, {}, said.text)
    return gravest_first(raised)


def _is_now(entry: LedgerEntry) -> bool:
    return bool((entry.resolved or {"today": entry.today})["today"] != "no")


def _of_entry(entry: LedgerEntry) -> tuple[RedFlag, ...]:
    months = age_in_months(entry.subject.born_on, entry.local_day)
    return red_flags(*_of(entry.subject), entry.category, entry.signs, "", age_months=months)


def flags_of_day(rows: Iterable[Record]) -> list[tuple[str, str]]:
    """(key, record id) of every flag that a day's abnormal rows raise."""
    return [
        (flag.key, row.rec_id)
        for row in rows
        if row.polarity == "abnormal" and row.day is not None
        for flag in red_flags(
            *_of(row.subject),
            row.category,
            row.signs,
            "",
            age_months=age_in_months(row.subject.born_on, row.day),
        )
    ]


def _of(subject: Subject) -> tuple[str, str]:
    return subject.species, subject.sex
