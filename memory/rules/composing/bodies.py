"""Since when, what was tried, and whether it is the same as before. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from memory.rules.asking.concepts import concepts
from memory.rules.asking.intents import Intent
from memory.rules.asking.query import Query
from memory.rules.composing import choosing
from memory.rules.composing.book import Book, CourseFact, DayFact, EventFact, MedicineFact
from memory.rules.composing.lines import Lines
from memory.rules.composing.plan import Count, Line, Section, section

AROUND = dt.timedelta(days=4)  # a visit or a medicine so near a course belongs to it
MOST = 4


def since_and_tried(query: Query, book: Book, write: Lines) -> list[Section]:
    """Since when it is so, how it stands, and what was tried."""
    named = [
        one for one in choosing.about(query, book.medicines) if choosing.score(query, one) >= choosing.DIRECT
    ]
    course = _course(query, book)
    own = {concepts()[name].category for name in query.matters if query.matters[name] >= choosing.DIRECT}
    if query.wants(Intent.SINCE) and named and (course is None or not own - {""}):
        return [section(write.say("medicines"), [write.medicine(one) for one in named])]
    since = _since(query, book, write, course) if query.wants(Intent.SINCE) or course else []
    tried = _tried(query, book, write, course) if query.wants(Intent.TRIED) or since else []
    if query.wants(Intent.TRIED) and not query.wants(Intent.SINCE) and not tried:
        return []
    return [section(write.say("known"), since), section(write.say("tried"), tried)]


def _course(query: Query, book: Book) -> CourseFact | None:
    """The course that is meant: of the matter and days that are named, else the one that goes on."""
    if query.has_target and (not query.categories or query.places):
        return None
    rows = choosing.courses_about(query, book) if query.has_target else _of_the_body(book)
    if query.window is not None:
        rows = [one for one in rows if _overlaps(one, query.window.first, query.window.last, book)] or rows
    return next(iter(rows), None)


def _of_the_body(book: Book) -> list[CourseFact]:
    """All courses, those of the body before those of moods and habits, the open ones first."""
    soft = {"behaviour", "sleep", "appetite_intake"}
    return sorted(book.courses, key=lambda one: (book.is_animal and one.category in soft, not one.is_open))


def _overlaps(course: CourseFact, first: dt.date, last: dt.date, book: Book) -> bool:
    start = course.started_on or last
    return start <= last and (course.ended_on or book.today) >= first


def _since(query: Query, book: Book, write: Lines, course: CourseFact | None) -> list[Line]:
    if course is not None and course.started_on is not None:
        lines: list[Line | None] = [write.course(course)]
        first = _first_told(course)
        if first is not None and first.words:
            lines.append(write.line("first_on", [first], day=write.day(first.day), what=first.words))
        ago = (book.today - course.started_on).days
        lines.append(write.line("days_ago", [course], [Count("days_ago", ago, (course.ref,))], n=ago))
        lines += [write.course_signs(course), write.latest(course)]
        return [line for line in lines if line is not None]
    days = [one for one in choosing.days_about(query, book) if choosing.sign_is_there(query, one)]
    dated = [one for one in days if one.day]
    past = [one for one in days if not one.day]
    events = choosing.events_about(query, book) if query.has_target and not dated else []
    lines = [write.a_day(one) for one in past[:2]]
    if dated:
        lines += [_edge(write, "first_on", dated[-1])]
        lines += [_edge(write, "last_on", dated[0])] if len(dated) > 1 else []
    elif events:
        first_event = events[-1]
        what = first_event.before or first_event.place
        lines.append(write.line("first_on", [first_event], day=write.day(first_event.day), what=what))
        lines.append(write.past_events(events))
    return [line for line in lines if line is not None]


def _edge(write: Lines, key: str, day: DayFact) -> Line:
    return write.line(key, [day], day=write.day(day.day), what=write.what(day))


def _first_told(course: CourseFact) -> DayFact | None:
    """The first day of a course."""
    days = [one for one in course.days if one.day]
    return min(days, key=lambda one: one.day or dt.date.max) if days else None


def _tried(query: Query, book: Book, write: Lines, course: CourseFact | None) -> list[Line]:
    events = choosing.events_about(query, book) if query.has_target else []
    medicines = choosing.medicines_for(query, book) if query.has_target else []
    if course is not None:
        events = list(_visits(book, course))
        medicines = medicines_of(book, course)
        query = _of_course(query, course)
    used = choosing.helpers(query, book, events) if query.has_target else []
    lines = [write.helper(one) for one in used[:MOST]]
    lines += [write.medicine(one) for one in medicines[:MOST]]
    told_in_uses = {use.event for use in book.uses}
    lines += [write.event(one) for one in events[:3] if one.tried and one.pk not in told_in_uses]
    return lines


def _of_course(query: Query, course: CourseFact) -> Query:
    """The question as one about this course's matter, where it named none."""
    if query.has_target:
        return query
    names = dict.fromkeys(course.matters, 1.0)
    return replace(query, matters=names, categories=frozenset({course.category}))


def _visits(book: Book, course: CourseFact) -> list[EventFact]:
    """What happened in the days of a course and is about the same."""
    first = (course.started_on or book.today) - AROUND
    last = (course.ended_on or book.today) + AROUND
    return [one for one in book.events if first <= one.day <= last and course.matters & one.matters]


def medicines_of(book: Book, course: CourseFact) -> list[MedicineFact]:
    """The medicines given in the days of a course for the same matter."""
    first = (course.started_on or book.today) - AROUND
    last = (course.ended_on or book.today) + AROUND
    return [
        one
        for one in book.medicines
        if one.started_on <= last and (one.until_on or book.today) >= first and course.matters & one.matters
    ]


def the_same(query: Query, book: Book, write: Lines) -> list[Section]:
    """This one beside the one before: place, signs, how long, what was done then."""
    rows = choosing.courses_about(query, book) if query.has_target else _of_the_body(book)[:1]
    if not query.has_target and rows:
        rows = [one for one in book.courses if one.category == rows[0].category]
    past = [one for one in choosing.days_about(query, book) if one.day is None and one.polarity == "abnormal"]
    if not rows:
        return _same_without_course(query, book, write, past)
    now = rows[0]
    then = _then(query, book, rows, now)
    if then is None:
        lines = [write.course(now), *[write.a_day(one) for one in past[:2]]]
        return [section(write.say("known"), [write.line("first_time"), *lines])]
    return [
        section(write.say("compare"), _beside(write, now, then)),
        section(
            write.say("known"),
            [
                write.course(now),
                write.latest(now),
                write.course(then),
                *[write.a_day(one) for one in past[:1]],
            ],
        ),
        section(write.say("tried"), _tried_then(book, write, now, then)),
        section(write.say("watch"), [write.line("not_diagnosis"), _whom(book, write)]),
    ]


def _whom(book: Book, write: Lines) -> Line:
    return write.line("call_if", whom=write.say("vet_whom" if book.is_animal else "doctor_whom"))


def _then(query: Query, book: Book, rows: Sequence[CourseFact], now: CourseFact) -> CourseFact | None:
    earlier = [one for one in rows if one is not now]
    for window in query.windows:
        held = [one for one in earlier if _overlaps(one, window.first, window.last, book)]
        if held:
            return held[0]
    same = [one for one in earlier if one.side == now.side]
    return next(iter(same or earlier), None)


def _same_without_course(query: Query, book: Book, write: Lines, past: Sequence[DayFact]) -> list[Section]:
    events = (
        choosing.events_about(query, book)
        if query.has_target and not query.categories - {"behaviour"}
        else []
    )
    days = [one for one in choosing.days_about(query, book) if one.day and choosing.sign_is_there(query, one)]
    if events:
        lines = [write.past_events(events), *[write.event(one) for one in events[:2]]]
        return [section(write.say("known"), lines)]
    return [section(write.say("known"), [write.a_day(one) for one in [*days[:3], *past[:2]]])]


def _beside(write: Lines, now: CourseFact, then: CourseFact) -> list[Line | None]:
    both = [now, then]
    if now.title == then.title:
        lines: list[Line | None] = [write.line("same_side", both, title=now.title)]
    else:
        lines = [write.line("other_side", both, now=now.title, then=then.title)]
    shared = [sign for sign in now.seen if sign in then.seen]
    lines += [
        _signs(write, "shared_signs", shared, both),
        _signs(write, "only_now", [s for s in now.seen if s not in then.seen], [now]),
        _signs(write, "only_then", [s for s in then.seen if s not in now.seen], [then]),
        _lasted(write, "then_lasted", then),
        _lasted(write, "now_lasts" if now.is_open else "now_lasted", now),
    ]
    return lines


def _signs(write: Lines, key: str, signs: Sequence[str], courses: Sequence[CourseFact]) -> Line | None:
    return write.line(key, courses, signs=", ".join(signs[:5])) if signs else None


def _lasted(write: Lines, key: str, course: CourseFact) -> Line | None:
    if course.started_on is None:
        return None
    days = ((course.ended_on or write.book.today) - course.started_on).days + 1
    return write.line(key, [course], [Count("lasted", days, (course.ref,))], n=days)


def _tried_then(book: Book, write: Lines, now: CourseFact, then: CourseFact) -> list[Line]:
    lines: dict[str, Line] = {}
    for course in (then, now):
        for medicine in medicines_of(book, course):
            lines.setdefault(medicine.ref, write.medicine(medicine))
        for event in _visits(book, course):
            if event.tried:
                lines.setdefault(event.ref, write.event(event))
    return list(lines.values())[:6]
