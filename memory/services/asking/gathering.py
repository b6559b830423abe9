"""Fetches what an answer may be written from: one subject's rows, only those the asker may see.

Everything is read inside `access.seen_by`, in a fixed number of queries, each bounded: what a question costs
does not grow with a household's history.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from django.utils.translation import gettext

from household.access import sight_of, visible
from household.models import Membership, Person
from household.rules.permissions import Resource, Role
from household.services.together import fetch_together
from memory.models import Passage, Pattern, SettledFact, Strategy, StrategyUse
from memory.pattern_named import pattern_text
from memory.pattern_shown import seen_counts, tracked_names
from memory.rules.asking.query import Query
from memory.rules.composing.book import (
    Book,
    CourseFact,
    DayFact,
    Measure,
    MedicineFact,
    PassageFact,
    PatternFact,
    ProfileFact,
    SaidFact,
    Use,
)
from memory.rules.evidence import Retrieved, Source
from memory.services.asking.facts import (
    course_fact,
    day_fact,
    event_fact,
    fact_words,
    flags_of,
    medicine_fact,
    person_fact,
    settled_note,
    shown_value,
    strategy_fact,
)
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
from twin.rules.drift import FIELDS, drift
from twin.services.days import day_of
from twin.services.doses import standing, with_recent
from twin.shown import age_of

EVENTS = 200
DAYS = 400
DAYS_OF_ALL = 160
COURSES = 12
SAID = 200
PASSAGES = 120
SETTLED = 60
PATTERNS = 40
USES = 1_000


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
        events=tuple(map(event_fact, events)),
        uses=tuple(Use(row.strategy_id, row.on, row.outcome, row.event_id) for row in uses),
        strategies=tuple(map(strategy_fact, strategies)),
        days=tuple(days),
        courses=tuple(_courses(seen, query, today)),
        medicines=tuple(_medicines(seen, now)),
        patterns=tuple(_patterns(seen, patterns)),
        passages=tuple(_passages(seen, retrieved)),
        said=tuple(_said(seen)),
        settled=tuple(map(settled_note, settled)),
        profile=_profile(seen, profiles),
        person=person_fact(persons),
        flags=flags_of(subject, query, today),
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
    return [day_fact(row, told.get(row.pk, "")) for row in records]


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


LEVEL_WORDS = {"plan_changed": " change of plan", "place_busy": " crowd", "overloaded": " noise"}


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
    return [course_fact(row, days.get(row.pk, [])) for row in records]


def _medicines(seen: _Seen, now: dt.datetime) -> list[MedicineFact]:
    rows = with_recent(seen.rows(Resource.OBSERVATION, Medicine)).annotate(
        given=Count("doses", filter=Q(doses__outcome="given", doses__undone_at=None)),
        skipped=Count("doses", filter=Q(doses__outcome="skipped", doses__undone_at=None)),
        refused=Count("doses", filter=Q(doses__outcome="refused", doses__undone_at=None)),
    )
    found = [
        medicine_fact(standing(row, seen.subject, now=now))
        for row in rows.order_by("-started_on", "-id")[:40]
    ]
    return found


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
            **fact_words(text, levels),
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
            **fact_words(row.text, paper.title),
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
            **fact_words(row.text),
            where=row.turn,
            day=row.local_day,
            by=row.author.name if row.author else "",
            role=roles.get(row.author_id or 0, ""),
            text=row.text,
            has_records="observation" in row.kinds,
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
            shown_value(value),
            shown_value(was.values[name]) if was and name in was.values else "",
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
