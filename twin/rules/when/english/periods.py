"""English months, seasons, years, decades, weeks and weekdays of a period, quarters and holidays."""

from __future__ import annotations

from datetime import date

from twin.rules.entries import Precision
from twin.rules.when import calendar as cal
from twin.rules.when.english import words as w
from twin.rules.when.english.dates import LASTS, LEADS, calendar_day, month_at, numeric_date, year_after
from twin.rules.when.holidays import as_spoken, holiday_in, latest_holiday
from twin.rules.when.landing import land, week_in_month, year_at
from twin.rules.when.shapes import PHRASE, Hit, Scene
from twin.rules.when.tokens import Line


def part_of_period(line: Line, i: int) -> int:
    """Where a "late", "mid-", "the beginning of" before a period ends; `i` itself where none stands."""
    at = i + (line.at(i) == "the")
    if line.at(at) in (
        "early",
        "mid",
        "late",
        "middle",
        "beginning",
        "start",
        "end",
        "first",
        "second",
        "earlier",
    ):
        after = at + 1
        if line.at(at) in ("first", "second"):
            if line.at(after) not in ("half", "part"):
                return i
            after += 1
        after += line.at(after) == "-"
        after += line.at(after) == "of"
        after += line.at(after) == "in"
        return after
    return i


def month_or_season(line: Line, i: int, scene: Scene) -> Hit | None:
    """A month or a season, with last / this / parts / year around it."""
    first_year = year_at(line, i)
    at = i + 1 if first_year is not None else part_of_period(line, i)
    parted = at > i
    at += line.at(at) == "the"
    lead = line.at(at) if line.at(at) in LASTS or line.at(at) == "this" else ""
    if lead and line.at(at + 1) == "past":
        lead, at = "last", at + 1
    at += bool(lead)
    led = parted or bool(lead) or line.at(i - 1) in LEADS or line.at(i - 1) == "the"
    led = led or (line.at(at + 1) in ("of", "in") and year_at(line, at + 2) is not None)
    led = led or year_at(line, at + 1) is not None
    season = w.SEASONS.get(line.at(at), "")
    if season and first_year is None:
        return _season(line, at, scene, season=season, lead=lead, led=led and not _is_event_fall(line, i, at))
    month = month_at(line, at, scene, led=led and line.at(i - 1) not in ("the",))
    if not month:
        return None
    end = _range_end(line, at + 1)
    year = (first_year, end) if first_year is not None else year_after(line, end, scene)
    if year:
        on: date | None = date(year[0], month, 1)
        return land(scene, on, "month", year[1], "month of a year", open_=False)
    if lead == "this":
        return land(scene, date(scene.day.year, month, 1), "month", end, "this month by name", open_=False)
    on = cal.latest_month(scene, month, ended=lead in LASTS)
    return land(scene, on, "month", end, "month", open_=not lead)


def _range_end(line: Line, i: int) -> int:
    """Past a second month in "jan-feb"."""
    return i + 2 if line.at(i) in ("-", "~", "/") and line.at(i + 1) in w.MONTHS else i


def _is_event_fall(line: Line, i: int, at: int) -> bool:
    """ "since the fall", "after a fall": an accident, no season."""
    return (
        line.at(at) == "fall"
        and line.at(at - 1) in ("the", "a")
        and line.at(at - 2) in ("since", "after", "from")
    )


def _season(line: Line, at: int, scene: Scene, *, season: str, lead: str, led: bool) -> Hit | None:
    if not led or line.at(at + 1) in (
        "break",
        "camp",
        "holiday",
        "holidays",
        "coat",
        "term",
        "school",
        "asleep",
    ):
        return None
    year = year_after(line, at + 1, scene)
    if year:
        return land(
            scene, cal.season_start(season, year[0]), "season", year[1], "season of a year", open_=False
        )
    if lead in LASTS:
        on = cal.latest_season(scene, season, ended=True)
        return land(scene, on, "season", at + 1, "last season: the latest that ended", open_=False)
    on = cal.latest_season(scene, season)
    if lead == "this" and not cal.is_season_of_year(scene, on):
        return Hit(at + 1, "future", None, None, "this season, not begun")
    past = cal.first_of(scene.day, "season") != on
    return land(scene, on, "season", at + 1, "season", open_=lead != "this" or past)


def whole_year(line: Line, i: int, scene: Scene) -> Hit | None:
    """A year by number where words around it say it is one, a range of years, or a decade."""
    at = part_of_period(line, i)
    decade = _decade(line, at, scene)
    if decade:
        return decade
    led = at > i or line.at(i - 1) in LEADS or line.at(at) == "year" or line.at(i - 1) in (">", "<", "=")
    led = led or len(line) == 1
    at += line.at(at) == "year"
    year = year_at(line, at)
    if year is None or (line.glued(at) and line.at(at - 1) in ("-", "/", ".", "+", "$", "#") and at == i):
        return None
    ranged = line.at(at + 1) in ("~", "-", "to") and year_at(line, at + 2) is not None
    if not (led or ranged) or (
        line.glued(at + 1) and line.at(at + 1) in ("/", ".") and line.at(at + 2).isdigit()
    ):
        return None
    if line.at(at + 1) in (
        "kcal",
        "steps",
        "g",
        "ml",
        "grams",
        "mg",
        "calories",
        "times",
        "of",
        "units",
        "iu",
    ):
        return None
    if line.at(i - 1) == "after":
        year += 1
    end = at + 3 if ranged else at + 1
    return land(scene, cal.safe_date(year, 1, 1), "year", end, "year", open_=False)


DECADES: dict[str, int] = {
    "fifties": 1950, "sixties": 1960, "seventies": 1970, "eighties": 1980, "nineties": 1990,
    "noughties": 2000,
}  # fmt: skip


GAUGES = frozenset(
    {"pressure", "rate", "pulse", "bp", "hr", "heart", "sats", "temp", "temperature", "weight"}
)


def _decade(line: Line, at: int, scene: Scene) -> Hit | None:
    """ "the 1990s", "the 90s"; the coarsest precision there is, is the year."""
    at += line.at(at) == "the"
    word = line.at(at)
    named = DECADES.get(word, 0) if line.at(at - 1) == "the" else 0
    if named:
        return land(scene, cal.safe_date(named, 1, 1), "year", at + 1, "decade", open_=False)
    if not (
        word.isdigit()
        and word.isascii()
        and word.endswith("0")
        and line.at(at + 1) == "s"
        and line.glued(at + 1)
    ):
        return None
    if (
        len(word) == 2
        and line.at(at - 1) == "the"
        and not any(line.at(at - n) in GAUGES for n in range(2, 7))
    ):
        year = 2000 + int(word) if 2000 + int(word) <= scene.day.year else 1900 + int(word)
    elif len(word) == 4 and 1900 <= int(word) <= 2199:
        year = int(word)
    else:
        return None
    return land(scene, cal.safe_date(year, 1, 1), "year", at + 2, "decade", open_=False)


def week_of(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "last week of 2016", "3rd week of May", "the week of March 5"."""
    at = i + (line.at(i) == "the")
    if line.at(at) == "week" and line.at(at + 1) in ("of", "starting", "beginning", "commencing"):
        inner = calendar_day(line, at + 2 + (line.at(at + 2) == "the"), scene) or numeric_date(
            line, at + 2, scene
        )
        inner = inner or holiday(line, at + 2, scene)
        if inner and inner.since and inner.since.on:
            return land(
                scene,
                cal.first_of(inner.since.on, "week"),
                "week",
                inner.end,
                "week of a day",
                open_=inner.open,
            )
        return None
    nth = w.ORDINALS.get(line.at(at), 0)
    after = at + 1
    if not nth and line.at(at).isdigit() and line.at(after) in ("st", "nd", "rd", "th"):
        nth, after = int(line.at(at)), after + 1
    if not nth or nth > 53 or line.at(after) != "week" or line.at(after + 1) not in ("of", "in"):
        return None
    back = {"last": 1, "previous": 1, "this": 0}.get(line.at(after + 2))
    if back is not None and line.at(after + 3) == "month":
        start = cal.months_back(scene.day.replace(day=1), back)
        monday = week_in_month(start, nth) if start else None
        return land(scene, monday, "week", after + 4, "week of a month", open_=False) if monday else None
    month = w.MONTHS.get(line.at(after + 2), 0)
    if month:
        year = year_after(line, after + 3, scene)
        first = date(year[0], month, 1) if year else cal.latest_month(scene, month)
        end = year[1] if year else after + 3
        return land(scene, week_in_month(first, nth), "week", end, "week of a month", open_=not year)
    year_read = year_after(line, after + 2, scene) or year_after(line, after + 1, scene)
    if year_read is None:
        return None
    monday = cal.first_of(date(year_read[0], 12, 31), "week") if nth < 0 else cal.iso_week(year_read[0], nth)
    return land(scene, monday, "week", year_read[1], "week of a year", open_=False) if monday else None


def nth_weekday(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "the third Monday of January 2017", "last Friday in May"."""
    at = i + (line.at(i) == "the")
    nth, after = w.ORDINALS.get(line.at(at), 0), at + 1
    if not nth and line.at(at).isdigit() and line.at(after) in ("st", "nd", "rd", "th"):
        nth, after = int(line.at(at)[:3]), after + 1
    day = w.WEEKDAYS.get(line.at(after))
    if not nth or nth > 4 or day is None or line.at(after + 1) not in ("of", "in"):
        return None
    month = w.MONTHS.get(line.at(after + 2), 0)
    if not month:
        return None
    year = year_after(line, after + 3, scene)
    if year is None:
        on = cal.weekday_of_month(scene, month, day, nth)
        return land(scene, on, "day", after + 3, "weekday of a month", open_=True)
    on = cal.nth_weekday(year[0], month, day, nth)
    return land(scene, on, "day", year[1], "weekday of a month", open_=False)


def quarter(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "Q3 2018", "the second quarter of 2019", "the first half of last year", "last quarter"."""
    at = i + (line.at(i) == "the")
    word = line.at(at)
    number, unit, end = 0, "quarter", at + 1
    if word in ("q", "h") and line.glued(end) and line.at(end) in ("1", "2", "3", "4"):
        number, unit, end = int(line.at(end)), {"q": "quarter", "h": "half"}[word], end + 1
    elif line.at(end) in ("quarter", "half") and w.ORDINALS.get(word, 0):
        number, unit, end = w.ORDINALS[word], line.at(end), end + 1
    elif word in ("last", "previous", "this") and line.at(end) == "quarter":
        first = scene.day.replace(month=(scene.day.month - 1) // 3 * 3 + 1, day=1)
        start = first if word == "this" else cal.months_back(first, 3)
        return land(scene, start, "season", end + 1, "quarter", open_=False)
    year = year_after(line, end, scene)
    number = number if number > 0 else (4 if unit == "quarter" else 2)
    if year is None or number > (4 if unit == "quarter" else 2) or word not in (*w.ORDINALS, "q", "h"):
        return None
    month = (number - 1) * (3 if unit == "quarter" else 6) + 1
    precision: Precision = "season" if unit == "quarter" else "year"
    return land(scene, cal.safe_date(year[0], month, 1), precision, year[1], "part of a year", open_=False)


def holiday(line: Line, i: int, scene: Scene) -> Hit | None:
    """A day with a name, with last / this / year / weekend around it."""
    at, lead = i, ""
    led_year = year_at(line, i)
    if led_year is not None:
        at += 1
    at += line.at(at) == "the"
    if line.at(at) in LASTS or line.at(at) == "this":
        lead, at = line.at(at), at + 1
        at += line.at(at) in ("past", "years")
    length = line.phrase(at, w.HOLIDAYS)
    fourth = line.follows(at, "fourth", "of", "july") or line.follows(at, "4th", "of", "july")
    if not length and not fourth:
        return None
    name = w.HOLIDAYS[tuple(line.at(at + n) for n in range(length))] if length else "independence"
    end = at + (length or 3)
    end += line.at(end) in ("day", "night", "time") and name not in ("new_year",)
    weekend = line.at(end) in ("weekend", "week")
    end += weekend
    year = (led_year, end) if led_year is not None else year_after(line, end, scene)
    if year:
        on = holiday_in(name, year[0])
        end, open_ = year[1], False
    elif lead == "this":
        on, open_ = holiday_in(name, scene.day.year), False
    else:
        on, open_ = latest_holiday(scene, name, before_today=lead in LASTS), not lead
    on, precision = as_spoken(name, on)
    if on and weekend:
        on, precision = cal.first_of(on, "week"), "week"
    if on is None and name in ("ramadan", "eid_fitr", "eid_adha", "lunar_new_year"):
        return Hit(end, "vague", PHRASE, None, "holiday outside the table", open=True)
    return land(scene, on, precision, end, "holiday", open_=open_)
