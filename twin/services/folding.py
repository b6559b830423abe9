"""Keeping one row a day true to the ledger entries filed into it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from twin.models import LedgerEntry, ProfileVersion, Record, Subject
from twin.rules.categories import observed
from twin.rules.entries import Entry, Since
from twin.rules.folding import fold_onset, fold_signs
from twin.rules.polarity import PolarityContext, derived_polarity
from twin.rules.severity import severity
from twin.rules.timeline import sort_position

NEEDS_BASELINE = {"lower_digestive": "stool_count", "urinary": "urine_count"}


def since_to_json(since: Since | None) -> dict[str, Any] | None:
    """The `since` shape as it is stored: only the members its kind has."""
    if since is None:
        return None
    shape = {key: value for key, value in asdict(since).items() if value is not None}
    if since.on is not None:
        shape["on"] = since.on.isoformat()
    return shape


def since_from_json(shape: dict[str, Any] | None) -> Since | None:
    """The stored `since` as a value."""
    if shape is None:
        return None
    on = dt.date.fromisoformat(shape["on"]) if "on" in shape else None
    return Since(**{**shape, "on": on})


def entry_of(row: LedgerEntry) -> Entry:
    """The entry a ledger row holds, with what an answer resolved."""
    times = row.resolved or {"today": row.today, "since": row.since, "phrase": row.phrase}
    return Entry(
        category=row.category,
        asserted=row.asserted,  # type: ignore[arg-type]
        model_read=row.model_read,  # type: ignore[arg-type]
        signs=row.signs,
        today=times["today"],
        since=since_from_json(times["since"]),
        phrase=times["phrase"],
        words=row.words,
    )


def polarity_context(
    subject: Subject, category: str, signs: dict[str, Any], *, day: dt.date
) -> PolarityContext:
    """What the polarity of these signs depends on beside them, as of `day`."""
    baseline = _baseline(subject, day) if category in NEEDS_BASELINE else {}
    return PolarityContext(
        species=subject.species,
        sex=subject.sex,
        age_months=age_in_months(subject.born_on, day),
        stool_per_day=baseline.get("stool_per_day"),
        urine_per_day=baseline.get("urine_per_day"),
        previous_bcs=_previous_number(subject, category, "bcs", day) if "bcs" in signs else None,
        hours_since_stool=_hours_since(subject, category, "stool_count", signs, day),
        hours_since_urine=_hours_since(subject, category, "urine_count", signs, day),
    )


def age_in_months(born_on: dt.date | None, day: dt.date) -> int | None:
    """Whole months from birth to `day`, None where either is not known."""
    if born_on is None or day < born_on:
        return None
    return (day.year - born_on.year) * 12 + day.month - born_on.month - (day.day < born_on.day)


def _baseline(subject: Subject, day: dt.date) -> dict[str, Any]:
    latest = ProfileVersion.objects.filter(subject=subject, measured_on__lte=day).order_by("-version").first()
    return dict(latest.values) if latest else {}


def _previous_number(subject: Subject, category: str, sign: str, day: dt.date) -> float | None:
    row = (
        Record.objects.standing()
        .filter(subject=subject, category=category, lifecycle="day", day__lt=day, signs__has_key=sign)
        .order_by("-day")
        .first()
    )
    return float(row.signs[sign]) if row else None


def _hours_since(
    subject: Subject, category: str, sign: str, signs: dict[str, Any], day: dt.date
) -> float | None:
    """Hours since the last day on which something was counted; only asked where today's count is none."""
    if NEEDS_BASELINE.get(category) != sign or signs.get(sign) != 0:
        return None
    row = (
        Record.objects.standing()
        .filter(subject=subject, category=category, lifecycle="day", day__lt=day, signs__has_key=sign)
        .exclude(**{f"signs__{sign}": 0})
        .order_by("-day")
        .first()
    )
    return (day - row.day).days * 24.0 if row and row.day else None


def worst(values: Iterable[str | None]) -> str | None:
    """Abnormal if any says so, else normal if any does, else nothing."""
    said = set(values)
    return "abnormal" if "abnormal" in said else "normal" if "normal" in said else None


def sources_of(record: Record) -> list[LedgerEntry]:
    """The entries filed into a record that still count, in the order they were said."""
    return list(record.sources.filter(state="filed").order_by("said_at", "id"))


def refold(record: Record, sources: Sequence[LedgerEntry], *, subject: Subject) -> Record:
    """Set a record to what its sources say together, and save it."""
    category = record.category or ""
    _set_onset(record, sources)
    on = record.day or record.started_on or sources[-1].local_day
    record.signs = fold_signs([entry.signs for entry in sources])
    record.asserted = worst(entry.asserted for entry in sources)
    record.model_read = worst(entry.model_read for entry in sources)
    context = polarity_context(subject, category, record.signs, day=on)
    record.derived = derived_polarity(category, record.signs, context)
    record.context = {name: value for name, value in vars(context).items() if value is not None}
    record.is_observed = bool(record.asserted) or observed(category, record.signs) or not record.signs
    record.severity = severity(category, record.signs)
    record.turns = list(dict.fromkeys(entry.turn for entry in sources))
    record.sort_on = sort_position(
        started_on=record.started_on,
        day=record.day,
        born_on=subject.born_on,
        low_months=record.age_low_months,
        high_months=record.age_high_months,
    )
    record.save()
    return record


def _set_onset(record: Record, sources: Sequence[LedgerEntry]) -> None:
    """Since when the finding of a day is there, as its sources say; one that fixes no day says nothing."""
    if record.lifecycle != "day" or record.kind != "symptom" or record.day is None:
        return
    told = [entry for entry in map(entry_of, sources) if entry.today != "unknown"]
    onset = fold_onset(record.day, [entry.since for entry in told])
    record.started_on, record.precision = onset.started_on, onset.precision
    record.age_low_months, record.age_high_months = onset.low_months, onset.high_months
    record.time_phrase = next((entry.phrase for entry in reversed(told) if entry.phrase), None)
