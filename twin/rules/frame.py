"""The diagnosis frame: what stands tonight, laid out for whoever looks next. Pure.

It names concerns, never a diagnosis: what is open and which way it goes, red flags, what was looked for and
absent, what is chronic, what was ruled out, what to look at tomorrow. Considerations come only from a model
and say so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from twin.rules.entries import SignValue
from twin.rules.lifecycle import Lifecycle
from twin.rules.severity import Trajectory

NEGATIVES_DAYS = 3


@dataclass(frozen=True)
class FrameCourse:
    """An open course: its record, where it stands, and what was last abnormal in it."""

    record: str
    category: str
    site: str
    lifecycle: Lifecycle
    started_on: date | None
    severity: int = 0
    trajectory: Trajectory | None = None
    last_abnormal: date | None = None
    abnormal_signs: tuple[str, ...] = ()
    chronic: bool = False


@dataclass(frozen=True)
class Finding:
    """A day's row: its record and signs."""

    record: str
    day: date
    category: str
    signs: Mapping[str, SignValue] = field(default_factory=dict)


@dataclass(frozen=True)
class Cited:
    """A line of the frame with the record it stands in: a chronic background, something ruled out."""

    record: str
    text: str


@dataclass(frozen=True)
class Consideration:
    """What a model proposed to think of, and which one."""

    text: str
    source: str


def frame(
    day: date,
    *,
    courses: Sequence[FrameCourse],
    findings: Sequence[Finding],
    red_flags: Sequence[tuple[str, str]] = (),
    chronic: Sequence[Cited] = (),
    ruled_out: Sequence[Cited] = (),
    considerations: Sequence[Consideration] = (),
) -> dict[str, Any]:
    """The frame of a day as JSON, the same for the same facts in any order.

    `red_flags` are (key, record) pairs; `findings` the rows of the last days, of which those of open
    categories give the pertinent negatives.
    """
    ordered = sorted(courses, key=lambda c: (-c.severity, c.category, c.site, c.record))
    return {
        "day": day.isoformat(),
        "open": [_open(course, day) for course in ordered],
        "red_flags": [{"key": key, "record": record} for key, record in sorted(set(red_flags))],
        "negatives": _negatives(day, {course.category for course in courses}, findings),
        "chronic": _cited([*chronic, *(Cited(c.record, c.category) for c in ordered if c.chronic)]),
        "ruled_out": _cited(ruled_out),
        "look_at": [_look_at(course) for course in ordered if course.abnormal_signs],
        "considerations": [
            {"text": each.text, "source": each.source}
            for each in sorted(considerations, key=lambda each: (each.source, each.text))
        ],
    }


def _open(course: FrameCourse, day: date) -> dict[str, Any]:
    return {
        "record": course.record,
        "category": course.category,
        "site": course.site,
        "lifecycle": course.lifecycle,
        "trajectory": course.trajectory,
        "severity": course.severity,
        "since": course.started_on.isoformat() if course.started_on else None,
        "days": (day - course.started_on).days + 1 if course.started_on else None,
        "last_abnormal": course.last_abnormal.isoformat() if course.last_abnormal else None,
    }


def _look_at(course: FrameCourse) -> dict[str, Any]:
    return {"record": course.record, "category": course.category, "signs": sorted(course.abnormal_signs)}


def _negatives(day: date, categories: set[str], findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """What was looked for and absent lately in what is open, unless a later day found it."""
    last: dict[tuple[str, str], Finding] = {}
    for found in sorted(findings, key=lambda f: (f.day, f.record)):
        if found.category in categories and 0 <= (day - found.day).days < NEGATIVES_DAYS:
            last |= {
                (found.category, sign): found
                for sign, value in found.signs.items()
                if isinstance(value, bool)
            }
    absent = [
        (category, sign, found) for (category, sign), found in last.items() if found.signs[sign] is False
    ]
    return [
        {"category": category, "sign": sign, "record": found.record, "day": found.day.isoformat()}
        for category, sign, found in sorted(absent, key=lambda each: each[:2])
    ]


def _cited(lines: Sequence[Cited]) -> list[dict[str, str]]:
    return [
        {"record": each.record, "text": each.text}
        for each in sorted(set(lines), key=lambda each: (each.record, each.text))
    ]
