"""What the night makes of an entry whose day nobody could say. Pure.

It joins a finding of the same category that was abnormal within two days, with no onset; otherwise it is
history with the speaker's phrase alone. Neither ever gives it a date.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from twin.rules.courses import courses_spoken_of

NEAR_DAYS = 2


@dataclass(frozen=True)
class AbnormalDay:
    """An abnormal finding of the same category: its record, day and site."""

    record: int
    day: date
    site: str


@dataclass(frozen=True)
class Adjudication:
    """Join that record without an onset, or become history by phrase."""

    action: Literal["join", "history"]
    record: int | None = None


def adjudicate(said_on: date, site: str, abnormal: Sequence[AbnormalDay]) -> Adjudication:
    """Where an undated entry said on `said_on` belongs: the nearest fitting finding, the later of equals."""
    near = [found for found in abnormal if abs((found.day - said_on).days) <= NEAR_DAYS]
    sites = courses_spoken_of(site, "abnormal", {found.site for found in near})
    fitting = [found for found in near if found.site in sites]
    if not fitting:
        return Adjudication("history")
    nearest = min(
        fitting, key=lambda found: (abs((found.day - said_on).days), -found.day.toordinal(), found.record)
    )
    return Adjudication("join", nearest.record)
