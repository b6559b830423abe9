"""Rows as evidence: what an answer may say of each, by source."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any

from memory.models import Episode, Passage, Pattern, Strategy, StrategyUse
from memory.pattern_named import pattern_text
from memory.rules.composing.ranking import worth
from memory.rules.evidence import Evidence, Source, ref_of
from twin.labels import describe_signs, title_of
from twin.models import Record

RECENT = dt.timedelta(weeks=8)


def _noon(day: dt.date | None) -> dt.datetime | None:
    return dt.datetime.combine(day, dt.time(12), dt.UTC) if day else None


def _text(*parts: object) -> str:
    return ". ".join(str(part).strip() for part in parts if part and str(part).strip())


def of_episode(row: Episode, score: float, via: str | None = None) -> Evidence:
    """What an episode says."""
    facts = {
        name: getattr(row, name)
        for name in "kind place antecedent behaviour tried outcome impact minutes day event_id".split()
    }
    text = _text(row.place, row.antecedent, row.behaviour, row.tried, row.outcome)
    return Evidence(Source.EPISODE, row.ref, row.pk, row.subject_id, row.at, text, facts, score, via)


def of_pattern(row: Pattern, score: float, via: str | None = None) -> Evidence:
    """What a pattern says, with its counts."""
    names = (
        "antecedent outcome lag lifecycle both antecedent_days outcome_days days lift lower first_on last_on"
    )
    facts = {name: getattr(row, name) for name in names.split()}
    facts |= {"window": (row.window_from, row.window_to), "base": row.base_rate}
    return Evidence(
        Source.PATTERN,
        row.ref,
        row.pk,
        row.subject_id,
        _noon(row.last_on),
        pattern_text(row),
        facts,
        score,
        via,
    )


def of_strategy(
    row: Strategy, uses: Iterable[StrategyUse], *, today: dt.date, score: float, via: str | None = None
) -> Evidence:
    """What a strategy says: how, how often it helped, and how often of late."""
    used = [one for one in uses if one.outcome != "unknown" or one.follow_up_expired]
    late = [one for one in used if one.on > today - RECENT]
    last_on = max((one.on for one in used), default=None)
    recent = {
        "uses": len(late),
        "successes": sum(one.outcome == "success" for one in late),
        "partials": sum(one.outcome == "partial" for one in late),
    }
    facts: Mapping[str, Any] = {
        "name": row.name,
        "how": row.how,
        "lifecycle": row.lifecycle,
        "uses": row.uses,
        "successes": row.successes,
        "partials": row.partials,
        "failures": sum(one.outcome == "failure" for one in used),
        "lower": worth(row.successes, row.partials, row.uses),
        "last_on": last_on,
        "recent": recent,
    }
    return Evidence(
        Source.STRATEGY,
        row.ref,
        row.pk,
        row.subject_id,
        _noon(last_on),
        _text(row.name, row.how),
        facts,
        score,
        via,
    )


def of_passage(row: Passage, score: float) -> Evidence:
    """What a passage of a document says."""
    paper = row.document
    facts = {
        "document_id": row.document_id,
        "title": paper.title,
        "kind": paper.kind,
        "author": paper.writer,
        "document_on": paper.dated_on,
        "page": row.page,
        "anchor": row.anchor,
    }
    ref = ref_of(Source.PASSAGE, row.pk)
    return Evidence(Source.PASSAGE, ref, row.pk, row.subject_id, _noon(row.day), row.text, facts, score)


def of_record(row: Record, score: float, *, is_course: bool = False, via: str | None = None) -> Evidence:
    """What a record says, as an observation or as an open course."""
    names = "kind category site polarity severity day lifecycle started_on ended_on precision signs"
    facts = {name: getattr(row, name) for name in names.split()}
    if is_course:
        facts["days"] = getattr(row, "day_count", None)
    signs = ", ".join(one.text for one in describe_signs(row.category, row.signs))
    return Evidence(
        Source.COURSE if is_course else Source.OBSERVATION,
        row.rec_id,
        row.pk,
        row.subject_id,
        _noon(row.day or row.sort_on),
        _text(title_of(row.kind, row.category, row.signs), signs, row.text),
        facts,
        score,
        via,
    )
