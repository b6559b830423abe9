"""English days near the day of speaking, nights, weekdays, weekends and named periods."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from twin.rules.entries import Precision, Today
from twin.rules.when import calendar as cal
from twin.rules.when.english import words as w
from twin.rules.when.english.clocks import tail
from twin.rules.when.english.dates import LASTS, calendar_day, day_number, numeric_date
from twin.rules.when.english.periods import part_of_period
from twin.rules.when.landing import land
from twin.rules.when.shapes import Hit, Scene, dated
from twin.rules.when.tokens import Line

PERIODS: dict[str, Precision] = {"week": "week", "month": "month", "year": "year", "wk": "week", "yr": "year"}


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
    if line.at(i) == "2" and line.glued(i + 1) and line.at(i + 1) in ("day", "night", "nite"):
        return _day(line, i + 2, scene, 0, "today")
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
    _minute, end = tail(line, end)
    on = scene.day - timedelta(days=back)
    today: Today = "no" if back else "yes"
    return Hit(end, "moment", dated(on, "day"), today, why)


WHOLE_PERIODS: tuple[tuple[tuple[str, ...], Precision], ...] = (
    (("all", "week"), "week"), (("all", "month"), "month"), (("all", "year"), "year"),
    (("the", "whole", "week"), "week"), (("all", "weekend"), "week"), (("the", "whole", "weekend"), "week"),
    (("the", "whole", "month"), "month"), (("all", "week", "long"), "week"),
)  # fmt: skip


def night(line: Line, i: int, scene: Scene) -> Hit | None:
    """Overnight and all night: the night that has passed, so yesterday; all day: today; just now: today."""
    yesterday = dated(scene.day - timedelta(days=1), "day")
    for words in (("overnight",), ("all", "night", "long"), ("all", "night"), ("the", "whole", "night"),
                  ("throughout", "the", "night"), ("through", "the", "night"), ("during", "the", "night"),
                  ("in", "the", "middle", "of", "the", "night"), ("middle", "of", "the", "night"),
                  ("all", "through", "the", "night"), ("half", "the", "night"), ("most", "of", "the",
                  "night"),
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
    for period_words, precision in WHOLE_PERIODS:
        if line.follows(i, *period_words):
            on = cal.first_of(scene.day, precision)
            return Hit(i + len(period_words), "duration", dated(on, precision), None, "all of this period")
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
    last = _range_end(line, end, between=line.at(i - 1) == "between") if not lead else None
    if last:
        closing = cal.latest_weekday(scene, last[0])
        on = closing - timedelta(days=(last[0] - number) % 7)
        return land(scene, on, "day", last[1], "first of a range of weekdays", open_=True)
    return _place_weekday(scene, number, lead, minute, end, ended=ended)


def _range_end(line: Line, i: int, *, between: bool) -> tuple[int, int] | None:
    """The weekday that closes a range ("to Sunday", "between Monday and Friday"), and its end."""
    if line.at(i) not in ("to", "till", "until", "through", "-") and not (between and line.at(i) == "and"):
        return None
    number = _weekday_at(line, i + 1, led=True)
    return None if number is None else (number, tail(line, i + 2)[1])


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
        _minute, step = tail(line, i + 1)
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
    led = lead or line.at(at - 1) == "the" or line.at(i - 1) in ("at", "on", "since")
    if line.at(at) != "weekend" or not (led or line.follows(at + 1, "before", "last")):
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
    if lead not in ("last", "previous", "past", "this"):
        return None
    back, end = int(lead != "this"), at + definite + 2
    day = day_number(line, end + 2) if unit == "month" and line.follows(end, "on", "the") else None
    start = cal.months_back(cal.first_of(scene.day, "month"), back) if day else None
    on = cal.safe_date(start.year, start.month, day[0]) if day and start else None
    if day and on:
        return land(scene, on, "day", day[1], "day of a month", open_=False)
    return _back_period(scene, PERIODS[unit], back, end)


def _back_period(scene: Scene, precision: Precision, back: int, end: int) -> Hit:
    if precision == "week":
        on = cal.week_start(scene, weeks_back=back)
    else:
        months = back * (12 if precision == "year" else 1)
        on = cal.months_back(cal.first_of(scene.day, precision), months) or scene.day
    return Hit(end, "moment", dated(on, precision), "no" if back else "unknown", "named period")


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


def extend(line: Line, hit: Hit) -> Hit:
    """A dated day with the weekday in brackets, the part of the day or the clock time that follows it."""
    if hit.role != "moment" or not hit.since or hit.since.precision != "day":
        return hit
    end = hit.end
    if (
        line.at(end) == "("
        and line.at(end + 2) == ")"
        and line.at(end + 1) in {**w.WEEKDAYS, **w.SHORT_WEEKDAYS}
    ):
        end += 3
    return replace(hit, end=tail(line, end)[1])
