"""Date arithmetic: counting back, the first day of a period, weekdays, seasons. Pure and total."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from twin.rules.entries import Precision
from twin.rules.when.shapes import Scene

SEASON_MONTH = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}  # meteorological, northern
RANK: dict[Precision, int] = {"day": 0, "week": 1, "month": 2, "season": 3, "year": 4}


@dataclass(frozen=True)
class Quantity:
    """An amount of time as spoken. `vague` fixes no date ("a few days"); `unit` is its finest spoken unit."""

    unit: Precision
    months: int = 0
    days: int = 0
    minutes: int = 0
    vague: bool = False

    @property
    def is_short(self) -> bool:
        """Less than a day, so that it may be the length of an event and not its onset."""
        return not self.months and not self.days and self.minutes < 1440


def safe_date(year: int, month: int, day: int) -> date | None:
    """The date, or None where the calendar has no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def months_back(day: date, months: int) -> date | None:
    """The same day `months` earlier, or that month's last day."""
    index = day.year * 12 + day.month - 1 - months
    year, month = index // 12, index % 12 + 1
    if not 1 <= year <= 9999:
        return None
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def days_back(day: date, days: int) -> date | None:
    """The day `days` earlier, or None before the calendar begins."""
    return (
        date.fromordinal(day.toordinal() - days)
        if 1 <= day.toordinal() - days <= date.max.toordinal()
        else None
    )


def count_back(scene: Scene, amount: Quantity, *, origin: date | None = None) -> date | None:
    """The subject's day that lies `amount` before the scene (or before the day `origin`)."""
    start = months_back(origin or scene.day, amount.months)
    minutes = amount.minutes
    past = scene.minute - minutes
    extra = -((past - scene.day_start) // 1440) if minutes else 0
    return None if start is None else days_back(start, amount.days + max(extra, 0))


def first_of(day: date, precision: Precision) -> date:
    """The first day of the period that holds `day`."""
    if precision == "week":
        return date.fromordinal(max(1, day.toordinal() - day.weekday()))
    if precision == "month":
        return day.replace(day=1)
    if precision == "season":
        month = day.month // 3 * 3
        return date(max(1, day.year - 1), 12, 1) if month == 0 else date(day.year, month, 1)
    return day.replace(month=1, day=1) if precision == "year" else day


def latest_weekday(scene: Scene, weekday: int, *, before_today: bool = False) -> date:
    """The latest such weekday not after the scene's day (or strictly before it)."""
    gap = (scene.day.weekday() - weekday) % 7
    return scene.day - timedelta(days=7 if gap == 0 and before_today else gap)


def weekday_of_month(scene: Scene, month: int, weekday: int, nth: int) -> date | None:
    """The latest "third Monday of May" not after the scene's day."""
    for back in range(2):
        found = nth_weekday(scene.day.year - back, month, weekday, nth)
        if found <= scene.day:
            return found
    return None


def week_start(scene: Scene, *, weeks_back: int = 0) -> date:
    """Monday of the scene's week, or of an earlier one."""
    return scene.day - timedelta(days=scene.day.weekday() + 7 * weeks_back)


def latest_month(scene: Scene, month: int, *, ended: bool = False) -> date:
    """First day of the latest such month begun (or ended) by the scene's day."""
    begun = month < scene.day.month or (month == scene.day.month and not ended)
    return date(scene.day.year if begun else scene.day.year - 1, month, 1)


def latest_day_of_month(scene: Scene, day: int) -> date | None:
    """The latest such day of a month not after the scene's day."""
    if not 1 <= day <= 31:
        return None
    for back in range(4):
        month = months_back(scene.day.replace(day=1), back)
        found = safe_date(month.year, month.month, day) if month else None
        if found and found <= scene.day:
            return found
    return None


def latest_date(scene: Scene, month: int, day: int) -> date | None:
    """The latest such day and month not after the scene's day (29 February looks back eight years)."""
    for back in range(9):
        found = safe_date(scene.day.year - back, month, day)
        if found and found <= scene.day:
            return found
    return None


def season_start(season: str, year: int) -> date:
    """First day of a season; a winter is named after the year it begins in."""
    return date(year, SEASON_MONTH[season], 1)


def latest_season(scene: Scene, season: str, *, ended: bool = False) -> date:
    """First day of the latest such season begun (or ended) by the scene's day."""
    for back in range(3):
        start = season_start(season, scene.day.year - back)
        closing = months_back(start, -3)
        if start <= scene.day and not (ended and closing and closing > scene.day):
            return start
    return season_start(season, scene.day.year - 3)


def is_season_of_year(scene: Scene, start: date) -> bool:
    """Whether the season begun on `start` touches the scene's calendar year (a winter by its end)."""
    return scene.day.year in (start.year, start.year + (start.month == 12))


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """The nth such weekday of a month; -1 is the last."""
    if nth < 0:
        last = date(year, month, monthrange(year, month)[1])
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))


def easter(year: int) -> date:
    """Western Easter Sunday (anonymous Gregorian computus)."""
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)


def orthodox_easter(year: int) -> date:
    """Orthodox Easter Sunday in the Gregorian calendar (Meeus, Julian computus), 1900 to 2099."""
    d = (19 * (year % 19) + 15) % 30
    e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
    month, day = divmod(d + e + 114, 31)
    return date(year, month, day + 1) + timedelta(days=13)


def iso_week(year: int, week: int) -> date | None:
    """Monday of a numbered week of a year, or None where the year has no such week."""
    try:
        return date.fromisocalendar(year, week, 1)
    except ValueError:
        return None
