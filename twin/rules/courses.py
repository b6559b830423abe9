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


@dataclass(frozen=True)
class ToldOnset:
    """What one abnormal day of a course says of its beginning, and whether it is about the very same part."""

    day: date
    started_on: date | None = None
    precision: Precision = "day"
    is_same_site: bool = True


def course_onset(days: Sequence[ToldOnset], *, opened_on: date) -> tuple[date, Precision] | None:
    """Since when a course is there, as its days say so far; None where none of them is its own.

    What opened it counts first: the onset told then, else the first day seen. A later day moves the start
    back where all of its period lies before it, and says it finer where it lies within it: a coarse date
    that may as well mean the known day says nothing new.
    """
    first = sorted((each for each in days if each.day <= opened_on and each.is_same_site), key=_by_day)
    if not first:
        return None
    began: tuple[date, Precision] = first[0].day, "day"
    opening = first[-1]
    if opening.started_on is not None and opening.started_on <= began[0]:
        began = opening.started_on, opening.precision
    for each in sorted((each for each in days if each.day > opened_on), key=_by_day):
        if each.started_on is not None and _is_told_earlier(began, (each.started_on, each.precision)):
            began = each.started_on, each.precision
    return began


def _by_day(told: ToldOnset) -> date:
    return told.day


def _is_told_earlier(known: tuple[date, Precision], told: tuple[date, Precision]) -> bool:
    """Whether a later account begins earlier, or names a finer day within a coarse period."""
    known_last = known[0] + timedelta(days=_PERIOD_DAYS[known[1]])
    told_last = told[0] + timedelta(days=_PERIOD_DAYS[told[1]])
    if told_last < known[0]:
        return True
    return known[0] <= told[0] and told_last <= known_last and told_last - told[0] < known_last - known[0]


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
