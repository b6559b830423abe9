"""How it has been, how often, when last, whether ever, whether it is usual. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from memory.rules.asking.query import Query
from memory.rules.asking.windows import Window, lately
from memory.rules.composing import choosing
from memory.rules.composing.book import Book, CourseFact, DayFact, EventFact, Fact
from memory.rules.composing.choosing import shares
from memory.rules.composing.lines import Lines
from memory.rules.composing.plan import Count, Line, Section, section

F = TypeVar("F", bound=Fact)
USUAL_DAYS = 90
MOST = 5
MARGIN = 0.1  # shares that differ by less are about the same
MEASURED = ("weight_kg", "food_g", "water_ml", "hours", "temperature_c", "bcs")


def _window(query: Query, book: Book, days: int = 30) -> Window:
    return query.window or lately(book.today, days)


def _days(query: Query, book: Book, window: Window | None) -> list[DayFact]:
    """The noted days of the body systems it is about; a place is told of in events alone."""
    if query.places and not query.categories:
        return []
    return [one for one in choosing.days_about(query, book, window) if one.day]


def how_it_was(query: Query, book: Book, write: Lines) -> list[Section]:
    """The days of a window: how many were fine, what stood out, and the same before."""
    window = _window(query, book)
    if not query.has_target:
        return _overall(book, write, window)
    days = _days(query, book, window)
    events = [one for one in choosing.events_about(query, book) if window.holds(one.day)]
    if query.categories and not query.places and query.categories != {"behaviour"}:
        events = []
    lines: list[Line | None] = []
    if days and not (events and query.places):
        lines += [write.window(days, window), write.window_signs(days), *_values(days, write)]
        lines += [write.a_day(one) for one in _telling(days)]
    if events:
        lines += [write.past_events(events), *[write.event(one) for one in events[:3]]]
    if not lines:
        return []
    courses = [one for one in choosing.courses_about(query, book) if one.is_open][:1] if days else []
    before = _days(query, book, window.before())
    return [
        section(write.say("known"), lines),
        section(write.say("compare"), _before(write, days, before, window)),
        section(
            write.say("open"), [line for one in courses for line in (write.course(one), write.latest(one))]
        ),
        section(write.say("usual"), _usual(query, book, write)),
        section(write.say("watch"), [write.pattern(one) for one in choosing.patterns_about(query, book)[:2]]),
    ]


def _telling(days: Sequence[DayFact]) -> list[DayFact]:
    """The days that say most: told in words, then not as usual."""
    told = [one for one in days if one.words]
    return (told or [one for one in days if one.polarity == "abnormal"])[:MOST]


def _values(days: Sequence[DayFact], write: Lines) -> list[Line]:
    """Measured values, newest first: weight, hours slept."""
    rows = [one for one in days if any(one.signs.get(name) is not None for name in MEASURED)]
    return [write.a_day(one) for one in rows[:MOST] if one not in _telling(days)]


def _before(
    write: Lines, days: Sequence[DayFact], before: Sequence[DayFact], window: Window
) -> list[Line | None]:
    if not days or not before:
        return []
    of, bad = shares(before)
    noted, now = shares(days)
    counts = [
        Count("days", of, tuple(one.ref for one in before)),
        Count("bad_days", bad, tuple(one.ref for one in before)),
        Count("window", window.days, ()),
    ]
    cited = [one for one in before if one.polarity == "abnormal"][:2] or before[:1]
    change = now / noted - bad / of
    word = "as_before" if abs(change) < MARGIN else "worse" if change > 0 else "better"
    return [
        write.line("window_before", cited, counts, n=window.days, bad=bad, of=of),
        write.line(word, [*cited, *days[:1]]),
    ]


def _usual(query: Query, book: Book, write: Lines) -> list[Line]:
    """The measured usual of what is asked about."""
    profile = book.profile
    if profile is None:
        return []
    names = {name for category in query.categories for name in PROFILE_OF.get(category, ())}
    return [
        write.line(
            "measured",
            [profile],
            label=one.label,
            now=one.now,
            day=write.day(profile.day),
            was=write.say("was", was=one.was, day=write.day(profile.was_on)) if one.was else "",
        )
        for one in profile.measures
        if one.name in names
    ]


PROFILE_OF = {
    "sleep": ("sleep_hours", "night_wakings"),
    "appetite_intake": ("food_g", "appetite", "foods_accepted"),
    "thirst_hydration": ("water_ml",),
    "metabolic_weight": ("weight_kg",),
    "lower_digestive": ("stool_per_day", "stool_form"),
    "urinary": ("urine_per_day",),
    "behaviour": ("meltdowns_per_week", "mood", "words_or_signs_per_day"),
    "whole_body": ("energy", "activity_min"),
}


def _overall(book: Book, write: Lines, window: Window) -> list[Section]:
    """A whole subject in a window: what goes on, what happened, which systems were not as usual."""
    open_ = [one for one in book.courses if one.is_open][:3]
    events = [one for one in book.events if window.holds(one.day)]
    days = [one for one in book.days if window.holds(one.day)]
    by_category: dict[str, list[DayFact]] = {}
    for one in days:
        by_category.setdefault(one.category, []).append(one)
    lines = []
    for rows in by_category.values():
        noted, bad = shares(rows)
        if bad:
            told = [one for one in rows if one.polarity == "abnormal"]
            told = [one for one in told if one.words] or told
            refs = tuple(one.ref for one in rows)
            counts = [Count("days", noted, refs), Count("bad_days", bad, refs)]
            text = f"{rows[0].title}: " + write.say(
                "window", span=write.span(window), n=noted, good=noted - bad, bad=bad
            )
            lines.append(Line(text, tuple(one.ref for one in told[:2]), tuple(counts)))
    told_days = [] if lines else [write.a_day(one) for one in days[:3]]
    return [
        section(
            write.say("open"), [line for one in open_ for line in (write.course(one), write.latest(one))]
        ),
        section(write.say("seen"), [*lines[:MOST], *told_days]),
        section(write.say("known"), [write.event(one) for one in events[:3]]),
    ]


def compared(query: Query, book: Book, write: Lines) -> list[Section]:
    """Two windows side by side: the named ones, or lately and before."""
    now = query.windows[0] if len(query.windows) > 1 else lately(book.today)
    then = query.windows[1] if len(query.windows) > 1 else query.window or now.before()
    if now.first < then.first and len(query.windows) > 1:
        now, then = then, now
    if then.holds(now.last):  # "better since March": what was before
        now, then = then, then.before()
    days, before = _days(query, book, now), _days(query, book, then)
    events = choosing.events_about(_without_window(query), book) if query.has_target else []
    lines: list[Line | None] = []
    if days:
        lines += [write.window(days, now)]
        lines += [write.window(before, then)] if before else []
        lines += _before(write, days, before, then)[1:]
    elif events:
        lines += _two_counts(write, events, now, then)
    courses = choosing.courses_about(query, book)[:1] if query.categories and not query.places else []
    soft = [line for one in courses for line in (write.course(one), write.latest(one))]
    return [
        section(write.say("compare"), lines),
        section(write.say("open"), soft),
        section(write.say("usual"), _usual(query, book, write)),
    ]


def _without_window(query: Query) -> Query:
    return replace(query, windows=())


def _two_counts(write: Lines, events: Sequence[EventFact], now: Window, then: Window) -> list[Line | None]:
    lines: list[Line | None] = []
    for window in (now, then):
        held = [one for one in events if window.holds(one.day)]
        if held:
            lines.append(_events_in(write, held, window))
    latest = [one for one in events if one.minutes]
    return [*lines, write.minutes(latest)] if lines else []


def _events_in(write: Lines, events: Sequence[EventFact], window: Window) -> Line:
    key = "times_one" if len(events) == 1 else "times"
    count = Count("rows", len(events), tuple(one.ref for one in events))
    return write.line(
        key, events[:MOST], [count], n=len(events), span=write.span(window), days=write.days(events)
    )


def _reach(book: Book, facts: Sequence[DayFact | EventFact], query: Query) -> Window:
    if query.window is not None:
        return query.window
    days = [one.day for one in facts if one.day]
    return Window(min(days, default=book.today), book.today)


def counted(query: Query, book: Book, write: Lines) -> list[Section]:
    """How many times: events, and days on which it was noted."""
    events = choosing.events_about(query, book) if query.has_target else []
    if "meltdown" in query.matters and not query.places:
        events = [one for one in events if one.what == "meltdown" or "meltdown" in one.matters]
    days = [] if query.places else _days(query, book, query.window)
    there = [one for one in days if choosing.sign_is_there(query, one)]
    window = _reach(book, [*events, *there], query)
    lines: list[Line | None] = []
    soft = {"behaviour"} if query.categories == {"behaviour"} else set()
    if events and (query.places or soft or not query.categories):
        lines.append(_events_in(write, events, window))
        happened = {one.day for one in events}
        there = [one for one in there if one.day not in happened]
        if there:
            count = Count("rows", len(there), tuple(one.ref for one in there))
            lines.append(write.line("further_days", there[:MOST], [count], n=len(there)))
    elif there:
        count = Count("rows", len(there), tuple(one.ref for one in there))
        key = "on_one_day" if len(there) == 1 else "on_days"
        lines.append(
            write.line(
                key, there[:MOST], [count], n=len(there), span=write.span(window), days=write.days(there)
            )
        )
        lines += [write.a_day(one) for one in there[:3]]
    else:
        lines += _absent(query, days, write)
    return [section(write.say("known"), lines)]


def _absent(query: Query, days: Sequence[DayFact], write: Lines) -> list[Line | None]:
    """That somebody looked for a sign and it was not there."""
    if not query.signs:
        return []
    absent = [one for one in days if choosing.sign_is_absent(query, one)]
    if not absent:
        return []
    return [write.line("not_there", absent[:3], days=write.days(absent))]


def last_time(query: Query, book: Book, write: Lines) -> list[Section]:
    """The newest one, told in full."""
    days = [] if query.places else _days(query, book, query.window)
    measured = [one for one in days if any(one.signs.get(name) is not None for name in MEASURED)]
    there = [one for one in days if choosing.sign_is_there(query, one)]
    if query.categories == {"metabolic_weight"}:
        there = measured or there
    events = choosing.events_about(query, book) if query.has_target else list(book.events)
    if query.categories - {"behaviour"} and not query.places:
        events = []
    newest_event = next(iter(events), None)
    newest_day = next(iter(there), None)
    if newest_event and (newest_day is None or newest_day.day is None or newest_event.day >= newest_day.day):
        count = [write.past_events(events)] if len(events) > 1 else []
        return [section(write.say("last_time"), [write.event(newest_event), *count])]
    if newest_day is not None:
        line = write.line("last_on", [newest_day], day=write.day(newest_day.day), what=write.what(newest_day))
        words = [write.a_day(newest_day)] if newest_day.words and not newest_day.found else []
        return [section(write.say("last_time"), [line, *words])]
    past = [one for one in choosing.days_about(query, book) if one.day is None]
    said = choosing.said_about(query, book)
    lines = (
        [write.a_day(one) for one in past[:2]]
        or _absent(query, days, write)
        or [write.said(one) for one in said[:1]]
    )
    return [section(write.say("last_time"), lines)]


def whether_ever(query: Query, book: Book, write: Lines) -> list[Section]:
    """Whether it was ever noted: how often, the last time, and where somebody looked in vain."""
    if not query.has_target:
        return []
    strategies = [
        one
        for one in (choosing.about(query, book.strategies) if not query.categories else [])
        if choosing.score(query, one) >= choosing.DIRECT
    ]
    days = [] if query.places and not query.categories else _days(query, book, query.window)
    there = [one for one in days if choosing.sign_is_there(query, one)]
    past = [one for one in choosing.days_about(query, book) if one.day is None and one.polarity == "abnormal"]
    events = choosing.events_about(query, book)
    if query.categories - {"behaviour"} and not query.places:
        events = [one for one in events if there]
    lines: list[Line | None] = []
    if there and not query.places:
        lines.append(_edge(write, there[0]))
        count = Count("rows", len(there), tuple(one.ref for one in there))
        window = _reach(book, there, query)
        if len(there) > 1:
            lines.append(
                write.line(
                    "on_days",
                    there[:MOST],
                    [count],
                    n=len(there),
                    span=write.span(window),
                    days=write.days(there),
                )
            )
    elif events:
        lines += [write.past_events(events), write.event(events[0])]
    lines += [write.a_day(one) for one in past[:2]]
    if not query.categories:
        lines += [write.said(one) for one in choosing.said_about(query, book)[:2]]
    open_ = [] if query.places else [one for one in choosing.courses_about(query, book) if query.categories]
    if there and open_:
        lines.append(write.course(open_[0]))
    lines += [] if lines else _absent(query, days, write)
    lines += [] if lines else [write.helper(choosing.overall(one)) for one in strategies[:2]]
    lines += [] if lines else [write.medicine(one) for one in choosing.medicines_for(query, book)[:2]]
    return [section(write.say("known"), lines)]


def _edge(write: Lines, day: DayFact) -> Line:
    return write.line("last_on", [day], day=write.day(day.day), what=write.what(day))


def how_long(query: Query, book: Book, write: Lines) -> list[Section]:
    """How long events took, or a course lasted."""
    events = [one for one in choosing.events_about(query, book) if one.minutes] if query.has_target else []
    if events and (not query.categories - {"behaviour"} or query.places):
        return [section(write.say("known"), [_lasted(write, events)])]
    lines = []
    for course in _in_window(query, choosing.courses_about(query, book), book)[:2]:
        if course.started_on and course.ended_on:
            n = (course.ended_on - course.started_on).days + 1
            count = Count("lasted", n, (course.ref,))
            lines.append(
                write.line(
                    "lasted_days",
                    [course],
                    [count],
                    title=course.title,
                    n=n,
                    start=write.day(course.started_on),
                    end=write.day(course.ended_on),
                )
            )
        elif course.started_on:
            lines.append(write.course(course))
    return [section(write.say("known"), lines)]


def _in_window(query: Query, courses: list[CourseFact], book: Book) -> list[CourseFact]:
    """Those that touch the days that are named, all where none does."""
    window = query.window
    if window is None:
        return courses
    return [
        one
        for one in courses
        if one.started_on and one.started_on <= window.last and (one.ended_on or book.today) >= window.first
    ] or courses


def _lasted(write: Lines, events: Sequence[EventFact]) -> Line:
    counts = [Count("minutes", one.minutes or 0, (one.ref,)) for one in events]
    took = [one.minutes or 0 for one in events]
    if len(events) == 1:
        return write.line("lasted_one", events, counts, last=took[0])
    counts.append(Count("rows", len(events), tuple(one.ref for one in events)))
    return write.line(
        "lasted", events[:MOST], counts, low=min(took), high=max(took), n=len(events), last=took[0]
    )


def whether_normal(query: Query, book: Book, write: Lines) -> list[Section]:
    """How often it is so, and what the measured usual says; never whether it is an illness."""
    window = query.window or lately(book.today, USUAL_DAYS)
    days = _days(query, book, window)
    usual = _usual(query, book, write)
    if not days and not usual:
        return []
    lines: list[Line | None] = []
    if days:
        noted, bad = shares(days)
        refs = tuple(one.ref for one in days)
        cited = [one for one in days if one.polarity == "abnormal"][:3] or days[:2]
        counts = [Count("days", noted, refs), Count("bad_days", bad, refs), Count("window", window.days, ())]
        lines.append(write.line("normal_share", cited, counts, n=window.days, bad=bad, of=noted))
        lines += [write.a_day(days[0]), write.window_signs(days)]
    courses = [one for one in choosing.courses_about(query, book) if one.is_open][:1]
    whom = write.say("vet_whom" if book.is_animal else "doctor_whom")
    return [
        section(write.say("known"), lines),
        section(write.say("usual"), usual),
        section(write.say("open"), [write.course(one) for one in courses]),
        section(write.say("watch"), [write.line("not_diagnosis"), write.line("call_if", whom=whom)]),
    ]


def what_happened(query: Query, book: Book, write: Lines) -> list[Section]:
    """Whatever the book holds on it: events, notes, words, documents."""
    if not query.has_target and not query.people and query.window is None:
        return _overall(book, write, lately(book.today, 7))
    events = choosing.events_about(query, book) if query.has_target else _on(book.events, query)
    days = _days(query, book, query.window) if query.has_target else _on(book.days, query)
    days = [] if query.places and not query.categories else days
    bad = [one for one in days if choosing.sign_is_there(query, one)] or days
    said = choosing.said_about(query, book) if query.has_target or query.people else _on(book.said, query)
    strategies = [
        one
        for one in (choosing.about(query, book.strategies) if not choosing.is_of_the_body(query) else [])
        if choosing.score(query, one) >= choosing.DIRECT
    ]
    shown: set[str] = {one.words for one in bad[:3] if one.words}
    said = [one for one in said if one.text not in shown]
    passages = choosing.passages_about(query, book) if query.has_target else []
    medicines = choosing.medicines_for(query, book) if query.has_target else []
    lines: list[Line | None] = [write.event(one) for one in events[:3]]
    lines += [write.a_day(one) for one in bad[:3]]
    lines += [write.a_day(one) for one in choosing.days_about(query, book) if one.day is None][:1]
    lines += [write.said(one) for one in said[:3]]
    courses = choosing.courses_about(query, book)[:2] if query.categories and not query.places else []
    return [
        section(write.say("open"), [write.course(one) for one in courses]),
        section(write.say("known"), lines),
        section(write.say("helps"), [write.helper(choosing.overall(one)) for one in strategies[:2]]),
        section(write.say("medicines"), [write.medicine(one) for one in medicines[:2]]),
        section(write.say("report"), [write.passage(one) for one in passages[:2]]),
    ]


def _on(facts: Sequence[F], query: Query) -> list[F]:
    window = query.window
    return [one for one in facts if window is not None and window.holds(getattr(one, "day", None))]


def last_known(query: Query, book: Book, write: Lines) -> list[Line]:
    """The newest note on it outside the days that were named."""
    if query.window is None or not query.has_target:
        return []
    free = _without_window(query)
    days = [one for one in _days(free, book, None) if one.day and one.day <= query.window.last]
    events = [one for one in choosing.events_about(free, book) if one.day <= query.window.last]
    dated: list[tuple[dt.date, Line]] = []
    for day in days[:1]:
        dated.append(
            (
                day.day or dt.date.min,
                write.line("last_known", [day], day=write.day(day.day), what=write.what(day)),
            )
        )
    for event in events[:1]:
        what = event.before or event.place
        dated.append((event.day, write.line("last_known", [event], day=write.day(event.day), what=what)))
    return [max(dated, key=lambda one: one[0])[1]] if dated else []
