"""Years of daily logs for one subject, as filing and the rounds would have left them, copied in bulk.

An animal's day holds three fills of the form and three statements: 33 ledger entries in 11 records, so ten
years are 40,000 records and 120,000 entries. Each category is well but for spells of some days.
"""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from random import Random
from typing import Any

from django.db import models, transaction

from household.models import Person
from memory.models import JournalLine, JournalWords
from memory.services.demo.copying import (
    copy_rows,
    make_partitions,
    new_ids,
    take_seqs,
)
from memory.services.demo.nights import DayRow, Nights
from memory.services.demo.rows import Row, entry_row, fill_row, line_row, record_row, statement_row
from memory.services.turns import turn_id
from twin.models import (
    CourseDay,
    CourseMove,
    CourseStatement,
    FormFill,
    LedgerEntry,
    Record,
    RoundRun,
    Statement,
    Subject,
)
from twin.rules.courses import WINDOW_DAYS
from twin.rules.day import day_bounds, from_local, round_due_at
from twin.rules.folding import fold_signs
from twin.rules.form_fields import entry_for, fields_for, level_of
from twin.rules.polarity import PolarityContext, derived_polarity, resolve_polarity
from twin.rules.severity import severity
from twin.services.folding import age_in_months, worst
from twin.services.rounds.run import run_round

ACTS = (  # what a day holds, in its order: fills and statements by turns
    ("fill", dt.time(7, 30)),
    ("say", dt.time(8, 15)),
    ("fill", dt.time(13, 0)),
    ("say", dt.time(14, 30)),
    ("fill", dt.time(20, 0)),
    ("say", dt.time(21, 10)),
)
REAL_NIGHTS = 7  # the last nights are the round's own, so that frames and agenda are there
ROUND_LATER = dt.timedelta(minutes=10)
DAYS_AT_ONCE = 120
SPELL_EVERY = (20, 160)
SPELL_DAYS = (1, 6)
COPIED: tuple[type[models.Model], ...] = (
    FormFill,
    Statement,
    LedgerEntry,
    JournalLine,
    JournalWords,
    CourseDay,
    CourseMove,
    CourseStatement,
    RoundRun,
)


@lru_cache
def table() -> Any:
    """What bulk days say and find."""
    return tomllib.loads((files("memory") / "data" / "demo_scale.toml").read_text(encoding="utf-8"))


@transaction.atomic
def add_history(
    subject: Subject,
    *,
    authors: Sequence[tuple[Person, str]],
    first: dt.date,
    last: dt.date,
    seed: int,
    on_day: Callable[[dt.date], None] = lambda _day: None,
) -> None:
    """Log and close every day from `first` to `last` of a subject that has none, by (person, role)s."""
    history = History(subject, authors, Random(f"hearthbook demo bulk {seed} {subject.name}"))  # noqa: S311
    days = [first + dt.timedelta(days=n) for n in range((last - first).days + 1)]
    for number, day in enumerate(days):
        history.log_day(day, is_closed=number < len(days) - REAL_NIGHTS)
        if number % DAYS_AT_ONCE == DAYS_AT_ONCE - 1:
            history.copy(settled_before=day - dt.timedelta(days=WINDOW_DAYS))
        on_day(day)
    history.copy_rest()
    for day in days[-REAL_NIGHTS:]:
        run_round(subject_id=subject.pk, day=day, now=history.round_at(day))


@dataclass
class History:
    """One subject's history while it is made: rows waiting to be copied, and the nights' memory."""

    subject: Subject
    authors: Sequence[tuple[Person, str]]
    random: Random
    waiting: dict[type[models.Model], list[Row]] = field(default_factory=dict)
    records: list[Row] = field(default_factory=list)
    spells: dict[str, tuple[dt.date, dt.date]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        models_with_ids: tuple[type[models.Model], ...] = (
            FormFill,
            Statement,
            LedgerEntry,
            Record,
            JournalLine,
        )
        self.ids = {model: new_ids(model) for model in models_with_ids}
        self.nights = Nights(self.subject.pk, self._new_record)

    def _new_record(self, **known: Any) -> Row:
        return record_row(id=next(self.ids[Record]), subject_id=self.subject.pk, **known)

    def _add(self, model: type[models.Model], row: Row) -> Row:
        self.waiting.setdefault(model, []).append(row)
        return row

    def round_at(self, day: dt.date) -> dt.datetime:
        """When the round of a day ran."""
        subject = self.subject
        return round_due_at(day, zone=subject.time_zone, day_starts_at=subject.day_starts_at) + ROUND_LATER

    def log_day(self, day: dt.date, *, is_closed: bool) -> None:
        """One day's fills and statements, folded into its records, and its night."""
        bad = {category for category in self._categories() if self._is_bad(category, day)}
        sources: dict[tuple[str, str], list[Row]] = {}
        author_of: dict[tuple[str, str], tuple[Person, str]] = {}
        for number, (what, clock) in enumerate(ACTS):
            at = from_local(dt.datetime.combine(day, clock), zone=self.subject.time_zone)
            author = self.authors[number // 2 % len(self.authors)]
            act = self._fill if what == "fill" else self._say
            for entry in act(day, number // 2, at, author[0].pk, bad):
                key = (entry["category"], entry["site"])
                sources.setdefault(key, []).append(entry)
                author_of.setdefault(key, author)
        rows = [self._record(day, entries, author_of[key]) for key, entries in sources.items()]
        if is_closed:
            ended_at = day_bounds(day, zone=self.subject.time_zone, day_starts_at=self.subject.day_starts_at)[
                1
            ]
            self.nights.close(day, rows, ended_at=ended_at, ran_at=self.round_at(day))

    def _categories(self) -> Sequence[str]:
        return (*table()["findings"], "sleep", "thirst_hydration", "urinary")

    def _is_bad(self, category: str, day: dt.date) -> bool:
        if category not in self.spells or day > self.spells[category][1]:
            first = day + dt.timedelta(days=self.random.randrange(*SPELL_EVERY))
            last = first + dt.timedelta(days=self.random.randrange(*SPELL_DAYS))
            self.spells[category] = (first, last)
        return self.spells[category][0] <= day

    def _client_id(self, what: str, day: dt.date, number: int) -> str:
        return f"demo:{what}:{self.subject.pk}:{day}:{number}"

    def _fill(
        self, day: dt.date, number: int, at: dt.datetime, author_id: int, bad: set[str]
    ) -> Iterator[Row]:
        kind = self.subject.kind
        levels = {name: self._level(kind, name, pair, bad) for name, pair in table()["levels"][kind].items()}
        row = fill_row(
            id=next(self.ids[FormFill]),
            subject_id=self.subject.pk,
            author_id=author_id,
            client_id=self._client_id("fill", day, number),
            at=at,
            day=day,
            levels=levels,
        )
        self._add(FormFill, row)
        order = list(fields_for(kind))
        for name, level in levels.items():
            entry = entry_for(kind, name, level)
            if entry is not None:
                yield self._entry(
                    entry.category,
                    entry.signs,
                    at,
                    day,
                    fill_id=row["id"],
                    position=order.index(name),
                    turn=row["turn"],
                    asserted=entry.asserted,
                    why=list(entry.why),
                    field=name,
                )

    def _level(self, kind: str, name: str, pair: Sequence[str], bad: set[str]) -> str:
        level = level_of(kind, name, pair[0])
        return pair[1] if level is not None and level.category in bad else pair[0]

    def _say(
        self, day: dt.date, number: int, at: dt.datetime, author_id: int, bad: set[str]
    ) -> Iterator[Row]:
        client_id, language = self._client_id("say", day, number), self.subject.language
        turn = turn_id(at, client_id)
        found = {one: self._finding(one, bad) for one in table()["statements"][number]}
        text = f"{self.subject.name}: {', '.join(one[language] for one in found.values())}."
        row = statement_row(
            id=next(self.ids[Statement]),
            subject_id=self.subject.pk,
            author_id=author_id,
            client_id=client_id,
            turn=turn,
            language=language,
            text=text,
            at=at,
            day=day,
        )
        self._add(Statement, row)
        self._journal(at, turn, author_id, text)
        for position, (category, one) in enumerate(found.items()):
            yield self._entry(
                category,
                one["signs"],
                at,
                day,
                statement_id=row["id"],
                position=position,
                turn=turn,
                model_read="abnormal" if category in bad else "normal",
                words=one[language],
                site=table()["findings"][category]["site"],
            )

    def _finding(self, category: str, bad: set[str]) -> Mapping[str, Any]:
        one: Mapping[str, Any] = table()["findings"][category]["bad" if category in bad else "good"]
        return one

    def _journal(self, at: dt.datetime, turn: str, author_id: int, text: str) -> None:
        for event, fields in (("Heard", {"text": text, "pictures": []}), ("TurnEnded", {"how": "done"})):
            line, words = line_row(
                position=next(self.ids[JournalLine]),
                subject_id=self.subject.pk,
                author_id=author_id,
                event=event,
                at=at,
                turn=turn,
                fields=fields,
            )
            self._add(JournalLine, line)
            if words is not None:
                self._add(JournalWords, words)

    def _entry(self, category: str, signs: Row, at: dt.datetime, day: dt.date, **known: Any) -> Row:
        number = next(self.ids[LedgerEntry])
        row = entry_row(
            id=number, subject_id=self.subject.pk, category=category, signs=signs, at=at, day=day, **known
        )
        return self._add(LedgerEntry, row)

    def _record(self, day: dt.date, entries: list[Row], author: tuple[Person, str]) -> DayRow:
        category, subject = entries[0]["category"], self.subject
        context = PolarityContext(
            species=subject.species, sex=subject.sex, age_months=age_in_months(subject.born_on, day)
        )
        signs = fold_signs([entry["signs"] for entry in entries])
        asserted = worst(entry["asserted"] for entry in entries)
        model_read = worst(entry["model_read"] for entry in entries)
        derived = derived_polarity(category, signs, context)
        columns = self._new_record(
            category=category,
            site=entries[0]["site"],
            day=day,
            sort_on=day,
            signs=signs,
            asserted=asserted,
            derived=derived,
            model_read=model_read,
            context={name: value for name, value in vars(context).items() if value is not None},
            severity=severity(category, signs),
            turns=list(dict.fromkeys(entry["turn"] for entry in entries)),
            provenance=author[1],
            author_id=author[0].pk,
            created_at=entries[0]["said_at"],
            changed_at=entries[-1]["said_at"],
        )
        for entry in entries:
            entry["record_id"] = columns["id"]
        self.records.append(columns)
        return DayRow(columns, resolve_polarity(asserted, derived, model_read), entries)  # type: ignore[arg-type]

    def copy(self, *, settled_before: dt.date) -> None:
        """Copy what waits; records of the last days stay, since a course may still take them in."""
        nights = self.nights
        derived: tuple[tuple[type[models.Model], list[Row]], ...] = (
            (CourseDay, nights.days),
            (CourseMove, nights.moves),
            (CourseStatement, nights.statements),
            (RoundRun, nights.rounds),
        )
        for model, made in derived:
            self.waiting.setdefault(model, []).extend(made)
            made.clear()
        lines = self.waiting.get(JournalLine, [])
        for line, seq in zip(lines, take_seqs(len(lines)), strict=True):
            line["seq"] = seq
        make_partitions(one["arrived_on"] for one in self.waiting.get(JournalWords, []))
        copy_rows(Record, [one for one in self.records if one["day"] < settled_before])
        self.records = [one for one in self.records if one["day"] >= settled_before]
        for model in COPIED:
            copy_rows(model, self.waiting.pop(model, []))

    def copy_rest(self) -> None:
        """Copy everything that still waits, the courses themselves too."""
        self.copy(settled_before=dt.date.max)
        copy_rows(Record, self.nights.courses)
