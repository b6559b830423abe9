"""The Turkish grammar of time: each rule reads the words from one position on, or declines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from twin.rules.entries import Precision
from twin.rules.when import calendar as cal
from twin.rules.when import turkish_words as w
from twin.rules.when.shapes import PHRASE, Hit, Scene, dated
from twin.rules.when.tokens import Line
from twin.rules.when.turkish_ages import age
from twin.rules.when.turkish_dates import (
    calendar_day,
    close,
    day_of_month,
    holiday,
    land,
    month_or_season,
    nth_weekday,
    numeric_date,
    period_part,
    quarter,
    week_of,
    whole_year,
)
from twin.rules.when.turkish_parts import clock, day_tail, part, quantity, stem

Rule = Callable[[Line, int, Scene], Hit | None]


def set_phrase(line: Line, i: int, scene: Scene) -> Hit | None:
    """Words with one fixed meaning: şimdi, hâlâ, bazen, eskiden, yarın."""
    length = line.phrase(i, w.SET_PHRASES)  # type: ignore[arg-type]
    if not length or (
        line.at(i) in ("gunluk", "haftalik", "aylik", "yillik", "saatlik") and line.at(i - 1).isdigit()
    ):
        return None
    if line.at(i) in ("gunluk", "haftalik", "aylik", "yillik", "saatlik") and line.at(i - 1) in w.NUMBERS:
        return None
    role, has_phrase, today, why = w.SET_PHRASES[tuple(line.at(i + n) for n in range(length))]
    return Hit(i + length, role, PHRASE if has_phrase else None, today, why)


def near_day(line: Line, i: int, scene: Scene) -> Hit | None:
    """Bugün, dün, evvelsi gün and their parts."""
    found = stem(line.at(i), {"bugun", "dun"})
    if (found and found[1] not in ("plural", "lik", "inst", "dat")) or line.at(i) in ("dune", "bugune"):
        base, case = found or (line.at(i)[:-1], "dat")
        minute, case, end = day_tail(line, i + 1, case)
        on = scene.day - timedelta(days=base == "dun")
        return close(line, land(scene, on, "day", end, "bugün" if base == "bugun" else "dün"), case, scene)
    gun = stem(line.at(i + 1), {"gun"})
    if line.at(i) in ("evvelsi", "evvelki", "onceki") and gun and line.at(i - 1) != "bir":
        minute, case, end = day_tail(line, i + 2, gun[1])
        return close(line, land(scene, scene.day - timedelta(days=2), "day", end, "evvelsi gün"), case, scene)
    if line.at(i) in ("evvelsi", "evvelki") and line.at(i + 1) in ("gece", "aksam", "sabah"):
        return close(
            line, land(scene, scene.day - timedelta(days=2), "day", i + 2, "evvelsi gece"), "nom", scene
        )
    if line.follows(i, "son", "gun") or (
        line.follows(i, "bir", "onceki") and gun is None and line.at(i + 2) == "gun"
    ):
        return land(scene, scene.day - timedelta(days=1), "day", i + 2 + (line.at(i) == "bir"), "son gün")
    return None


def part_of_day(line: Line, i: int, scene: Scene) -> Hit | None:
    """Bu sabah, sabahtan beri, gece: a part of today, or of the night just gone."""
    this = line.at(i) == "bu"
    named = part(line, i + this)
    if named is None or line.at(i - 1) in ("her", "gecen", "o", "ertesi", "bazi", "cogu", "hangi", "bir"):
        return None
    if line.at(i) == "gece" and line.at(i + 1).startswith(("lamba", "korku", "korlu", "bez", "elbise", "gunduz")):
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
    hit = land(scene, on, "day", end, "night just gone is yesterday" if yesterday else "part of today")
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
        return land(scene, scene.day - timedelta(days=back), "day", i + 2, "all night or day")
    if line.follows(i, "gun", "boyu") or line.follows(i, "gun", "boyunca"):
        return land(scene, scene.day, "day", i + 2, "all day")
    for words in (("az", "once"), ("az", "evvel"), ("biraz", "once"), ("biraz", "evvel"), ("demin",), ("demincek",),
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
    if found is None or (found[0] in w.SHORT_WEEKDAYS and not lead) or not _is_day(line, at, found, lead):
        return None
    if found[0] in scene.names and not lead and line.at(at + 1) not in ("gunu", "gecesi", "gununden"):
        return None
    minute, case, end = day_tail(line, at + 1, found[1])
    ended = False
    closing = stem(line.at(end), {"son", "bas"})
    if case == "gen" and closing:
        case, end, ended = closing[1], end + 1, True
    number = w.WEEKDAYS[found[0]]
    if weeks is not None or lead == "bu":
        on = cal.week_start(scene, weeks_back=weeks or 0) + timedelta(days=number)
        return close(line, land(scene, on, "day", end, "weekday of a week"), case, scene)
    later = minute is not None and minute > scene.minute
    on = cal.latest_weekday(scene, number, before_today=bool(lead) or later or (ended and scene.past_only))
    if lead in w.BEFORE_LASTS:
        on -= timedelta(days=7)
    return close(
        line, replace(land(scene, on, "day", end, "latest such weekday"), open=not lead), case, scene
    )


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
    hit = land(scene, cal.week_start(scene, weeks_back=back), "week", end, "weekend")
    return close(line, replace(hit, open=not lead), found[1], scene)


def period(line: Line, i: int, scene: Scene) -> Hit | None:
    """Geçen hafta, önceki ay, bu yıl, evvelki sene, hafta başında, ayın sonlarında."""
    at = i + (line.follows(i, "bir") and line.at(i + 1) in ("onceki", "evvelki"))
    lead = line.at(at) if line.at(at) in {*w.LASTS, *w.BEFORE_LASTS, "bu"} else ""
    at += bool(lead)
    found = stem(line.at(at), w.PERIODS)
    if found is None or found[1] in ("lik", "likken", "dir", "plural", "vaguedir", "inst"):
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


AFTERS = frozenset({"sonra", "sonraki", "sonrasina", "sonraya", "sonrasi", "icinde", "icerisinde"})
IN_A_ROW: tuple[tuple[str, ...], ...] = (
    ("ust", "uste"), ("arka", "arkaya"), ("pes", "pese"), ("art", "arda"), ("araliksiz",),
)  # fmt: skip


def counted(line: Line, i: int, scene: Scene) -> Hit | None:
    """Amounts: üç gün önce, 2 haftadır, son iki gün, 3 gün sonra, iki günde bir."""
    lead = line.at(i) if line.at(i) in {*w.LASTS, "son"} else ""
    read = quantity(line, i + bool(lead))
    if read is None and lead == "son" and stem(line.at(i + 1), {"hafta", "ay", "yil", "sene"}):
        unit = stem(line.at(i + 1), w.UNITS)
        if unit and unit[1] in ("nom", "loc", "dir", "abl") and not period_part(line, i + 2):
            return _span(scene, cal.Quantity(*w.UNITS[unit[0]]), i + 2)
    if read is None:
        return None
    size, end = read.quantity, read.end
    for filler in ("kadar", "falan", "filan", "civari"):
        end += line.at(end) == filler
    if lead:
        end += line.at(end) in ("icinde", "icerisinde", "boyunca", "suresince", "zarfinda")
        end += line.at(end) == "beri" and read.case == "abl"
        return _span(scene, size, end)
    word = line.at(end)
    if word in (
        "once",
        "evvel",
        "onceki",
        "evvelki",
        "oncesi",
        "oncesinde",
        "onceye",
        "oncesine",
        "oncesinden",
        "onceden",
    ):
        beri = end + 1 + (line.at(end + 1) == "beri")
        return _ago(scene, size, beri, onset=beri > end + 1)
    if read.case in ("lik", "likken"):
        lasting = scene.past_only and read.case == "lik" and line.at(read.end - 1).endswith(("gine", "gune"))
        return _span(scene, size, end) if lasting else None
    if read.case == "loc" and (
        line.at(end) in ("bir", "bi") or stem(line.at(end + 1), {"kez", "kere", "defa"})
    ):
        return Hit(end + 1, "frequency", None, None, "how often")
    if word in ("sonra", "sonraki", "sonrasina", "sonraya", "icinde", "icerisinde"):
        return Hit(end + 1, "future", None, None, "counted forward")
    if read.case in ("dir", "vaguedir"):
        return _span(scene, size, end + (line.at(end) == "beri"))
    if read.case == "abl" and (line.at(end) == "beri" or line.follows(end, "bu", "yana")):
        return _span(scene, size, end + (1 if line.at(end) == "beri" else 2))
    if read.case == "abl" and line.at(end) in ("fazla", "az", "uzun", "cok", "kisa"):
        end += 1
        for words in (
            ("bir", "suredir"),
            ("suredir",),
            ("zamandir",),
            ("bir", "zamandir"),
            ("bir", "sure"),
            ("sure",),
        ):
            if line.follows(end, *words):
                return _span(scene, size, end + len(words))
        return _span(scene, size, end) if scene.past_only else Hit(end, "duration", None, None, "how long")
    if read.case == "abl" and word in ("fazladir", "uzundur", "coktur", "fazladi"):
        return _span(scene, size, end + 1)
    if word in ("askin", "gecen", "gecmis") and line.at(end + 1).startswith(("sure", "zaman")):
        return _span(scene, size, end + 2)
    for words in IN_A_ROW:
        if line.follows(end, *words):
            return _span(scene, size, end + len(words))
    if word in ("oldu", "olmus", "oluyor", "gecti", "geciyor"):
        return _span(scene, size, end + 1)
    if read.case not in ("nom", "loc", "dat", "poss", "abl"):
        return None
    if scene.past_only or (end - i == len(line) and read.case == "nom"):
        return _span(scene, size, end)
    return Hit(end, "duration", None, None, "how long it lasted")


def _span(scene: Scene, size: cal.Quantity, end: int) -> Hit:
    if size.vague:
        return Hit(end, "duration", PHRASE, "yes", "an uncounted span")
    on = cal.count_back(scene, size)
    return Hit(end, "duration", dated(on, size.unit) if on else PHRASE, "yes", "span counted back")


def _ago(scene: Scene, size: cal.Quantity, end: int, *, onset: bool) -> Hit:
    if size.vague:
        return Hit(end, "vague", PHRASE, "no", "an uncounted time ago")
    on = cal.count_back(scene, size)
    if on is None:
        return Hit(end, "vague", PHRASE, "no", "before the calendar")
    same = on == scene.day or onset
    return Hit(
        end, "onset" if onset else "moment", dated(on, size.unit), "yes" if same else "no", "counted back"
    )


def before_yesterday(line: Line, i: int, scene: Scene) -> Hit | None:
    """Dünden önce(ki) iki hafta: counted back from yesterday."""
    if line.at(i) != "dunden" or line.at(i + 1) not in ("once", "onceki", "evvel"):
        return None
    read = quantity(line, i + 2)
    if read is None or read.quantity.vague:
        return None
    on = cal.count_back(scene, replace(read.quantity, minutes=0), origin=scene.day - timedelta(days=1))
    return (
        Hit(read.end, "moment", dated(on, read.quantity.unit), "no", "counted back from yesterday")
        if on
        else None
    )


def ahead(line: Line, i: int, scene: Scene) -> Hit | None:
    """Gelecek hafta, önümüzdeki salı, yarın, bu hafta daha sonra: future, no onset."""
    at = i + (line.follows(i, "bir", "dahaki") or line.follows(i, "bir", "sonraki"))
    if line.at(at) in w.NEXTS:
        known = {*w.WEEKDAYS, *w.MONTHS, *w.SEASONS, *w.UNITS, "bayram", "haftason", "sefer", "gunler"}
        if stem(line.at(at + 1), known) or quantity(line, at + 1) or line.phrase(at + 1, w.HOLIDAYS):  # type: ignore[arg-type]
            end = at + 2
            for _ in range(6):
                if not (stem(line.at(end), {*w.WEEKDAYS, "gun", "hafta", *w.PARTS}) or line.at(end).isdigit() or
                        (line.glued(end) and line.at(end) in w.SUFFIXES) or line.at(end) == "kadar"):  # fmt: skip
                    break
                end += 1
            return Hit(min(end, len(line)), "future", None, None, "next")
    if line.at(i) in ("yarin", "yarinin", "yarindan", "yarina"):
        end = i + 1
        closing = stem(line.at(end), {"son", "sabah", "aksam", "gece", "oglen", "bas"})
        end += bool(closing)
        if line.at(end) in ("sonra", "itibaren", "once"):
            read = quantity(line, end + 1)
            end = read.end if read else end + 1
        return Hit(end, "future", None, None, "tomorrow")
    return None


def frequency(line: Line, i: int, scene: Scene) -> Hit | None:
    """Her gün, her iki günde bir, günde 3 kez, pazartesileri."""
    word = line.at(i)
    if word == "her":
        read = quantity(line, i + 1)
        if read:
            end = read.end + (line.at(read.end) == "bir")
            return Hit(end, "frequency", None, None, "how often")
        known = {
            *w.UNITS,
            *w.WEEKDAYS,
            *w.PARTS,
            *w.MONTHS,
            *w.SEASONS,
            "gun",
            "ogun",
            "haftason",
            "defa",
            "sefer",
            "kez",
        }
        if stem(line.at(i + 1), known):
            end = day_tail(line, i + 2, "nom")[2]
            told = clock(line, end, led=False)
            return Hit(told[1] if told else end, "frequency", None, None, "how often")
    found = stem(word, {*w.WEEKDAYS, "pazartesi", "hafta", "gun", "ay", "yil", "sene", "saat"})
    if found and found[1] == "plural" and found[0] in w.WEEKDAYS and word.endswith(("lari", "leri")):
        return Hit(i + 1, "frequency", None, None, "each weekday")
    if found and found[1] == "loc" and found[0] in ("hafta", "gun", "ay", "yil", "sene", "saat"):
        at = i + 1
        number = quantity(line, at)
        count = line.at(at).isdigit() or line.at(at) in {*w.NUMBERS, "birkac", "kac"}
        if count and number is None:
            end = at + 1
            end += line.at(end) in ("-", "kac")
            end += line.at(end).isdigit() or line.at(end) in w.NUMBERS
            timed = stem(line.at(end), {"kez", "kere", "defa", "gun"})
            return Hit(end + bool(timed), "frequency", None, None, "how often")
    return None


def clock_time(line: Line, i: int, scene: Scene) -> Hit | None:
    """Saat 5'te: a clock time of today, or of yesterday where the hour has not come."""
    told = clock(line, i, led=line.at(i) in ("saat", "saati"))
    if told is None or (told[0] is None and line.at(i) != "saat"):
        return None
    minute = told[0]
    gone = minute is not None and minute > scene.minute
    on = scene.day - timedelta(days=gone)
    return replace(land(scene, on, "day", told[1], "clock time"), open=True)


def since_event(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "o zamandan beri", "ameliyattan beri", "geldiğinden beri": since something without a date."""
    for words in (("o", "zamandan"), ("o", "gunden"), ("ondan",), ("o", "zamandan", "bu"), ("o", "haftadan"),
                  ("o", "geceden"), ("o", "aydan"), ("bundan",)):  # fmt: skip
        if line.follows(i, *words) and line.at(i + len(words)) in (
            "beri",
            "itibaren",
            "bu",
            "yana",
            "beridir",
        ):
            end = i + len(words) + 1 + (line.at(i + len(words)) == "bu")
            return Hit(end, "event", PHRASE, "yes", "since then")
    if line.follows(i, "o", "gun", "bugundur") or line.follows(i, "o", "gun", "bu", "gundur"):
        return Hit(i + (3 if line.at(i + 2) == "bugundur" else 4), "event", PHRASE, "yes", "since then")
    word = line.at(i)
    if len(word) > 4 and word.endswith(("dan", "den", "tan", "ten")):
        if line.at(i + 1) in ("beri", "beridir", "itibaren") or line.follows(i + 1, "bu", "yana"):
            return Hit(i + 2 + (line.at(i + 1) == "bu"), "event", PHRASE, "yes", "since an event")
    if len(word) > 4 and word.endswith(("ali", "eli")) and line.at(i + 1) == "beri":
        return Hit(i + 2, "event", PHRASE, "yes", "since an event")
    return None


def extend(line: Line, hit: Hit, scene: Scene) -> Hit:
    """Turkish rules take their own tails."""
    return hit


RULES: tuple[Rule, ...] = (
    ahead, frequency, before_yesterday, age, numeric_date, calendar_day, week_of, nth_weekday,
    quarter, holiday, weekday, weekend, near_day, all_day, period, day_of_month, month_or_season, whole_year, counted, part_of_day, clock_time,
    set_phrase, since_event,
)  # fmt: skip
