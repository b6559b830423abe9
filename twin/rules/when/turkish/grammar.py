"""The Turkish grammar of time: set phrases, counted spans, the future, and the order rules are tried in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from twin.rules.when import calendar as cal
from twin.rules.when.landing import uncounted_ago
from twin.rules.when.shapes import PHRASE, Hit, Scene, dated
from twin.rules.when.tokens import Line
from twin.rules.when.turkish import words as w
from twin.rules.when.turkish.ages import age
from twin.rules.when.turkish.dates import calendar_day, day_of_month, land_sure, numeric_date
from twin.rules.when.turkish.days import all_day, near_day, part_of_day, period, weekday, weekend
from twin.rules.when.turkish.parts import (
    clock,
    day_tail,
    quantity,
    stem,
    whole_number,
)
from twin.rules.when.turkish.periods import (
    decade,
    holiday,
    month_or_season,
    nth_weekday,
    period_part,
    quarter,
    week_of,
    whole_year,
)

Rule = Callable[[Line, int, Scene], Hit | None]


def set_phrase(line: Line, i: int, scene: Scene) -> Hit | None:
    """Words with one fixed meaning: şimdi, hâlâ, bazen, eskiden, yarın."""
    length = line.phrase(i, w.SET_PHRASES)
    if not length or (
        line.at(i) in ("gunluk", "haftalik", "aylik", "yillik", "saatlik") and line.at(i - 1).isdigit()
    ):
        return None
    if line.at(i) in ("gunluk", "haftalik", "aylik", "yillik", "saatlik") and line.at(i - 1) in w.NUMBERS:
        return None
    role, has_phrase, today, why = w.SET_PHRASES[tuple(line.at(i + n) for n in range(length))]
    return Hit(i + length, role, PHRASE if has_phrase else None, today, why)


AFTERS = frozenset({"sonra", "sonraki", "sonrasina", "sonraya", "sonrasi", "icinde", "icerisinde"})


AGO_WORDS = frozenset({
    "once", "evvel", "onceki", "evvelki", "oncesi", "oncesinde", "onceye", "oncesine", "oncesinden",
    "onceden",
})  # fmt: skip
LENGTHS: tuple[tuple[str, ...], ...] = (
    ("bir", "suredir"), ("suredir",), ("zamandir",), ("bir", "zamandir"), ("bir", "sure"), ("sure",),
    ("oldu",),
    ("oluyor",), ("olmus",), ("gecti",),
)  # fmt: skip
IN_A_ROW: tuple[tuple[str, ...], ...] = (
    ("ust", "uste"), ("arka", "arkaya"), ("pes", "pese"), ("art", "arda"), ("araliksiz",),
)  # fmt: skip


def counted(line: Line, i: int, scene: Scene) -> Hit | None:
    """Amounts: üç gün önce, 2 haftadır, son iki gün, 3 gün sonra, iki günde bir."""
    for run in IN_A_ROW:
        row = quantity(line, i + len(run)) if line.follows(i, *run) else None
        if row and row.case == "nom":
            return _span(scene, row.quantity, row.end)
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
    if word in AGO_WORDS:
        beri = end + 1 + (line.at(end + 1) == "beri")
        return _ago(scene, size, beri, onset=beri > end + 1)
    if read.case in ("lik", "likken"):
        lasting = scene.past_only and read.case == "lik" and line.at(read.end - 1).endswith(("gine", "gune"))
        return _span(scene, size, end) if lasting else None
    if read.case == "loc" and (
        line.at(end) in ("bir", "bi") or stem(line.at(end + 1), {"kez", "kere", "defa"})
    ):
        return Hit(end + 1, "frequency", None, None, "how often")
    if word in ("icinde", "icerisinde") and _is_told(line, end + 1):
        return _span(scene, size, end + 1)
    if word in AFTERS and read.case in ("nom", "poss"):
        return _forward(line, i, size, end + 1)
    if read.case in ("dir", "vaguedir"):
        return _span(scene, size, end + (line.at(end) == "beri"))
    if read.case == "abl" and (line.at(end) == "beri" or line.follows(end, "bu", "yana")):
        return _span(scene, size, end + (1 if line.at(end) == "beri" else 2))
    if read.case == "abl" and line.at(end) in ("fazla", "az", "uzun", "cok", "kisa"):
        end += 1
        for words in LENGTHS:
            if line.follows(end, *words):
                return _span(scene, size, end + len(words))
        return _span(scene, size, end) if scene.past_only else Hit(end, "duration", None, None, "how long")
    if read.case == "abl" and word in ("fazladir", "uzundur", "coktur", "fazladi"):
        return _span(scene, size, end + 1)
    if word in ("askin", "gecen", "gecmis") and line.at(end + 1).startswith(("sure", "zaman")):
        return _span(scene, size, end + 2)
    for run in IN_A_ROW:
        if line.follows(end, *run):
            return _span(scene, size, end + len(run))
    if word in ("oldu", "olmus", "oluyor", "gecti", "geciyor"):
        return _span(scene, size, end + 1)
    if read.case not in ("nom", "loc", "dat", "poss", "abl"):
        return None
    if scene.past_only or (end - i == len(line) and read.case == "nom"):
        return _span(scene, size, end)
    return Hit(end, "duration", None, None, "how long it lasted")


def _is_told(line: Line, i: int) -> bool:
    """Whether the next verb tells of the past ("10 gün içinde 2 kilo verdi")."""
    for word in (line.at(i + n) for n in range(7)):
        if word in ("", ".", "!", "?", ";", ","):
            return False
        if len(word) > 3 and word.endswith(("di", "du", "ti", "tu", "mis", "mus", "dik", "tik")):
            return True
    return False


def _forward(line: Line, i: int, size: cal.Quantity, end: int) -> Hit:
    """ "3 gün sonra" lies ahead; "ameliyattan 3 gün sonra" is counted from an event without a date."""
    before = line.at(i - 1)
    anchored = len(before) > 4 and before.endswith(("dan", "den", "tan", "ten"))
    if not anchored or before in ("bundan", "bugunden", "yarindan", "simdiden"):
        return Hit(end, "future", None, None, "counted forward")
    since = None if size.is_short else PHRASE
    return Hit(end, "event", since, None, "counted from an event")


def _span(scene: Scene, size: cal.Quantity, end: int) -> Hit:
    if size.vague:
        return Hit(end, "duration", PHRASE, "yes", "an uncounted span")
    on = cal.count_back(scene, size)
    return Hit(end, "duration", dated(on, size.unit) if on else PHRASE, "yes", "span counted back")


def _ago(scene: Scene, size: cal.Quantity, end: int, *, onset: bool) -> Hit:
    if size.vague:
        return uncounted_ago(scene, end, size)
    on = cal.count_back(scene, size)
    if on is None:
        return Hit(end, "vague", PHRASE, "no", "before the calendar")
    same = on == scene.day or onset
    return Hit(
        end, "onset" if onset else "moment", dated(on, size.unit), "yes" if same else "no", "counted back"
    )


def before_a_day(line: Line, i: int, scene: Scene) -> Hit | None:
    """Dünden önce(ki) iki hafta, dünden 2 gün önce, bugünden 3 gün önce: counted back from that day."""
    back = {"dunden": 1, "bugunden": 0}.get(line.at(i))
    if back is None:
        return None
    first = line.at(i + 1) in ("once", "onceki", "evvel")
    read = quantity(line, i + 1 + first)
    if read is None or read.quantity.vague or not (first or line.at(read.end) in AGO_WORDS):
        return None
    on = cal.count_back(scene, replace(read.quantity, minutes=0), origin=scene.day - timedelta(days=back))
    if on is None:
        return None
    return Hit(
        read.end + (not first), "moment", dated(on, read.quantity.unit), "no", "counted back from a day"
    )


def weekdays_ago(line: Line, i: int, scene: Scene) -> Hit | None:
    """İki salı önce: the second Tuesday back."""
    number = whole_number(line, i)
    day = w.WEEKDAYS.get(line.at(number[1])) if number else None
    if number is None or day is None or line.at(number[1] + 1) not in ("once", "evvel"):
        return None
    if not 1 <= number[0] <= 60:
        return None
    on = cal.latest_weekday(scene, day, before_today=True) - timedelta(days=7 * (number[0] - 1))
    return land_sure(scene, on, "day", number[1] + 2, "weekdays counted back")


def ahead(line: Line, i: int, scene: Scene) -> Hit | None:
    """Gelecek hafta, önümüzdeki salı, yarın, bu hafta daha sonra: future, no onset."""
    at = i + (line.follows(i, "bir", "dahaki") or line.follows(i, "bir", "sonraki"))
    if line.at(at) in w.NEXTS:
        known = {*w.WEEKDAYS, *w.MONTHS, *w.SEASONS, *w.UNITS, "bayram", "haftason", "sefer", "gunler"}
        if stem(line.at(at + 1), known) or quantity(line, at + 1) or line.phrase(at + 1, w.HOLIDAYS):
            end = at + 2
            while end - at < 8 and _still_ahead(line, end):
                end += 1
            return Hit(min(end, len(line)), "future", None, None, "next")
    if line.at(i) in ("haftaya", "seneye") and stem(line.at(i + 1), {*w.WEEKDAYS, *w.MONTHS}):
        return Hit(i + 2, "future", None, None, "next")
    if line.at(i) in ("yarin", "yarinin", "yarindan", "yarina"):
        end = i + 1
        closing = stem(line.at(end), {"son", "sabah", "aksam", "gece", "oglen", "bas"})
        end += bool(closing)
        if line.at(end) in ("sonra", "itibaren", "once"):
            read = quantity(line, end + 1)
            end = read.end if read else end + 1
        return Hit(end, "future", None, None, "tomorrow")
    return None


def _still_ahead(line: Line, i: int) -> bool:
    """Whether the word goes on naming the future time ("gelecek ay 4'ünden 23'üne kadar")."""
    suffix = line.glued(i) and line.at(i) in w.SUFFIXES
    named = stem(line.at(i), {*w.WEEKDAYS, *w.PARTS, "gun", "hafta"}) is not None
    return named or suffix or line.at(i).isdigit() or line.at(i) == "kadar"


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
    if stem(word, w.WEEKDAYS) and line.at(i + 1) in ("gunleri", "geceleri", "sabahlari", "aksamlari"):
        return Hit(i + 2, "frequency", None, None, "each weekday")
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
    return replace(land_sure(scene, on, "day", told[1], "clock time"), open=True)


MEALS: frozenset[tuple[str, ...]] = frozenset({
    ("kahvaltidan", "beri"), ("sabah", "kahvaltisindan", "beri"), ("sabah", "mamasindan", "beri"),
    ("ogle", "yemeginden", "beri"), ("oglen", "yemeginden", "beri"), ("aksam", "yemeginden", "beri"),
    ("aksam", "mamasindan", "beri"), ("yemekten", "beri"),
})  # fmt: skip


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
    meal = line.phrase(i, MEALS)
    if meal:
        evening = line.at(i) == "aksam" and scene.minute < 17 * 60
        on = scene.day - timedelta(days=evening)
        return Hit(i + meal, "onset", dated(on, "day"), "yes", "since a meal")
    if word.startswith("uyandigi") and line.at(i + 1) == "beri":
        return Hit(i + 2, "onset", dated(scene.day, "day"), "yes", "since waking is today")
    since = line.at(i + 1) in ("beri", "beridir", "itibaren") or line.follows(i + 1, "bu", "yana")
    if since and len(word) > 4 and word.endswith(("dan", "den", "tan", "ten")):
        return Hit(i + 2 + (line.at(i + 1) == "bu"), "event", PHRASE, "yes", "since an event")
    if len(word) > 4 and word.endswith(("ali", "eli")) and line.at(i + 1) == "beri":
        return Hit(i + 2, "event", PHRASE, "yes", "since an event")
    return None


RULES: tuple[Rule, ...] = (
    ahead, frequency, before_a_day, weekdays_ago, age, numeric_date, calendar_day, week_of, nth_weekday,
    quarter, holiday, weekday, weekend, near_day, all_day, period, day_of_month, month_or_season,
    decade,
    whole_year, counted, part_of_day, clock_time,
    set_phrase, since_event,
)  # fmt: skip
