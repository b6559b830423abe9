"""The English grammar of time: set phrases, "since", lead words, and the order in which rules are tried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from twin.rules.when.english import words as w
from twin.rules.when.english.ages import age
from twin.rules.when.english.clocks import Clock, clock, tail
from twin.rules.when.english.dates import calendar_day, numeric_date
from twin.rules.when.english.days import after_school, morning, near_day, night, period, weekday, weekend
from twin.rules.when.english.parts import unit_at
from twin.rules.when.english.periods import (
    holiday,
    month_or_season,
    nth_weekday,
    quarter,
    week_of,
    whole_year,
)
from twin.rules.when.english.spans import (
    SPANS,
    a_week_last,
    after_event,
    ago,
    ahead,
    duration,
    every,
    frequency,
    nth_running,
)
from twin.rules.when.shapes import PHRASE, Hit, Role, Scene, dated
from twin.rules.when.tokens import Line

Rule = Callable[[Line, int, Scene], Hit | None]


NOT_A_CLAUSE = frozenset({"", ",", ".", "!", "?", ";", ":", ")", "and", "but", "or", "so"})


def set_phrase(line: Line, i: int, scene: Scene) -> Hit | None:
    """Words with one fixed meaning: now, still, lately, sometimes, a while ago, tomorrow."""
    length = line.phrase(i, w.SET_PHRASES)
    if not length:
        return None
    role, has_phrase, today, why = w.SET_PHRASES[tuple(line.at(i + n) for n in range(length))]
    return Hit(i + length, role, PHRASE if has_phrase else None, today, why)


NOT_GERUNDS = frozenset({"bring", "sing", "ring", "cling", "sting", "swing", "fling", "spring"})
GROWN_USED = frozenset(
    {"is", "am", "are", "be", "get", "gets", "got", "getting", "hes", "shes", "its", "was", "were"}
)


def used_to(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "used to limp", but not "used to it" nor "is used to"."""
    if not line.follows(i, "used", "to") or line.at(i - 1) in GROWN_USED:
        return None
    after = line.at(i + 2)
    if after in ("it", "the", "that", "this", "him", "her", "a", "") or (
        after.endswith("ing") and after not in NOT_GERUNDS
    ):
        return None
    return Hit(i + 2, "vague", PHRASE, "no", "used to")


CLOCK_LINKS = frozenset({
    "or", "later", "earlier", "so", "on", "each", "every", "in", "-", "the", ",", "and", "to",
})  # fmt: skip


def clock_time(line: Line, i: int, scene: Scene) -> Hit | None:
    """A clock time, with the day that may follow it ("3 pm on Monday", "5am this morning")."""
    at = i + (
        line.at(i) in ("at", "around", "about", "by", "since", "from", "between", "till", "until", "after")
    )
    at += at > i and line.at(at) in ("around", "about", "like", "the", "exactly")
    bare = (at > i and line.at(i) in ("at", "between")) or line.at(i + 1) == "at"
    read = clock(line, at, bare=bare)
    if read is None or line.at(read.end) in (
        "times",
        "%",
        "years",
        "weeks",
        "kg",
        "g",
        "ml",
        "months",
        "days",
    ):
        return None
    if at == i and line.at(at + 1) == "." and line.at(read.end - 1).isdigit():
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
            return every(line, step)
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
    return Hit(
        end, "moment", dated(scene.day - timedelta(days=1), "day"), "no", "clock time of yesterday", open=True
    )


def since_clause(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "since" and what follows: a time, a meal of today, or an event without a date."""
    at = i + (line.at(i) in ("ever", "even") and line.at(i + 1) == "since")
    if line.at(at) != "since":
        return None
    for rule in SINCE_RULES:
        hit = rule(line, at + 1, scene) or (rule(line, at + 2, scene) if line.at(at + 1) in LINKS else None)
        if hit and (hit.since or hit.role == "future"):
            kind: Role = "age" if hit.role == "age" else "onset"
            return Hit(hit.end, kind, hit.since, "yes" if hit.since else None, f"since: {hit.why}")
    step = (
        at + 1 + (line.at(at + 1) in ("this", "the", "his", "her", "early", "late", "mid", "around", "about"))
    )
    if line.at(step) in w.MEALS:
        day = near_day(line, step + 1, scene)
        if day:
            return replace(day, role="onset", today="yes", why="since a time of a day")
        return Hit(tail(line, step + 1)[1], "onset", dated(scene.day, "day"), "yes", "since a time of today")
    if line.at(step) in ("morning", "afternoon", "evening", "midnight"):
        return Hit(step + 1, "onset", dated(scene.day, "day"), "yes", "since a time of today")
    if line.at(step) == "night":
        return Hit(step + 1, "onset", dated(scene.day - timedelta(days=1), "day"), "yes", "since the night")
    end = at + 1 + (line.at(at + 1) == "then")
    if end > at + 1 or line.at(end) in NOT_A_CLAUSE:
        return Hit(end, "event", PHRASE, "yes", "since then")
    return _since_event(line, at + 1, scene)


def _since_event(line: Line, start: int, scene: Scene) -> Hit:
    """ "since we moved in April": the date the event carries, else the words alone."""
    end = start
    while line.at(end) not in NOT_A_CLAUSE and end - start < 8:
        hit = (
            (prefixed(line, end, scene) or _first_dated(line, (end,), scene) or ago(line, end, scene))
            if (end > start)
            else None
        )
        if hit and hit.role == "moment" and hit.since:
            return replace(hit, role="onset", today="yes", open=False, why=f"since an event: {hit.why}")
        if line.at(end) in ("woke", "waking", "wakeup") or line.follows(end, "got", "up"):
            stop = end + 1 + (line.at(end + 1) == "up")
            return Hit(stop, "onset", dated(scene.day, "day"), "yes", "since waking is today")
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
        open_ended = line.at(end - 1) in ("the", "his", "her", "my", "our") or line.at(end - 1).isdigit()
        joined = line.at(end) in ("grade", "school", "year", "class") or line.at(end - 1) in (
            "st",
            "nd",
            "rd",
            "th",
        )
        if not open_ended and not joined:
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


PREFIXES = frozenset({"on", "in", "at", "until", "by", "during", "over", "from", "around", "about",
"early", "late",
                      "back", "only", "as", "after", "between", "sometime", "some",
                      "throughout"})  # fmt: skip


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
    if line.at(i) == "from" and line.at(hit.end) in ("on", "onward", "onwards") and hit.since:
        return replace(hit, end=hit.end + 1, role="onset", today="yes", open=False, why=f"from: {hit.why}")
    if line.at(i) == "until" and hit.role == "moment":
        return replace(hit, today=None, why=f"until: {hit.why}")
    if line.at(i) == "by" and hit.open and not scene.past_only:
        return Hit(hit.end, "moment", None, None, "by a date: no onset", open=True)
    return hit


def _first_dated(line: Line, steps: tuple[int, ...], scene: Scene) -> Hit | None:
    """What the first rule that dates the words from one of these positions reads."""
    for rule in DATED:
        for step in steps:
            hit = rule(line, step, scene)
            if hit and hit.role in ("moment", "future"):
                return hit
    return None


DATED: tuple[Rule, ...] = (
    numeric_date, nth_weekday, calendar_day, quarter, week_of, holiday, weekday, weekend, near_day, period,
    month_or_season, whole_year,
)  # fmt: skip


SINCE_RULES: tuple[Rule, ...] = (
    ago, age, night, near_day, numeric_date, nth_weekday, calendar_day, quarter, week_of, holiday, weekday,
    weekend,
    period, month_or_season, whole_year, duration, clock_time, set_phrase, looking_back,
)  # fmt: skip


RULES: tuple[Rule, ...] = (
    since_clause, ahead, a_week_last, after_event, frequency, ago, age, before, after_school, prefixed,
    night, near_day, numeric_date,
    nth_weekday, calendar_day, quarter, week_of, holiday, weekday, weekend, period, month_or_season,
    whole_year,
    nth_running, duration, clock_time, set_phrase, used_to, looking_back, grade, anaphor, morning,
)  # fmt: skip
