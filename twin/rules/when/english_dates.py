"""English dates: days of a month, numeric dates, months, years, seasons, weeks of a period, holidays."""

from __future__ import annotations

from datetime import date

from twin.rules.entries import Precision
from twin.rules.when import calendar as cal
from twin.rules.when import english_words as w
from twin.rules.when.holidays import holiday_in, latest_holiday
from twin.rules.when.shapes import PHRASE, Hit, Scene, dated
from twin.rules.when.tokens import Line

LEADS = frozenset({"in", "since", "during", "from", "by", "until", "of", "for", "over", "back", "throughout",
                   "around", "about", "before", "after", "on", "late", "early", "mid", "this", "last", "through",
                   "past", "previous", "year"})  # fmt: skip
LASTS = frozenset({"last", "past", "previous"})


def land(scene: Scene, on: date | None, precision: Precision, end: int, why: str, *, open_: bool) -> Hit:
    """A moment on a day; a day that has not come yet is future and has no onset."""
    if on is None:
        return Hit(end, "vague", PHRASE, None, why, open=open_)
    if on > scene.day:
        return Hit(end, "future", None, None, why)
    same = on == scene.day and precision == "day"
    today = "yes" if same else ("no" if precision == "day" or _over(scene, on, precision) else "unknown")
    return Hit(end, "moment", dated(on, precision), today, why, open=open_)  # type: ignore[arg-type]


def _over(scene: Scene, on: date, precision: Precision) -> bool:
    """Whether the period that begins on `on` ended before the scene's day."""
    return cal.first_of(scene.day, precision) > cal.first_of(on, precision)


def year_at(line: Line, i: int) -> int | None:
    """A four-digit year from 1900 to 2199 at `i`."""
    word = line.at(i)
    if len(word) == 4 and word.isascii() and word.isdigit() and 1900 <= int(word) <= 2199:
        return int(word)
    return None


def _short_year(line: Line, i: int) -> int | None:
    """The year of "'17"."""
    word = line.at(i)
    return 2000 + int(word) if len(word) == 2 and word.isascii() and word.isdigit() and line.glued(i) else None


def year_after(line: Line, i: int, scene: Scene) -> tuple[int, int] | None:
    """A year that follows a month, season or holiday: "2019", ", 2019", "of 2019", "last year", "this year"."""
    for skip in ((), (",",), ("of",), ("in",), (".",), ("'",), ("in", "the", "year")):
        if not line.follows(i, *skip):
            continue
        at = i + len(skip)
        year = year_at(line, at)
        if year is not None and line.at(at + 1) not in (":", "%"):
            return year, at + 1
        at += line.at(at) == "the"
        if line.at(at + 1) == "year" and line.at(at) in ("last", "previous", "this"):
            return scene.day.year - (line.at(at) != "this"), at + 2
        if line.follows(at, "year", "before", "last"):
            return scene.day.year - 2, at + 3
    return None


STRONG_LEADS = frozenset({"in", "since", "during", "from", "by", "until", "of", "early", "mid", "late", "back",
                          "through", "for", "end"})  # fmt: skip
MODAL_USES = frozenset({"be", "have", "need", "not", "take", "i", "we", "he", "she", "it", "also", "well", "or",
                        "still", "help", "cause", "want", "come", "get", "she", "they", "you", "go"})  # fmt: skip


def month_at(line: Line, i: int, scene: Scene, *, led: bool) -> int:
    """The month named at `i`; words that are also verbs or names need a lead or a number beside them."""
    word = line.at(i)
    month = w.MONTHS.get(word, 0)
    if not month or (word in scene.names and not led):
        return 0
    if word not in w.RISKY_MONTHS:
        return month
    if word == "may" and line.at(i + 1) in MODAL_USES:
        return 0
    beside = line.at(i + 1).isdigit() or line.at(i - 1).isdigit() or line.at(i + 1) == "-"
    if word in ("may", "march", "mar"):
        capital = line.raw(i)[:1].isupper() and line.at(i - 1) not in ("", ".", "!", "?")
        strong = line.at(i - 1) in STRONG_LEADS or (led and (capital or line.at(i + 1) in ENDS))
        return month if strong or beside or len(line) <= 2 else 0
    if word in ("june", "april", "august"):
        return month
    return month if led or beside or len(line) <= 2 else 0


ENDS = frozenset({"", ".", ",", "!", "?", ";", ")", "and", "but", "when", "he", "she", "the", "with", "for"})


def day_number(line: Line, i: int) -> tuple[int, int] | None:
    """A day of the month at `i`: "5", "5th", "fifth", "twenty first"."""
    word = line.at(i)
    if word.isascii() and word.isdigit() and len(word) <= 2 and 1 <= int(word) <= 31:
        end = i + 1
        if line.at(end) in ("st", "nd", "rd", "th") and line.glued(end):
            end += 1
        return int(word), end
    if word in ("twenty", "thirty"):
        step = i + 1 + (line.at(i + 1) == "-")
        small = w.ORDINALS.get(line.at(step), 0)
        return (w.NUMBERS[word] + small, step + 1) if 1 <= small <= 9 else None
    value = w.ORDINALS.get(word, 0)
    return (value, i + 1) if value > 0 else None


def is_ordinal(line: Line, end: int) -> bool:
    """Whether the day number just read was an ordinal ("14th", "first")."""
    return line.at(end - 1) in ("st", "nd", "rd", "th") or line.at(end - 1) in w.ORDINALS


def calendar_day(line: Line, i: int, scene: Scene) -> Hit | None:
    """A day of a named month in either order, with or without a year, or the 14th alone."""
    the = line.at(i) == "the"
    led = line.at(i - 1) in LEADS or line.at(i - 1) == "the" or the
    read = _month_day(line, i, scene) or _day_month(line, i + the, scene)
    if read is None:
        first = day_number(line, i + the)
        named = _day_of_this(line, scene, *first) if first else None
        return named or (_lone_day(line, i + the, scene) if led else None)
    month, day, end = read
    year = year_after(line, end, scene)
    if year is None:
        on = cal.latest_date(scene, month, day)
        return None if on is None else land(scene, on, "day", end, "day and month", open_=True)
    found = cal.safe_date(year[0], month, day)
    return None if found is None else land(scene, found, "day", year[1], "full date", open_=False)


def _month_day(line: Line, i: int, scene: Scene) -> tuple[int, int, int] | None:
    month = w.MONTHS.get(line.at(i), 0)
    if not month:
        return None
    at = i + 1
    while line.at(at) in ("/", "-", ".", "the") and at - i < 3:
        at += 1
    day = day_number(line, at)
    if (
        day is None
        or line.at(at) in ("last",)
        or line.at(day[1]) in (":", "%", "times", "days", "kg", "weeks")
    ):
        return None
    ahead = day_number(line, day[1] + 1) if line.at(day[1]) == "-" else None
    return month, day[0], (ahead[1] if ahead else day[1])


def _day_month(line: Line, i: int, scene: Scene) -> tuple[int, int, int] | None:
    day = day_number(line, i)
    if day is None:
        return None
    at = day[1]
    if line.at(at) in ("-", "to", "and", "till", "until", "through", "~"):
        last = day_number(line, at + 1)
        at = last[1] if last and last[0] > day[0] else at
    for _ in range(2):
        at += line.at(at) in ("of", "/", "-", ".")
    month = w.MONTHS.get(line.at(at), 0)
    if not month or (line.at(at) in ("may", "march", "mar") and line.at(i) in ("second", "first", "third")):
        return None
    return month, day[0], at + 1


def _lone_day(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "on the 17th", "since the 3rd", "on 15 at 8:00"."""
    day = day_number(line, i)
    if day is None:
        return None
    before, at = line.at(i - 1), line.at(day[1])
    counted = before == "the" and (
        line.at(i - 2) in ("on", "since", "until", "from", "by") or (line.at(i - 2) == "of" and line.at(i - 3) in w.PARTS)
    )
    if not (is_ordinal(line, day[1]) and counted and line.at(i) not in w.ORDINALS):
        if not (before == "on" and at == "at"):
            return None
    if at in ("time", "day", "week", "month", "floor", "try", "attempt", "dose", "walk", "birthday", "night"):
        return None
    on = cal.latest_day_of_month(scene, day[0])
    return None if on is None else land(scene, on, "day", day[1], "day of the month", open_=True)


def _day_of_this(line: Line, scene: Scene, day: int, end: int) -> Hit | None:
    """ "the 1st of this month", "15th of last month"."""
    of = line.at(end) == "of"
    if not of and not is_ordinal(line, end):
        return None
    at = end + of
    at += line.at(at) == "the"
    back = {"this": 0, "current": 0, "last": 1, "previous": 1}.get(line.at(at))
    if back is None or line.at(at + 1) != "month":
        return None
    month = cal.months_back(scene.day.replace(day=1), back)
    found = cal.safe_date(month.year, month.month, day) if month else None
    return land(scene, found, "day", at + 2, "day of this month", open_=False) if found else None


def numeric_date(line: Line, i: int, scene: Scene) -> Hit | None:
    """A date in figures: year first, or month first unless only day first makes sense; dots are day first."""
    first, sign, second = line.at(i), line.at(i + 1), line.at(i + 2)
    if not (first.isascii() and first.isdigit() and sign in ("/", "-", ".") and second.isascii()):
        return None
    if not second.isdigit() or not (line.glued(i + 1) and line.glued(i + 2)) or _runs_on(line, i):
        return None
    full = line.at(i + 3) == sign and line.glued(i + 3) and line.at(i + 4).isdigit() and line.glued(i + 4)
    third = line.at(i + 4) if full else ""
    end = i + 5 if full else i + 3
    if line.glued(end) and ((line.at(end) in ("-", "/") and line.at(end + 1).isdigit()) or line.at(end) == "%"):
        return None
    on, whole = read_figures(first, second, third, day_first=sign == ".", today=scene.day)
    if not whole:
        led = line.at(i - 1) in ("on", "since", "from", "until") and sign == "/"
        weekday = line.at(i - 1) in w.WEEKDAYS or line.at(i - 2) in w.WEEKDAYS
        return land(scene, on, "day", end, "date in figures", open_=True) if on and (led or weekday) else None
    return land(scene, on, "day", end, "date in figures", open_=False) if on else None


def _runs_on(line: Line, i: int) -> bool:
    """Whether the figures are the end of a longer code, so no date."""
    return line.glued(i) and (line.at(i - 1) in ("-", "/", ".", "+", "#") or line.at(i - 1).isalnum())


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
        return _season(line, at, scene, season, lead, led and not _is_event_fall(line, i, at))
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


def _season(line: Line, at: int, scene: Scene, season: str, lead: str, led: bool) -> Hit | None:
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
    if lead == "this" and scene.day.year - on.year > 1:
        return Hit(at + 1, "future", None, None, "this season, not begun")
    if lead == "this" and on.year < scene.day.year and cal.first_of(scene.day, "season") != on:
        return Hit(at + 1, "future", None, None, "this season, not begun")
    past = lead == "this" and cal.first_of(scene.day, "season") != on
    return land(scene, on, "season", at + 1, "season", open_=lead != "this" or past)


def whole_year(line: Line, i: int, scene: Scene) -> Hit | None:
    """A year by number where words around it say it is one, a range of years, or a decade."""
    at = part_of_period(line, i)
    decade = _decade(line, at, scene)
    if decade:
        return decade
    led = at > i or line.at(i - 1) in LEADS or line.at(at) == "year" or line.at(i - 1) in (">", "<", "=")
    led = led or len(line) <= 2
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


def _decade(line: Line, at: int, scene: Scene) -> Hit | None:
    """ "the 1990s", "the 90s"; the coarsest precision there is, is the year."""
    at += line.at(at) == "the"
    word = line.at(at)
    if not (
        word.isdigit()
        and word.isascii()
        and word.endswith("0")
        and line.at(at + 1) == "s"
        and line.glued(at + 1)
    ):
        return None
    if len(word) == 2 and line.at(at - 1) == "the":
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
        monday = _week_in_month(start, nth) if start else None
        return land(scene, monday, "week", after + 4, "week of a month", open_=False) if monday else None
    month = w.MONTHS.get(line.at(after + 2), 0)
    if month:
        year = year_after(line, after + 3, scene)
        first = date(year[0], month, 1) if year else cal.latest_month(scene, month)
        return land(scene, _week_in_month(first, nth), "week", year[1] if year else after + 3, "week of a month",
                    open_=not year)  # fmt: skip
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


def _week_in_month(first: date, nth: int) -> date | None:
    """Monday of the nth week of a month; -1 is the week of its last day."""
    if nth < 0:
        following = cal.months_back(first, -1)
        return cal.first_of(date.fromordinal(following.toordinal() - 1), "week") if following else None
    return cal.days_back(cal.first_of(first, "week"), -7 * (nth - 1)) if nth <= 5 else None


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
    length = line.phrase(at, w.HOLIDAYS)  # type: ignore[arg-type]
    fourth = line.follows(at, "fourth", "of", "july") or line.follows(at, "4th", "of", "july")
    if not length and not fourth:
        return None
    name = w.HOLIDAYS[tuple(line.at(at + n) for n in range(length))] if length else "independence"
    end = at + (length or 3)
    end += line.at(end) in ("day", "night", "time") and name not in ("new_year",)
    weekend = line.at(end) in ("weekend", "week")
    end += weekend
    year = (led_year, end) if led_year is not None else year_after(line, end, scene)
    precision: Precision = "week" if weekend else "day"
    if year:
        on = holiday_in(name, year[0])
        end, open_ = year[1], False
    elif lead == "this":
        on, open_ = holiday_in(name, scene.day.year), False
    else:
        on, open_ = latest_holiday(scene, name, before_today=lead in LASTS), not lead
    if on and weekend:
        on = cal.first_of(on, "week")
    if on is None and name in ("ramadan", "eid_fitr", "eid_adha", "lunar_new_year"):
        return Hit(end, "vague", PHRASE, None, "holiday outside the table", open=True)
    return land(scene, on, precision, end, "holiday", open_=open_)
