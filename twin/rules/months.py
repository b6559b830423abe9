"""A month as a calendar, and what each of its days says of one field. Pure."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from twin.rules.form_fields import FormField, Level, worst

# Fields whose taps go up and down a scale: there a day is as high as its level, elsewhere as its concern.
SCALES = frozenset({"arousal", "energy", "appetite", "drinking", "stool_count"})
# What the month opens with, by kind of subject; every other field of its form can be asked for.
FIRST_FIELDS: Mapping[str, tuple[str, ...]] = {
    "person": ("sleep", "arousal"),
    "animal": ("appetite", "energy"),
}
# Told words fill a day nobody tapped, where the field is a whole category of the book.
CATEGORIES: Mapping[str, str] = {
    "sleep": "sleep",
    "nutrition": "appetite_intake",
    "appetite": "appetite_intake",
    "drinking": "thirst_hydration",
    "skin": "skin_coat",
    "urine": "urinary",
}


class UnknownMonth(ValueError):
    """That is no month."""


@dataclass(frozen=True)
class Month:
    """One month: its first day, its last, and on which weekday it begins (Monday is 0)."""

    first: dt.date
    last: dt.date

    @property
    def days(self) -> list[dt.date]:
        """Every day of it, in order."""
        return [self.first + dt.timedelta(days=n) for n in range((self.last - self.first).days + 1)]

    @property
    def before(self) -> str:
        """The month before, as an address names it."""
        return f"{self.first - dt.timedelta(days=1):%Y-%m}"

    @property
    def after(self) -> str:
        """The month after, as an address names it."""
        return f"{self.last + dt.timedelta(days=1):%Y-%m}"


@dataclass(frozen=True)
class Told:
    """What a day's record says of a category: its severity, 0 on a normal day."""

    severity: int


@dataclass(frozen=True)
class DayMark:
    """One day of one field: the level tapped or the severity told, both None where nobody looked."""

    day: dt.date
    level: Level | None = None
    told: Told | None = None

    @property
    def concern(self) -> int | None:
        """0 for none to 3 for most, None where nobody looked."""
        if self.level is not None:
            return self.level.rank if self.level.rank >= 0 else None
        return self.told.severity if self.told else None


def month_of(text: str, *, today: dt.date) -> Month:
    """The month an address names, the present one where it names none. Raises UnknownMonth."""
    if not text:
        return month_at(today)
    if not re.fullmatch(r"(19|20)\d\d-(0[1-9]|1[0-2])", text):
        raise UnknownMonth(text)
    return month_at(dt.date(int(text[:4]), int(text[5:]), 1))


def month_at(day: dt.date) -> Month:
    """The month a day lies in."""
    first = day.replace(day=1)
    following = (first + dt.timedelta(days=31)).replace(day=1)
    return Month(first, following - dt.timedelta(days=1))


def marks_of(
    field: FormField,
    month: Month,
    fills: Iterable[tuple[dt.date, Mapping[str, str]]],
    told: Mapping[dt.date, Told],
) -> list[DayMark]:
    """Every day of the month: the tap of most concern, else what was told of it."""
    tapped: dict[dt.date, list[Level]] = {}
    for day, levels in fills:
        level = field.level(levels.get(field.key, ""))
        if level is not None:
            tapped.setdefault(day, []).append(level)
    return [_mark(day, worst(tapped.get(day, [])), told.get(day)) for day in month.days]


def _mark(day: dt.date, level: Level | None, told: Told | None) -> DayMark:
    """A day somebody tapped "didn't look" still shows what another told."""
    if level is not None and (level.rank >= 0 or told is None):
        return DayMark(day, level=level)
    return DayMark(day, told=told)


def share_of(field: FormField, mark: DayMark) -> float | None:
    """How full a day's cell is drawn, from 0 to 1; None where nobody looked."""
    concern = mark.concern
    if concern is None:
        return None
    if field.key in SCALES and mark.level is not None:
        seen = [level for level in field.levels if level.rank >= 0]
        return (seen.index(mark.level) + 1) / len(seen)
    return (concern + 1) / 4


def tally_of(marks: Iterable[DayMark]) -> Counter[str]:
    """How many days each level was tapped; days only told of are counted under ""."""
    looked = [mark for mark in marks if mark.concern is not None]
    return Counter(mark.level.key if mark.level else "" for mark in looked)
