"""English dates: days of a named month, numeric dates, and the years and months they are made of."""

from __future__ import annotations

from twin.rules.when import calendar as cal
from twin.rules.when.english import words as w
from twin.rules.when.landing import is_order_open, land, read_figures, year_at
from twin.rules.when.shapes import Hit, Scene
from twin.rules.when.tokens import Line

LEADS = frozenset({"in", "since", "during", "from", "by", "until", "of", "for", "over", "back", "throughout",
                   "around", "about", "before", "after", "on", "late", "early", "mid", "this", "last",
                   "through",
                   "past", "previous", "year", "all", "whole"})  # fmt: skip


LASTS = frozenset({"last", "past", "previous"})


def _short_year(line: Line, i: int) -> int | None:
    """The year of "'17"."""
    word = line.at(i)
    return (
        2000 + int(word) if len(word) == 2 and word.isascii() and word.isdigit() and line.glued(i) else None
    )


def year_after(line: Line, i: int, scene: Scene) -> tuple[int, int] | None:
    """A year that follows a month, season or holiday: "2019", ", 2019", "of 2019", "last year"."""
    for skip in ((), (",",), ("of",), ("in",), (".",), ("'",), ("in", "the", "year")):
        if not line.follows(i, *skip):
            continue
        at = i + len(skip)
        year = year_at(line, at) or (_short_year(line, at) if skip == ("'",) else None)
        if year is not None and line.at(at + 1) not in (":", "%"):
            return year, at + 1
        at += line.at(at) == "the"
        if line.at(at + 1) == "year" and line.at(at) in ("last", "previous", "this"):
            return scene.day.year - (line.at(at) != "this"), at + 2
        if line.follows(at, "year", "before", "last"):
            return scene.day.year - 2, at + 3
    return None


STRONG_LEADS = frozenset({"in", "since", "during", "from", "by", "until", "of", "early", "mid", "late",
"back",
                          "through", "for", "end"})  # fmt: skip


MODAL_USES = frozenset({"be", "have", "need", "not", "take", "i", "we", "he", "she", "it", "also", "well",
"or",
                        "still", "help", "cause", "want", "come", "get", "they", "you", "go"})  # fmt: skip


def month_at(line: Line, i: int, scene: Scene, *, led: bool) -> int:
    """The month named at `i`; words that are also verbs or names need a lead or a number beside them."""
    word = line.at(i)
    month = w.MONTHS.get(word, 0)
    if not month or (word in scene.names and not led):
        return 0
    if word not in w.RISKY_MONTHS:
        return month
    if word == "may" and line.at(i + 1) in MODAL_USES and line.at(i - 1) not in STRONG_LEADS:
        return 0
    beside = line.at(i + 1).isdigit() or line.at(i - 1).isdigit() or line.at(i + 1) == "-"
    if word in ("may", "march", "mar"):
        capital = line.raw(i)[:1].isupper() and line.at(i - 1) not in ("", ".", "!", "?")
        strong = line.at(i - 1) in STRONG_LEADS or (led and (capital or line.at(i + 1) in ENDS))
        return month if strong or beside or len(line) == 1 else 0
    if word in ("june", "april", "august"):
        return month
    return month if led or beside or len(line) == 1 else 0


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
        line.at(i - 2) in ("on", "since", "until", "from", "by")
        or (line.at(i - 2) == "of" and line.at(i - 3) in w.PARTS)
    )
    told = is_ordinal(line, day[1]) and line.at(i) not in w.ORDINALS
    last = at in ENDS or at in ("at", "in", "around")
    lone = (told and before == "the" and last) or (
        before == "on" and (at == "at" or (scene.past_only and last))
    )
    if not (told and counted) and not lone:
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
    if line.glued(end) and (
        (line.at(end) in ("-", "/") and line.at(end + 1).isdigit()) or line.at(end) == "%"
    ):
        return None
    if sign != "." and not scene.past_only and is_order_open(first, second, third, scene.day):
        year = int(third) if len(third) == 4 else 2000 + int(third or 0)
        if not third:
            return None
        why = "day first or month first: only the year is sure"
        return land(scene, cal.safe_date(year, 1, 1), "year", end, why, open_=False)
    on, whole = read_figures(first, second, third, day_first=sign == ".", today=scene.day)
    if not whole:
        led = line.at(i - 1) in ("on", "since", "from", "until") and sign == "/"
        weekday = line.at(i - 1) in w.WEEKDAYS or line.at(i - 2) in w.WEEKDAYS
        return land(scene, on, "day", end, "date in figures", open_=True) if on and (led or weekday) else None
    return land(scene, on, "day", end, "date in figures", open_=False) if on else None


def _runs_on(line: Line, i: int) -> bool:
    """Whether the figures are the end of a longer code, so no date."""
    return line.glued(i) and (line.at(i - 1) in ("-", "/", ".", "+", "#") or line.at(i - 1).isalnum())
