"""Turkish months, seasons, years, decades, weeks and weekdays of a period, quarters and holidays."""

from __future__ import annotations

from datetime import date

from twin.rules.entries import Precision
from twin.rules.when import calendar as cal
from twin.rules.when.holidays import as_spoken, holiday_in, latest_holiday
from twin.rules.when.landing import land, week_in_month, year_at
from twin.rules.when.shapes import PHRASE, Hit, Scene
from twin.rules.when.tokens import APOSTROPHES, Line
from twin.rules.when.turkish import words as w
from twin.rules.when.turkish.dates import close, land_sure, month_at, year_near
from twin.rules.when.turkish.parts import (
    day_tail,
    figure_case,
    stem,
)


def period_part(line: Line, i: int) -> tuple[str, int] | None:
    """Başı, ortasında, sonlarından: the case and end of a part of a period."""
    found = stem(line.at(i), {"bas", "orta", "son", "ilk", "baslangic", "baslangici"})
    if found and found[1] not in ("nom", "gen", "lik") and line.at(i) not in ("sona", "basa"):
        return found[1], i + 1
    if found and line.at(i) in ("baslari", "ortalari", "sonlari"):
        return "poss", i + 1
    if line.at(i) == "ilk" and stem(line.at(i + 1), {"gun", "yari"}):
        return "loc", i + 2
    return None


def month_or_season(line: Line, i: int, scene: Scene) -> Hit | None:
    """Martta, geçen ocak ayında, kasım ortasında, 2019 yazında, geçen kıştan beri, yazın."""
    at, lead, year = i, "", None
    early = year_near(line, i, scene)
    if early and early[1] in ("nom", "gen", "ki", "poss"):
        year, at = early[0], early[2]
    elif line.at(i) in {*w.LASTS, *w.BEFORE_LASTS, "bu"}:
        lead, at = line.at(i), i + 1
    season = stem(line.at(at), w.SEASONS)
    if (
        season
        and season[1] not in ("plural", "lik", "likken", "dir", "inst", "dat")
        and not (not lead and year is None and _is_name(line, at, scene))
    ):
        return _season(line, at, scene, season=season, lead=lead, year=year)
    found = month_at(line, at)
    if found is None or (not lead and year is None and _is_name(line, at, scene)):
        return None
    month, case = found
    end = at + 1
    noun = stem(line.at(end), {"ay"}) if case == "nom" else None
    if noun and noun[1] in ("poss", "loc", "abl", "gen", "dat"):
        case, end = noun[1], end + 1
    elif noun is not None:
        noun = None
    second = month_at(line, end + 1) if case == "nom" and line.at(end) in ("-", "~", "/") else None
    if second:
        case, end = second[1], end + 2
    if year is None:
        late = year_near(line, end, scene) if case in ("nom", "gen") else None
        if late and (line.at(end) not in ("bu",)):
            year, case, end = late
    edge = period_part(line, end)
    if edge and case in ("nom", "gen"):
        case, end = edge
    elif year is None and not _is_month(line, at, end, case=case, told=bool(lead or noun)):
        return None
    if year is not None:
        return close(
            line, land_sure(scene, date(year, month, 1), "month", end, "month of a year"), case, scene
        )
    if lead == "bu":
        return close(
            line,
            land_sure(scene, date(scene.day.year, month, 1), "month", end, "this month by name"),
            case,
            scene,
        )
    on = cal.latest_month(scene, month, ended=bool(lead))
    return close(line, land(scene, on, "month", end, "month", open_=not lead), case, scene)


def _is_name(line: Line, at: int, scene: Scene) -> bool:
    """Whether the word is one of the household's names (Eylül, Nisan, Bahar)."""
    word, raw = line.at(at), line.raw(at)
    written = raw[:1].isupper() or any(sign in raw for sign in APOSTROPHES)
    return word in scene.names or (written and any(word.startswith(n) for n in scene.names if len(n) > 2))


def _is_month(line: Line, at: int, end: int, *, case: str, told: bool) -> bool:
    """Whether the word is a month here and no name, stove or gap."""
    if told or case in ("loc", "ki"):
        return True
    if case == "abl":
        return line.at(at) != "ocaktan" or line.at(end) in ("beri", "itibaren", "bu")
    word = line.at(at)
    if case == "dat":
        return line.at(end) in ("kadar", "dek")
    if case != "nom":
        return False
    return len(line) <= 2 or word not in w.RISKY_MONTHS


def _season(
    line: Line, at: int, scene: Scene, *, season: tuple[str, str], lead: str, year: int | None
) -> Hit | None:
    name, case = w.SEASONS[season[0]], season[1]
    end = at + 1
    noun = stem(line.at(end), {"mevsim", "ay"})
    if noun and case == "nom":
        case, end = noun[1], end + 1
    edge = period_part(line, end)
    if edge and case in ("nom", "gen"):
        case, end = edge
    if year is not None:
        return close(
            line,
            land_sure(scene, cal.season_start(name, year), "season", end, "season of a year"),
            case,
            scene,
        )
    if not lead and (case in ("nom", "poss", "dat") or (line.at(at) == "yazi")):
        return None
    if not lead and season[0] == "yaz" and line.at(at) in ("yaza", "yazi", "yazda") and case != "loc":
        return None
    if lead == "bu":
        on = cal.latest_season(scene, name)
        current = cal.first_of(scene.day, "season") == on
        if not cal.is_season_of_year(scene, on):
            return Hit(end, "future", None, None, "this season, not begun")
        return close(line, land(scene, on, "season", end, "season", open_=not current), case, scene)
    on = cal.latest_season(scene, name, ended=bool(lead))
    if lead in w.BEFORE_LASTS:
        on = cal.months_back(on, 12) or on
    why = "last season: the latest that ended" if lead else "season"
    return close(line, land(scene, on, "season", end, why, open_=not lead), case, scene)


PLURALS = frozenset({
    "lar", "ler", "larda", "lerde", "lardan", "lerden", "lardaki", "lerdeki", "li", "lu", "larin", "lerin",
    "larinda", "lerinde",
})  # fmt: skip
DECADES: dict[str, int] = {
    "ellili": 1950,
    "altmisli": 1960,
    "yetmisli": 1970,
    "seksenli": 1980,
    "doksanli": 1990,
}


def decade(line: Line, i: int, scene: Scene) -> Hit | None:
    """1990'lar, 90'larda, 90'lı yıllarda, doksanlı yıllarda; the coarsest precision is the year."""
    word, plural = line.at(i), line.at(i + 1)
    if word in DECADES and plural.startswith(("yillar", "seneler")):
        return land_sure(scene, cal.safe_date(DECADES[word], 1, 1), "year", i + 2, "decade")
    tens = len(word) == 2 and word.isdigit() and word.endswith("0")
    if not (tens or year_at(line, i) is not None) or plural not in PLURALS or not line.glued(i + 1):
        return None
    start = int(word)
    if tens:
        start += 2000 if 2000 + start <= scene.day.year else 1900
    end = i + 2
    if plural in ("li", "lu"):
        if not line.at(end).startswith(("yillar", "seneler")):
            return None
        end += 1
    case = "abl" if plural in ("lardan", "lerden") else "loc"
    return close(line, land_sure(scene, cal.safe_date(start, 1, 1), "year", end, "decade"), case, scene)


def whole_year(line: Line, i: int, scene: Scene) -> Hit | None:
    """2019'da, 2019 yılından beri, 2014-2018."""
    if line.glued(i) and line.at(i - 1) in ("-", "/", ".", "+", "$", "#"):
        return None
    year = year_at(line, i)
    if year is None:
        return None
    ranged = line.at(i + 1) in ("-", "~") and year_at(line, i + 2) is not None
    case, end = figure_case(line, i + 1)
    noun = stem(line.at(end), {"yil", "sene"})
    if noun and noun[1] not in ("lik", "dir", "likken"):
        case, end = noun[1], end + 1
        edge = period_part(line, end)
        if edge:
            case, end = edge
    edge = period_part(line, end) if case in ("gen", "nom") and not ranged else None
    if edge:
        case, end = edge
    led = line.at(i - 1) in (">", "<", "=", "yil") or len(line) == 1
    if case not in ("loc", "abl", "ki", "gen") and not noun and not edge and not ranged and not led:
        return None
    if case == "gen" and not (noun or edge):
        return None
    if ranged:
        case, end = figure_case(line, i + 3)
    return close(line, land_sure(scene, cal.safe_date(year, 1, 1), "year", end, "year"), case, scene)


def week_of(line: Line, i: int, scene: Scene) -> Hit | None:
    """Temmuz'un son haftası, 2018'in 3'üncü haftası, mayısın ilk haftasında."""
    year = year_near(line, i, scene)
    month: int | None = None
    at = i
    if year and year[1] in ("gen", "nom", "poss"):
        at = year[2]
    else:
        year = None
    found = month_at(line, at)
    if found and found[1] in ("gen", "nom"):
        month, at = found[0], at + 1
        noun = stem(line.at(at), {"ay"})
        at += bool(noun and noun[1] == "gen")
    start = None
    if year is None and month is None:
        noun = stem(line.at(i + 1), {"ay"})
        if line.at(i) not in {*w.LASTS, "bu"} or not noun or noun[1] != "gen":
            return None
        start, at = cal.months_back(scene.day.replace(day=1), line.at(i) != "bu"), i + 2
    nth = w.ORDINALS.get(line.at(at), 0)
    step = at + 1
    if not nth and line.at(at).isdigit() and len(line.at(at)) <= 2:
        mark = line.at(step)
        if mark == "." or mark in ("inci", "nci", "uncu", "ncu", "unci", "ncü"):
            nth, step = int(line.at(at)), step + 1
    week = stem(line.at(step), {"hafta"})
    if not nth or nth > 53 or not week or week[1] not in ("poss", "loc", "abl", "dat", "gen", "ki"):
        return None
    monday = week_in_month(start, nth) if start else _monday(scene, year[0] if year else None, month, nth)
    if monday is None:
        return None
    hit = land(scene, monday, "week", step + 1, "week of a period", open_=year is None)
    return close(line, hit, week[1], scene)


def nth_weekday(line: Line, i: int, scene: Scene) -> Hit | None:
    """Mayısın son cuması, 2017 ocak ayının üçüncü pazartesisi."""
    year = year_near(line, i, scene)
    at = year[2] if year else i
    found = month_at(line, at)
    if found is None or found[1] not in ("gen", "nom"):
        return None
    at += 1
    noun = stem(line.at(at), {"ay"})
    at += bool(noun and noun[1] == "gen")
    if year is None:
        year = year_near(line, at, scene)
        at = year[2] if year else at
    nth, at = w.ORDINALS.get(line.at(at), 0), at + 1
    day = stem(line.at(at), w.WEEKDAYS)
    if not nth or nth > 4 or day is None or day[1] not in ("poss", "loc", "abl", "gen", "dat"):
        return None
    number = w.WEEKDAYS[day[0]]
    on = (
        cal.nth_weekday(year[0], found[0], number, nth)
        if year
        else cal.weekday_of_month(scene, found[0], number, nth)
    )
    return close(line, land(scene, on, "day", at + 1, "weekday of a month", open_=not year), day[1], scene)


def quarter(line: Line, i: int, scene: Scene) -> Hit | None:
    """2018'in üçüncü çeyreği, geçen yılın ilk yarısında."""
    year = year_near(line, i, scene)
    if line.at(i) in ("yilin", "senenin"):
        year = scene.day.year, "gen", i + 1
    if year is None:
        return None
    nth, at = w.ORDINALS.get(line.at(year[2]), 0), year[2] + 1
    if not nth and line.at(year[2]).isdigit() and len(line.at(year[2])) == 1:
        nth, at = int(line.at(year[2])), at + (line.at(at) in (".", "inci", "uncu", "ncu", "nci"))
    piece = stem(line.at(at), {"ceyrek", "ceyreg", "yari", "yaris"})
    if not nth or piece is None or piece[1] == "plural":
        return None
    parts = 4 if piece[0].startswith("ceyre") else 2
    nth = parts if nth < 0 else nth
    if nth > parts:
        return None
    precision: Precision = "season" if parts == 4 else "year"
    on = cal.safe_date(year[0], (nth - 1) * 12 // parts + 1, 1)
    return close(line, land_sure(scene, on, precision, at + 1, "part of a year"), piece[1], scene)


def _monday(scene: Scene, year: int | None, month: int | None, nth: int) -> date | None:
    """Monday of the nth week of a month or year; -1 is the week of its last day."""
    if month is None and year is not None:
        return cal.first_of(date(year, 12, 31), "week") if nth < 0 else cal.iso_week(year, nth)
    first = date(year, month or 1, 1) if year else cal.latest_month(scene, month or 1)
    return week_in_month(first, nth)


def holiday(line: Line, i: int, scene: Scene) -> Hit | None:
    """Yılbaşı gecesinden beri, 2015 Çocuk Bayramı'nda, geçen bayram (a phrase), Noel'de."""
    at, lead = i, ""
    year = year_near(line, i, scene)
    if year and year[1] in ("nom", "gen", "ki"):
        at = year[2]
    else:
        year = None
    if line.at(at) in w.LASTS or line.at(at) == "bu":
        lead, at = line.at(at), at + 1
    name, case, end = _named(line, at)
    if not name:
        return None
    if year:
        on = holiday_in(name, year[0])
    elif lead == "bu":
        on = holiday_in(name, scene.day.year)
    else:
        on = latest_holiday(scene, name, before_today=bool(lead))
    late = year_near(line, end, scene) if year is None and year_at(line, end) is not None else None
    if late:
        year, on, case, end = late, holiday_in(name, late[0]), late[1], late[2]
    _, case, end = day_tail(line, end, case)
    if on is None:
        return Hit(end, "vague", PHRASE, None, "holiday outside the table", open=True)
    on, precision = as_spoken(name, on)
    return close(line, land(scene, on, precision, end, "holiday", open_=not (year or lead)), case, scene)


def _named(line: Line, at: int) -> tuple[str, str, int]:
    """The holiday at `at` (its last word may carry a case), its case and end."""
    for length in range(6, 0, -1):
        words = [line.at(at + n) for n in range(length)]
        last = words[-1]
        for cut in range(len(last), max(len(last) - 6, 1), -1):
            if last[cut:] in w.SUFFIXES:
                name = w.HOLIDAYS.get((*words[:-1], last[:cut]))
                if name:
                    return name, w.SUFFIXES[last[cut:]], at + length
    return "", "", at
