"""Days with a name: fixed ones, counted ones, and the moving feasts that have a published table."""

from __future__ import annotations

from datetime import date, timedelta

from twin.rules.entries import Precision
from twin.rules.when.calendar import easter, nth_weekday, orthodox_easter, safe_date
from twin.rules.when.shapes import Scene

FIXED: dict[str, tuple[int, int]] = {
    "new_year": (1, 1), "epiphany": (1, 6), "inauguration": (1, 20), "burns": (1, 25), "australia": (1, 26),
    "groundhog": (2, 2), "valentine": (2, 14), "david": (3, 1), "girls": (3, 7), "women": (3, 8),
    "arbor": (4, 28),
    "white_day": (3, 14), "pi": (3, 14), "patrick": (3, 17), "newroz": (3, 21), "april_fools": (4, 1),
    "tax": (4, 15), "earth": (4, 22), "children": (4, 23), "george": (4, 23), "anzac": (4, 25),
    "kings": (4, 27),
    "labour": (5, 1), "youth_china": (5, 4), "cinco": (5, 5), "youth": (5, 19), "children_world": (6, 1),
    "flag": (6, 14), "juneteenth": (6, 19), "canada": (7, 1), "independence": (7, 4), "bastille": (7, 14),
    "democracy": (7, 15), "victory": (8, 30), "teachers_world": (10, 5), "boss": (10, 16),
    "republic_eve": (10, 28), "republic": (10, 29), "halloween": (10, 31), "all_saints": (11, 1),
    "all_souls": (11, 2), "guy_fawkes": (11, 5), "ataturk": (11, 10), "veterans": (11, 11),
    "teachers": (11, 24),
    "andrew": (11, 30), "nicholas": (12, 6), "lucia": (12, 13), "christmas_eve": (12, 24),
    "christmas": (12, 25),
    "boxing": (12, 26), "new_year_eve": (12, 31),
}  # fmt: skip
COUNTED: dict[str, tuple[int, int, int, int]] = {  # month, weekday, nth, days after
    "thanksgiving": (11, 3, 4, 0), "black_friday": (11, 3, 4, 1), "cyber_monday": (11, 3, 4, 4),
    "labor": (9, 0, 1, 0), "memorial": (5, 0, -1, 0), "king": (1, 0, 3, 0), "presidents": (2, 0, 3, 0),
    "columbus": (10, 0, 2, 0), "super_bowl": (2, 6, 2, 0), "earth_hour": (3, 5, -1, 0), "grandparents": (9,
    0, 1, 6),
    "election": (11, 0, 1, 1), "mothers": (5, 6, 2, 0), "fathers": (6, 6, 3, 0),
}  # fmt: skip
FROM_EASTER: dict[str, int] = {
    "easter": 0, "easter_monday": 1, "good_friday": -2, "palm_sunday": -7, "ash_wednesday": -46,
    "shrove_tuesday": -47, "shrove_monday": -48, "maundy_thursday": -3, "holy_saturday": -1, "pentecost": 49,
    "whit_monday": 50, "ascension": 39, "corpus_christi": 60,
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
    "diwali": (
        "2012-11-13", "2013-11-03", "2014-10-23", "2015-11-11", "2016-10-30", "2017-10-19", "2018-11-07",
        "2019-10-27", "2020-11-14", "2021-11-04", "2022-10-24", "2023-11-12", "2024-11-01", "2025-10-20",
    ),
    "holi": (
        "2012-03-08", "2013-03-27", "2014-03-17", "2015-03-06", "2016-03-24", "2017-03-13", "2018-03-02",
        "2019-03-21", "2020-03-10", "2021-03-29", "2022-03-18", "2023-03-08", "2024-03-25", "2025-03-14",
    ),
    "hanukkah": (
        "2012-12-08", "2013-11-27", "2014-12-16", "2015-12-06", "2016-12-24", "2017-12-12", "2018-12-02",
        "2019-12-22", "2020-12-10", "2021-11-28", "2022-12-18", "2023-12-07", "2024-12-25", "2025-12-14",
    ),
    "passover": (
        "2012-04-06", "2013-03-25", "2014-04-14", "2015-04-03", "2016-04-22", "2017-04-10", "2018-03-30",
        "2019-04-19", "2020-04-08", "2021-03-27", "2022-04-15", "2023-04-05", "2024-04-22", "2025-04-12",
    ),
    "rosh_hashanah": (
        "2012-09-16", "2013-09-04", "2014-09-24", "2015-09-13", "2016-10-02", "2017-09-20", "2018-09-09",
        "2019-09-29", "2020-09-18", "2021-09-06", "2022-09-25", "2023-09-15", "2024-10-02", "2025-09-22",
    ),
    "yom_kippur": (
        "2012-09-25", "2013-09-13", "2014-10-03", "2015-09-22", "2016-10-11", "2017-09-29", "2018-09-18",
        "2019-10-08", "2020-09-27", "2021-09-15", "2022-10-04", "2023-09-24", "2024-10-11", "2025-10-01",
    ),
    "purim": (
        "2012-03-07", "2013-02-23", "2014-03-15", "2015-03-04", "2016-03-23", "2017-03-11", "2018-02-28",
        "2019-03-20", "2020-03-09", "2021-02-25", "2022-03-16", "2023-03-06", "2024-03-23", "2025-03-13",
    ),
    "lunar_new_year": (
        "2010-02-14", "2011-02-03", "2012-01-23", "2013-02-10", "2014-01-31", "2015-02-19", "2016-02-08",
        "2017-01-28", "2018-02-16", "2019-02-05", "2020-01-25", "2021-02-12", "2022-02-01", "2023-01-22",
        "2024-02-10", "2025-01-29", "2026-02-17",
    ),
}  # fmt: skip


# Feasts of many days are dated by the month they begin in.
MONTH_LONG = frozenset({"ramadan"})


def as_spoken(name: str, on: date | None) -> tuple[date | None, Precision]:
    """The day and precision a holiday's name gives."""
    return (on.replace(day=1), "month") if on and name in MONTH_LONG else (on, "day")


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
    if name == "orthodox_easter":
        return orthodox_easter(year)
    if name == "advent":
        christmas = date(year, 12, 25)
        return christmas - timedelta(days=christmas.weekday() + 22)
    days = [date.fromisoformat(day) for day in FEASTS[name]]
    return next((day for day in days if day.year == year), None)


def latest_holiday(scene: Scene, name: str, *, before_today: bool = False) -> date | None:
    """The latest such holiday not after the scene's day (or strictly before it)."""
    for back in range(2):
        found = holiday_in(name, scene.day.year - back)
        if found and (found < scene.day or (found == scene.day and not before_today)):
            return found
    return None
