"""Where the one timeline puts a record: at its date, at an age, or among the undated. Pure."""

from __future__ import annotations

from datetime import date, timedelta

DAYS_PER_MONTH = 365.2425 / 12


def sort_position(
    *,
    started_on: date | None,
    day: date | None = None,
    born_on: date | None = None,
    low_months: int | None = None,
    high_months: int | None = None,
) -> date | None:
    """The date that orders a record; None is undated. It orders only: the page shows the owner's words.

    A single day's row stands at its day, whatever its onset; else the onset counts, else the middle of the
    age anchor where birth is known. An age past the end of the calendar is undated.
    """
    if day is not None or started_on is not None:
        return day or started_on
    if born_on is None or low_months is None or high_months is None:
        return None
    middle = timedelta(days=round((low_months + high_months) / 2 * DAYS_PER_MONTH))
    return born_on + middle if middle <= date.max - born_on else None
