"""Puts a read date on the calendar: a moment, or the future where it has not come. For both grammars."""

from __future__ import annotations

from datetime import date

from twin.rules.entries import Precision
from twin.rules.when import calendar as cal
from twin.rules.when.shapes import PHRASE, Hit, Scene, dated
from twin.rules.when.tokens import Line


def land(scene: Scene, on: date | None, precision: Precision, end: int, why: str, *, open_: bool) -> Hit:
    """A moment on a day; a day that has not come yet is future and has no onset."""
    if on is None:
        return Hit(end, "vague", PHRASE, None, why, open=open_)
    if on > scene.day:
        return Hit(end, "future", None, None, why)
    same = on == scene.day and precision == "day"
    today = "yes" if same else ("no" if precision == "day" or _over(scene, on, precision) else "unknown")
    return Hit(end, "moment", dated(on, precision), today, why, open=open_)  # type: ignore[arg-type]


def uncounted_ago(scene: Scene, end: int, size: cal.Quantity) -> Hit:
    """ "A few minutes ago" is today; "a few hours ago" too, once the day is old enough; more is a phrase."""
    if size.is_short and (size.minutes <= 1 or scene.minute - 6 * size.minutes >= scene.day_start):
        return Hit(end, "moment", dated(scene.day, "day"), "yes", "a short while ago is today")
    return Hit(end, "vague", PHRASE, "no", "an uncounted time ago")


def _over(scene: Scene, on: date, precision: Precision) -> bool:
    """Whether the period that begins on `on` ended before the scene's day."""
    return cal.first_of(scene.day, precision) > cal.first_of(on, precision)


def year_at(line: Line, i: int) -> int | None:
    """A four-digit year from 1900 to 2199 at `i`."""
    word = line.at(i)
    if len(word) == 4 and word.isascii() and word.isdigit() and 1900 <= int(word) <= 2199:
        return int(word)
    return None


def read_figures(
    first: str, second: str, third: str, *, day_first: bool, today: date
) -> tuple[date | None, bool]:
    """The date three (or two) figures make, and whether a year was among them."""
    if not third:
        if len(first) > 2 or len(second) > 2:
            return None, False
        pairs = [(int(first), int(second)), (int(second), int(first))]
        for month, day in reversed(pairs) if day_first else pairs:
            for back in range(9):
                found = cal.safe_date(today.year - back, month, day)
                if found and found <= today:
                    return found, False
        return None, False
    if len(first) == 4 and len(second) <= 2 and len(third) <= 2:
        return cal.safe_date(int(first), int(second), int(third)), True
    if len(first) > 2 or len(second) > 2 or len(third) not in (2, 4):
        return None, True
    year = int(third) if len(third) == 4 else 2000 + int(third)
    orders = [(int(first), int(second)), (int(second), int(first))]
    found_days = [cal.safe_date(year, m, d) for m, d in (reversed(orders) if day_first else orders)]
    known = [day for day in found_days if day]
    past = [day for day in known if day <= today] or known
    return (past[0] if past else None), True


def is_order_open(first: str, second: str, third: str, today: date) -> bool:
    """Whether both day-first and month-first make two different days, neither of them ahead."""
    if len(first) > 2 or len(second) > 2 or not (1 <= int(first) <= 12 and 1 <= int(second) <= 12):
        return False
    if not third:
        return first != second
    month_first, _ = read_figures(first, second, third, day_first=False, today=today)
    day_first, _ = read_figures(first, second, third, day_first=True, today=today)
    return month_first != day_first


def week_in_month(first: date, nth: int) -> date | None:
    """Monday of the nth week of a month; -1 is the week of its last day."""
    if nth < 0:
        following = cal.months_back(first, -1)
        return cal.first_of(date.fromordinal(following.toordinal() - 1), "week") if following else None
    return cal.days_back(cal.first_of(first, "week"), -7 * (nth - 1)) if nth <= 5 else None
