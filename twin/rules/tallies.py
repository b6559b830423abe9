"""Days of a trackable as numbers: how often, how much, and one value a day for a chart. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from twin.rules.trackables import TrackedField, TrackedValue, counted

SPANS: Mapping[str, int] = {"today": 1, "week": 7, "month": 30}  # days, the present one included
AVERAGED = ("number", "scale")

Day = tuple[date, Mapping[str, TrackedValue]]


@dataclass(frozen=True)
class Tally:
    """How much was counted today, in seven days and in thirty."""

    today: float
    week: float
    month: float


def tally(fields: Sequence[TrackedField], entries: Iterable[Day], *, today: date) -> Tally:
    """The counts of the present day and of the last seven and thirty days, each with the present one."""
    amounts = [(day, counted(fields, values)) for day, values in entries if day <= today]
    return Tally(
        **{
            name: sum(amount for day, amount in amounts if day > today - timedelta(days=span))
            for name, span in SPANS.items()
        }
    )


def daily_values(field: TrackedField, entries: Iterable[Day], days: Sequence[date]) -> list[float | None]:
    """One value of a field for each of `days`, None where nothing was logged.

    Counts and durations add up, numbers and scales are averaged, of a yes or no the yes are counted and of a
    choice the entries.
    """
    by_day: dict[date, list[TrackedValue]] = {}
    for day, values in entries:
        if field.key in values:
            by_day.setdefault(day, []).append(values[field.key])
    return [_one_value(field, by_day[day]) if day in by_day else None for day in days]


def days_until(today: date, count: int) -> list[date]:
    """The last `count` days up to and with `today`, oldest first."""
    return [today - timedelta(days=back) for back in reversed(range(count))]


def _one_value(field: TrackedField, values: Sequence[TrackedValue]) -> float:
    if field.kind == "choice":
        return float(len(values))
    total = sum(float(value) for value in values)
    return total / len(values) if field.kind in AVERAGED else total
