"""Fetches what an answer may be written from: one subject's rows, only those the asker may see.

Everything is read inside `access.seen_by`, in a fixed number of queries, each bounded: what a question costs
does not grow with a household's history.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Max, Q, QuerySet
from django.utils.translation import gettext

from household.access import sight_of, visible
from household.models import Membership, Person
from household.rules.permissions import Resource, Role
from household.services.together import fetch_together
from memory.models import Passage, Pattern, SettledFact, Strategy, StrategyUse
from memory.pattern_named import pattern_text
from memory.pattern_shown import seen_counts, tracked_names
from memory.rules.asking.concepts import concepts, folded, names_in
from memory.rules.asking.intents import Intent
from memory.rules.asking.query import Query
from memory.rules.composing.book import (
    Book,
    CourseFact,
    DayFact,
    DoseFact,
    EventFact,
    Flag,
    Measure,
    MedicineFact,
    PassageFact,
    PatternFact,
    PersonFact,
    ProfileFact,
    SaidFact,
    SettledNote,
    StrategyFact,
    Use,
)
from memory.rules.evidence import Retrieved, Source
from twin.labels import checked_signs, describe_signs, title_of
from twin.models import (
    CourseDay,
    Event,
    LedgerEntry,
    Medicine,
    PersonProfile,
    ProfileVersion,
    Record,
    Statement,
    Subject,
)
from twin.rules.categories import LOCATORS
from twin.rules.drift import FIELDS, drift
from twin.rules.red_flags import red_flags
from twin.services.days import day_of
from twin.services.doses import Standing, standing, with_recent
from twin.services.folding import age_in_months
from twin.shown import age_of, since_of

EVENTS = 200
DAYS = 400
DAYS_OF_ALL = 160
COURSES = 12
SAID = 200
PASSAGES = 120
SETTLED = 60
PATTERNS = 40
USES = 1_000
KIND_MATTERS: Mapping[str, frozenset[str]] = {
    "meltdown": frozenset({"meltdown"}),
    "school": frozenset({"school"}),
    "visit": frozenset({"guests"}),
    "vet_visit": frozenset({"vet"}),
    "new_food": frozenset({"food"}),
    "outing": frozenset({"outing"}),
}


def gather(*, person: Person, subject: Subject, query: Query, retrieved: Retrieved, now: dt.datetime) -> Book:
    """Everything this person may see of the subject that the question could be about."""
    today = day_of(subject, now)
    seen = _Seen(person, subject)
    days = _days(seen, query, today)
    events, uses, strategies, patterns, settled, profiles, persons = _rows_of(seen, today)
    return Book(
        name=subject.name,
        today=today,
        is_animal=subject.species != "person",
        age=age_of(subject, today),
        breed=subject.breed,
        events=tuple(map(_event, events)),
        uses=tuple(Use(row.strategy_id, row.on, row.outcome, row.event_id) for row in uses),
        strategies=tuple(map(_strategy, strategies)),
        days=tuple(days),
        courses=tuple(_courses(seen, query, today)),
        medicines=tuple(_medicines(seen, now)),
        patterns=tuple(_patterns(seen, patterns)),
        passages=tuple(_passages(seen, retrieved)),
        said=tuple(_said(seen)),
        settled=tuple(map(_settled, settled)),
        profile=_profile(seen, profiles),
        person=_person(persons),
        flags=_flags(subject, query, today),
    )


class _Seen:
    """A subject's rows as this person sees them."""

    def __init__(self, person: Person, subject: Subject) -> None:
        self.person, self.subject = person, subject

    def rows(self, resource: Resource, model: type[Any]) -> QuerySet[Any]:
        """The visible rows of one table."""
        rows: QuerySet[Any] = model._default_manager.filter(subject=self.subject)
        return visible(self.person, resource, rows)


def _rows_of(seen: _Seen, today: dt.date) -> list[list[Any]]:
    """Rows of seven tables in one statement."""
    settled: Any = seen.rows(Resource.MEMORY, SettledFact)
    return fetch_together(
        seen.rows(Resource.OBSERVATION, Event).order_by("-local_day", "-id")[:EVENTS],
        seen.rows(Resource.MEMORY, StrategyUse)
        .exclude(outcome="unknown", follow_up_expired=False)
        .order_by("-on", "-id")[:USES],
        seen.rows(Resource.MEMORY, Strategy).annotate(last=Max("used__on")).order_by("id")[:EVENTS],
        seen.rows(Resource.MEMORY, Pattern).exclude(lifecycle="retired").order_by("-lower", "id")[:PATTERNS],
        settled.in_force(today).order_by("-valid_from", "-id")[:SETTLED],
        seen.rows(Resource.PROFILE, ProfileVersion).order_by("-version")[:2],
        seen.rows(Resource.PROFILE, PersonProfile)[:1],
    )


def _words(*texts: str) -> dict[str, Any]:
    text = " . ".join(one for one in texts if one)
    return {"matters": names_in(text), "said": folded(text)}


def _event(row: Event) -> EventFact:
    words = _words(row.place, row.antecedent, row.behaviour, row.tried, row.outcome)
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


def _strategy(row: Any) -> StrategyFact:
    return StrategyFact(
        "strategy",
        row.pk,
        f"str_{row.pk:06d}",
        **_words(row.name, row.how),
        name=row.name,
        how=row.how,
        lifecycle=row.lifecycle,
        uses=row.uses,
        successes=row.successes,
        partials=row.partials,
        last_on=_date(row.last),
        name_matters=names_in(row.name),
    )


def _date(value: Any) -> dt.date | None:
    return dt.date.fromisoformat(value) if isinstance(value, str) else value


def _days(seen: _Seen, query: Query, today: dt.date) -> list[DayFact]:
    rows = seen.rows(Resource.OBSERVATION, Record).filter(
        kind__in=["symptom", "history"], lifecycle="day", superseded_by=None, is_observed=True
    )
    if query.categories:
        rows = rows.filter(category__in=query.categories)
    undated = Q(day=None)
    newest = list(
        rows.exclude(undated).order_by("-sort_on", "-id")[: DAYS if query.categories else DAYS_OF_ALL]
    )
    window = query.window
    if window is not None and newest and newest[-1].day and newest[-1].day > window.first:
        newest += list(rows.filter(day__range=(window.first, window.last)).order_by("-day", "-id")[:DAYS])
    past = list(rows.filter(undated).order_by("-sort_on", "-id")[:20])
    records = list({row.pk: row for row in [*newest, *past]}.values())
    told = _told(seen, [row.pk for row in records])
    return [_day(row, told.get(row.pk, "")) for row in records]


def _told(seen: _Seen, record_ids: list[int]) -> dict[int, str]:
    """What was said in words of each record; taps say nothing."""
    rows = seen.rows(Resource.OBSERVATION, LedgerEntry).filter(
        record_id__in=record_ids, statement__isnull=False, state="filed"
    )
    found: dict[int, list[str]] = {}
    for record, text in rows.order_by("said_at", "id").values_list("record_id", "statement__text"):
        found.setdefault(record, [])
        if text and text not in found[record]:
            found[record].append(text)
    return {record: " ".join(texts) for record, texts in found.items()}


def _day(row: Record, words: str) -> DayFact:
    found = tuple(label.text for label in describe_signs(row.category, row.signs))
    checked = tuple(label.text for label in checked_signs(row.category, row.signs))
    own = _matters_of(row.category)
    text = _words(words or row.text, *found)
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


LEVEL_WORDS = {"plan_changed": " change of plan", "place_busy": " crowd", "overloaded": " noise"}
WHOLE = frozenset(
    "sleep ears eyes limp vomit stool appetite drinking weight skin breathing teeth urine heart"
    " behaviour".split()
)


def _courses(seen: _Seen, query: Query, today: dt.date) -> list[CourseFact]:
    rows = seen.rows(Resource.OBSERVATION, Record).filter(kind="symptom", superseded_by=None)
    rows = rows.exclude(Q(lifecycle="day") | Q(closed_reason="withdrawn"))
    if query.categories:
        rows = rows.filter(category__in=query.categories)
    records = list(rows.order_by("-opened_on", "-id")[:COURSES])
    days: dict[int, list[CourseDay]] = {}
    found = seen.rows(Resource.OBSERVATION, CourseDay).filter(course_id__in=[row.pk for row in records])
    for day in found.select_related("record").order_by("-day")[:DAYS]:
        days.setdefault(day.course_id, []).append(day)
    return [_course(row, days.get(row.pk, [])) for row in records]


def _course(row: Record, days: list[CourseDay]) -> CourseFact:
    facts = [_day(day.record, "") for day in days]
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
    words = _words(title)
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


def _medicines(seen: _Seen, now: dt.datetime) -> list[MedicineFact]:
    rows = with_recent(seen.rows(Resource.OBSERVATION, Medicine)).annotate(
        given=Count("doses", filter=Q(doses__outcome="given", doses__undone_at=None)),
        skipped=Count("doses", filter=Q(doses__outcome="skipped", doses__undone_at=None)),
        refused=Count("doses", filter=Q(doses__outcome="refused", doses__undone_at=None)),
    )
    found = [
        _medicine(standing(row, seen.subject, now=now)) for row in rows.order_by("-started_on", "-id")[:40]
    ]
    return found


def _medicine(stands: Standing) -> MedicineFact:
    row: Any = stands.medicine
    zone = ZoneInfo(stands.subject.time_zone)
    due = stands.due.overdue_at or stands.due.next_at
    return MedicineFact(
        "medicine",
        row.pk,
        f"med_{row.pk:06d}",
        **_words(row.name),
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


def _patterns(seen: _Seen, rows: list[Pattern]) -> Iterable[PatternFact]:
    counts = _counts_of(seen, rows)
    names = tracked_names(seen.person, rows)
    for row in rows:
        both, times = counts.get(row.pk, (0, 0))
        if not both:
            continue
        text = pattern_text(row, names)
        levels = f"{row.antecedent} {row.outcome}".replace("_", " ") + LEVEL_WORDS.get(row.antecedent, "")
        yield PatternFact(
            "pattern",
            row.pk,
            row.ref,
            **_words(text, levels),
            text=text,
            lifecycle=row.lifecycle,
            both=both,
            antecedent_days=times,
            outcome_days=row.outcome_days,
            days=row.days,
            antecedent=row.antecedent,
            outcome=row.outcome,
        )


def _counts_of(seen: _Seen, rows: list[Pattern]) -> dict[int, tuple[int, int]]:
    """A pattern's counts over the evidence its viewer may see: all of it for a parent."""
    if Role.PARENT in sight_of(seen.person).subjects[seen.subject.pk].roles:
        return {row.pk: (row.both, row.antecedent_days) for row in rows}
    return seen_counts(seen.person, rows)


def _passages(seen: _Seen, retrieved: Retrieved) -> Iterable[PassageFact]:
    scores = {one.row_id: one.score for one in retrieved.of(Source.PASSAGE)}
    rows = seen.rows(Resource.DOCUMENT, Passage).select_related("document")
    for row in rows.order_by("-day", "document_id", "ordinal")[:PASSAGES]:
        paper = row.document
        yield PassageFact(
            "passage",
            row.pk,
            f"pas_{row.pk:06d}",
            **_words(row.text, paper.title),
            where=f"{paper.doc_id}#{row.anchor}",
            title=paper.title or paper.doc_id,
            what=paper.kind,
            writer=paper.writer,
            day=row.day,
            page=row.page,
            text=row.text,
            score=scores.get(row.pk, 0.0),
        )


def _said(seen: _Seen) -> Iterable[SaidFact]:
    rows = seen.rows(Resource.OBSERVATION, Statement).exclude(text="").exclude(reader="correction")
    roles = _roles(seen)
    for row in rows.select_related("author").order_by("-said_at", "-id")[:SAID]:
        if "question" in row.kinds:
            continue
        yield SaidFact(
            "statement",
            row.pk,
            f"sta_{row.pk:06d}",
            **_words(row.text),
            where=row.turn,
            day=row.local_day,
            by=row.author.name if row.author else "",
            role=roles.get(row.author_id or 0, ""),
            text=row.text,
            has_records="observation" in row.kinds,
        )


def _settled(row: SettledFact) -> SettledNote:
    words = _words(row.text)
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


def _roles(seen: _Seen) -> dict[int, str]:
    """What each member is to the subject, as far as the asker may know it; parents are not named."""
    rows = visible(
        seen.person, Resource.CONVERSATION, Membership.objects.filter(subject=seen.subject)
    ).exclude(role=Role.PARENT.value)
    return dict(rows.values_list("person_id", "role"))


def _profile(seen: _Seen, rows: list[ProfileVersion]) -> ProfileFact | None:
    if not rows:
        return None
    now, was = rows[0], rows[1] if len(rows) > 1 else None
    changed = (
        {one.field for one in drift(seen.subject.species, was.values, now.values) if one.mark == "drift"}
        if was
        else set()
    )
    measures = tuple(
        Measure(
            gettext(FIELDS[name].label),
            name,
            _shown(value),
            _shown(was.values[name]) if was and name in was.values else "",
            name in changed,
        )
        for name, value in now.values.items()
        if name in FIELDS
    )
    return ProfileFact(
        "profile",
        now.pk,
        f"pro_{now.pk:06d}",
        day=now.measured_on,
        was_on=was.measured_on if was else None,
        measures=measures,
    )


def _shown(value: Any) -> str:
    return f"{value:g}" if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)


def _person(rows: list[PersonProfile]) -> PersonFact | None:
    if not rows:
        return None
    row = rows[0]
    return PersonFact(
        "person",
        row.pk,
        f"per_{row.pk:06d}",
        **_words(*row.interests, *row.calming, *row.never_do, row.sensory, row.communication),
        diagnoses=tuple(row.diagnoses),
        sensory=row.sensory,
        communication=row.communication,
        interests=tuple(row.interests),
        calming=tuple(row.calming),
        never_do=tuple(row.never_do),
    )


def _flags(subject: Subject, query: Query, today: dt.date) -> tuple[Flag, ...]:
    """What the question's own words say must not wait, where it speaks of now."""
    past = {Intent.SAID, Intent.LAST, Intent.COUNT, Intent.EVER, Intent.SINCE}
    if query.intent in past or (query.window and query.window.last < today):
        return ()
    months = age_in_months(subject.born_on, today)
    flags = red_flags(subject.species, subject.sex, None, {}, query.text, age_months=months)
    return tuple(Flag(one.title(query.language), one.text(query.language)) for one in flags)
