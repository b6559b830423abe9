"""The English grammar of time: each rule reads the words from one position on, or declines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from twin.rules.entries import Precision, Today
from twin.rules.when import calendar as cal
from twin.rules.when import english_words as w
from twin.rules.when.english_ages import age
from twin.rules.when.english_dates import (
    LASTS,
    calendar_day,
    holiday,
    land,
    month_or_season,
    nth_weekday,
    numeric_date,
    part_of_period,
    quarter,
    week_of,
    whole_year,
)
from twin.rules.when.english_parts import Clock, clock, quantity, tail, unit_at, whole_number
from twin.rules.when.shapes import PHRASE, Hit, Scene, dated
from twin.rules.when.tokens import Line

Rule = Callable[[Line, int, Scene], Hit | None]
PERIODS: dict[str, Precision] = {"week": "week", "month": "month", "year": "year", "wk": "week", "yr": "year"}
NOT_A_CLAUSE = frozenset({"", ",", ".", "!", "?", ";", ":", ")", "and", "but", "or", "so"})


def set_phrase(line: Line, i: int, scene: Scene) -> Hit | None:
    """Words with one fixed meaning: now, still, lately, sometimes, a while ago, tomorrow."""
    length = line.phrase(i, w.SET_PHRASES)  # type: ignore[arg-type]
    if not length:
        return None
    role, has_phrase, today, why = w.SET_PHRASES[tuple(line.at(i + n) for n in range(length))]
    return Hit(i + length, role, PHRASE if has_phrase else None, today, why)


def used_to(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "used to limp", but not "used to it" nor "is used to"."""
    if not line.follows(i, "used", "to") or line.at(i - 1) in (
        "is",
        "am",
        "are",
        "be",
        "get",
        "gets",
        "got",
        "hes",
    ):
        return None
    if line.at(i + 2) in ("it", "the", "that", "this", "him", "her", "being", "a", "") or line.at(
        i + 2
    ).endswith("ing"):
        return None
    return Hit(i + 2, "vague", PHRASE, "no", "used to")


def near_day(line: Line, i: int, scene: Scene) -> Hit | None:
    """Today, yesterday and their parts; a night just gone is dated the day before."""
    at = i + (line.at(i) == "the")
    if line.follows(at, "day", "before", "yesterday"):
        return _day(line, at + 3, scene, 2, "day before yesterday")
    if line.follows(at, "night", "before", "last"):
        return _day(line, at + 3, scene, 2, "night before last")
    if line.at(i) == "yesterday":
        return _day(line, i + 1, scene, 1, "yesterday")
    if line.follows(i, "earlier", "today") or line.follows(i, "earlier", "on", "today"):
        return _day(line, i + (2 if line.at(i + 1) == "today" else 3), scene, 0, "today")
    if line.at(i) == "today" or line.follows(i, "this", "day"):
        return _day(line, i + (1 if line.at(i) == "today" else 2), scene, 0, "today")
    if line.at(i) == "tonight":
        return _day(line, i + 1, scene, 0, "tonight")
    if line.at(i) in ("this", "early", "late") and line.at(i + 1) in (
        "this",
        "morning",
        "evening",
        "afternoon",
        "noon",
    ):
        end = i + (3 if line.at(i + 1) == "this" and line.at(i + 2) in w.PARTS else 2)
        return _day(line, end, scene, 0, "part of today") if line.at(end - 1) in w.PARTS else None
    if line.follows(i, "this") and line.at(i + 1) in (
        "lunchtime",
        "dinnertime",
        "breakfast",
        "midday",
        "morn",
    ):
        return _day(line, i + 2, scene, 0, "part of today")
    if line.at(i) == "last" and line.at(i + 1) in ("night", "evening", "nite"):
        return _day(line, i + 2, scene, 1, "last night is yesterday")
    if line.at(i) in ("last", "past", "previous") and line.at(i + 1) == "day" and line.at(i - 1) != "the":
        return _day(line, i + 2, scene, 1, "last day")
    return None


def _day(line: Line, end: int, scene: Scene, back: int, why: str) -> Hit:
    minute, end = tail(line, end)
    on = scene.day - timedelta(days=back)
    today: Today = "no" if back else "yes"
    return Hit(end, "moment", dated(on, "day"), today, why)


def night(line: Line, i: int, scene: Scene) -> Hit | None:
    """Overnight and all night: the night that has passed, so yesterday; all day: today; just now: today."""
    yesterday = dated(scene.day - timedelta(days=1), "day")
    for words in (("overnight",), ("all", "night", "long"), ("all", "night"), ("the", "whole", "night"),
                  ("throughout", "the", "night"), ("through", "the", "night"), ("during", "the", "night"),
                  ("in", "the", "middle", "of", "the", "night"), ("middle", "of", "the", "night"),
                  ("all", "through", "the", "night"), ("half", "the", "night"), ("most", "of", "the", "night"),
                  ("in", "the", "night"), ("whole", "night"), ("the", "entire", "night")):  # fmt: skip
        if line.follows(i, *words):
            dayed = near_day(line, i + len(words), scene)
            if dayed:
                return Hit(dayed.end, "moment", dayed.since, "no", "the night named")
            return Hit(i + len(words), "moment", yesterday, "no", "the night just gone is yesterday")
    for words in (("all", "day", "long"), ("all", "day"), ("the", "whole", "day"), ("all", "morning"),
                  ("all", "afternoon"), ("all", "evening"), ("the", "whole", "morning")):  # fmt: skip
        if line.follows(i, *words):
            dayed = near_day(line, i + len(words), scene) or weekday(line, i + len(words), scene)
            if dayed:
                return dayed
            return Hit(i + len(words), "moment", dated(scene.day, "day"), "yes", "all day is today")
    for words in (("just", "now"), ("a", "moment", "ago"), ("moments", "ago"), ("a", "minute", "ago"),
                  ("just", "a", "minute", "ago"), ("first", "thing"), ("earlier", "on"),
                  ("a", "second", "ago"), ("this", "minute"), ("this", "very", "moment")):  # fmt: skip
        if line.follows(i, *words):
            day = near_day(line, i + len(words), scene)
            return day or Hit(i + len(words), "moment", dated(scene.day, "day"), "yes", "just now is today")
    for words, precision in ((("all", "week"), "week"), (("all", "month"), "month"), (("all", "year"), "year"),
                             (("the", "whole", "week"), "week"), (("all", "weekend"), "week")):  # fmt: skip
        if line.follows(i, *words):
            on = cal.first_of(scene.day, precision)  # type: ignore[arg-type]
            return Hit(i + len(words), "duration", dated(on, precision), None, "all of this period")  # type: ignore[arg-type]
    return None


def weekday(line: Line, i: int, scene: Scene) -> Hit | None:
    """A weekday, with last / this / previous / of last week and a clock time around it."""
    at, lead = i, ""
    early = _weekday_of_week(line, i, scene)
    if early:
        return early
    at = part_of_period(line, at)
    ended = at > i
    at += line.at(at) == "the"
    if line.at(at) in LASTS or line.at(at) == "this":
        lead, at = line.at(at), at + 1
        if lead == "this" and line.at(at) == "past":
            lead, at = "past", at + 1
    led = bool(lead) or line.at(i - 1) in ("on", "since", "until", "from", "by")
    number = _weekday_at(line, at, led=led)
    if number is None or (line.at(at) in scene.names and not led):
        return None
    end = at + 1 + (line.at(at + 1) == "." and line.at(at) in w.SHORT_WEEKDAYS and line.glued(at + 1))
    if line.follows(end, "before", "last"):
        on = cal.latest_weekday(scene, number, before_today=True) - timedelta(days=7)
        return land(scene, on, "day", end + 2, "weekday before last", open_=False)
    for skip in ((), (",",), ("the",), (",", "the"), ("on",)):
        if line.follows(end, *skip):
            full = calendar_day(line, end + len(skip), scene) or numeric_date(line, end + len(skip), scene)
            if full and full.since:
                return full
    minute, end = tail(line, end)
    return _place_weekday(scene, number, lead, minute, end, ended=ended)


def _place_weekday(scene: Scene, number: int, lead: str, minute: int | None, end: int, *, ended: bool) -> Hit:
    if lead == "this":
        on = cal.week_start(scene) + timedelta(days=number)
        return land(scene, on, "day", end, "this weekday", open_=False)
    if lead == "previous":
        on = cal.week_start(scene, weeks_back=1) + timedelta(days=number)
        return land(scene, on, "day", end, "weekday of the week before", open_=False)
    not_yet = minute is not None and minute > scene.minute
    on = cal.latest_weekday(scene, number, before_today=bool(lead) or not_yet or (ended and scene.past_only))
    return land(scene, on, "day", end, "latest such weekday", open_=not lead)


def _weekday_at(line: Line, i: int, *, led: bool) -> int | None:
    word = line.at(i)
    if word in w.WEEKDAYS:
        return w.WEEKDAYS[word]
    if word in w.SHORT_WEEKDAYS and (led or word not in w.RISKY_WEEKDAYS):
        return w.SHORT_WEEKDAYS[word]
    return None


def _weekday_of_week(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "monday last week", "last week on monday", "previous week - monday", "on monday of last week"."""
    back = {"last": 1, "previous": 1, "past": 1, "this": 0}
    if line.at(i) in back and line.at(i + 1) == "week":
        step = i + 2
        while line.at(step) in ("on", "-", ",") and step - i < 4:
            step += 1
        number = _weekday_at(line, step, led=line.at(step - 1) == "on")
        if number is not None:
            on = cal.week_start(scene, weeks_back=back[line.at(i)]) + timedelta(days=number)
            return land(scene, on, "day", tail(line, step + 1)[1], "weekday of a week", open_=False)
    number = _weekday_at(line, i, led=line.at(i - 1) == "on")
    if number is not None:
        minute, step = tail(line, i + 1)
        step += line.at(step) in ("of", "in")
        step += line.at(step) == "the"
        if line.at(step) in back and line.at(step + 1) == "week":
            on = cal.week_start(scene, weeks_back=back[line.at(step)]) + timedelta(days=number)
            return land(scene, on, "day", step + 2, "weekday of a week", open_=False)
    return None


def weekend(line: Line, i: int, scene: Scene) -> Hit | None:
    """The latest weekend begun; "this weekend" only once it is here."""
    at = i + (line.at(i) == "the")
    lead = line.at(at) if line.at(at) in LASTS or line.at(at) == "this" else ""
    if lead == "this" and line.at(at + 1) == "past":
        lead, at = "past", at + 1
    at += bool(lead)
    if line.at(at) != "weekend" or not (
        lead or line.at(at - 1) == "the" or line.at(i - 1) in ("at", "on", "since")
    ):
        return None
    if line.follows(at + 1, "before", "last"):
        return land(
            scene, cal.week_start(scene, weeks_back=2), "week", at + 3, "weekend before last", open_=False
        )
    here = scene.day.weekday() >= 5
    if lead == "this" and not here:
        return Hit(at + 1, "future", None, None, "this weekend has not come")
    back = 0 if here and lead in ("this", "") else 1
    on = cal.week_start(scene, weeks_back=back)
    if lead == "past" and here:
        on = cal.week_start(scene, weeks_back=1)
    return land(scene, on, "week", at + 1, "weekend", open_=not lead)


def period(line: Line, i: int, scene: Scene) -> Hit | None:
    """Last / this / previous week, month, year; the week before last; parts of them."""
    at = part_of_period(line, i)
    if (
        line.follows(i, "sometime")
        or line.follows(i, "some", "time")
        or line.follows(i, "at", "some", "point")
    ):
        at = i + (1 if line.at(i) == "sometime" else 2 if line.at(i) == "some" else 3)
    if line.at(at) == "in" and at > i:
        at += 1
    if line.at(at) == "the" and line.at(at + 1) in PERIODS and line.follows(at + 2, "before", "last"):
        return _back_period(scene, PERIODS[line.at(at + 1)], 2, at + 4)
    if line.at(at) in PERIODS and line.follows(at + 1, "before", "last"):
        return _back_period(scene, PERIODS[line.at(at)], 2, at + 3)
    if at > i and line.at(at) == "the" and line.at(at + 1) in PERIODS:
        return _back_period(scene, PERIODS[line.at(at + 1)], 0, at + 2)
    definite = line.at(at) == "the"
    lead, unit = line.at(at + definite), line.at(at + definite + 1)
    if unit not in PERIODS or (definite and lead != "previous"):
        return None
    if lead in ("last", "previous", "past"):
        return _back_period(scene, PERIODS[unit], 1, at + definite + 2)
    if lead == "this":
        return _back_period(scene, PERIODS[unit], 0, at + 2)
    return None


def _back_period(scene: Scene, precision: Precision, back: int, end: int) -> Hit:
    if precision == "week":
        on = cal.week_start(scene, weeks_back=back)
    else:
        months = back * (12 if precision == "year" else 1)
        on = cal.months_back(cal.first_of(scene.day, precision), months) or scene.day
    return Hit(end, "moment", dated(on, precision), "no" if back else "unknown", "named period")


def ago(line: Line, i: int, scene: Scene) -> Hit | None:
    """An amount counted back: "3 days ago", "a year back", "two thursdays ago"."""
    read = quantity(line, i)
    if read is None:
        return _weekdays_ago(line, i, scene)
    amount, at = read
    marks = ("ago", "back", "earlier", "prior", "previously", "before")
    if line.at(at) not in marks:
        return None
    if line.at(at) in ("earlier", "prior", "before", "previously") and line.at(at + 1) not in (
        "",
        ".",
        ",",
        "yesterday",
    ):
        return None
    if line.at(at) == "before" and line.at(at + 1) != "yesterday":
        return None
    end = at + 1
    origin = None
    if line.at(end) == "yesterday":
        origin, end = scene.day - timedelta(days=1), end + 1
    elif line.at(end) == "today":
        end += 1
    if amount.vague:
        return Hit(end, "vague", PHRASE, "no", "an uncounted time ago")
    on = cal.count_back(scene, amount, origin=origin)
    if on is None:
        return Hit(end, "vague", PHRASE, "no", "before the calendar")
    return Hit(end, "moment", dated(on, amount.unit), "yes" if on == scene.day else "no", "counted back")


def _weekdays_ago(line: Line, i: int, scene: Scene) -> Hit | None:
    number = whole_number(line, i)
    if number is None:
        return None
    word = line.at(number[1])
    day = w.WEEKDAYS.get(word.removesuffix("s")) if word else None
    if day is None or line.at(number[1] + 1) not in ("ago", "back") or not 1 <= number[0] <= 60:
        return None
    on = cal.latest_weekday(scene, day, before_today=True) - timedelta(days=7 * (number[0] - 1))
    return land(scene, on, "day", number[1] + 2, "weekdays counted back", open_=False)


FORS = frozenset({"for", "over", "during", "throughout", "within", "since", "in", "these"})
SPANS = frozenset({"last", "past", "previous", "recent", "trailing"})
AFTER_SPAN = (
    ("now",), ("straight",), ("in", "a", "row"), ("running",), ("already",), ("on", "end"), ("solid",), ("or", "so"),
    ("and", "counting"), ("so", "far"), ("or", "more"),
)  # fmt: skip
WAITING = frozenset({
    "hasnt", "havent", "hadnt", "not", "no", "never", "didnt", "without", "first", "time", "nothing", "lost",
    "gained", "put", "none", "isnt", "over", "times", "anything", "cant", "wont", "doesnt", "dont", "twice",
    "once",
})  # fmt: skip


def duration(line: Line, i: int, scene: Scene) -> Hit | None:
    """A span that reaches to now: "for three days", "over the last month", "2 days now", "past 3 weeks"."""
    at, lead = i, line.at(i) if line.at(i) in FORS else ""
    at += bool(lead)
    for hedge in ("over", "about", "around", "at", "nearly", "almost", "well", "more", "like", "just"):
        at += bool(lead) and line.at(at) == hedge and line.at(at + 1) in ("the", "last", "past")
    definite = line.at(at) == "the"
    at += definite
    span = line.at(at) if line.at(at) in SPANS else ""
    at += bool(span)
    if definite and not span:
        return None
    if not lead and not span and line.at(i - 1) in w.UNITS:
        return None
    read = quantity(line, at) or (_one_unit(line, at) if span and (lead or definite) else None)
    if read is None or (not lead and not span and line.at(i) in w.HEDGES and line.at(i - 1) in w.HEDGES):
        return None
    amount, end = read
    if line.at(end) in ("old", "of", "ago", "later", "after", "before", "each", "apart", "early", "late"):
        if not (line.at(end) == "of" and lead):
            return None
    if line.at(end) == "from" or (line.at(end) == "-" and line.at(end + 1) == "old"):
        return None
    counting = ""
    for words in AFTER_SPAN:
        if line.follows(end, *words):
            counting, end = words[0], end + len(words)
    if lead == "in" and not span and not _waits(line, i, read):
        return Hit(end, "future", None, None, "in an amount of time")
    if lead == "within" and not span:
        return None
    if amount.vague:
        return Hit(end, "duration", PHRASE, "yes", "an uncounted span")
    if scene.past_only:
        return _span_from(scene, amount, end)
    if not (lead or span or counting) and line.at(i) in ("a", "an") and line.at(i - 1) != "been":
        return None
    if amount.is_short and not span and lead != "since" and not _reaches_now(line, i, counting):
        return Hit(end, "duration", None, None, "how long it lasted")
    if not span and lead != "since" and _is_over(line, i):
        since = None if amount.is_short else PHRASE
        return Hit(end, "duration", since, None, "a length in the past")
    return _span_from(scene, amount, end)


def _span_from(scene: Scene, amount: cal.Quantity, end: int) -> Hit:
    on = cal.count_back(scene, amount)
    return Hit(end, "duration", dated(on, amount.unit) if on else PHRASE, "yes", "span counted back")


def nth_running(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "the second day in a row", "third night running": counted back to the first of them."""
    at = i + (line.at(i) == "for")
    at += line.at(at) == "the"
    nth, after = w.ORDINALS.get(line.at(at), 0), at + 1
    if not nth and line.at(at).isdigit() and line.at(after) in ("st", "nd", "rd", "th"):
        nth, after = int(line.at(at)[:3]), after + 1
    unit = unit_at(line, after)
    if nth < 2 or not unit:
        return None
    for words in (("in", "a", "row"), ("running",), ("straight",), ("now",)):
        if line.follows(after + 1, *words):
            precision, months, days, minutes = w.UNITS[unit]
            size = cal.Quantity(precision, (nth - 1) * months, (nth - 1) * days, (nth - 1) * minutes)
            on = cal.count_back(scene, size)
            end = after + 1 + len(words)
            return Hit(end, "duration", dated(on, precision), "yes", "the first of several running") if on else None
    return None


def _one_unit(line: Line, i: int) -> tuple[cal.Quantity, int] | None:
    """ "the last month": one of the unit."""
    unit = unit_at(line, i)
    return (cal.Quantity(*w.UNITS[unit]), i + 1) if unit else None


def _waits(line: Line, i: int, read: tuple[cal.Quantity, int]) -> bool:
    """Whether "in four days" looks back, as after "hasn't pooped"."""
    if line.at(i + 1) in ("over", "more", "about", "nearly", "almost", "at") and line.at(i + 1) != "about":
        return True
    for back in range(1, 13):
        word = line.at(i - back)
        if word in ("", ".", ";", "!", "?", ","):
            return False
        if word in WAITING:
            return True
    return False


def _is_over(line: Line, i: int) -> bool:
    """Whether the verb before the span says it is over ("was limping for a week", "it lasted 3 days")."""
    for back in range(1, 9):
        word = line.at(i - back)
        if word in ("", ".", ";", "!", "?", ",", "been", "has", "have", "hasnt", "havent", "not"):
            return False
        if word in ("was", "were", "lasted", "took", "takes", "lasts", "spent"):
            return True
    return False


def _reaches_now(line: Line, i: int, counting: str) -> bool:
    """Whether a short span is still going on ("has been crying for two hours")."""
    if counting in ("now", "straight", "already", "solid"):
        return True
    for back in range(1, 11):
        word = line.at(i - back)
        if word in ("", ".", ";", "!", "?", ","):
            return False
        if word in ("been", "hasnt", "havent"):
            return True
    return False


def ahead(line: Line, i: int, scene: Scene) -> Hit | None:
    """Next week, the coming Friday, three weeks from tomorrow: future, no onset."""
    at = i + (line.at(i) == "the")
    if line.at(at) in ("next", "coming", "upcoming", "following"):
        step = at + 1
        read = quantity(line, step)
        if read:
            return Hit(read[1], "future", None, None, "next span")
        known = line.at(step) in {**w.WEEKDAYS, **w.SHORT_WEEKDAYS, **w.MONTHS, **w.SEASONS, **PERIODS}
        length = line.phrase(step, w.HOLIDAYS)  # type: ignore[arg-type]
        if (
            known
            or unit_at(line, step)
            or line.at(step) in ("time", "weekend", "appointment", "visit", "few", "couple")
        ):
            return Hit(tail(line, step + 1)[1], "future", None, None, "next")
        if length:
            return Hit(step + length, "future", None, None, "next")
    if line.at(i) in w.WEEKDAYS and line.at(i + 1) in ("next", "week") and line.at(i - 1) != "last":
        if line.at(i + 1) == "next" or line.at(i + 2) != "of":
            return Hit(i + 2 + (line.at(i + 2) == "week"), "future", None, None, "weekday of next week")
    read = quantity(line, i)
    if (
        read
        and line.at(read[1]) in ("from", "after")
        and line.at(read[1] + 1) in ("now", "today", "tomorrow", "tmrw")
    ):
        return Hit(read[1] + 2, "future", None, None, "counted forward")
    if read and line.follows(read[1], "from") and line.at(read[1] + 1) in w.WEEKDAYS:
        return Hit(read[1] + 2, "future", None, None, "counted forward")
    return None


def frequency(line: Line, i: int, scene: Scene) -> Hit | None:
    """How often: every morning, each two days, twice a week, on Mondays."""
    word = line.at(i)
    if word in ("every", "each"):
        return _every(line, i)
    if word.endswith("s") and word[:-1] in w.WEEKDAYS and line.at(i - 1) not in ("last", "this"):
        previous = whole_number(line, i - 1)
        return (
            None
            if previous or line.at(i - 1) == "of"
            else Hit(i + 1, "frequency", None, None, "each weekday")
        )
    count = line.at(i) in ("once", "twice", "thrice")
    number = whole_number(line, i)
    at = i + 1
    if not count and number and line.at(number[1]) in ("times", "x", "time"):
        count, at = True, number[1] + 1
    if count and line.at(at) in ("a", "an", "per", "every", "each", "in", "daily", "weekly"):
        if line.at(at) in ("daily", "weekly"):
            return Hit(at + 1, "frequency", None, None, "how often")
        if line.at(at) in ("every", "each"):
            return _every(line, at)
        if unit_at(line, at + 1) and line.at(at + 2) != "ago":
            return Hit(at + 2, "frequency", None, None, "how often")
    if word == "per" and unit_at(line, i + 1):
        return Hit(i + 2, "frequency", None, None, "how often")
    return None


def _every(line: Line, i: int) -> Hit | None:
    at = i + 1
    at += line.at(at) in ("other", "single", "second", "third", "few", "couple")
    at += line.at(at) == "of"
    read = quantity(line, at)
    if read:
        return Hit(read[1], "frequency", None, None, "how often")
    if (
        unit_at(line, at)
        or line.at(at).removesuffix("s") in w.WEEKDAYS
        or line.at(at) in {**w.PARTS, **w.SEASONS}
    ):
        end = tail(line, at + 1)[1]
        return Hit(end, "frequency", None, None, "how often")
    if line.at(at) in {**w.SHORT_WEEKDAYS, **w.MONTHS} or line.at(at) in ("weekday", "weekend", "meal"):
        return Hit(tail(line, at + 1)[1], "frequency", None, None, "how often")
    return None


CLOCK_LINKS = frozenset({"or", "later", "earlier", "so", "on", "each", "every", "in", "-", "the", ",", "and", "to"})


def clock_time(line: Line, i: int, scene: Scene) -> Hit | None:
    """A clock time, with the day that may follow it ("3 pm on Monday", "5am this morning")."""
    at = i + (line.at(i) in ("at", "around", "about", "by", "since", "from", "between", "till", "until", "after"))
    at += at > i and line.at(at) in ("around", "about", "like", "the", "exactly")
    bare = at > i and line.at(i) in ("at", "between") or line.at(i + 1) == "at"
    read = clock(line, at, bare=bare)
    if read is None or line.at(read.end) in ("times", "%", "years", "weeks", "kg", "g", "ml", "months", "days"):
        return None
    if not read.sure and (at == i or unit_at(line, read.end) or line.at(read.end) == "of"):
        return None
    step, hops = read.end, 0
    if line.at(step) in ("and", "to", "-"):
        other = clock(line, step + 1, bare=True)
        step = other.end if other else step
    end = step
    while line.at(step) in CLOCK_LINKS and hops < 5:
        if line.at(step) in ("each", "every"):
            every = _every(line, step)
            return Hit(every.end, "frequency", None, None, "how often") if every else None
        step, hops = step + 1, hops + 1
    many = frequency(line, step, scene)
    if many and step - end <= 1:
        return many
    day = _day_after_clock(line, step, scene, read.minute)
    return day or _bare_clock(scene, read, end)


def _day_after_clock(line: Line, i: int, scene: Scene, minute: int) -> Hit | None:
    """The day that stands after a clock time; a weekday whose hour has not come is last week's."""
    for rule in (near_day, weekday, night, calendar_day, numeric_date):
        day = rule(line, i, scene)
        if day and day.since and day.role == "moment":
            late = rule is weekday and minute > scene.minute and day.since.on == scene.day
            if late and day.since.on:
                return replace(day, since=dated(day.since.on - timedelta(days=7), "day"), today="no")
            return day
    return None


def _bare_clock(scene: Scene, read: Clock, end: int) -> Hit:
    """A clock time alone: today, or the day before where its hour has not come."""
    minute = read.minute + 1440 if read.minute < scene.day_start else read.minute
    if minute <= scene.minute:
        return Hit(end, "moment", dated(scene.day, "day"), "yes", "clock time", open=True)
    if not read.sure and not scene.past_only:
        return Hit(end, "moment", None, None, "clock time not reached", open=True)
    return Hit(end, "moment", dated(scene.day - timedelta(days=1), "day"), "no", "clock time of yesterday", open=True)


def since_clause(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "since" and what follows: a time, a meal of today, or an event without a date."""
    at = i + (line.at(i) in ("ever", "even") and line.at(i + 1) == "since")
    if line.at(at) != "since":
        return None
    for rule in SINCE_RULES:
        hit = rule(line, at + 1, scene) or (rule(line, at + 2, scene) if line.at(at + 1) in LINKS else None)
        if hit and (hit.since or hit.role == "future"):
            kind = "age" if hit.role == "age" else "onset"
            return Hit(hit.end, kind, hit.since, "yes" if hit.since else None, f"since: {hit.why}")  # type: ignore[arg-type]
    step = at + 1 + (line.at(at + 1) in ("this", "the", "his", "her", "early", "late", "mid", "around", "about"))
    if line.at(step) in w.MEALS:
        return Hit(tail(line, step + 1)[1], "onset", dated(scene.day, "day"), "yes", "since a time of today")
    if line.at(step) in ("morning", "afternoon", "evening", "midnight"):
        return Hit(step + 1, "onset", dated(scene.day, "day"), "yes", "since a time of today")
    if line.at(step) == "night":
        return Hit(step + 1, "onset", dated(scene.day - timedelta(days=1), "day"), "yes", "since the night")
    end = at + 1 + (line.at(at + 1) == "then")
    if end > at + 1 or line.at(end) in NOT_A_CLAUSE:
        return Hit(end, "event", PHRASE, "yes", "since then")
    while line.at(end) not in NOT_A_CLAUSE and end - at < 9:
        end += 1
    return Hit(end, "event", PHRASE, "yes", "since an event")


LINKS = frozenset(
    {"about", "around", "roughly", "at", "in", "on", "maybe", "like", "sometime", "approximately", "back"}
)


def anaphor(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "that weekend": a time named elsewhere."""
    length = line.phrase(i, w.ANAPHORS)
    if not length or line.at(i) == "then" or line.at(i + length) in ("he", "she", "it"):
        return None
    return Hit(i + length, "event", PHRASE, None, "a time named elsewhere")


def looking_back(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "back in March", "back in 2nd grade": what no other rule dates is a phrase."""
    if (
        not line.follows(i, "back", "in")
        and not line.follows(i, "back", "at")
        and not line.follows(i, "back", "on")
    ):
        return None
    for rule in (calendar_day, month_or_season, whole_year, weekday, age):
        hit = rule(line, i + 2, scene)
        if hit and hit.since:
            return replace(hit, open=False)
    end = i + 2
    while end - i < 5 and line.at(end) not in NOT_A_CLAUSE and (line.at(end).isalnum()):
        end += 1
        if line.at(end - 1) not in ("the", "his", "her", "my", "our") and not line.at(end - 1).isdigit():
            if not (
                line.at(end) in ("grade", "school", "year", "class")
                or line.at(end - 1) in ("st", "nd", "rd", "th")
            ):
                break
    if end == i + 2 or line.at(i + 2) in ("his", "her", "my", "a", "bed", "pain"):
        return None
    return Hit(end, "vague", PHRASE, "no", "back in a time without a date")


def grade(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "in 2nd grade", "in kindergarten": a phrase."""
    if line.at(i) != "in":
        return None
    if line.at(i + 1) in ("kindergarten", "preschool", "reception", "nursery"):
        return Hit(i + 2, "vague", PHRASE, None, "a school year")
    end = i + 2 + (line.at(i + 2) in ("st", "nd", "rd", "th"))
    if line.at(end) == "grade" or (line.at(i + 1) in ("grade", "year") and line.at(i + 2).isdigit()):
        return Hit(max(end + 1, i + 3), "vague", PHRASE, None, "a school year")
    return None


def before(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "before Independence Day": a bound, no onset."""
    if line.at(i) != "before":
        return None
    for rule in (holiday, calendar_day, numeric_date, weekday, month_or_season):
        hit = rule(line, i + 1, scene)
        if hit and hit.role in ("moment", "future"):
            return Hit(hit.end, "vague", PHRASE, "no", "before a date")
    return None


PREFIXES = frozenset({"on", "in", "at", "until", "by", "during", "over", "from", "around", "about", "early", "late",
                      "back", "only", "as", "after", "between", "sometime", "some", "throughout"})  # fmt: skip
INDEFINITE: tuple[tuple[str, ...], ...] = (
    ("at", "some", "point"), ("at", "some", "stage"), ("at", "some", "time"), ("sometime",), ("some", "time"),
)  # fmt: skip


def prefixed(line: Line, i: int, scene: Scene) -> Hit | None:
    """A lead word ("on", "in", "until", "at some point") that belongs to the dated words after it."""
    part = i + (line.at(i) in ("on", "in", "during"))
    part += line.at(part) == "the"
    if line.at(part) in w.PARTS and line.at(part + 1) == "of":
        return _first_dated(line, (part + 2,), scene)
    if line.at(i) not in PREFIXES:
        return None
    at = i + 1 + (line.at(i) in ("back", "as") and line.at(i + 1) in ("on", "in", "of", "late"))
    for words in INDEFINITE:
        if line.follows(i, *words):
            at = i + len(words)
            at += line.at(at) in ("in", "on", "over", "during", "around")
            break
    else:
        if line.at(i) in ("sometime", "some"):
            return None
    if line.at(at) == "the" and line.at(at + 1) in SPANS and unit_at(line, at + 2):
        return None
    skips = (at, at + 1) if line.at(at) in ("the", "about", "around", "early", "late") else (at,)
    hit = _first_dated(line, skips, scene)
    if hit is None:
        return None
    if line.at(i) == "until" and hit.role == "moment":
        return replace(hit, today=None, why=f"until: {hit.why}")
    if line.at(i) == "by" and hit.open and not scene.past_only:
        return Hit(hit.end, "future", None, None, "by a date")
    return hit


def _first_dated(line: Line, steps: tuple[int, ...], scene: Scene) -> Hit | None:
    """What the first rule that dates the words from one of these positions reads."""
    for rule in DATED:
        for step in steps:
            hit = rule(line, step, scene)
            if hit and hit.role in ("moment", "future"):
                return hit
    return None


def after_school(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "after school today", "before bed last night": the routine belongs to the day named."""
    if line.at(i) not in ("after", "before", "at", "during", "around"):
        return None
    step = i + 1 + (line.at(i + 1) in ("his", "her", "the", "their", "my"))
    if not line.at(step).isalpha() or line.at(step) in w.PRONOUNS or line.at(step) in ("a", "an", "being"):
        return None
    day = near_day(line, step + 1, scene)
    return (
        day
        if line.at(step)
        in {*w.PARTS, "school", "bed", "nap", "class", "preschool", "nursery", "tea", "recess"}
        else None
    )


def morning(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "in the morning", "earlier": a time of today."""
    if line.follows(i, "in", "the") and line.at(i + 2) in ("morning", "afternoon", "evening"):
        return Hit(i + 3, "moment", dated(scene.day, "day"), "yes", "part of today", open=True)
    if line.at(i) == "earlier" and line.at(i + 1) in ("", ".", ",", "!", "and", "but"):
        return Hit(i + 1, "moment", dated(scene.day, "day"), "yes", "earlier is today")
    return None


DATED: tuple[Rule, ...] = (
    numeric_date, nth_weekday, calendar_day, quarter, week_of, holiday, weekday, weekend, near_day, period,
    month_or_season, whole_year,
)  # fmt: skip
SINCE_RULES: tuple[Rule, ...] = (
    ago, age, night, near_day, numeric_date, nth_weekday, calendar_day, quarter, week_of, holiday, weekday, weekend,
    period, month_or_season, whole_year, duration, clock_time, set_phrase, looking_back,
)  # fmt: skip
def extend(line: Line, hit: Hit, scene: Scene) -> Hit:
    """A dated day with the weekday in brackets, the part of the day or the clock time that follows it."""
    if hit.role != "moment" or not hit.since or hit.since.precision != "day":
        return hit
    end = hit.end
    if line.at(end) == "(" and line.at(end + 2) == ")" and line.at(end + 1) in {**w.WEEKDAYS, **w.SHORT_WEEKDAYS}:
        end += 3
    return replace(hit, end=tail(line, end)[1])


RULES: tuple[Rule, ...] = (
    since_clause, ahead, frequency, ago, age, before, after_school, prefixed, night, near_day, numeric_date,
    nth_weekday, calendar_day, quarter, week_of, holiday, weekday, weekend, period, month_or_season, whole_year,
    nth_running, duration, clock_time, set_phrase, used_to, looking_back, grade, anaphor, morning,
)  # fmt: skip
