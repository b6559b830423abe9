"""Finding what an answer may draw on: typed sources, each within its budget and what the asker may see.

Search gives row numbers from behind the wall; the rows themselves are then read as any page reads them. The
patterns found pull in their strategies and the newest of their own evidence: related is one step away.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

from django.db import connection
from django.db.models import Count, Model, QuerySet
from django.utils import translation

from household.access import sight_of, visible
from household.models import Person
from household.rules.permissions import Resource
from household.services.together import fetch_together
from memory.models import Episode, Passage, Pattern, PatternEvidence, Strategy, StrategyPattern, StrategyUse
from memory.rules.asking.scope import scope_of
from memory.rules.composing.ranking import worth
from memory.rules.evidence import Budgets, Evidence, Portrait, Retrieved
from memory.services.finding import pieces
from memory.services.finding.searching import Bounds, Hit, Wanted, find_each, wanted_for
from twin.models import LedgerEntry, PersonProfile, ProfileVersion, Record, Subject
from twin.rules.drift import drift
from twin.services.days import day_of

M = TypeVar("M", bound=Model)
FRESH_DAYS = 90.0  # an episode's age counts by this half-life
FRESH, GRAVE, PROVEN = 0.15, 0.05, 0.5  # what age, impact and a strategy's lower bound add to a score
STRATEGIES = 200


def retrieve(
    *,
    person: Person,
    subject: Subject | None,
    question: str,
    language: str,
    now: dt.datetime,
    budgets: Budgets | None = None,
    wanted: Wanted | None = None,
) -> Retrieved:
    """The evidence for one question about one subject, inside `access.seen_by`; no subject gives none.

    `wanted` is the question made ready, for who embedded it before the transaction.
    """
    if subject is None or not question.strip() or subject.pk not in sight_of(person).subjects:
        return Retrieved()
    wanted = wanted or wanted_for(question, subject=subject, language=language)
    with translation.override(language):
        return _Search(person, subject, wanted, budgets or Budgets(), now).run()


class _Search:
    """One question's search, source by source."""

    def __init__(
        self, person: Person, subject: Subject, wanted: Wanted, budgets: Budgets, now: dt.datetime
    ) -> None:
        self.person, self.subject, self.wanted, self.budgets = person, subject, wanted, budgets
        self.now, self.today = now, day_of(subject, now)
        self.hits: dict[Resource, list[Hit]] = {}

    def run(self) -> Retrieved:
        self.hits = find_each(self.wanted, self._places())
        memory = self.hits[Resource.MEMORY]
        patterns = self._patterns(memory)
        found = [
            *self._episodes(memory),
            *patterns,
            *self._strategies(memory),
            *self._passages(),
            *self._observations(),
            *self._courses(),
        ]
        found += self._hop(patterns, {one.ref for one in found})
        sight = sight_of(self.person).subjects[self.subject.pk]
        windows = {resource.value: day for resource, day in sight.windows.items()}
        return Retrieved(
            evidence=tuple(found),
            scope=scope_of((resource.value for resource in sight.views), windows),
            version=self._version(),
            portrait=self._portrait(),
            searched_by=self.wanted.by,
        )

    def _rows(self, resource: Resource, model: type[M]) -> QuerySet[M]:
        rows = model._default_manager.filter(subject=self.subject)
        return visible(self.person, resource, rows)

    def _places(self) -> dict[Resource, Bounds]:
        whose = (self.subject.pk,)
        since = self.today - dt.timedelta(days=self.budgets.observation_days)
        return {
            Resource.MEMORY: Bounds(whose, ("episode", "pattern", "strategy")),
            Resource.DOCUMENT: Bounds(whose, ("passage",)),
            Resource.OBSERVATION: Bounds(whose, ("record", "statement"), since),
        }

    def _best(
        self, resource: Resource, model: type[M], scores: Mapping[int, float], *related: str
    ) -> list[tuple[M, float]]:
        """The rows of these numbers that the asker may see, best first."""
        rows = self._rows(resource, model).filter(pk__in=list(scores))
        held = list(rows.select_related(*related) if related else rows)
        return sorted(((row, scores[row.pk]) for row in held), key=lambda pair: -pair[1])

    def _episodes(self, hits: Sequence[Hit]) -> list[Evidence]:
        scores = _scores(hits, "episode", most=self.budgets.episodes * 4)
        aged = [
            (row, score + self._freshness(row.at) + GRAVE * abs(row.impact))
            for row, score in self._best(Resource.MEMORY, Episode, scores)
        ]
        best = sorted(aged, key=lambda pair: -pair[1])[: self.budgets.episodes]
        return [pieces.of_episode(row, score) for row, score in best]

    def _freshness(self, at: dt.datetime | None) -> float:
        if at is None:
            return 0.0
        return FRESH * math.exp(-max(0.0, (self.now - at).days) / FRESH_DAYS)

    def _patterns(self, hits: Sequence[Hit]) -> list[Evidence]:
        scores = _scores(hits, "pattern", most=self.budgets.patterns * 4)
        best = [
            pieces.of_pattern(row, score)
            for row, score in self._best(Resource.MEMORY, Pattern, scores)
            if row.lifecycle != "retired"
        ]
        return best[: self.budgets.patterns]

    def _strategies(self, hits: Sequence[Hit]) -> list[Evidence]:
        """Those that fit the words, and those that worked, which fit any question about what helps."""
        scores = _scores(hits, "strategy", most=STRATEGIES)
        rows = self._rows(Resource.MEMORY, Strategy).exclude(lifecycle="retired").order_by("-uses", "id")
        weighed = sorted(
            (
                (row, scores.get(row.pk, 0.0) + PROVEN * worth(row.successes, row.partials, row.uses))
                for row in rows[:STRATEGIES]
            ),
            key=lambda pair: (-pair[1], pair[0].pk),
        )[: self.budgets.strategies]
        return self._with_uses(weighed)

    def _with_uses(
        self, rows: Sequence[tuple[Strategy, float]], via: Mapping[int, str] | None = None
    ) -> list[Evidence]:
        uses: dict[int, list[StrategyUse]] = {row.pk: [] for row, _score in rows}
        for use in self._rows(Resource.MEMORY, StrategyUse).filter(strategy_id__in=list(uses)):
            uses[use.strategy_id].append(use)
        return [
            pieces.of_strategy(row, uses[row.pk], today=self.today, score=score, via=(via or {}).get(row.pk))
            for row, score in rows
        ]

    def _passages(self) -> list[Evidence]:
        scores = _scores(self.hits[Resource.DOCUMENT], "passage", most=self.budgets.passages * 2)
        best = self._best(Resource.DOCUMENT, Passage, scores, "document")
        return [pieces.of_passage(row, score) for row, score in best[: self.budgets.passages]]

    def _observations(self) -> list[Evidence]:
        """Records of the last days that fit, by their own words or by those they were told in."""
        hits = self.hits[Resource.OBSERVATION]
        scores = _scores(hits, "record", most=self.budgets.observations * 3)
        told = _scores(hits, "statement", most=self.budgets.observations * 3)
        entries = self._rows(Resource.OBSERVATION, LedgerEntry).filter(statement_id__in=list(told))
        for record, statement in entries.values_list("record_id", "statement_id"):
            if record is not None:
                scores[record] = max(scores.get(record, 0.0), told[statement])
        best = [
            (row, score)
            for row, score in self._best(Resource.OBSERVATION, Record, scores)
            if row.superseded_by_id is None
        ]
        return [pieces.of_record(row, score) for row, score in best[: self.budgets.observations]]

    def _courses(self) -> list[Evidence]:
        rows = self._rows(Resource.OBSERVATION, Record).filter(
            kind="symptom", lifecycle__in=["active", "passive", "dormant"], superseded_by=None
        )
        counted = rows.annotate(day_count=Count("days")).order_by("-opened_on", "-id")
        return [pieces.of_record(row, 0.0, is_course=True) for row in counted[: self.budgets.courses]]

    def _hop(self, patterns: Sequence[Evidence], have: set[str]) -> list[Evidence]:
        """What the patterns found pull in: strategies made for them, and the newest episodes they count."""
        if not patterns:
            return []
        refs = {one.row_id: one.ref for one in patterns}
        found = [*self._helping(refs), *self._counted(refs)]
        return [one for one in found if one.ref not in have][: self.budgets.hop]

    def _helping(self, refs: Mapping[int, str]) -> list[Evidence]:
        links = dict(
            self._rows(Resource.MEMORY, StrategyPattern)
            .filter(pattern_id__in=list(refs))
            .values_list("strategy_id", "pattern_id")
        )
        rows = self._rows(Resource.MEMORY, Strategy).filter(pk__in=list(links)).exclude(lifecycle="retired")
        weighed = [(row, worth(row.successes, row.partials, row.uses)) for row in rows]
        return self._with_uses(weighed, {row.pk: refs[links[row.pk]] for row in rows})

    def _counted(self, refs: Mapping[int, str]) -> list[Evidence]:
        counted = (
            self._rows(Resource.MEMORY, PatternEvidence)
            .filter(pattern_id__in=list(refs), is_for=True, event__isnull=False)
            .order_by("-day", "-id")
        )
        events = dict(counted.values_list("event_id", "pattern_id")[: self.budgets.hop])
        rows = self._rows(Resource.MEMORY, Episode).filter(event_id__in=list(events)).order_by("-at")
        return [
            pieces.of_episode(row, self._freshness(row.at), via=refs[events[row.event_id]])
            for row in rows[: self.budgets.hop]
            if row.event_id is not None
        ]

    def _portrait(self) -> Portrait:
        persons, versions = fetch_together(
            self._rows(Resource.PROFILE, PersonProfile)[:1],
            self._rows(Resource.PROFILE, ProfileVersion).order_by("-version")[:2],
        )
        profile = dict(versions[0].values) if versions else {}
        for person in persons:
            names = "diagnoses sensory communication methodologies interests calming never_do"
            profile |= {name: getattr(person, name) for name in names.split()}
        if len(versions) < 2:
            return Portrait(profile)
        changed = drift(self.subject.species, versions[1].values, versions[0].values)
        drifted = tuple(
            {"field": one.field, "was": versions[1].values.get(one.field), "is": profile.get(one.field)}
            for one in changed
            if one.mark == "drift"
        )
        return Portrait(profile, drifted)

    def _version(self) -> str:
        """A short name of what could be found: it changes with every row that comes, changes or goes."""
        with connection.cursor() as cursor:
            cursor.execute(
                " UNION ALL ".join(
                    f"SELECT count(*), coalesce(sum(version), 0), coalesce(max(id), 0) FROM {table}"  # noqa: S608
                    " WHERE subject_id = %s"
                    for table in ("memory_memoryentry", "memory_observationentry", "memory_documententry")
                ),
                [self.subject.pk] * 3,
            )
            return hashlib.sha256(repr(cursor.fetchall()).encode()).hexdigest()[:16]


def _scores(hits: Sequence[Hit], kind: str, *, most: int) -> dict[int, float]:
    best = [hit for hit in hits if hit.kind == kind][:most]
    return {hit.row_id: hit.score for hit in best}
