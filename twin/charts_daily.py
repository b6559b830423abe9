"""Bars of thirty days as numbers for SVG, with the same in words beside them. Drawn by a template."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from twin.daily_shown import OUTCOME_LABELS, number_words

WIDTH, HEIGHT = 320, 132
LEFT, RIGHT, TOP, BOTTOM = 26, 2, 10, 108
GAP = 0.28  # of a day's room
MARK_Y = 114


@dataclass(frozen=True)
class Bar:
    """One day's bar; its numbers are written as SVG reads them."""

    x: str
    y: str
    width: str
    height: str
    title: str


@dataclass(frozen=True)
class Label:
    """Words in a chart, at a place."""

    x: str
    y: str
    text: str
    anchor: str = "start"


@dataclass(frozen=True)
class BarChart:
    """Thirty days of bars, marks below the line for days that were not as planned, and the same in words."""

    bars: Sequence[Bar]
    marks: Sequence[tuple[str, str]]
    grid: Sequence[str]
    labels: Sequence[Label]
    text: str
    rows: Sequence[tuple[dt.date, str]]
    mark_tone: str = "is-normal"
    width: int = WIDTH
    height: int = HEIGHT
    baseline: int = BOTTOM


def bar_chart(
    days: Sequence[dt.date],
    values: Sequence[float | None],
    *,
    words: Sequence[str],
    marked: Sequence[bool],
    text: str,
    most: float | None = None,
    mark_tone: str = "is-normal",
) -> BarChart:
    """Bars from nought to the greatest value; `words` say each day, an empty one says nothing happened."""
    top = most or max((value for value in values if value), default=1.0)
    room = (WIDTH - LEFT - RIGHT) / len(days)
    bars = [
        _bar(LEFT + n * room, room, value / top, title=_day_words(days[n], words[n]))
        for n, value in enumerate(values)
        if value is not None
    ]
    marks = [
        (f"{LEFT + (n + 0.5) * room:.1f}", str(MARK_Y)) for n, is_marked in enumerate(marked) if is_marked
    ]
    return BarChart(
        bars=bars,
        marks=marks,
        grid=[str(TOP), f"{(TOP + BOTTOM) / 2:.1f}"],
        labels=[
            Label(str(LEFT - 5), str(TOP + 4), number_words(top), "end"),
            Label(str(LEFT - 5), str(BOTTOM), "0", "end"),
            Label(str(LEFT), str(HEIGHT - 3), formats.date_format(days[0], "j M")),
            Label(str(WIDTH - RIGHT), str(HEIGHT - 3), formats.date_format(days[-1], "j M"), "end"),
        ],
        text=text,
        mark_tone=mark_tone,
        rows=[(day, said) for day, said in zip(days, words, strict=True) if said],
    )


def dose_chart(days: Sequence[dt.date], counts: Mapping[dt.date, Mapping[str, int]]) -> BarChart:
    """Doses given each day; a mark below the line where one was skipped or refused."""
    missed = [sum(counts.get(day, {}).get(name, 0) for name in ("skipped", "refused")) for day in days]
    given = [float(counts.get(day, {}).get("given", 0)) or None for day in days]
    total = {
        name: sum(counts.get(day, {}).get(name, 0) for day in days)
        for name in ("given", "skipped", "refused")
    }
    text = _("In %(days)s days: given %(given)s, skipped %(skipped)s, refused %(refused)s") % {
        "days": len(days),
        **total,
    }
    words = [dose_words(counts.get(day, {})) for day in days]
    return bar_chart(
        days,
        given,
        words=words,
        marked=[bool(count) for count in missed],
        text=text,
        mark_tone="is-abnormal",
    )


def value_chart(
    days: Sequence[dt.date],
    values: Sequence[float | None],
    *,
    name: str,
    unit: str = "",
    most: float | None = None,
) -> BarChart:
    """One field of a trackable, a bar for each day on which something was logged; nought is a mark."""
    words = [
        "" if value is None else " ".join(part for part in (number_words(value), unit) if part)
        for value in values
    ]
    seen = sum(value is not None for value in values)
    text = ngettext(
        "%(name)s: logged on %(seen)d of %(days)d days", "%(name)s: logged on %(seen)d of %(days)d days", seen
    ) % {"name": name, "seen": seen, "days": len(days)}
    marked = [value == 0 for value in values]
    return bar_chart(days, values, words=words, marked=marked, text=text, most=most)


def _day_words(day: dt.date, words: str) -> str:
    return f"{formats.date_format(day, 'j F')}: {words}"


def _bar(x: float, room: float, share: float, *, title: str) -> Bar:
    height = max(share, 0.0) * (BOTTOM - TOP)
    return Bar(
        x=f"{x + room * GAP / 2:.1f}",
        y=f"{BOTTOM - height:.1f}",
        width=f"{room * (1 - GAP):.1f}",
        height=f"{height:.1f}",
        title=title,
    )


def dose_words(counts: Mapping[str, int]) -> str:
    """A day's doses in words, by outcome."""
    return ", ".join(f"{OUTCOME_LABELS[name]} {count}" for name, count in sorted(counts.items()) if count)
