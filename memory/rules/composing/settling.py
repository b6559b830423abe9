"""What stands ruled out or settled of what a question is about, so that nobody looks for it again. Pure."""

from __future__ import annotations

from memory.rules.asking.intents import Intent
from memory.rules.asking.query import Query
from memory.rules.composing.book import Book, SettledNote
from memory.rules.composing.choosing import DIRECT
from memory.rules.composing.lines import Lines
from memory.rules.composing.plan import Line, Section

MOST = 4
# Questions that are answered without it: how often, which dose, what somebody said.
ELSEWHERE = frozenset({Intent.COUNT, Intent.DOSE, Intent.SAID, Intent.FAILED, Intent.LONG})


def already_settled(query: Query, book: Book, write: Lines) -> list[Section]:
    """A section of the settled items that the question touches; for somebody who helps, all of them."""
    if query.intent in ELSEWHERE:
        return []
    found = [one for one in book.settled if _touches(one, query)]
    lines = tuple(_line(one, write) for one in found[:MOST])
    return [Section(write.say("settled"), lines)] if lines else []


def _touches(note: SettledNote, query: Query) -> bool:
    if not query.has_target:
        return query.intent in {Intent.TELL, Intent.ABOUT}
    named = {matter for matter, weight in query.matters.items() if weight >= DIRECT}
    return note.category in query.categories or bool(named & note.matters) or _says(note, query)


def _says(note: SettledNote, query: Query) -> bool:
    return any(word.startswith(one) for one in query.words for word in note.said)


def _line(note: SettledNote, write: Lines) -> Line:
    by = write.say("settled_by", by=note.by) if note.by else ""
    until = write.say("settled_until", day=write.day(note.until)) if note.until else ""
    key = "ruled_out" if note.is_ruled_out else "is_settled"
    return write.line(key, [note], text=note.text, day=write.day(note.since), by=by, until=until)
