"""Days with a name: fixed ones, counted ones, and the moving feasts that have a published table."""

from __future__ import annotations

from datetime import date, timedelta

from twin.rules.when.calendar import easter, nth_weekday, safe_date
from twin.rules.when.shapes import Scene

FIXED: dict[str, tuple[int, int]] = {
    "new_year": (1, 1), "valentine": (2, 14), "women": (3, 8), "patrick": (3, 17), "newroz": (3, 21),
    "april_fools": (4, 1), "earth": (4, 22), "children": (4, 23), "labour": (5, 1), "cinco": (5, 5),
    "youth": (5, 19), "juneteenth": (6, 19), "independence": (7, 4), "democracy": (7, 15),
    "victory": (8, 30), "republic": (10, 29), "halloween": (10, 31), "guy_fawkes": (11, 5),
    "veterans": (11, 11), "teachers": (11, 24), "christmas_eve": (12, 24), "christmas": (12, 25),
    "boxing": (12, 26), "new_year_eve": (12, 31), "groundhog": (2, 2), "epiphany": (1, 6),
    "ataturk": (11, 10), "republic_eve": (10, 28),
}  # fmt: skip
COUNTED: dict[str, tuple[int, int, int, int]] = {  # month, weekday, nth, days after
    "thanksgiving": (11, 3, 4, 0), "black_friday": (11, 3, 4, 1), "cyber_monday": (11, 3, 4, 4),
    "labor": (9, 0, 1, 0), "memorial": (5, 0, -1, 0), "king": (1, 0, 3, 0), "presidents": (2, 0, 3, 0),
    "columbus": (10, 0, 2, 0), "mothers": (5, 6, 2, 0), "fathers": (6, 6, 3, 0),
}  # fmt: skip
FROM_EASTER: dict[str, int] = {
    "easter": 0, "easter_monday": 1, "good_friday": -2, "palm_sunday": -7, "ash_wednesday": -46,
    "shrove_tuesday": -47, "pentecost": 49,
}  # fmt: skip
# First days as kept in Türkiye (Presidency of Religious Affairs).
FEASTS: dict[str, tuple[str, ...]] = {
    "eid_fitr": (
        "2010-09-09", "2011-08-30", "2012-08-19", "2013-08-08", "2014-07-28", "2015-07-17", "2016-07-05",
        "2017-06-25", "2018-06-15", "2019-06-04", "2020-05-24", "2021-05-13", "2022-05-02", "2023-04-21",
        "2024-04-10", "2025-03-30", "2026-03-20",
    ),
    "eid_adha": (
        "2010-11-16", "2011-11-06", "2012-10-25", "2013-10-15", "2014-10-04", "2015-09-24", "2016-09-12",
        "2017-09-01", "2018-08-21", "2019-08-11", "2020-07-31", "2021-07-20", "2022-07-09", "2023-06-28",
        "2024-06-16", "2025-06-06", "2026-05-27",
    ),
    "ramadan": (
        "2010-08-11", "2011-08-01", "2012-07-20", "2013-07-09", "2014-06-28", "2015-06-18", "2016-06-06",
        "2017-05-27", "2018-05-16", "2019-05-06", "2020-04-24", "2021-04-13", "2022-04-02", "2023-03-23",
        "2024-03-11", "2025-03-01", "2026-02-19",
    ),
    "lunar_new_year": (
        "2010-02-14", "2011-02-03", "2012-01-23", "2013-02-10", "2014-01-31", "2015-02-19", "2016-02-08",
        "2017-01-28", "2018-02-16", "2019-02-05", "2020-01-25", "2021-02-12", "2022-02-01", "2023-01-22",
        "2024-02-10", "2025-01-29", "2026-02-17",
    ),
}  # fmt: skip


def holiday_in(name: str, year: int) -> date | None:
    """The day of a holiday in a year, or None where its table does not reach."""
    if not 1 <= year <= 9998:
        return None
    if name in FIXED:
        return safe_date(year, *FIXED[name])
    if name in COUNTED:
        month, weekday, nth, after = COUNTED[name]
        return nth_weekday(year, month, weekday, nth) + timedelta(days=after)
    if name in FROM_EASTER:
        return easter(year) + timedelta(days=FROM_EASTER[name])
    days = [date.fromisoformat(day) for day in FEASTS[name]]
    return next((day for day in days if day.year == year), None)


def latest_holiday(scene: Scene, name: str, *, before_today: bool = False) -> date | None:
    """The latest such holiday not after the scene's day (or strictly before it)."""
    for back in range(2):
        found = holiday_in(name, scene.day.year - back)
        if found and (found < scene.day or (found == scene.day and not before_today)):
            return found
    return None
