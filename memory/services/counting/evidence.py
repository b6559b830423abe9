"""The rows that speak for and against each pattern, kept as links that go with their row."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db import models
from django.db.models import Max, Min, Q

from memory.models import Pattern, PatternEvidence
from memory.rules.counting.levels import Said
from memory.rules.counting.tables import WINDOW_DAYS
from twin.models import Event, FormFill, Record, TrackableEntry

SOURCES: Mapping[str, type[models.Model]] = {
    "fill": FormFill,
    "record": Record,
    "event": Event,
    "entry": TrackableEntry,
}


def renew_evidence(
    patterns: Collection[Pattern],
    days: Mapping[dt.date, Mapping[str, Said]],
    *,
    touched: Collection[dt.date],
    fresh: Collection[int],
    through: dt.date,
) -> None:
    """Let the links of the `touched` days, and all of the `fresh` patterns, say what `days` say."""
    antecedent_days = {day - dt.timedelta(days=lag) for day in touched for lag in (0, 1)}
    oldest = through - dt.timedelta(days=WINDOW_DAYS - 1)
    held = PatternEvidence.objects.filter(pattern__in=patterns)
    outside = Q(pattern__lag=0, day__lt=oldest) | Q(pattern__lag=1, day__lt=oldest - dt.timedelta(days=1))
    held.filter(Q(day__in=antecedent_days) | Q(pattern__in=list(fresh)) | outside).delete()
    rows: list[PatternEvidence] = []
    for pattern in patterns:
        first = oldest - dt.timedelta(days=pattern.lag)
        wanted = days.keys() if pattern.pk in fresh else antecedent_days & days.keys()
        for day in sorted(wanted):
            if first <= day <= through - dt.timedelta(days=pattern.lag):
                rows += _links(pattern, day, days)
    PatternEvidence.objects.bulk_create(_standing(rows), ignore_conflicts=True)


def _links(
    pattern: Pattern, day: dt.date, days: Mapping[dt.date, Mapping[str, Said]]
) -> Iterable[PatternEvidence]:
    before = days[day].get(pattern.antecedent)
    after = days.get(day + dt.timedelta(days=pattern.lag), {}).get(pattern.outcome)
    if before is None or after is None or not before.is_so:
        return
    for side, said in (("antecedent", before), ("outcome", after)):
        for row in said.rows:
            source, _, number = row.partition(":")
            link: dict[str, Any] = {f"{source}_id": int(number)}
            yield PatternEvidence(
                pattern=pattern,
                subject_id=pattern.subject_id,
                day=day,
                is_for=after.is_so,
                side=side,
                **link,
            )


def _standing(rows: list[PatternEvidence]) -> list[PatternEvidence]:
    """Those whose source is there: a row that was taken back leaves its day to be counted again."""
    there: dict[str, set[int]] = {}
    for source, model in SOURCES.items():
        wanted = {pk for row in rows if (pk := getattr(row, f"{source}_id")) is not None}
        if wanted:
            there[source] = set(model._base_manager.filter(pk__in=wanted).values_list("pk", flat=True))
    return [row for row in rows if any(getattr(row, f"{source}_id") in pks for source, pks in there.items())]


def seen_between(patterns: Collection[Pattern]) -> dict[int, tuple[dt.date, dt.date]]:
    """The first and last day on which each pattern held, by its links."""
    rows = PatternEvidence.objects.filter(pattern__in=patterns, is_for=True).values("pattern_id")
    return {
        row["pattern_id"]: (row["first"], row["last"])
        for row in rows.annotate(first=Min("day"), last=Max("day")).order_by()
    }
