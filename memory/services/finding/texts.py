"""What each kind of row says, as a text for search: current words, and names of what was ticked."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.utils import translation

from memory.models import (
    DocumentEntry,
    Entry,
    Episode,
    Memory,
    MemoryEntry,
    ObservationEntry,
    Passage,
    Pattern,
    Strategy,
)
from memory.pattern_named import pattern_text
from memory.rules.retrieval.folding import LANGUAGES, terms
from memory.rules.retrieval.names import without_names
from twin.labels import checked_signs, describe_signs, title_of
from twin.models import Event, FormFill, Record, Statement, Subject
from twin.rules.events import KINDS
from twin.rules.language import Language, guess_language


@dataclass(frozen=True)
class Said:
    """One row's words: what people wrote, and what the house calls it in each language."""

    words: str
    named: Mapping[str, str]  # {language: text}
    day: dt.date | None
    at: dt.datetime | None
    author_id: int | None
    language: str

    def terms(self) -> list[str]:
        """The search terms: the words in their own language, the names in every one."""
        found = terms(self.words, self.language)
        for language, name in self.named.items():
            found += terms(name, language)
        return found

    def passage(self, subject: Subject) -> str:
        """What the embedder reads: the subject's own name swapped for what it is."""
        text = ". ".join(part for part in (self.named.get(self.language, ""), self.words) if part)
        return without_names(text, name=subject.name, species=subject.species, language=self.language)


@dataclass(frozen=True)
class Kind:
    """One kind of row that can be found: its model, its entries, how it is read."""

    model: type[models.Model]
    entries: type[Entry]
    said: Callable[[Any], Said | None]  # None: nothing of it is to be found
    related: tuple[str, ...] = ("subject",)


def _joined(*parts: object) -> str:
    return ". ".join(str(part).strip() for part in parts if part and str(part).strip())


def _noon(day: dt.date | None) -> dt.datetime | None:
    return dt.datetime.combine(day, dt.time(12), dt.UTC) if day else None


def _in_each(make: Callable[[], str]) -> dict[str, str]:
    found = {}
    for language in LANGUAGES:
        with translation.override(language):
            found[language] = make()
    return found


def _language(text: str, subject: Subject) -> str:
    return guess_language(text, default=_known(subject.language)) if text else _known(subject.language)


def _known(language: str) -> Language:
    return "tr" if language == "tr" else "en"


def _record(row: Record) -> Said | None:
    if row.superseded_by_id is not None:
        return None

    def name() -> str:
        signs = [*describe_signs(row.category, row.signs), *checked_signs(row.category, row.signs)]
        return _joined(title_of(row.kind, row.category, row.signs), ", ".join(one.text for one in signs))

    day = row.day or row.sort_on or row.started_on
    return Said(row.text, _in_each(name), day, _noon(day), None, _language(row.text, row.subject))


def _statement(row: Statement) -> Said | None:
    if row.subject is None or not row.text:
        return None
    return Said(row.text, {}, row.local_day, row.said_at, row.author_id, _known(row.language))


def _event(row: Event) -> Said | None:
    words = _joined(row.place, row.antecedent, row.behaviour, row.tried, row.outcome)
    return Said(
        words, _kind_name(row.kind), row.local_day, row.at, row.author_id, _language(words, row.subject)
    )


def _kind_name(kind: str) -> dict[str, str]:
    if kind not in KINDS:
        return {"en": kind.replace("_", " ")}
    return _in_each(lambda: translation.gettext(KINDS[kind].label))


def _fill(row: FormFill) -> Said | None:
    if not row.note:
        return None
    return Said(row.note, {}, row.local_day, row.at, row.author_id, _language(row.note, row.subject))


def _episode(row: Episode) -> Said | None:
    words = _joined(row.place, row.antecedent, row.behaviour, row.tried, row.outcome)
    return Said(words, _kind_name(row.kind), row.day, row.at, row.author_id, _language(words, row.subject))


def _pattern(row: Pattern) -> Said | None:
    named = _in_each(lambda: pattern_text(row))
    return Said("", named, row.last_on, _noon(row.last_on), None, _known(row.subject.language))


def _strategy(row: Strategy) -> Said | None:
    words = _joined(row.name, row.how)
    return Said(
        words, {}, row.created_at.date(), row.created_at, row.author_id, _language(words, row.subject)
    )


def _memory(row: Memory) -> Said | None:
    if row.hidden or not row.text:
        return None
    at = dt.datetime.fromtimestamp(row.learned_at_ms / 1000, dt.UTC)
    words = _joined(row.text, row.who, row.place, row.said_when)
    return Said(words, {}, at.date(), at, None, _language(words, row.subject))


def _passage(row: Passage) -> Said | None:
    if not row.text:
        return None
    title = row.document.title
    named = dict.fromkeys(LANGUAGES, title) if title else {}
    language = _known(row.document.language or row.subject.language)
    return Said(row.text, named, row.day, _noon(row.day), row.author_id, language)


KINDS_FOUND: Mapping[str, Kind] = {
    "record": Kind(Record, ObservationEntry, _record),
    "statement": Kind(Statement, ObservationEntry, _statement),
    "event": Kind(Event, ObservationEntry, _event),
    "fill": Kind(FormFill, ObservationEntry, _fill),
    "episode": Kind(Episode, MemoryEntry, _episode),
    "pattern": Kind(Pattern, MemoryEntry, _pattern),
    "strategy": Kind(Strategy, MemoryEntry, _strategy),
    "memory": Kind(Memory, MemoryEntry, _memory),
    "passage": Kind(Passage, DocumentEntry, _passage, ("subject", "document")),
}


def said_by(entries: Sequence[Entry]) -> Iterable[tuple[Entry, Subject | None, Said | None]]:
    """Each entry with its row's subject and words; None where the row is gone or says nothing."""
    by_kind: dict[str, list[Entry]] = {}
    for entry in entries:
        by_kind.setdefault(entry.kind, []).append(entry)  # type: ignore[attr-defined]
    for name, group in by_kind.items():
        kind = KINDS_FOUND[name]
        rows = kind.model._default_manager.select_related(*kind.related)
        held: dict[int, Any] = rows.in_bulk([entry.row_id for entry in group])
        for entry in group:
            row = held.get(entry.row_id)
            yield entry, row.subject if row is not None else None, kind.said(row) if row is not None else None
