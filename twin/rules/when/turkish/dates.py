"""Turkish dates: days of a named month, numeric dates, and what cases and postpositions make of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from twin.rules.entries import Precision
from twin.rules.when import calendar as cal
from twin.rules.when.landing import land, read_figures, year_at
from twin.rules.when.shapes import PHRASE, Hit, Scene
from twin.rules.when.tokens import Line
from twin.rules.when.turkish import words as w
from twin.rules.when.turkish.parts import (
    day_tail,
    figure_case,
    inflected_number,
    stem,
    whole_number,
)


def land_sure(scene: Scene, on: date | None, precision: Precision, end: int, why: str) -> Hit:
    """A moment on a day; a day that has not come yet is future and has no onset."""
    return land(scene, on, precision, end, why, open_=False)


def close(line: Line, hit: Hit, case: str, scene: Scene) -> Hit:
    """The hit with what its case and postposition make of it: beri, kadar, sonra, önce."""
    word, end = line.at(hit.end), hit.end + 1
    if hit.role == "moment" and line.follows(hit.end, "daha", "sonra") and case != "abl":
        return Hit(hit.end + 2, "future", None, None, "later in it")
    if hit.since is None or hit.role not in ("moment",):
        return hit
    if case == "abl":
        if word in ("beri", "beridir", "itibaren", "buyana"):
            return replace(hit, end=end, role="onset", today="yes", open=False, why=f"since: {hit.why}")
        if word == "bu" and line.at(end) == "yana":
            return replace(hit, end=end + 1, role="onset", today="yes", open=False, why=f"since: {hit.why}")
        if word == "sonra" or line.follows(hit.end, "daha", "sonra"):
            return _after(hit, end + (word == "daha"), scene)
        if word in ("once", "evvel"):
            return Hit(end, "vague", PHRASE, "no", "before a date")
    if case == "dat" and word in ("kadar", "dek"):
        return replace(hit, end=end, today=None, why=f"until: {hit.why}")
    return hit


def _after(hit: Hit, end: int, scene: Scene) -> Hit:
    """After a year means the next one; after a day or month the onset is that day or month."""
    if hit.since and hit.since.on and hit.since.precision == "year":
        return land_sure(scene, cal.safe_date(hit.since.on.year + 1, 1, 1), "year", end, "after a year")
    return replace(hit, end=end, today=None, why=f"after: {hit.why}")


def year_near(line: Line, i: int, scene: Scene) -> tuple[int, str, int] | None:
    """A year at `i` with its case and end: "2019'da", "2019 yılında", "geçen yıl", "bu sene"."""
    year = year_at(line, i)
    if year is not None:
        case, end = figure_case(line, i + 1)
        noun = stem(line.at(end), {"yil", "sene"})
        return (year, noun[1], end + 1) if noun and noun[1] not in ("lik", "dir") else (year, case, end)
    noun = stem(line.at(i + 1), {"yil", "sene"})
    if noun and line.at(i) in {*w.LASTS, "bu"} and noun[1] not in ("lik", "dir"):
        return scene.day.year - (line.at(i) != "bu"), noun[1], i + 2
    return None


def month_at(line: Line, i: int) -> tuple[int, str] | None:
    """The month named at `i` and its case."""
    found = stem(line.at(i), w.MONTHS)
    if found and found[1] not in ("plural", "lik", "likken", "dir", "inst", "vaguedir", "ken"):
        return w.MONTHS[found[0]], found[1]
    return None


def calendar_day(line: Line, i: int, scene: Scene) -> Hit | None:
    """14 mart, 12 Ocak 2016 Pazartesi, 22/Mayıs, Haziran'ın 22'sinde, 30 Kasım haftası."""
    return _day_month(line, i, scene) or _month_then_day(line, i, scene)


def _day_month(line: Line, i: int, scene: Scene) -> Hit | None:
    number = whole_number(line, i)
    if (
        number is None
        or not 1 <= number[0] <= 31
        or (line.glued(i) and line.at(i - 1) in (".", ",", "-", "/", ":"))
    ):
        return None
    at = number[1]
    last = whole_number(line, at + 1) if line.at(at) in ("-", "~", "ile") else None
    if last and number[0] < last[0] <= 31:
        at = last[1]
    for _ in range(2):
        at += line.at(at) in ("/", "-", ".")
    short = w.SHORT_MONTHS.get(line.at(at)) if line.at(i).isdigit() else None
    found = month_at(line, at) or ((short, "nom") if short else None)
    if found is None:
        return None
    return _finish(line, scene, day=number[0], month=found[0], case=found[1], end=at + 1)


def _month_then_day(line: Line, i: int, scene: Scene) -> Hit | None:
    found = month_at(line, i)
    if found is None or found[1] not in ("gen", "nom"):
        return None
    number = inflected_number(line, i + 1)
    if number is None or not 1 <= number[0] <= 31:
        return None
    written = line.at(i + 1).isdigit()
    book = written and line.at(number[2]) == "," and year_near(line, number[2] + 1, scene) is not None
    if found[1] == "nom" and not book and not (written and number[1] in ("poss", "loc", "abl")):
        return None
    if found[1] == "gen" and number[1] not in ("poss", "loc", "abl", "gen", "dat"):
        return None
    return _finish(line, scene, day=number[0], month=found[0], case=number[1], end=number[2])


def _finish(line: Line, scene: Scene, *, day: int, month: int, case: str, end: int) -> Hit | None:
    """Year, weekday, part of the day, week, and postposition after a day and month."""
    step = end + (line.at(end) in (",", "."))
    year = year_near(line, step, scene)
    if year:
        case, end = year[1], year[2]
    for opening in (0, 1):
        if line.at(end) in ("(", ",") or not opening:
            name = stem(line.at(end + opening), w.WEEKDAYS)
            if name and name[1] in ("nom", "poss", "loc"):
                end += opening + 1 + (opening and line.at(end + 2) == ")")
                break
    week = stem(line.at(end), {"hafta"})
    on = cal.safe_date(year[0], month, day) if year else cal.latest_date(scene, month, day)
    if on is None:
        return None
    if week and week[1] in ("poss", "loc", "abl"):
        hit = land(scene, cal.first_of(on, "week"), "week", end + 1, "week of a day", open_=not year)
        return close(line, hit, week[1], scene)
    _, case, end = day_tail(line, end, case)
    return close(
        line,
        land(scene, on, "day", end, "full date" if year else "day and month", open_=not year),
        case,
        scene,
    )


def day_of_month(line: Line, i: int, scene: Scene) -> Hit | None:
    """Ayın 14'ünde, 14'ünden beri, yirmi ikisinde."""
    lead = line.at(i) if line.at(i) in (*w.LASTS, "bu") and line.at(i + 1) == "ayin" else ""
    of_month = bool(lead) or line.at(i) == "ayin"
    read = inflected_number(line, i + of_month + bool(lead))
    if read is None or not 1 <= read[0] <= 31 or read[1] not in ("poss", "loc", "abl", "dat"):
        return None
    value, case, end = read
    suffix = line.at(end - 1)
    if not of_month:
        figures = line.at(i).isdigit()
        if figures and not (
            line.glued(end - 1)
            and suffix[:2] in ("un", "in", "si", "su", "u", "i")
            and case in ("loc", "abl")
        ):
            return None
        if not figures and (value < 11 or not (case in ("loc", "abl") or scene.past_only)):
            return None
        if not figures and not suffix.endswith(("si", "su", "u", "i", "nda", "nde", "ndan", "nden", "unu")):
            return None
        if figures and suffix in ("da", "de", "ta", "te", "dan", "den", "tan", "ten"):
            return None
    if lead:
        month = cal.months_back(scene.day.replace(day=1), 0 if lead == "bu" else 1)
        named = cal.safe_date(month.year, month.month, value) if month else None
        return (
            close(line, land_sure(scene, named, "day", end, "day of a month"), case, scene) if named else None
        )
    on = cal.latest_day_of_month(scene, value)
    if on is None:
        return None
    return close(line, land(scene, on, "day", end, "day of the month", open_=True), case, scene)


def _short_date(line: Line, i: int, scene: Scene) -> Hit | None:
    """12/5 tarihinde: day and month in figures, only beside the word for date."""
    noun = stem(line.at(i + 3), {"tarih"})
    on, _ = read_figures(line.at(i), line.at(i + 2), "", day_first=True, today=scene.day)
    if noun is None or on is None:
        return None
    return close(line, land(scene, on, "day", i + 4, "date in figures", open_=True), noun[1], scene)


def numeric_date(line: Line, i: int, scene: Scene) -> Hit | None:
    """A date in figures, day first: 14.03.2024, 14/3/24, 2024-03-14."""
    first, sign, second = line.at(i), line.at(i + 1), line.at(i + 2)
    if not (
        first.isascii()
        and first.isdigit()
        and sign in ("/", "-", ".")
        and second.isascii()
        and second.isdigit()
    ):
        return None
    if not (line.glued(i + 1) and line.glued(i + 2)) or (
        line.glued(i) and line.at(i - 1) in ("-", "/", ".", "+")
    ):
        return None
    if not (line.at(i + 3) == sign and line.glued(i + 3) and line.at(i + 4).isdigit() and line.glued(i + 4)):
        return _short_date(line, i, scene) if sign != "-" else None
    end = i + 5
    if line.glued(end) and line.at(end) in ("-", "/") and line.at(end + 1).isdigit():
        return None
    on, _ = read_figures(first, second, line.at(i + 4), day_first=True, today=scene.day)
    if on is None:
        return None
    case, end = figure_case(line, end)
    _, case, end = day_tail(line, end, case)
    return close(line, land_sure(scene, on, "day", end, "date in figures"), case, scene)
