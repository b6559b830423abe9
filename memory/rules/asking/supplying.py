"""What a model is told of each row that was retrieved: its counts and days in words. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence

from memory.rules.composing.book import DayFact, EventFact, Fact, StrategyFact
from memory.rules.evidence import Evidence, Portrait, Source

KINDS: Mapping[Source, str] = {
    Source.PATTERN: "pattern",
    Source.STRATEGY: "strategy",
    Source.PASSAGE: "passage",
    Source.OBSERVATION: "record",
    Source.COURSE: "record",
}


def row_of(one: Evidence) -> tuple[str, int, str]:
    """The kind, number and public id of the row an answer cites for a piece of evidence."""
    event = one.facts.get("event_id")
    if one.source is Source.EPISODE:
        return ("event", int(event), f"evt_{event:06d}") if event else ("episode", one.row_id, one.ref)
    return KINDS[one.source], one.row_id, one.ref


def where_of(one: Evidence) -> str:
    """What the page of a piece of evidence is called by, where that is not its number."""
    if one.source is not Source.PASSAGE:
        return ""
    return f"doc_{one.facts['document_id']:06d}#{one.facts['anchor']}"


def text_of(one: Evidence) -> str:
    """A piece of evidence in full, as one line."""
    return " ".join(_WRITERS[one.source](one).split())


def full_text(fact: Fact, lines: Sequence[str]) -> str:
    """A row the composer chose, in full: its own words, and what the answer counts of it."""
    match fact:
        case EventFact():
            own = [str(fact.day), fact.place, fact.before, fact.looked, fact.tried, fact.ended]
        case StrategyFact():
            own = [fact.name, fact.how]
        case DayFact():
            own = [str(fact.day or fact.since), fact.title, ", ".join(fact.found), fact.words]
        case _:
            own = []
    parts = [part.strip() for part in own if part.strip()]
    return ". ".join([*parts, *lines])


def about_of(one: Evidence) -> str:
    """What a piece of evidence is about, in a code: its category or kind, never a word of the family's."""
    return str(one.facts.get("category") or one.facts.get("kind") or one.source.value)


def days_of(one: Evidence) -> tuple[dt.date | None, dt.date | None]:
    """The first and the last day of a piece of evidence, None where it has none."""
    facts = one.facts
    match one.source:
        case Source.PATTERN:
            return facts["first_on"], facts["last_on"]
        case Source.COURSE:
            return facts["started_on"], facts["ended_on"]
        case Source.STRATEGY:
            return None, facts["last_on"]
        case Source.PASSAGE:
            return facts["document_on"], None
        case _:
            return facts["day"], None


def portrait_of(portrait: Portrait) -> tuple[str, str]:
    """Who the subject is, and what of the usual has drifted, each as one line; empty where nothing is."""
    profile = portrait.profile
    parts = [
        f"{name.replace('_', ' ')}: {', '.join(value) if isinstance(value, (list, tuple)) else value}"
        for name in ("diagnoses", "sensory", "communication", "interests", "calming", "never_do")
        if (value := profile.get(name))
    ]
    drifted = [f"{one['field']} was {_known(one['was'])}, is {one['is']}" for one in portrait.drift]
    return "; ".join(parts), "; ".join(drifted)


def _known(value: object) -> object:
    return "not known" if value is None else value


def _episode(one: Evidence) -> str:
    facts = one.facts
    named = ("place", "antecedent", "behaviour", "tried", "outcome")
    parts = [f"{name}: {facts[name]}" for name in named if facts.get(name)]
    return f"{facts['day']}, {facts['kind']}. {'; '.join(parts)}; impact {facts['impact']}"


def _pattern(one: Evidence) -> str:
    facts = one.facts
    return (
        f"{one.text}: {facts['both']} of {facts['antecedent_days']} days, a {facts['lifecycle']}"
        f" (on all days {facts['outcome_days']} of {facts['days']})"
    )


def _strategy(one: Evidence) -> str:
    facts, late = one.facts, one.facts["recent"]
    if not facts["uses"]:
        return f"{one.text}. Not tried yet"
    partly = f", partly {facts['partials']}" if facts["partials"] else ""
    last = f", last on {facts['last_on']}" if facts["last_on"] else ""
    return (
        f"{one.text}. Helped {facts['successes']} of {facts['uses']} times{partly}{last};"
        f" in the last 8 weeks {late['successes']} of {late['uses']}"
    )


def _passage(one: Evidence) -> str:
    facts = one.facts
    head = ", ".join(str(facts[name]) for name in ("title", "author", "document_on") if facts.get(name))
    return f"{head}: {one.text}" if head else one.text


def _record(one: Evidence) -> str:
    said = ", ".join(part for part in (one.text, one.facts["polarity"]) if part)
    return f"{one.facts['day'] or one.facts['started_on'] or 'no date'}: {said}"


def _course(one: Evidence) -> str:
    facts = one.facts
    since = facts["started_on"] or "no date"
    until = f" to {facts['ended_on']}" if facts["ended_on"] else ""
    return f"{one.text}. A course since {since}{until}, {facts['lifecycle']}, {facts.get('days') or 0} days"


_WRITERS: Mapping[Source, Callable[[Evidence], str]] = {
    Source.EPISODE: _episode,
    Source.PATTERN: _pattern,
    Source.STRATEGY: _strategy,
    Source.PASSAGE: _passage,
    Source.OBSERVATION: _record,
    Source.COURSE: _course,
}
