"""Stores an answer, in a transaction that looks once more whether all it rests on is still there."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import models, transaction

from household.access import Denied, seen_by, visible
from household.models import Person
from household.rules.permissions import Resource
from household.services.thinking import give_back, settle
from memory.models import Answer, AnswerEvidence, Episode, Passage, Pattern, Question, SettledFact, Strategy
from memory.rules.asking.scope import scope_of
from memory.rules.working_set import Brought
from memory.services import working_sets
from memory.services.asking import caching
from memory.services.asking.prepared import Given, Prepared
from memory.services.asking.writing import Written
from twin.models import Event, Medicine, PersonProfile, ProfileVersion, Record, Statement

ROWS: Mapping[str, tuple[type[models.Model], Resource]] = {
    "statement": (Statement, Resource.OBSERVATION),
    "record": (Record, Resource.OBSERVATION),
    "event": (Event, Resource.OBSERVATION),
    "episode": (Episode, Resource.MEMORY),
    "medicine": (Medicine, Resource.OBSERVATION),
    "strategy": (Strategy, Resource.MEMORY),
    "pattern": (Pattern, Resource.MEMORY),
    "fact": (SettledFact, Resource.MEMORY),
    "passage": (Passage, Resource.DOCUMENT),
    "profile": (ProfileVersion, Resource.PROFILE),
    "person": (PersonProfile, Resource.PROFILE),
}


class EvidenceGone(Exception):
    """Something the answer rests on was removed, or may no longer be seen, while it was written."""


def store(*, person: Person, prepared: Prepared, written: Written, now: dt.datetime) -> Answer:
    """Keep a written answer with its evidence. Raises EvidenceGone, and Denied where the book is closed."""
    close_spend(prepared, written)
    with seen_by(person, now=now) as sight, transaction.atomic():
        question = Question.objects.select_for_update(no_key=True).filter(pk=prepared.question_id).first()
        one = sight.subjects.get(prepared.subject_id)
        if question is None or one is None:
            raise EvidenceGone
        held = Answer.objects.filter(question=question).first()
        if held is not None:
            return held
        windows = {resource.value: day for resource, day in one.windows.items()}
        if scope_of((resource.value for resource in one.views), windows) != prepared.scope:
            raise EvidenceGone
        if not _are_there(person, prepared.given.values()):
            raise EvidenceGone
        answer = Answer.objects.create(question=question, author=person, **_columns(prepared, written))
        AnswerEvidence.objects.bulk_create(_evidence(answer, prepared, written))
        caching.keep(prepared, answer)
        if prepared.may_remember:
            _go_on(person, prepared, written, now)
        return answer


def _go_on(person: Person, prepared: Prepared, written: Written, now: dt.datetime) -> None:
    """Let the conversation hold what this answer rests on, each row by its reason."""
    by_ref = {one.ref for one in prepared.given.values()}
    brought = [
        Brought(one.ref, one.about, one.first_on or one.last_on, one.parent if one.parent in by_ref else None)
        for one in prepared.given.values()
        if one.marker in written.marks or one.parent in by_ref
    ]
    working_sets.advance(
        person=person,
        subject_id=prepared.subject_id,
        conversation=prepared.conversation,
        turn=prepared.turn,
        text=prepared.text,
        brought=brought,
        now=now,
    )


def close_spend(prepared: Prepared, written: Written) -> None:
    """Settle what a model's call cost, or give it back; once."""
    thought, prepared.thought = prepared.thought, None
    if thought is None:
        return
    if written.used is None:
        give_back(thought.reservation)
    else:
        settle(thought.reservation, written.used or thought.reservation.tokens)
    written.model = thought.endpoint.model if written.source == "model" else written.model
    prepared.cached_variant_id = thought.variant_id


def _are_there(person: Person, given: Iterable[Given]) -> bool:
    """Whether each row is still there for this person."""
    by_kind: dict[str, set[int]] = {}
    for one in given:
        by_kind.setdefault(one.kind, set()).add(one.pk)
    for kind, keys in by_kind.items():
        model, resource = ROWS[kind]
        rows: models.QuerySet[Any] = model._default_manager.filter(pk__in=keys)
        if visible(person, resource, rows).count() != len(keys):
            return False
    return True


def _columns(prepared: Prepared, written: Written) -> dict[str, Any]:
    is_good = bool(written.is_whole and written.text) and (bool(written.marks) or prepared.plan.says_nothing)
    return {
        "subject_id": prepared.subject_id,
        "is_private": prepared.is_private,
        "text": written.text,
        "state": "complete" if written.is_whole else "failed",
        "source": written.source,
        "tier": prepared.tier if written.source != "composer" else "none",
        "effort": prepared.effort,
        "model": written.model,
        "variant_id": prepared.cached_variant_id if written.source != "composer" else None,
        "why_composed": written.why_composed,
        "tokens": written.tokens,
        "latency_ms": written.latency_ms,
        "unresolved": min(written.unresolved, 32_000),
        "unsupported": min(written.unsupported, 32_000),
        "says_nothing": prepared.plan.says_nothing,
        "is_good": is_good,
        "scope": prepared.scope,
    }


def _evidence(answer: Answer, prepared: Prepared, written: Written) -> list[AnswerEvidence]:
    return [
        AnswerEvidence(
            answer=answer,
            marker=one.marker,
            is_cited=one.marker in written.marks,
            fingerprint=one.fingerprint,
            **{f"{one.kind}_id": one.pk},
        )
        for one in prepared.given.values()
    ]


def thumb(*, person: Person, answer_id: int, up: bool | None, now: dt.datetime) -> Answer:
    """Note how an answer was taken by who asked; None takes it back. Raises Denied."""
    with seen_by(person, now=now), transaction.atomic():
        answer = Answer.objects.filter(pk=answer_id, author=person).first()
        if answer is None:
            raise Denied
        answer.thumb = None if up is None else 1 if up else -1
        answer.save(update_fields=["thumb"])
        if up is False:
            answer_cache = getattr(answer, "cached", None)
            if answer_cache is not None:
                answer_cache.delete()
        return answer
