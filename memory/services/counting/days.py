"""What each day says of each level, read from its rows and kept with the rows that say it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any

from memory.models import DayLevels
from memory.rules.counting.levels import (
    Catalogue,
    Day,
    Fill,
    Finding,
    Happening,
    Said,
    Tracked,
    day_levels,
)
from memory.rules.counting.tables import Values
from twin.models import Event, FormFill, Record, Subject, TrackableEntry

Kept = Mapping[dt.date, Mapping[str, Said]]


def read_days(subject: Subject, catalogue: Catalogue, days: Iterable[dt.date]) -> dict[dt.date, Any]:
    """What these days say, from their rows, in four queries however many days there are."""
    wanted = sorted(set(days))
    found = {day: Day() for day in wanted}
    fills = FormFill.objects.filter(subject=subject, local_day__in=wanted).order_by("at", "pk")
    for pk, day, levels in fills.values_list("pk", "local_day", "levels"):
        found[day].fills.append(Fill(pk, levels))
    records = Record.objects.standing().filter(
        subject=subject, kind="symptom", lifecycle="day", day__in=wanted, is_observed=True
    )
    for row in records.order_by("pk").only("day", "category", "signs", "polarity"):
        if row.day is not None:
            found[row.day].findings.append(Finding(row.pk, row.category or "", row.signs, row.polarity))
    events = Event.objects.filter(subject=subject, local_day__in=wanted).order_by("at", "pk")
    for pk, day, kind in events.values_list("pk", "local_day", "kind"):
        found[day].happenings.append(Happening(pk, kind))
    if any(level.trackable for level in catalogue.levels):
        entries = TrackableEntry.objects.filter(subject=subject, local_day__in=wanted, undone_at=None)
        for pk, day, trackable, values in entries.order_by("at", "pk").values_list(
            "pk", "local_day", "trackable_id", "values"
        ):
            found[day].tracked.append(Tracked(pk, trackable, values))
    return {day: day_levels(subject.kind, catalogue.levels, one) for day, one in found.items()}


def keep_days(subject: Subject, read: Kept) -> set[dt.date]:
    """Store what days say where it differs from what is kept. Gives the days that changed."""
    rows = DayLevels.objects.filter(subject=subject, day__in=list(read))
    held = dict(rows.values_list("day", "levels"))
    shapes = {day: _shape(levels) for day, levels in read.items()}
    changed = {day for day, shape in shapes.items() if shape != held.get(day, {})}
    emptied = [day for day in changed if not shapes[day]]
    if emptied:
        DayLevels.objects.filter(subject=subject, day__in=emptied).delete()
    DayLevels.objects.bulk_create(
        [DayLevels(subject=subject, day=day, levels=shapes[day]) for day in sorted(changed) if shapes[day]],
        update_conflicts=True,
        unique_fields=["subject", "day"],
        update_fields=["levels"],
    )
    return changed


def _shape(levels: Mapping[str, Said]) -> dict[str, Any]:
    return {key: {"is": int(one.is_so), "rows": list(one.rows)} for key, one in levels.items()}


def kept_days(subject: Subject, days: Iterable[dt.date]) -> dict[dt.date, dict[str, Said]]:
    """What is kept of these days."""
    rows = DayLevels.objects.filter(subject=subject, day__in=sorted(set(days)))
    return {day: _levels(shape) for day, shape in rows.values_list("day", "levels")}


def kept_between(subject: Subject, first: dt.date, last: dt.date) -> dict[dt.date, dict[str, Said]]:
    """What is kept of every day from `first` to `last`."""
    rows = DayLevels.objects.filter(subject=subject, day__gte=first, day__lte=last)
    return {day: _levels(shape) for day, shape in rows.values_list("day", "levels")}


def _levels(shape: Mapping[str, Any]) -> dict[str, Said]:
    return {key: Said(bool(one["is"]), tuple(one["rows"])) for key, one in shape.items()}


def values_of(kept: Kept) -> dict[dt.date, Values]:
    """The bare yes or no of each level, as the counting takes it."""
    return {day: {key: one.is_so for key, one in levels.items()} for day, levels in kept.items()}
