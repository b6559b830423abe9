"""English amounts of time: counted back, reaching to now, still to come, and how often."""

from __future__ import annotations

from datetime import timedelta

from twin.rules.when import calendar as cal
from twin.rules.when.english import words as w
from twin.rules.when.english.clocks import tail
from twin.rules.when.english.days import PERIODS
from twin.rules.when.english.parts import quantity, unit_at, whole_number
from twin.rules.when.landing import land, uncounted_ago
from twin.rules.when.shapes import PHRASE, Hit, Scene, dated
from twin.rules.when.tokens import Line


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
        return uncounted_ago(scene, end, amount)
    on = cal.count_back(scene, amount, origin=origin)
    if on is None:
        return Hit(end, "vague", PHRASE, "no", "before the calendar")
    return Hit(end, "moment", dated(on, amount.unit), "yes" if on == scene.day else "no", "counted back")


def after_event(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "3 days after the operation", "two weeks later": an event without a date."""
    read = quantity(line, i)
    if read is None or line.at(read[1]) not in ("after", "later"):
        return None
    if read[0].is_short:
        return None
    return Hit(read[1] + 1, "event", PHRASE, None, "counted from an event")


def a_week_last(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "a week last Tuesday", "two weeks ago on Monday" (back); "a week on Monday" (ahead)."""
    read = quantity(line, i)
    if read is None or read[0].vague or read[0].unit != "week":
        return None
    at = read[1] + (line.at(read[1]) == "ago")
    back = at > read[1] or line.at(at) == "last"
    at += line.at(at) in ("last", "on")
    day = w.WEEKDAYS.get(line.at(at))
    if day is None or at == read[1]:
        return None
    if not back:
        return Hit(at + 1, "future", None, None, "counted forward")
    on = cal.latest_weekday(scene, day, before_today=True) - timedelta(days=read[0].days)
    return land(scene, on, "day", at + 1, "weekday counted back", open_=False)


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


FORS = frozenset({"for", "over", "during", "throughout", "within", "since", "in", "these", "after"})


SPANS = frozenset({"last", "past", "previous", "recent", "trailing"})


AFTER_SPAN = (
    ("now",), ("straight",), ("in", "a", "row"), ("running",), ("already",), ("on", "end"), ("solid",),
    ("or", "so"),
    ("and", "counting"), ("so", "far"), ("or", "more"),
)  # fmt: skip


WAITING = frozenset({
    "hasnt", "havent", "hadnt", "not", "no", "never", "didnt", "without", "first", "time", "nothing", "lost",
    "gained", "put", "none", "isnt", "over", "times", "anything", "cant", "wont", "doesnt", "dont", "twice",
    "once",
})  # fmt: skip


NOT_A_SPAN = frozenset({
    "old", "of", "ago", "later", "after", "before", "each", "apart", "early", "late",
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
    if line.at(end) in NOT_A_SPAN and not (line.at(end) == "of" and lead):
        return None
    if line.at(end) == "from" or (line.at(end) == "-" and line.at(end + 1) == "old"):
        return None
    counting = ""
    for words in AFTER_SPAN:
        if line.follows(end, *words):
            counting, end = words[0], end + len(words)
    if lead == "in" and not span and not _waits(line, i, read):
        return Hit(end, "future", None, None, "in an amount of time")
    if lead in ("within", "after") and not span:
        return Hit(end, "event", None, None, "an amount after something")
    if amount.vague and amount.is_short and not span and not _reaches_now(line, i, counting):
        return Hit(end, "duration", None, None, "how long it lasted")
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
            return (
                Hit(end, "duration", dated(on, precision), "yes", "the first of several running")
                if on
                else None
            )
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
        length = line.phrase(step, w.HOLIDAYS)
        if (
            known
            or unit_at(line, step)
            or line.at(step) in ("time", "weekend", "appointment", "visit", "few", "couple")
        ):
            return Hit(tail(line, step + 1)[1], "future", None, None, "next")
        if length:
            return Hit(step + length, "future", None, None, "next")
    week_on = line.at(i + 1) == "next" or (line.at(i + 1) == "week" and line.at(i + 2) != "of")
    if line.at(i) in w.WEEKDAYS and week_on and line.at(i - 1) != "last":
        return Hit(i + 2 + (line.at(i + 2) == "week"), "future", None, None, "weekday of next week")
    read = quantity(line, i)
    if read and line.at(read[1]) == "hence":
        return Hit(read[1] + 1, "future", None, None, "counted forward")
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
        return every(line, i)
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
            return every(line, at)
        if unit_at(line, at + 1) and line.at(at + 2) != "ago":
            return Hit(at + 2, "frequency", None, None, "how often")
    if word == "per" and unit_at(line, i + 1):
        return Hit(i + 2, "frequency", None, None, "how often")
    return None


def every(line: Line, i: int) -> Hit | None:
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
