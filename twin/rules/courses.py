"""When a day's finding becomes a course, which course a day speaks of, and how often it came back. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from twin.rules.entries import Polarity, Precision, SignValue
from twin.rules.folding import daily_key

OpenReason = Literal["two_of_three", "old_onset", "severe"]

WINDOW_DAYS = 3
ABNORMAL_DAYS = 2
OLD_ONSET_DAYS = 2
HIGH_SEVERITY = 3
RECURS_WITHIN = timedelta(days=365)

# How many days at the most a date cut to its precision may lie after the first day of its period.
_PERIOD_DAYS: Mapping[Precision, int] = {"day": 0, "week": 6, "month": 30, "season": 91, "year": 365}

# What a finding on the key's side also speaks of.
_BOTH = frozenset({"both", "left", "right"})


@dataclass(frozen=True)
class Recurrence:
    """That a course is not the first of its kind: its number among them, and since when they are counted."""

    number: int
    since: date


def clinical_site(category: str, signs: Mapping[str, SignValue]) -> str:
    """The site a course is kept by, "" where none is named: left and right are two courses."""
    return daily_key(category, signs)


def should_open(
    day: date,
    abnormal_days: Collection[date],
    *,
    severity: int,
    started_on: date | None = None,
    precision: Precision | None = None,
    has_age_onset: bool = False,
) -> OpenReason | None:
    """Why the finding of `day` opens a course tonight; None leaves it a day.

    `abnormal_days` are the days on which the same category and site was abnormal; where `day` is not among
    them nothing opens. A coarse onset counts as old only when all of its period is.
    """
    if day not in abnormal_days:
        return None
    if severity >= HIGH_SEVERITY:
        return "severe"
    if has_age_onset or _is_old(started_on, precision or "day", day):
        return "old_onset"
    window = {day - timedelta(days=back) for back in range(WINDOW_DAYS)}
    return "two_of_three" if len(window.intersection(abnormal_days)) >= ABNORMAL_DAYS else None


def courses_spoken_of(site: str, polarity: Polarity, open_sites: Collection[str]) -> tuple[str, ...]:
    """The open courses of a category, by site, that a finding at `site` is about; none: it stands alone.

    "Ears look fine" is about every open ear course, "the left one is fine" about that ear alone. A finding
    joins the course of its own part, else of the pair it belongs to, else one that names no part; without a
    part it joins the only course there is.
    """
    parts = _BOTH if site == "both" else {site}
    if polarity == "normal":
        return _among(open_sites, parts | {""} if site == "both" else parts if site else open_sites)
    joins = (
        parts,
        {"both"} if site in _BOTH else (),
        open_sites if site == "" and len(open_sites) == 1 else (),
        {""} if site else (),
    )
    return next(filter(None, (_among(open_sites, sites) for sites in joins)), ())


def recurrence(started_on: date, earlier_starts: Sequence[date]) -> Recurrence | None:
    """Which of its kind a course is, with those that began in the year before it; None for the first."""
    counted = [start for start in earlier_starts if started_on - RECURS_WITHIN <= start < started_on]
    return Recurrence(len(counted) + 1, min(counted)) if counted else None


def _is_old(started_on: date | None, precision: Precision, day: date) -> bool:
    if started_on is None:
        return False
    latest = started_on + timedelta(days=_PERIOD_DAYS[precision])
    return (day - latest).days >= OLD_ONSET_DAYS


def _among(open_sites: Collection[str], sites: Collection[str]) -> tuple[str, ...]:
    return tuple(sorted(set(open_sites).intersection(sites)))
