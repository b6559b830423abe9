"""Telling, tapping and running nights in a test, with words that were already read."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import Any

from twin.models import RoundRun, Statement, Subject
from twin.rules.entries import Entry, Kind, Reading, Since
from twin.rules.subjects import Known
from twin.services import statements
from twin.services.rounds.run import catch_up
from twin.services.statements import Told

MONDAY = dt.date(2026, 11, 2)


def day_number(n: int) -> dt.date:
    """The day `n` days after the story's first Monday."""
    return MONDAY + dt.timedelta(days=n)


def at(day: dt.date, hour: int = 12, minute: int = 0) -> dt.datetime:
    """A moment of the day, UTC."""
    return dt.datetime.combine(day, dt.time(hour, minute), dt.UTC)


def ear(
    *, bad: bool = True, side: str | None = "left", signs: dict[str, Any] | None = None, **more: Any
) -> Entry:
    """A look at an ear, red or not."""
    place = {"side": side} if side else {}
    read = "abnormal" if bad else "normal"
    fields = {"today": "yes", "words": "ear", **more}
    return Entry("ears", model_read=read, signs={"redness": bad, **(signs or {}), **place}, **fields)


def unsure(**more: Any) -> Entry:
    """An ear finding of which nobody can say when it was."""
    fields = {"signs": {"odour": True}, "phrase": "lately", "words": "smelt lately", **more}
    return Entry("ears", model_read="abnormal", today="unknown", **fields)


def since(day: dt.date) -> Since:
    """An onset on a day."""
    return Since("date", on=day, precision="day")


def tell(
    subject: Subject,
    said_at: dt.datetime,
    *entries: Entry,
    text: str = "w",
    kind: Kind = "observation",
    arrived_at: dt.datetime | None = None,
    author_id: int | None = None,
    answers: int | None = None,
) -> Told:
    """Keep and file words said at one moment, arriving then or later."""
    key = hashlib.sha256(repr((subject.name, said_at, entries, text)).encode()).hexdigest()[:20]
    row = kept(subject, said_at, key=key, text=text, author_id=author_id)
    known = [Known(subject.pk, subject.name, subject.species)]
    reading = Reading(frozenset({kind}), entries)
    return statements.file_reading(row, reading, known=known, now=arrived_at or said_at, answers=answers)


def kept(
    subject: Subject, said_at: dt.datetime, *, key: str, text: str = "w", author_id: int | None = None
) -> Statement:
    """A statement that is stored and not read yet."""
    return statements.keep_statement(
        author_id=author_id, subject=subject, text=text, turn=f"t-{key}"[:40], client_id=key, at=said_at
    )[0]


def run_until(subject: Subject, last: dt.date) -> list[RoundRun]:
    """Close every day up to `last`, as the worker would an hour after it ended."""
    return list(catch_up(subject, now=at(last + dt.timedelta(days=1), 4)))
