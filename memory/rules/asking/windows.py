"""Which days a question is about. Pure: the time words are found by `twin.rules.when`."""

from __future__ import annotations

import calendar
import datetime as dt
from dataclasses import dataclass

from twin.rules.entries import ReadingContext
from twin.rules.when import TimeMention, find_times

LATELY_DAYS = 30
WEEK_DAYS = 7
BEGUN = 3  # days
SPANS = {"week": 7, "month": 30}
SEASON_MONTHS = 3


@dataclass(frozen=True)
class Window:
    """Days from `first` to `last`, both included; `is_said` where the question named them."""

    first: dt.date
    last: dt.date
    is_said: bool = False

    @property
    def days(self) -> int:
        """How many days it holds."""
        return (self.last - self.first).days + 1

    def holds(self, day: dt.date | None) -> bool:
        """Whether a day lies in it."""
        return day is not None and self.first <= day <= self.last

    def before(self) -> Window:
        """As many days right before it."""
        return Window(
            self.first - dt.timedelta(days=self.days), self.first - dt.timedelta(days=1), self.is_said
        )


def lately(today: dt.date, days: int = LATELY_DAYS) -> Window:
    """The days up to today that stand for "now" where nothing was named."""
    return Window(today - dt.timedelta(days=days - 1), today)


def mentions_of(text: str, *, context: ReadingContext) -> tuple[TimeMention, ...]:
    """The time words of a question."""
    return find_times(text, context=context)


def windows_of(mentions: tuple[TimeMention, ...], *, today: dt.date) -> tuple[Window, ...]:
    """The days each time word of a question names, in its order; what lies ahead names none."""
    found = []
    for mention in mentions:
        window = _window(mention, today)
        if window is not None and window.first <= today and window not in found:
            found.append(window)
    return tuple(found)


def _window(mention: TimeMention, today: dt.date) -> Window | None:
    since = mention.since
    if mention.role == "vague":
        return Window(today - dt.timedelta(days=LATELY_DAYS - 1), today, True)
    if mention.role in ("future", "frequency", "age", "now") or since is None or since.on is None:
        return None
    if mention.role in ("onset", "duration"):
        return Window(since.on, today, True)
    precision = since.precision or "day"
    last = min(_end(since.on, precision), today)
    if last == today and precision in SPANS and (today - since.on).days < BEGUN:
        # On its first days a month that is asked about is the days that lie behind.
        return Window(today - dt.timedelta(days=SPANS[precision] - 1), today, True)
    return Window(since.on, last, True)


def _end(first: dt.date, precision: str) -> dt.date:
    """The last day of the week, month, season or year that begins here."""
    match precision:
        case "week":
            return first + dt.timedelta(days=WEEK_DAYS - 1)
        case "month":
            return _month_end(first.year, first.month)
        case "season":
            month = first.month - 1 + SEASON_MONTHS - 1
            return _month_end(first.year + month // 12, month % 12 + 1)
        case "year":
            return dt.date(first.year, 12, 31)
        case _:
            return first


def _month_end(year: int, month: int) -> dt.date:
    return dt.date(year, month, calendar.monthrange(year, month)[1])
