"""The built-in composer: an answer by rules, from what the book holds and nothing else. Pure.

Each intent has one function that gives its sections; where all of them are empty, nothing is recorded, and
the answer says so plainly. Nothing is guessed, nothing is a diagnosis, and a red flag comes before all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from memory.rules.asking.intents import Intent
from memory.rules.asking.query import Query
from memory.rules.composing import bodies, choosing, helping, looking, settling, telling
from memory.rules.composing.book import Book
from memory.rules.composing.lines import Lines
from memory.rules.composing.plan import Line, Plan, Section
from twin.rules.categories import FIELDS

Writer = Callable[[Query, Book, Lines], list[Section]]

WRITERS: Mapping[Intent, Writer] = {
    Intent.NOW: helping.what_to_do,
    Intent.WORKED: helping.what_worked,
    Intent.FAILED: helping.what_failed,
    Intent.TRIED: bodies.since_and_tried,
    Intent.SINCE: bodies.since_and_tried,
    Intent.SAME: bodies.the_same,
    Intent.COMPARE: looking.compared,
    Intent.HOW: looking.how_it_was,
    Intent.TELL: telling.to_tell,
    Intent.SAID: telling.what_was_said,
    Intent.COUNT: looking.counted,
    Intent.LAST: looking.last_time,
    Intent.EVER: looking.whether_ever,
    Intent.LONG: looking.how_long,
    Intent.DOSE: telling.doses,
    Intent.NORMAL: looking.whether_normal,
    Intent.WHY: helping.what_comes_before,
    Intent.ABOUT: telling.who,
    Intent.HAPPENED: looking.what_happened,
}
# What else is tried where the intent a question is put in finds nothing.
ELSE: Mapping[Intent, tuple[Intent, ...]] = {
    Intent.TRIED: (Intent.WORKED,),
    Intent.SINCE: (Intent.LAST,),
    Intent.SAME: (),
    Intent.DOSE: (),
    Intent.COMPARE: (Intent.HOW,),
    Intent.NORMAL: (Intent.HOW, Intent.HAPPENED),
    Intent.HOW: (Intent.HAPPENED,),
    Intent.WHY: (Intent.HAPPENED,),
    Intent.SAID: (Intent.HAPPENED,),
    Intent.ABOUT: (Intent.HAPPENED,),
    Intent.WORKED: (),
    Intent.NOW: (Intent.HAPPENED,),
    Intent.LONG: (Intent.SINCE,),
    Intent.EVER: (Intent.HAPPENED,),
    Intent.LAST: (),
    Intent.COUNT: (),
    Intent.TELL: (),
    Intent.FAILED: (),
}


# Questions that may be about how two matters go together.
JOINS = frozenset({Intent.EVER, Intent.WHY, Intent.HOW, Intent.HAPPENED, Intent.COMPARE, None})
NAMES_A_WAY = frozenset({Intent.EVER, Intent.TRIED, Intent.HOW, Intent.NORMAL, Intent.COUNT, None})


def compose(query: Query, book: Book) -> Plan:
    """The whole answer to a question."""
    write = Lines(book, query.language)
    query = _without_today(query, book)
    first = _flags(book, write)
    if query.other_subject:
        text = write.say("other_subject", other=query.other_subject, name=book.name)
        return Plan((*first, Section("", (Line(text, is_item=False),))), says_nothing=True)
    sections = _written(query, book, write)
    sections += settling.already_settled(query, book, write)
    if any(section.lines for section in sections):
        return Plan((*first, *sections))
    return Plan((*first, *_nothing(query, book, write)), says_nothing=True)


def _without_today(query: Query, book: Book) -> Query:
    """A question for advice asks what has ever helped: "tonight" and "on Friday" narrow nothing."""
    advice = {Intent.NOW, Intent.WORKED, Intent.FAILED, Intent.WHY, Intent.TELL}
    if query.intent not in advice or query.window is None:
        return query
    if query.intent is Intent.NOW or query.window.last >= book.today:
        return replace(query, windows=())
    return query


def _written(query: Query, book: Book, write: Lines) -> list[Section]:
    if query.intent is Intent.EVER and query.words and not choosing.is_spoken_of(query, book):
        return []
    joint = choosing.patterns_joining(query, book)
    if joint and query.intent in JOINS:
        counted = [Section(write.say("watch"), tuple(write.pattern(one) for one in joint[:2]))]
        return [*counted, *_asked(query, book, write)]
    return _asked(query, book, write)


def _asked(query: Query, book: Book, write: Lines) -> list[Section]:
    if query.intent in NAMES_A_WAY and choosing.named_strategies(query, book):
        return helping.one_way(query, book, write)
    for intent in _in_turn(query):
        sections = [one for one in WRITERS[intent](query, book, write) if one.lines]
        if sections:
            return sections
    return []


def _in_turn(query: Query) -> list[Intent]:
    first = query.intent or Intent.HAPPENED
    if first is Intent.EVER and query.window and query.categories and not query.signs:
        first = Intent.HOW  # "has he been eating well this week"
    if first is Intent.EVER and query.signs and all(_is_yes_or_no(*one) for one in query.signs):
        return [first]  # what else is known of that body system does not say whether
    return list(dict.fromkeys([first, *ELSE.get(first, ())]))


def _is_yes_or_no(category: str, sign: str) -> bool:
    found = FIELDS.get(category, {}).get(sign)
    return found is not None and found.kind == "tri"


def _flags(book: Book, write: Lines) -> list[Section]:
    lines = tuple(Line(f"{flag.title}: {flag.text}") for flag in book.flags)
    return [Section(write.say("call"), lines)] if lines else []


def _nothing(query: Query, book: Book, write: Lines) -> list[Section]:
    window = query.window
    said = (
        write.say("nothing_days", name=book.name, span=write.span(window))
        if window is not None
        else write.say("nothing", name=book.name)
    )
    lines = [Line(said, is_item=False)]
    lines += looking.last_known(query, book, write)
    lines.append(Line(write.say("nothing_next"), is_item=False))
    return [Section("", tuple(lines))]
