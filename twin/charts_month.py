"""A month as a calendar in SVG, and the same in words: a day's cell is as full as there was of it.

A cell nobody looked at stays empty and dashed, so that "not looked" never reads as "fine".
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils import formats
from django.utils.dates import WEEKDAYS_ABBR
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from twin.charts_daily import Label, dose_words
from twin.rules.form_fields import FormField
from twin.rules.months import DayMark, Month, share_of, tally_of

CELL, GAP, HEAD = 46, 2, 18
NUMBER = 17  # the part of a cell that its number stands in, never filled
WIDTH = CELL * 7
TONES = ("is-0", "is-1", "is-2", "is-3")
TOLD_WORDS = (
    lambda: _("told: fine"),
    lambda: _("told: a little"),
    lambda: _("told: clearly"),
    lambda: _("told: badly"),
)


@dataclass(frozen=True)
class Cell:
    """One day: its place, the part of it that is filled, a short word in it, and all of it in words."""

    x: int
    y: int
    day: int
    fill_y: str
    fill_height: str
    tone: str  # is-0 to is-3, is-unseen, is-later
    mark: str
    title: str


@dataclass(frozen=True)
class Calendar:
    """The cells of a month, the heads of its columns, a legend, and the same in words."""

    cells: Sequence[Cell]
    heads: Sequence[Label]
    text: str
    legend: Sequence[tuple[str, str, int]]  # tone, word, days
    rows: Sequence[tuple[dt.date, str]]
    height: int
    width: int = WIDTH
    size: int = CELL - GAP


def field_calendar(field: FormField, month: Month, marks: Sequence[DayMark], *, today: dt.date) -> Calendar:
    """The month of one field of the tap form."""
    words = [_mark_words(mark) for mark in marks]
    shares = [share_of(field, mark) for mark in marks]
    tones = [_tone(mark, today) for mark in marks]
    tally = tally_of(marks)
    legend = [
        (TONES[level.rank], str(_(level.label)), tally[level.key])
        for level in field.levels
        if level.rank >= 0 and tally[level.key]
    ]
    if tally[""]:
        legend.append(("is-told", _("told in words"), tally[""]))
    text = _summary(_(field.label), month, legend, today)
    return _calendar(month, shares, tones, [""] * len(marks), words, text=text, legend=legend)


def dose_calendar(
    name: str, month: Month, counts: Mapping[dt.date, Mapping[str, int]], *, today: dt.date
) -> Calendar:
    """The month of one medicine: full where given, marked where a dose was skipped or refused."""
    shares: list[float | None] = []
    tones, marks, words = [], [], []
    total = {"given": 0, "missed": 0}
    for day in month.days:
        said = counts.get(day, {})
        given, missed = said.get("given", 0), said.get("skipped", 0) + said.get("refused", 0)
        total["given"] += given
        total["missed"] += missed
        shares.append(given / (given + missed) if said else None)
        tones.append("is-later" if day > today else ("is-2" if missed else "is-0") if said else "is-unseen")
        marks.append(f"−{missed}" if missed else f"{given}×" if given > 1 else "")
        words.append(dose_words(said) if said else "")
    legend = [("is-0", _("given"), total["given"]), ("is-2", _("skipped or refused"), total["missed"])]
    shown = [row for row in legend if row[2]]
    text = _summary(name, month, shown, today, doses=True)
    return _calendar(month, shares, tones, marks, words, text=text, legend=shown)


def _calendar(
    month: Month,
    shares: Sequence[float | None],
    tones: Sequence[str],
    marks: Sequence[str],
    words: Sequence[str],
    *,
    text: str,
    legend: Sequence[tuple[str, str, int]],
) -> Calendar:
    offset = month.first.weekday()
    cells = [
        _cell(day, n + offset, share, tone=tone, mark=mark, said=said)
        for n, (day, share, tone, mark, said) in enumerate(
            zip(month.days, shares, tones, marks, words, strict=True)
        )
    ]
    weeks = (offset + len(month.days) + 6) // 7
    heads = [Label(str(n * CELL + CELL // 2), "12", str(WEEKDAYS_ABBR[n]), "middle") for n in range(7)]
    rows = [(day, said) for day, said in zip(month.days, words, strict=True) if said]
    return Calendar(cells, heads, text, legend, rows, height=HEAD + weeks * CELL)


def _cell(day: dt.date, place: int, share: float | None, *, tone: str, mark: str, said: str) -> Cell:
    x, y = place % 7 * CELL, HEAD + place // 7 * CELL
    room = CELL - GAP
    filled = (room - NUMBER) * (share or 0)
    date = formats.date_format(day, "l, j F")
    later = "" if tone == "is-later" else _("nobody looked")
    return Cell(
        x=x,
        y=y,
        day=day.day,
        fill_y=f"{y + room - filled:.1f}",
        fill_height=f"{filled:.1f}",
        tone=tone,
        mark=mark,
        title=f"{date}: {said or later}".rstrip(": "),
    )


def _tone(mark: DayMark, today: dt.date) -> str:
    if mark.day > today:
        return "is-later"
    return "is-unseen" if mark.concern is None else TONES[mark.concern]


def _mark_words(mark: DayMark) -> str:
    if mark.level is not None:
        return str(_(mark.level.label))
    return TOLD_WORDS[mark.told.severity]() if mark.told else ""


def _summary(
    name: str, month: Month, legend: Sequence[tuple[str, str, int]], today: dt.date, *, doses: bool = False
) -> str:
    """The drawing in one sentence."""
    head = {"name": name, "month": formats.date_format(month.first, "F Y")}
    nothing = _("nothing noted") if doses else _("Nothing noted")  # a sentence of its own
    parts = ", ".join(f"{word} {count}" for _tone, word, count in legend) or nothing
    if doses:
        return _("%(name)s, %(month)s: %(parts)s") % {**head, "parts": parts}
    seen = sum(count for _tone, _word, count in legend)
    past = sum(day <= today for day in month.days)
    looked = ngettext(
        "looked at on %(seen)d of %(past)d day", "looked at on %(seen)d of %(past)d days", past
    ) % {"seen": seen, "past": past}
    return _("%(name)s, %(month)s: %(looked)s. %(parts)s") % {**head, "looked": looked, "parts": parts}
