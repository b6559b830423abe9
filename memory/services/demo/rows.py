"""Rows of the bulk history as {attribute: value}, with every column that COPY must be given."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping
from typing import Any

from memory.models.journal import HOME_DEVICE
from memory.rules.journal import split
from memory.services.journal import to_ms

Row = dict[str, Any]
READER = "demo"


def fill_row(
    *, id: int, subject_id: int, author_id: int, client_id: str, at: dt.datetime, day: dt.date, levels: Row
) -> Row:
    """One fill of the tap form."""
    return {
        "id": id,
        "gid": uuid.uuid4(),
        "subject_id": subject_id,
        "author_id": author_id,
        "device": HOME_DEVICE,
        "client_id": client_id,
        "turn": f"form-{client_id}"[:40],
        "at": at,
        "local_day": day,
        "levels": levels,
        "note": "",
        "changed_at": at,
    }


def statement_row(
    *,
    id: int,
    subject_id: int,
    author_id: int,
    client_id: str,
    turn: str,
    language: str,
    text: str,
    at: dt.datetime,
    day: dt.date,
) -> Row:
    """One statement, read."""
    return {
        "id": id,
        "gid": uuid.uuid4(),
        "subject_id": subject_id,
        "author_id": author_id,
        "device": HOME_DEVICE,
        "client_id": client_id,
        "turn": turn,
        "through": "web",
        "language": language,
        "text": text,
        "said_at": at,
        "local_day": day,
        "kinds": ["observation"],
        "reader": READER,
        "dropped": [],
        "read_at": at,
        "created_at": at,
    }


def entry_row(
    *, id: int, subject_id: int, category: str, signs: Row, at: dt.datetime, day: dt.date, **known: Any
) -> Row:
    """One ledger entry about its own day, filed; its record is named later."""
    return {
        "id": id,
        "subject_id": subject_id,
        "statement_id": None,
        "fill_id": None,
        "position": 0,
        "turn": "",
        "said_at": at,
        "local_day": day,
        "category": category,
        "site": "",
        "asserted": None,
        "model_read": None,
        "signs": signs,
        "today": "yes",
        "since": None,
        "phrase": None,
        "words": "",
        "why": [],
        "field": "",
        "state": "filed",
        "record_id": None,
        "resolved": None,
        "filed_day": day,
        "adjudicate": False,
        "filed_at": at,
        "undone_at": None,
        **known,
    }


def record_row(*, id: int, subject_id: int, **known: Any) -> Row:
    """One symptom record, a single day unless told otherwise."""
    return {
        "id": id,
        "subject_id": subject_id,
        "kind": "symptom",
        "category": None,
        "site": "",
        "lifecycle": "day",
        "day": None,
        "started_on": None,
        "ended_on": None,
        "precision": None,
        "age_low_months": None,
        "age_high_months": None,
        "time_phrase": None,
        "sort_on": None,
        "tags": [],
        "signs": {},
        "text": "",
        "asserted": None,
        "derived": None,
        "model_read": None,
        "context": {},
        "is_observed": True,
        "chronic": False,
        "severity": 0,
        "course_id": None,
        "provenance": "parent",
        "manner": "stated",
        "turns": [],
        "author_id": None,
        "superseded_by_id": None,
        "horizons": None,
        "opened_on": None,
        "closed_reason": "",
        "closed_by_id": None,
        "created_at": None,
        "changed_at": None,
        **known,
    }


def line_row(
    *,
    position: int,
    subject_id: int,
    author_id: int,
    event: str,
    at: dt.datetime,
    turn: str,
    fields: Mapping[str, Any],
) -> tuple[Row, Row | None]:
    """One journal line and its words; the writer's number is given when it is copied."""
    envelope, body = split({"event": event, "at_ms": to_ms(at), "turn": turn, **fields})
    line = {
        "position": position,
        "device": HOME_DEVICE,
        "seq": None,
        "subject_id": subject_id,
        "author_id": author_id,
        "arrived_on": at.date(),
        "envelope": envelope,
    }
    words = {"line_id": position, "arrived_on": at.date(), "body": body} if body is not None else None
    return line, words
