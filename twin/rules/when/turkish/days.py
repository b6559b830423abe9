"""Turkish days near the day of speaking, parts of the day, weekdays, weekends and named periods."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from twin.rules.entries import Precision
from twin.rules.when import calendar as cal
from twin.rules.when.shapes import Hit, Scene, dated
from twin.rules.when.tokens import Line
from twin.rules.when.turkish import words as w
from twin.rules.when.turkish.dates import close, land_sure
from twin.rules.when.turkish.parts import (
    clock,
    day_tail,
    part,
    stem,
)
from twin.rules.when.turkish.periods import period_part


def near_day(line: Line, i: int, scene: Scene) -> Hit | None:
    """Bugün, dün, evvelsi gün and their parts."""
    found = stem(line.at(i), {"bugun", "dun"})
    if (found and found[1] not in ("plural", "lik", "inst", "dat")) or line.at(i) in ("dune", "bugune"):
        base, case = found or (line.at(i)[:-1], "dat")
        _, case, end = day_tail(line, i + 1, case)
        on = scene.day - timedelta(days=base == "dun")
        return close(
            line, land_sure(scene, on, "day", end, "bugün" if base == "bugun" else "dün"), case, scene
        )
    gun = stem(line.at(i + 1), {"gun"})
    if line.at(i) in ("evvelsi", "evvelki", "onceki") and gun and line.at(i - 1) != "bir":
        _minute, case, end = day_tail(line, i + 2, gun[1])
        return close(
            line, land_sure(scene, scene.day - timedelta(days=2), "day", end, "evvelsi gün"), case, scene
        )
    if line.at(i) in ("evvelsi", "evvelki", "onceki") and line.at(i + 1) in ("gece", "aksam", "sabah"):
        return close(
            line, land_sure(scene, scene.day - timedelta(days=2), "day", i + 2, "evvelsi gece"), "nom", scene
        )
    if line.follows(i, "son", "gun") or (
        line.follows(i, "bir", "onceki") and gun is None and line.at(i + 2) == "gun"
    ):
        return land_sure(
            scene, scene.day - timedelta(days=1), "day", i + 2 + (line.at(i) == "bir"), "son gün"
        )
    return None


def part_of_day(line: Line, i: int, scene: Scene) -> Hit | None:
    """Bu sabah, sabahtan beri, gece: a part of today, or of the night just gone."""
    this = line.at(i) == "bu"
    named = part(line, i + this)
    if named is None or line.at(i - 1) in ("her", "gecen", "o", "ertesi", "bazi", "cogu", "hangi", "bir"):
        return None
    if line.at(i) == "gece" and line.at(i + 1).startswith(
        ("lamba", "korku", "korlu", "bez", "elbise", "gunduz")
    ):
        return None
    name, case, end = named
    if (
        not this
        and line.at(i) in ("sabaha", "geceye", "aksama", "ogleye")
        and line.at(i + 1) not in ("karsi", "dogru", "kadar")
    ):
        return None
    told = clock(line, end, led=True)
    minute = None
    if told:
        minute, end, case = told[0], told[1], "loc"
    if name == "gece" and line.at(end) in ("boyunca", "boyu"):
        end += 1
    if line.at(i) == "sabaha" and line.at(end) == "kadar":
        return Hit(end + 1, "moment", dated(scene.day - timedelta(days=1), "day"), "no", "until this morning")
    yesterday = not this and _was_yesterday(scene, name, minute)
    on = scene.day - timedelta(days=yesterday)
    hit = land_sure(scene, on, "day", end, "night just gone is yesterday" if yesterday else "part of today")
    return close(line, replace(hit, open=not this and not yesterday), case, scene)


def _was_yesterday(scene: Scene, name: str, minute: int | None) -> bool:
    """Whether an unnamed part of the day lies in the day before: last night, or an hour still to come."""
    if name == "midnight":
        return True
    if name == "gece":
        return minute is None or minute < 180 or minute > 300
    begins = {"dawn": 240}.get(name, w.PARTS.get(name, 0) * 60)
    return begins > scene.minute and not scene.past_only


def all_day(line: Line, i: int, scene: Scene) -> Hit | None:
    """Bütün gece, tüm gün, gece boyunca, az önce."""
    if line.at(i) in ("butun", "tum", "bütun") and line.at(i + 1) in (
        "gece",
        "gun",
        "hafta",
        "sabah",
        "aksam",
    ):
        if line.at(i + 1) == "hafta":
            return Hit(i + 2, "duration", dated(cal.first_of(scene.day, "week"), "week"), None, "all week")
        back = line.at(i + 1) == "gece"
        return land_sure(scene, scene.day - timedelta(days=back), "day", i + 2, "all night or day")
    if line.follows(i, "gun", "boyu") or line.follows(i, "gun", "boyunca"):
        return land_sure(scene, scene.day, "day", i + 2, "all day")
    for words in (("az", "once"), ("az", "evvel"), ("biraz", "once"), ("biraz", "evvel"), ("demin",),
    ("demincek",),
                  ("deminden", "beri"), ("henuz", "simdi"), ("daha", "simdi"), ("daha", "demin"),
                  ("az", "onceye", "kadar"), ("az", "onceki")):  # fmt: skip
        if line.follows(i, *words):
            return Hit(i + len(words), "moment", dated(scene.day, "day"), "yes", "just now is today")
    return None


def weekday(line: Line, i: int, scene: Scene) -> Hit | None:
    """A weekday with geçen / bu / önceki (hafta) before it and gün, gece, saat after it."""
    at, lead, weeks = i, "", None
    if line.at(at) == "bir" and line.at(at + 1) == "onceki":
        at += 1
    if line.at(at) in {*w.LASTS, *w.BEFORE_LASTS, "bu"}:
        lead, at = line.at(at), at + 1
        week = stem(line.at(at), {"hafta"})
        if week and week[1] in ("nom", "gen", "ki"):
            weeks = 0 if lead == "bu" else 2 if lead in w.BEFORE_LASTS else 1
            at += 1 + (line.at(at + 1) in (",", "-"))
    found = stem(line.at(at), w.WEEKDAYS)
    if found is None or not _is_day(line, at, found, lead):
        return None
    dayed = stem(line.at(at + 1), {"gun"}) is not None or part(line, at + 1) is not None
    if found[0] in w.SHORT_WEEKDAYS and not (lead or dayed):
        return None
    if found[0] in scene.names and not lead and line.at(at + 1) not in ("gunu", "gecesi", "gununden"):
        return None
    ranged = _range(line, at, scene, found)
    if ranged:
        return ranged
    minute, case, end = day_tail(line, at + 1, found[1])
    ended = False
    closing = stem(line.at(end), {"son", "bas"})
    if case == "gen" and closing:
        case, end, ended = closing[1], end + 1, True
    number = w.WEEKDAYS[found[0]]
    if weeks is not None or lead == "bu":
        on = cal.week_start(scene, weeks_back=weeks or 0) + timedelta(days=number)
        return close(line, land_sure(scene, on, "day", end, "weekday of a week"), case, scene)
    later = minute is not None and minute > scene.minute
    on = cal.latest_weekday(scene, number, before_today=bool(lead) or later or (ended and scene.past_only))
    if lead in w.BEFORE_LASTS:
        on -= timedelta(days=7)
    return close(
        line, replace(land_sure(scene, on, "day", end, "latest such weekday"), open=not lead), case, scene
    )


def _range(line: Line, at: int, scene: Scene, found: tuple[str, str]) -> Hit | None:
    """Cumadan pazara (kadar): the first day of the latest such range."""
    last = stem(line.at(at + 1), w.WEEKDAYS)
    if found[1] != "abl" or last is None or last[1] not in ("dat", "nom"):
        return None
    closing = cal.latest_weekday(scene, w.WEEKDAYS[last[0]])
    on = closing - timedelta(days=(w.WEEKDAYS[last[0]] - w.WEEKDAYS[found[0]]) % 7)
    end = at + 2 + (line.at(at + 2) in ("kadar", "dek"))
    return land_sure(scene, on, "day", end, "first of a range of weekdays")


def _is_day(line: Line, at: int, found: tuple[str, str], lead: str) -> bool:
    """Whether the word is a weekday here; "pazarda" may be the market, "salona" is no Tuesday."""
    name, case = found
    if case in ("plural", "lik", "likken", "inst", "ken", "dir", "vaguedir"):
        return False
    if case in ("dat", "poss") and line.at(at + 1) not in ("kadar", "dek"):
        return bool(lead) or (case == "poss" and name != "pazar" and len(name) > 4)
    if name == "pazar" and case in ("loc", "nom") and not lead:
        nxt = line.at(at + 1)
        followed = stem(nxt, {"gun"}) is not None or part(line, at + 1) is not None or not nxt
        return case == "nom" and (followed or line.raw(at)[:1].isupper() or len(line) <= 3)
    return True


def weekend(line: Line, i: int, scene: Scene) -> Hit | None:
    """Hafta sonu: the latest one begun; with geçen the one before this week."""
    lead = line.at(i) if line.at(i) in {*w.LASTS, *w.BEFORE_LASTS, "bu"} else ""
    at = i + bool(lead)
    if line.at(at) == "hafta" and stem(line.at(at + 1), {"son"}):
        found, end = stem(line.at(at + 1), {"son"}), at + 2
    else:
        found, end = stem(line.at(at), {"haftason"}), at + 1
    if not found or found[1] in ("plural", "nom"):
        return None
    here = scene.day.weekday() >= 5
    if lead == "bu" and not here:
        return Hit(end, "future", None, None, "this weekend has not come")
    back = 2 if lead in w.BEFORE_LASTS else 0 if here and lead in ("", "bu") else 1
    hit = land_sure(scene, cal.week_start(scene, weeks_back=back), "week", end, "weekend")
    return close(line, replace(hit, open=not lead), found[1], scene)


def period(line: Line, i: int, scene: Scene) -> Hit | None:
    """Geçen hafta, önceki ay, bu yıl, evvelki sene, hafta başında, ayın sonlarında."""
    at = i + (line.follows(i, "bir") and line.at(i + 1) in ("onceki", "evvelki"))
    lead = line.at(at) if line.at(at) in {*w.LASTS, *w.BEFORE_LASTS, "bu"} else ""
    at += bool(lead)
    found = stem(line.at(at), w.PERIODS)
    if found is None or found[1] in ("lik", "likken", "dir", "plural", "vaguedir", "inst"):
        return None
    if line.at(at) == "hafta" and line.at(at + 1) in ("sonlari", "icleri"):
        return None
    precision = w.PERIODS[found[0]]
    edge = period_part(line, at + 1)
    if not lead and not (edge and found[1] in ("gen", "nom")):
        return None
    if edge and line.at(i - 1) in w.NEXTS:
        return None
    case, end = edge or (found[1], at + 1)
    back = 0 if lead in ("", "bu") else 2 if lead in w.BEFORE_LASTS else 1
    end += line.at(end) in ("boyunca", "icinde", "icerisinde")
    for words in (("bir", "ara"), ("bi", "ara"), ("bir", "gun"), ("bi", "gun")):
        end += len(words) * line.follows(end, *words)
    return close(line, back_period(scene, precision, back, end), case, scene)


def back_period(scene: Scene, precision: Precision, back: int, end: int) -> Hit:
    """The named period `back` periods before the scene's."""
    if precision == "week":
        on = cal.week_start(scene, weeks_back=back)
    else:
        on = (
            cal.months_back(cal.first_of(scene.day, precision), back * (12 if precision == "year" else 1))
            or scene.day
        )
    return Hit(end, "moment", dated(on, precision), "no" if back else "unknown", "named period")
