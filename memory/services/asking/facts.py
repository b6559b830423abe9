"""Rows as the facts an answer is composed from: no query, no judgement."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from memory.models import SettledFact
from memory.rules.asking.concepts import concepts, folded, names_in
from memory.rules.asking.intents import Intent
from memory.rules.asking.query import Query
from memory.rules.composing.book import (
    CourseFact,
    DayFact,
    DoseFact,
    EventFact,
    Flag,
    MedicineFact,
    PersonFact,
    SettledNote,
    StrategyFact,
)
from twin.labels import checked_signs, describe_signs, title_of
from twin.models import (
    CourseDay,
    Event,
    PersonProfile,
    Record,
    Subject,
)
from twin.rules.categories import LOCATORS
from twin.rules.red_flags import red_flags
from twin.services.days import day_of
from twin.services.doses import Standing
from twin.services.folding import age_in_months
from twin.shown import since_of

KIND_MATTERS: Mapping[str, frozenset[str]] = {
    "meltdown": frozenset({"meltdown"}),
    "school": frozenset({"school"}),
    "visit": frozenset({"guests"}),
    "vet_visit": frozenset({"vet"}),
    "new_food": frozenset({"food"}),
    "outing": frozenset({"outing"}),
}
WHOLE = frozenset(
    "sleep ears eyes limp vomit stool appetite drinking weight skin breathing teeth urine heart"
    " behaviour".split()
)


def fact_words(*texts: str) -> dict[str, Any]:
    """What texts are about, as the fields every fact is found by."""
    text = " . ".join(one for one in texts if one)
    return {"matters": names_in(text), "said": folded(text)}


def event_fact(row: Event) -> EventFact:
    """An event, with what its kind alone says it is about."""
    words = fact_words(row.place, row.antecedent, row.behaviour, row.tried, row.outcome)
    kind = KIND_MATTERS.get(row.kind, frozenset())
    words["matters"] |= kind
    return EventFact(
        "event",
        row.pk,
        f"evt_{row.pk:06d}",
        **words,
        day=row.local_day,
        what=row.kind,
        place=row.place,
        before=row.antecedent,
        looked=row.behaviour,
        tried=row.tried,
        ended=row.outcome,
        minutes=row.minutes,
        impact=row.impact,
        place_matters=names_in(row.place) | kind,
    )


def strategy_fact(row: Any) -> StrategyFact:
    """A strategy and how often it helped."""
    return StrategyFact(
        "strategy",
        row.pk,
        f"str_{row.pk:06d}",
        **fact_words(row.name, row.how),
        name=row.name,
        how=row.how,
        lifecycle=row.lifecycle,
        uses=row.uses,
        successes=row.successes,
        partials=row.partials,
        last_on=date_of(row.last),
        name_matters=names_in(row.name),
    )


def date_of(value: Any) -> dt.date | None:
    """A date from what a context holds."""
    return dt.date.fromisoformat(value) if isinstance(value, str) else value


def day_fact(row: Record, words: str) -> DayFact:
    """One day's record, with the words it was told in."""
    found = tuple(label.text for label in describe_signs(row.category, row.signs))
    checked = tuple(label.text for label in checked_signs(row.category, row.signs))
    own = _matters_of(row.category)
    text = fact_words(words or row.text, *found)
    text["matters"] |= own
    return DayFact(
        "record",
        row.pk,
        row.rec_id,
        **text,
        day=row.day,
        category=row.category or "",
        polarity=row.polarity or "",
        signs=row.signs,
        found=found,
        checked=checked,
        title=title_of(row.kind, row.category, row.signs),
        words=words or row.text,
        since=since_of(row),
        course=row.course_id,
    )


def _matters_of(category: str | None) -> frozenset[str]:
    """The concepts that stand for a body system as a whole."""
    own = {name for name, one in concepts().items() if one.category and one.category == category}
    return frozenset(own & WHOLE)


def course_fact(row: Record, days: list[CourseDay]) -> CourseFact:
    """A course and its days."""
    facts = [day_fact(day.record, "") for day in days]
    facts = [fact if fact.day else replace(fact, day=day.day) for fact, day in zip(facts, days, strict=True)]
    seen: dict[str, int] = {}
    signs: dict[str, int] = {}
    for fact in facts:
        for sign in fact.found:
            seen[sign] = seen.get(sign, 0) + 1
        for name, value in fact.signs.items():
            if value is True:
                signs[name] = signs.get(name, 0) + 1
    title = title_of(row.kind, row.category, row.signs | _locator(row))
    words = fact_words(title)
    words["matters"] |= _matters_of(row.category)
    return CourseFact(
        "record",
        row.pk,
        row.rec_id,
        **words,
        category=row.category or "",
        title=title,
        side=row.site,
        started_on=row.started_on,
        ended_on=row.ended_on,
        lifecycle=row.lifecycle,
        days=tuple(facts),
        seen=dict(sorted(seen.items(), key=lambda one: (-one[1], one[0]))),
        sign_days=signs,
        observed=len(days),
        abnormal=sum(1 for day in days if day.polarity == "abnormal"),
    )


def _locator(row: Record) -> dict[str, Any]:
    name = LOCATORS.get(row.category or "", "")
    return {name: row.site} if name and row.site and not row.signs.get(name) else {}


def medicine_fact(stands: Standing) -> MedicineFact:
    """A medicine and where it stands now."""
    row: Any = stands.medicine
    zone = ZoneInfo(stands.subject.time_zone)
    due = stands.due.overdue_at or stands.due.next_at
    return MedicineFact(
        "medicine",
        row.pk,
        f"med_{row.pk:06d}",
        **fact_words(row.name),
        name=row.name,
        dose=f"{row.dose.normalize():f} {row.unit}".strip() if row.dose is not None else row.unit or "–",
        started_on=row.started_on,
        until_on=row.until_on if row.ended_at is None else row.ended_at.astimezone(zone).date(),
        is_ended=row.ended_at is not None,
        recent=tuple(
            DoseFact(
                one.at,
                f"{one.at.astimezone(zone):%H:%M}",
                day_of(stands.subject, one.at),
                one.outcome,
                one.author,
            )
            for one in stands.recent
        ),
        given=row.given,
        skipped=row.skipped,
        refused=row.refused,
        next_day=due.astimezone(zone).date() if due else None,
        next_clock=f"{due.astimezone(zone):%H:%M}" if due else "",
        is_overdue=stands.due.overdue_at is not None,
    )


def settled_note(row: SettledFact) -> SettledNote:
    """What is settled or ruled out."""
    words = fact_words(row.text)
    words["matters"] |= _matters_of(row.category)
    return SettledNote(
        "fact",
        row.pk,
        f"fct_{row.pk:06d}",
        **words,
        is_ruled_out=row.kind == "ruled_out",
        category=row.category,
        text=row.text,
        by=row.settled_by,
        since=row.valid_from,
        until=row.valid_until,
    )


def shown_value(value: Any) -> str:
    """A value as a person reads it."""
    return f"{value:g}" if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)


def person_fact(rows: list[PersonProfile]) -> PersonFact | None:
    """What is known of a person for good."""
    if not rows:
        return None
    row = rows[0]
    return PersonFact(
        "person",
        row.pk,
        f"per_{row.pk:06d}",
        **fact_words(*row.interests, *row.calming, *row.never_do, row.sensory, row.communication),
        diagnoses=tuple(row.diagnoses),
        sensory=row.sensory,
        communication=row.communication,
        interests=tuple(row.interests),
        calming=tuple(row.calming),
        never_do=tuple(row.never_do),
    )


def flags_of(subject: Subject, query: Query, today: dt.date) -> tuple[Flag, ...]:
    """What the question's own words say must not wait, where it speaks of now."""
    past = {Intent.SAID, Intent.LAST, Intent.COUNT, Intent.EVER, Intent.SINCE}
    if query.intent in past or (query.window and query.window.last < today):
        return ()
    months = age_in_months(subject.born_on, today)
    flags = red_flags(subject.species, subject.sex, None, {}, query.text, age_months=months)
    return tuple(Flag(one.title(query.language), one.text(query.language)) for one in flags)
