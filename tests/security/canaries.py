"""Canary words in every text column of every resource, and what of them a page shows.

`plant(subject, author)` makes one row of every table of ours that carries a subject's data, found from the
installed models, and writes a word of its own into each of its text columns. `Flock.seen(text)` gives the
canaries that stand in a page, an answer, an export. A capability that shows a subject's data by another way
registers in `ways.WAYS`; a table that cannot be planted by itself, or a text column that can hold no free
word, has an entry in `FIXED`. A text column that is neither planted nor fixed fails
`test_every_text_column_has_a_canary`.
"""

from __future__ import annotations

import datetime as dt
import itertools
import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from household.models import Person
from household.rules.permissions import Resource
from household.rules.policies import EXEMPT
from household.rules.resources import TABLES
from household.services.policies import label_of, our_models
from memory.models import PatternEvidence
from memory.services.journal import make_partitions_ahead
from twin.models import ImportBatch, PersonProfile, Record, Subject
from twin.services.days import day_of

COURSE = "twin.Record#course"  # beside the record of one day
WORD = re.compile(r"zq[a-z]{4}")
SHORTEST = 20  # a shorter column holds codes, not words
_numbers = itertools.count()


def _word() -> str:
    number, letters = next(_numbers), ""
    for _place in range(4):
        number, rest = divmod(number, 26)
        letters = chr(ord("a") + rest) + letters
    return f"zq{letters}"


# What a column must hold for its row to be a sound one; "*" stands for every table.
# A callable gets the subject and the rows planted so far, by label.
Planted = Mapping[str, models.Model]
Fix = Any
FIXED: Mapping[str, Mapping[str, Fix]] = {
    "*": {
        "time_zone": "UTC",
        "category": "skin_coat",
        "device": "home",  # which machine wrote it
        "lifecycle": "day",
        "language": "en",
        "overrides": dict,  # cells of the matrix
        "day": lambda subject, rows: day_of(subject, timezone.now()),
        "local_day": lambda subject, rows: day_of(subject, timezone.now()),
        "on": lambda subject, rows: day_of(subject, timezone.now()),
        "measured_on": lambda subject, rows: day_of(subject, timezone.now()),
        "sort_on": lambda subject, rows: day_of(subject, timezone.now()),
        "role": "family",
    },
    "household.Register": {"key": "character", "at_ms": 1},
    "household.Membership": {"person": lambda subject, rows: _keeper()},
    "twin.Statement": {"through": "web"},
    "twin.LedgerEntry": {
        "statement": lambda subject, rows: rows["twin.Statement"],
        "turn": lambda subject, rows: rows["twin.Statement"].turn,
        "record": lambda subject, rows: rows["twin.Record"],
        "signs": lambda subject, rows: rows["twin.Record"].signs,  # its text is planted in the record
        "today": "yes",
        "state": "filed",
        "asserted": "abnormal",
        "since": None,
        "resolved": None,
        "filed_day": lambda subject, rows: day_of(subject, timezone.now()),
        "filed_at": lambda subject, rows: timezone.now(),
        "field": "",
        "why": list,
    },
    "twin.Record": {
        "kind": "symptom",
        "signs": lambda subject, rows: {"redness": True, "site": _word()},
        "asserted": "abnormal",
        "context": dict,  # numbers and a species
        "horizons": None,
    },
    "twin.CourseDay": {
        "trajectory": "onset",
        "polarity": "abnormal",
        "course": lambda subject, rows: rows[COURSE],
    },
    "twin.CourseMove": {
        "course": lambda subject, rows: rows[COURSE],
        "was": "active",
        "became": "passive",
    },
    "twin.CourseStatement": {"course": lambda subject, rows: rows[COURSE], "signs": dict},
    "twin.ReadingCorrection": {
        "was": dict,
        "became": lambda subject, rows: {"polarity": "abnormal", "entries": []},  # judgements
    },
    "twin.Assessment": {
        "inputs": lambda subject, rows: {
            "age_band": "unknown",
            "breed": _word(),
            "chronic": [_word()],
            "medicines": [],
            "profile": {"version": None},
            "drift": {},
        }
    },
    "twin.FrameLog": {"body": lambda subject, rows: rows["twin.Frame"].body},
    "twin.Frame": {
        "body": lambda subject, rows: {
            "day": None,
            "open": [],
            "red_flags": [],
            "negatives": [],
            "chronic": [{"text": _word(), "record": "rec_000001"}],
            "ruled_out": [],
            "look_at": [],
            "considerations": [],
        }
    },
    "twin.RoundRun": {"counts": dict},  # numbers by step
    "twin.AgendaItem": {
        "rank": 1,
        "course": lambda subject, rows: rows[COURSE],
        "asks": dict,  # names of signs
        "key": "course:1",
    },
    "twin.Question": {"state": "open"},
    "twin.FormFill": {"levels": dict},  # keys of the form
    "twin.Event": {"kind": "meltdown"},
    "twin.Medicine": {"schedule": lambda subject, rows: {"kind": "needed"}},  # times
    "twin.Trackable": {
        "icon": "check",
        "fields": lambda subject, rows: [{"key": "n", "name": _word(), "kind": "count"}],
    },
    "twin.TrackableEntry": {"values": lambda subject, rows: {"n": 1}},  # numbers and chosen options
    "twin.QuickLog": {"action": lambda subject, rows: {"kind": "trackable", "id": 1, "values": {}}},
    "twin.ImportLine": {"batch": lambda subject, rows: ImportBatch.objects.create(kind="babybuddy")},
    "twin.ProfileVersion": {"values": dict, "version": 1},  # numbers
    "memory.Forgetting": {"kind": "record", "counts": dict},  # numbers by table
    "memory.JournalLine": {
        "device": lambda subject, rows: f"device-{subject.pk}",
        "envelope": lambda subject, rows: {"event": "Heard", "at_ms": 1, "turn": _word()},
    },
    "memory.ObservationEntry": {
        "kind": "fill",
        "model": "",
        "row_id": lambda subject, rows: -subject.pk,
    },  # beside those the triggers make
    "memory.MemoryEntry": {"kind": "memory", "model": "", "row_id": lambda subject, rows: -subject.pk},
    "memory.DocumentEntry": {"kind": "passage", "model": "", "row_id": lambda subject, rows: -subject.pk},
    "memory.WorkingSet": {"state": dict},  # references and reasons
    "memory.NeverTopic": {"words": lambda subject, rows: [[f"w{_word()}"]], "about": list},
    "memory.Drawer": {"intents": lambda subject, rows: ["appetite"]},  # a closed vocabulary
    "memory.OpenQuestion": {
        "category": "ears",
        "sign": "odour",
        "profile_field": "",
        "drawer": lambda subject, rows: rows["memory.Drawer"],
    },
    "memory.SettledFact": {"category": "", "sign": "", "profile_field": ""},
    "memory.Question": {"is_private": False},
    "memory.Answer": {
        "question": lambda subject, rows: rows["memory.Question"],
        "is_private": False,
        "scope": "document,memory,observation,profile",
        "state": "complete",
        "model": "",
    },
    "memory.AnswerEvidence": {
        "answer": lambda subject, rows: rows["memory.Answer"],
        "record": lambda subject, rows: rows["twin.Record"],
        "marker": "O1",
    },
    "memory.CachedAnswer": {  # hashes, and the scope of its answer
        "answer": lambda subject, rows: rows["memory.Answer"],
        "is_private": False,
        "scope": "document,memory,observation,profile",
        "question_hash": "q",
        "guard_hash": "g",
        "evidence_hash": "e",
        "data_version": "d",
        "embedder": "",
        "vector": None,
    },
    "memory.Document": {
        "digest": lambda subject, rows: f"{subject.pk:064x}",
        "stored": lambda subject, rows: f"walked/{subject.pk}",  # names in the storage, without words
        "thumbnail": lambda subject, rows: f"walked/{subject.pk}",
        "unlocked": "nowhere",
        "dated_on": lambda subject, rows: day_of(subject, timezone.now()),
        "received_on": lambda subject, rows: day_of(subject, timezone.now()),
        "format": "txt",
        "state": "ready",
        "error": "",  # a code
        "corrected": list,  # names of columns
    },
    "memory.DocumentStage": {"name": "text", "error": "", "total": 1, "state": "done"},
    "memory.DocumentText": {"source": "txt", "unsure": list},  # places in the text
    "memory.Passage": {"start": 0, "end": 1},
    "memory.OwedErasure": {"digest": "", "stored": list},
    "memory.Strategy": {
        "uses": 0,
        "successes": 0,
        "partials": 0,
        "lifecycle": "retired",
        "changed_at": lambda subject, rows: timezone.now(),
    },
    "memory.Episode": {
        "kind": "meltdown",
        "event": lambda subject, rows: rows["twin.Event"],
        "at": lambda subject, rows: rows["twin.Event"].at,
    },
    "memory.DayLevels": {"levels": dict},  # codes and numbers
    "memory.Pattern": {
        "antecedent": "sleep_bad",
        "outcome": "meltdown",
        "lag": 1,
        "lifecycle": "supported",
        "retired_by": None,
        "since": lambda subject, rows: day_of(subject, timezone.now()),
        "p": 0.001,
    },
    "memory.PatternMove": {"became": "supported"},
    "memory.PatternEvidence": {
        "event": lambda subject, rows: rows["twin.Event"],
        "is_for": True,
        "side": "outcome",
    },
    "memory.Memory": {"cover_picture": None},  # a name made of no words
    "memory.MemoryRevision": {"at_ms": 1, "text_at_ms": 0},
    "memory.MemoryEmbedding": {"embedding": lambda subject, rows: [0.25, 0.5]},
    "memory.Tombstone": {"kind": "memory"},
    "memory.Picture": {"type": "image/png"},
    "memory.CompanionTurn": {
        "turn": lambda subject, rows: f"turn-{subject.pk}",
        "said": list,
        "digests": list,
        "recalled": list,
    },  # identities
    "memory.CrisisCard": {
        "turn": lambda subject, rows: f"turn-{subject.pk}",
        "kind": "despair",
        "seen_by": None,
    },
    "memory.ChatSession": {"version": 1, "stamp_ms": 1},
}


@dataclass(frozen=True)
class Canary:
    """One word, the column it stands in and whose it is."""

    word: str
    label: str
    column: str
    resource: Resource
    subject_id: int

    def __str__(self) -> str:
        return f"{self.word} ({self.label}.{self.column} of subject {self.subject_id}, {self.resource})"


@dataclass
class Flock:
    """Every canary that was planted."""

    by_word: dict[str, Canary] = field(default_factory=dict)
    rows: dict[int, dict[str, models.Model]] = field(default_factory=dict)

    def seen(self, text: str) -> set[Canary]:
        """The canaries that stand in a text."""
        return {self.by_word[word] for word in WORD.findall(text) if word in self.by_word}

    def row(self, label: str, subject_id: int) -> models.Model:
        """The planted row of a table."""
        return self.rows[subject_id][label]


def text_columns(model: type[models.Model]) -> list[Any]:
    """The columns of a model in which words of a family can stand."""
    return [one for one in model._meta.concrete_fields if _bears_words(one)]


def _bears_words(column: Any) -> bool:
    if column.choices or column.generated or column.is_relation:
        return False
    if isinstance(column, ArrayField):
        return _bears_words(column.base_field)
    if isinstance(column, models.CharField):
        return column.max_length is None or column.max_length > SHORTEST
    return isinstance(column, (models.TextField, models.JSONField))


def planted_models() -> list[type[models.Model]]:
    """Every model with a subject's data."""
    return [one for one in our_models() if label_of(one) in TABLES and one._meta.label not in EXEMPT]


def fix_of(label: str, column: str) -> tuple[bool, Fix]:
    """Whether a column has an entry, and which."""
    for key in (label, "*"):
        if column in FIXED.get(key, {}):
            return True, FIXED[key][column]
    return False, None


def plant(flock: Flock, subject: Subject, author: Person) -> None:
    """One row of every table for this subject, all by this author."""
    make_partitions_ahead(now=timezone.now() - dt.timedelta(days=1), months=1)
    rows = flock.rows.setdefault(subject.pk, {"twin.Subject": subject})
    waiting = [model for model in planted_models() if model is not Subject]
    while waiting:
        ready = [model for model in waiting if _needs(model) <= rows.keys()]
        if not ready:
            raise AssertionError(f"no canary can be planted in {[m._meta.label for m in waiting]}")
        for model in ready:
            waiting.remove(model)
            rows[model._meta.label] = _row(model, subject, author, rows)
            if model is Record:
                rows[COURSE] = _course(subject, author)
            if isinstance(one := rows[model._meta.label], PatternEvidence):
                _other_side(one)
    for row in rows.values():
        _note(flock, row, subject.pk)


def _other_side(outcome: PatternEvidence) -> None:
    """What came before: a pattern shows a day of which both sides may be seen."""
    outcome.pk, outcome.side = None, "antecedent"
    outcome.save(force_insert=True)
    outcome.refresh_from_db()


def _course(subject: Subject, author: Person) -> Record:
    today = day_of(subject, timezone.now())
    return Record.objects.create(
        subject=subject,
        author=author,
        kind="symptom",
        category="behaviour",
        lifecycle="active",
        started_on=today,
        opened_on=today,
        sort_on=today,
        signs={"trigger": _word()},
        asserted="abnormal",
        closed_reason=_word(),
    )


def _needs(model: type[models.Model]) -> set[str]:
    """The tables a row of this one points to and cannot be without."""
    fixed = FIXED.get(model._meta.label, {})
    needed = {"twin.Record"} if model._meta.label == "twin.LedgerEntry" else set()
    for one in model._meta.concrete_fields:
        if one.is_relation and (not one.null or one.name in fixed):
            needed.add(one.related_model._meta.label)
    return needed - {"household.Person", "twin.ImportBatch", model._meta.label} | (
        {"twin.Frame"} if model._meta.label == "twin.FrameLog" else set()
    )


def _row(model: type[models.Model], subject: Subject, author: Person, rows: Planted) -> models.Model:
    values = {}
    for one in model._meta.concrete_fields:
        has_fix, fix = fix_of(model._meta.label, one.name)
        if has_fix:
            values[one.name] = _fixed(fix, subject, rows)
        elif not one.generated and (value := _value(one, subject, author, rows)) is not None:
            values[one.name] = value
    if model is PersonProfile:
        PersonProfile.objects.filter(subject=subject).delete()
    return model._base_manager.create(**values)


def _fixed(fix: Fix, subject: Subject, rows: Planted) -> Any:
    if fix in (dict, list):
        return fix()
    return fix(subject, rows) if isinstance(fix, Callable) else fix  # type: ignore[arg-type]


def _value(column: Any, subject: Subject, author: Person, rows: Planted) -> Any:
    """A value for one column; None leaves it to its default."""
    if column.is_relation:
        upper = column.related_model._meta.label
        if upper == "household.Person":
            return author
        return None if column.null and upper != "twin.Subject" else rows.get(upper)
    if _bears_words(column):
        return _words_for(column)
    if column.choices or column.has_default() or column.has_db_default() or column.null or column.primary_key:
        return None
    match column:
        case models.DateTimeField():
            return timezone.now()
        case models.DateField():
            return day_of(subject, timezone.now())
        case models.TimeField():
            return dt.time(3)
        case models.UUIDField():
            return uuid.uuid4()
        case models.BooleanField():
            return False
        case models.BinaryField():
            return b"\0"
        case models.CharField():
            return _word()[: column.max_length]
        case _:
            return 1


def _words_for(column: Any) -> Any:
    if isinstance(column, ArrayField):
        return [_word()]
    if isinstance(column, models.JSONField):
        return {"zq": _word()}
    return _word()


def _note(flock: Flock, row: models.Model, subject_id: int) -> None:
    model, label = type(row), row._meta.label
    for column in text_columns(model):
        for word in WORD.findall(str(getattr(row, column.attname))):
            resource = TABLES[label_of(model)]
            flock.by_word.setdefault(word, Canary(word, label, column.name, resource, subject_id))


def _keeper() -> Person:
    """Somebody whose membership is the planted one."""
    from tests.makers import a_person

    return a_person("Kim")
