"""What to do, what has worked, what has not, and what comes before. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from memory.rules.asking.concepts import concepts
from memory.rules.asking.query import Query
from memory.rules.composing import choosing
from memory.rules.composing.book import Book, EventFact
from memory.rules.composing.choosing import Helper
from memory.rules.composing.lines import Lines
from memory.rules.composing.plan import Line, Section, section

MOST = 4
BEFORE = 3
PASSAGES = 2


def what_to_do(query: Query, book: Book, write: Lines) -> list[Section]:
    """What is known of the situation, what has helped in it, what to try first, what to watch."""
    found = choosing.events_about(query, book) if query.has_target else []
    events, every = _hard_first(found), _helpers(query, book, found)
    good = _good(every)[:MOST]
    known = _known(query, book, write, events)
    if query.has_target and not every and not known:
        return []
    return [
        section(write.say("known"), known),
        section(write.say("worked"), [write.helper(one) for one in good] or _none_yet(write)),
        section(write.say("try_first"), _first(good, write)),
        section(write.say("last_time"), [write.event(events[0])] if events else []),
        section(write.say("watch"), _watch(query, book, write, events, every)),
        section(write.say("report"), _report(query, book, write)),
    ]


def _helpers(query: Query, book: Book, events: Sequence[EventFact]) -> list[Helper]:
    """What helps there; for a trouble of the body that nobody ever noted, nothing does."""
    if choosing.is_of_the_body(query) and not events and not choosing.is_noted(query, book):
        return []
    return choosing.helpers(query, book, events)


def _none_yet(write: Lines) -> list[Line]:
    return [write.line("no_help_yet")]


def _hard_first(events: Sequence[EventFact]) -> list[EventFact]:
    """The events as they are, without those that only went well where others did not."""
    hard = [one for one in events if one.impact < 0]
    return hard or list(events)


def _good(every: Sequence[Helper]) -> list[Helper]:
    """Those that may be tried again: in use, and of some help whenever they were counted."""
    return [
        one
        for one in every
        if one.strategy.lifecycle != "retired" and (not one.uses or one.successes or one.partials)
    ]


def _known(query: Query, book: Book, write: Lines, events: Sequence[EventFact]) -> list[Line]:
    lines: list[Line | None] = []
    if events:
        lines += [write.past_events(events), write.minutes(events)]
    if query.categories and not query.places:
        for course in choosing.courses_about(query, book)[:1]:
            if not events or course.category != "behaviour":
                lines += [write.course(course), write.course_signs(course), write.latest(course)]
        if not lines:
            days = [one for one in choosing.days_about(query, book) if choosing.sign_is_there(query, one)]
            lines += [write.a_day(one) for one in days[:3]]
    lines += [write.medicine(one) for one in choosing.medicines_for(query, book)[:2]]
    return [line for line in lines if line is not None]


def _first(good: Sequence[Helper], write: Lines) -> list[Line]:
    with_how = [one for one in good if one.strategy.how]
    return [write.how(with_how[0])] if with_how else []


def _watch(
    query: Query, book: Book, write: Lines, events: Sequence[EventFact], every: Sequence[Helper]
) -> list[Line | None]:
    lines: list[Line | None] = [write.pattern(one) for one in choosing.patterns_about(query, book)[:2]]
    lines += [write.before(one) for one in events[:BEFORE]]
    lines += [write.helper(one) for one in _bad(every) if one.is_here][:2]
    if book.person and book.person.never_do and events and not book.is_animal:
        lines.append(write.line("never_do", [book.person], list=". ".join(book.person.never_do)))
    if choosing.is_of_the_body(query):
        whom = write.say("vet_whom" if book.is_animal else "doctor_whom")
        lines.append(write.line("call_if", whom=whom))
    return lines


def _bad(every: Sequence[Helper]) -> list[Helper]:
    return [one for one in every if one.uses and not one.successes and not one.partials]


def _report(query: Query, book: Book, write: Lines) -> list[Line]:
    return (
        [write.passage(one) for one in choosing.passages_about(query, book)[:PASSAGES]]
        if query.has_target
        else []
    )


def one_way(query: Query, book: Book, write: Lines) -> list[Section]:
    """A strategy that is called by its name: how often it helped, how it is done, when it was used last."""
    named = sorted(choosing.named_strategies(query, book), key=lambda one: -one.uses)[:2]
    last = {
        one.pk: next((use for use in book.uses if use.strategy == one.pk and use.event), None)
        for one in named
    }
    events = [event for use in last.values() if use for event in book.events if event.pk == use.event]
    return [
        section(write.say("worked"), [write.helper(choosing.overall(one)) for one in named]),
        section(write.say("try_first"), _first([choosing.overall(one) for one in named], write)),
        section(write.say("last_time"), [write.event(one) for one in events[:1]]),
    ]


def what_worked(query: Query, book: Book, write: Lines) -> list[Section]:
    """What has helped there, best first, and how it is done."""
    medicines = choosing.medicines_for(query, book) if query.has_target else []
    healed = _healed(query, book, write) if medicines else []
    if choosing.named_strategies(query, book):
        return [section(write.say("over"), healed), *one_way(query, book, write)]
    events = choosing.events_about(query, book) if query.has_target else []
    every = _helpers(query, book, events)
    good = _good(every)[:MOST]
    tried = [one for one in events if one.tried and not any(use.event == one.pk for use in book.uses)]
    lines = [write.helper(one) for one in good]
    calming = _calming(query, book, write) if not good or not query.has_target else []
    if not lines and not medicines and not tried and not calming:
        return [section(write.say("known"), _known(query, book, write, events))] if events else []
    return [
        section(write.say("worked"), [*lines, *calming]),
        section(write.say("try_first"), _first(good, write)),
        section(
            write.say("tried"),
            [*[write.medicine(one) for one in medicines[:2]], *[write.event(one) for one in tried[:2]]],
        ),
        section(write.say("report"), _report(query, book, write)),
        section(write.say("over"), healed),
    ]


def _healed(query: Query, book: Book, write: Lines) -> list[Line]:
    """What a medicine was given for in the days that are named, and how that went."""
    window = query.window
    if window is None or window.holds(book.today):
        return []
    near = {concepts()[name].category for name in query.matters} - {""}
    courses = [
        one
        for one in book.courses
        if one.started_on
        and one.started_on <= window.last
        and (one.ended_on or book.today) >= window.first
        and (not near or one.category in near)
    ]
    return [line for one in courses[:2] for line in (write.course(one), write.course_signs(one)) if line]


def _calming(query: Query, book: Book, write: Lines) -> list[Line]:
    """What the profile says calms, where the question is about calming or about nothing in particular."""
    if book.person is None or not book.person.calming:
        return []
    if query.has_target and "meltdown" not in query.matters:
        return []
    return [write.line("calming", [book.person], list="; ".join(book.person.calming))]


def what_failed(query: Query, book: Book, write: Lines) -> list[Section]:
    """What did not help, or only now and then."""
    events = choosing.events_about(query, book) if query.has_target else []
    every = [one for one in choosing.helpers(query, book, events) if one.uses]
    low = [one for one in every if _failures(one) and one.successes * 2 <= one.uses]
    low = low or [one for one in every if _failures(one)]
    ranked = sorted(low, key=lambda one: (one.worth, one.strategy.name))
    never = []
    if book.person and book.person.never_do and (not query.has_target or "meltdown" in query.matters):
        never = [write.line("never_do", [book.person], list=". ".join(book.person.never_do))]
    return [
        section(write.say("never"), never),
        section(write.say("not_worked"), [write.helper(one) for one in ranked[:MOST]]),
    ]


def _failures(helper: Helper) -> int:
    """How often it did not do what it should, or only in part."""
    return helper.uses - helper.successes


def what_comes_before(query: Query, book: Book, write: Lines) -> list[Section]:
    """Patterns by counts, and what stood before each of the latest events."""
    events = (
        _hard_first(choosing.events_about(query, book))
        if query.has_target
        else [one for one in book.events if one.impact < 0]
    )
    patterns = choosing.patterns_about(query, book)
    befores = [line for line in (write.before(one) for one in events) if line is not None]
    days = [
        write.a_day(one)
        for one in choosing.days_about(query, book)
        if one.signs.get("trigger") or (not befores and choosing.sign_is_there(query, one) and one.words)
    ]
    return [
        section(write.say("known"), [write.pattern(one) for one in patterns[:MOST]]),
        section(write.say("before"), [*befores[: MOST + 2], *days[:BEFORE]]),
    ]
