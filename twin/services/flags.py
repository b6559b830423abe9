"""Red flags of a turn and of a day: shown in the very answer to the words that raised them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from twin.models import LedgerEntry, Record, Statement, Subject
from twin.rules.red_flags import RedFlag, red_flags
from twin.services.folding import age_in_months


def flags_of_turn(statements: Sequence[Statement], entries: Sequence[LedgerEntry]) -> list[RedFlag]:
    """The flags of what was just said, most urgent first, each once: by signs, and by plain words."""
    found: dict[str, RedFlag] = {}
    for entry in entries:
        if entry.state != "undone":
            months = age_in_months(entry.subject.born_on, entry.local_day)
            raised = red_flags(*_of(entry.subject), entry.category, entry.signs, "", age_months=months)
            found |= {flag.key: flag for flag in raised}
    for said in statements:
        if said.subject is not None:
            raised = red_flags(*_of(said.subject), None, {}, said.text)
            found |= {flag.key: flag for flag in raised}
    return sorted(found.values(), key=lambda flag: flag.urgency != "now")


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
