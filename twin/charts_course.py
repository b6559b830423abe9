"""The chart of a whole course: how grave each day was, where nobody looked, and how its life moved on.

The drawing is made of numbers for SVG; templates draw it, with a text beside that says the same.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from household.dates import day_in_words
from twin.labels import SEVERITY_LABELS
from twin.models import CourseDay, CourseMove

LEFT, RIGHT, TOP, BOTTOM = 60, 14, 30, 26
PLOT_HEIGHT = 96
SHORT_PX, LONG_PX = 256, 626  # how wide the plot of a short and of the longest course is
STEP_PX = 10  # a day of a course in between
HOLLOW_FROM_PX = 8  # days closer than this are not drawn one by one where nobody looked
LABEL_PX = 64  # room a move's word needs
DAY = "j F"

LEVELS: Mapping[int, Any] = {
    0: pgettext_lazy("severity in a chart", "fine"),
    1: pgettext_lazy("severity in a chart", "mild"),
    2: pgettext_lazy("severity in a chart", "marked"),
    3: pgettext_lazy("severity in a chart", "high"),
}
# The words of the badges, which a chart's moves repeat.
STATES: Mapping[str, Any] = {
    "active": pgettext_lazy("course", "Open"),
    "passive": pgettext_lazy("course", "Settling"),
    "dormant": pgettext_lazy("course", "Not heard of lately"),
    "closed": pgettext_lazy("course", "Over"),
}
NOT_LOOKED = gettext_lazy("not looked")


@dataclass(frozen=True)
class Point:
    """One day that somebody looked."""

    x: float
    y: float
    tone: str
    title: str


@dataclass(frozen=True)
class Hollow:
    """One day, or a stretch of them, on which nobody looked."""

    x: float
    until_x: float
    y: float
    title: str


@dataclass(frozen=True)
class Move:
    """One step of the course's life: where it stands, its word where there is room."""

    x: float
    label: str
    anchor: str
    title: str


@dataclass(frozen=True)
class Level:
    """One line of the grid and its word."""

    y: float
    label: str


@dataclass(frozen=True)
class Tick:
    """A date below the chart."""

    x: float
    label: str
    anchor: str


@dataclass(frozen=True)
class CourseChart:
    """The whole drawing and the same in words."""

    width: int
    height: int
    is_long: bool
    path: str  # between days that follow each other
    gaps: str  # over days on which nobody looked
    points: list[Point]
    hollows: list[Hollow]
    moves: list[Move]
    levels: list[Level]
    ticks: list[Tick]
    text: str

    @property
    def right(self) -> int:
        """Where the grid ends."""
        return self.width - RIGHT // 2

    @property
    def floor(self) -> int:
        """Where the grid's lowest line lies."""
        return TOP + PLOT_HEIGHT


@dataclass(frozen=True)
class Scale:
    """From days to places."""

    first: dt.date
    days: int
    plot: int

    @property
    def step(self) -> float:
        """How far one day lies from the next."""
        return self.plot / max(self.days - 1, 1)

    def x(self, day: dt.date) -> float:
        """Where a day lies."""
        return round(LEFT + (day - self.first).days * self.step, 1)


def course_chart(
    days: Sequence[CourseDay], moves: Sequence[CourseMove], *, last: dt.date
) -> CourseChart | None:
    """The chart of the observed `days` (in order) up to `last`; None where nobody ever looked."""
    if not days:
        return None
    last = max([last, days[-1].day, *(move.day for move in moves)])
    scale = _scale(days[0].day, last)
    seen = {one.day: one for one in days}
    points = [_point(one, scale) for one in days]
    return CourseChart(
        width=LEFT + scale.plot + RIGHT,
        height=TOP + PLOT_HEIGHT + BOTTOM,
        is_long=scale.plot > SHORT_PX,
        path=_path(days, points, is_gap=False),
        gaps=_path(days, points, is_gap=True),
        points=points,
        hollows=list(_hollows(seen, scale)),
        moves=_moves(moves, scale),
        levels=[Level(_y(n), str(label)) for n, label in LEVELS.items()],
        ticks=_ticks(scale),
        text=_text(days, moves, scale),
    )


def _scale(first: dt.date, last: dt.date) -> Scale:
    count = (last - first).days + 1
    plot = min(max(SHORT_PX, (count - 1) * STEP_PX), LONG_PX)
    return Scale(first, count, plot)


def _y(severity: int) -> float:
    return round(TOP + PLOT_HEIGHT * (1 - severity / 3), 1)


def _date(day: dt.date) -> str:
    return day_in_words(day, DAY)


def _point(one: CourseDay, scale: Scale) -> Point:
    tone = "normal" if one.polarity == "normal" else "abnormal"
    words = str(SEVERITY_LABELS[one.severity])
    return Point(scale.x(one.day), _y(one.severity), tone, f"{_date(one.day)}: {words}")


def _path(days: Sequence[CourseDay], points: Sequence[Point], *, is_gap: bool) -> str:
    """The lines between looks that follow each other, or else those over a gap."""
    pairs = zip(zip(days, points, strict=True), zip(days[1:], points[1:], strict=True), strict=False)
    return " ".join(
        f"M{here.x} {here.y} L{there.x} {there.y}"
        for (before, here), (after, there) in pairs
        if ((after.day - before.day).days > 1) is is_gap
    )


def _hollows(seen: Mapping[dt.date, CourseDay], scale: Scale) -> Iterator[Hollow]:
    """Unobserved days at the height of the last look: one by one, or as stretches where they crowd."""
    days = [scale.first + dt.timedelta(days=n) for n in range(scale.days)]
    height = _y(seen[scale.first].severity)
    for is_seen, run in groupby(days, key=seen.__contains__):
        stretch = list(run)
        if is_seen:
            height = _y(seen[stretch[-1]].severity)
        elif scale.step >= HOLLOW_FROM_PX:
            for day in stretch:
                yield Hollow(scale.x(day), scale.x(day), height, f"{_date(day)}: {NOT_LOOKED}")
        else:
            title = f"{_date(stretch[0])} – {_date(stretch[-1])}: {NOT_LOOKED}"
            yield Hollow(scale.x(stretch[0]), scale.x(stretch[-1]), height, title)


def _moves(moves: Sequence[CourseMove], scale: Scale) -> list[Move]:
    shown: list[Move] = []
    free_from = 0.0
    for move in moves:
        x = scale.x(max(move.day, scale.first))
        word = str(STATES[move.became])
        is_late = x + LABEL_PX > LEFT + scale.plot + RIGHT
        start = x - LABEL_PX if is_late else x
        has_room = start >= free_from
        shown.append(
            Move(x, word if has_room else "", "end" if is_late else "start", f"{_date(move.day)}: {word}")
        )
        if has_room:
            free_from = x if is_late else x + LABEL_PX + len(word) * 2
    return shown


def _ticks(scale: Scale) -> list[Tick]:
    last = scale.first + dt.timedelta(days=scale.days - 1)
    if scale.days == 1:
        return [Tick(scale.x(scale.first), _date(scale.first), "start")]
    ticks = [Tick(scale.x(scale.first), _date(scale.first), "start"), Tick(scale.x(last), _date(last), "end")]
    middle = scale.first + dt.timedelta(days=scale.days // 2)
    if scale.plot > SHORT_PX:
        ticks.insert(1, Tick(scale.x(middle), _date(middle), "middle"))
    return ticks


def _text(days: Sequence[CourseDay], moves: Sequence[CourseMove], scale: Scale) -> str:
    """The chart in words: how often somebody looked, the worst, the last, and every move."""
    worst = max(days, key=lambda one: one.severity)
    last = days[-1]
    looked = ngettext("looked at on %(days)d day", "looked at on %(days)d days", len(days)) % {
        "days": len(days)
    }
    parts = [
        _("From %(first)s: %(looked)s of %(all)d")
        % {"first": _date(scale.first), "looked": looked, "all": scale.days},
        _("worst on %(day)s: %(severity)s")
        % {"day": _date(worst.day), "severity": SEVERITY_LABELS[worst.severity]},
        _("last looked at on %(day)s: %(severity)s")
        % {"day": _date(last.day), "severity": SEVERITY_LABELS[last.severity]},
        *(f"{_date(move.day)}: {STATES[move.became]}" for move in moves),
    ]
    return "; ".join(parts)
