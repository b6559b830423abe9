"""Takes a question in: keeps its words, gathers what may answer it, chooses who writes the answer."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Literal

from django.db import transaction
from django.utils import translation

from household.access import Denied, Sight, SubjectSight, seen_by, visible
from household.models import Endpoint, Person
from household.rules.limits import OverLimit
from household.rules.permissions import Resource, Role
from household.services.looks import note_look
from household.services.thinking import endpoint_for, reserve
from memory.models import Answer, PromptVariant, Question
from memory.rules.asking.prompting import Prompt, Variant, bundled, chosen, prompt_for
from memory.rules.asking.query import Query, context_of, parse
from memory.rules.asking.sameness import fingerprint
from memory.rules.asking.scope import scope_of
from memory.rules.complexity import complexity, needs_retrieval
from memory.rules.composing.book import Book
from memory.rules.composing.compose import compose
from memory.rules.composing.plan import Marking, Plan, pieces_of
from memory.rules.evidence import Retrieved
from memory.services.asking import caching
from memory.services.asking.gathering import gather
from memory.services.asking.prepared import Given, Prepared, Thought
from memory.services.asking.small_talk import small_talk
from memory.services.retrieving import retrieve
from memory.services.turns import turn_id
from twin.models import Statement, Subject
from twin.rules.language import guess_language
from twin.services.days import day_of

MOST_WORDS = 2_000  # characters of one question
Language = Literal["en", "tr"]


class EmptyQuestion(ValueError):
    """Nothing was asked."""


class QuestionTooLong(ValueError):
    """A question is at most 2,000 characters."""


def prepare(*, person: Person, subject_id: int, text: str, client_id: str, now: dt.datetime) -> Prepared:
    """Keep a question and gather all its answer may rest on, in one short transaction.

    The same client id twice is one question. Raises EmptyQuestion, QuestionTooLong, Denied.
    """
    words = checked(text)
    language = guess_language(words, default="tr" if person.language == "tr" else "en")
    with translation.override(language), seen_by(person, now=now) as sight:
        subject_sight = sight.subjects.get(subject_id)
        if subject_sight is None:
            raise Denied
        question, is_new = _keep(
            person, subject_sight, words, client_id=client_id, language=language, now=now
        )
        held = (
            None if is_new else Answer.objects.filter(question=question).values_list("pk", flat=True).first()
        )
        prepared, query, book = _gathered(person, sight, subject_sight, question, now)
        prepared.answer_id = held
        endpoint = _endpoint(prepared) if held is None else None
        if endpoint is not None:
            caching.look_up(prepared, query)
            endpoint = endpoint if prepared.cached is None else None
        variant = _variant(question.pk) if endpoint is not None else None
    if endpoint is not None and book is not None:
        _set_aside(prepared, book, query, endpoint=endpoint, variant=variant, now=now)
    return prepared


def checked(text: str) -> str:
    """A question's words without the room around them. Raises EmptyQuestion, QuestionTooLong."""
    words = "".join(one if one != "\0" and not "\ud800" <= one <= "\udfff" else "\ufffd" for one in text)
    words = words.strip()
    if not words:
        raise EmptyQuestion
    if len(words) > MOST_WORDS:
        raise QuestionTooLong
    return words


def _keep(
    person: Person, sight: SubjectSight, words: str, *, client_id: str, language: str, now: dt.datetime
) -> tuple[Question, bool]:
    subject: Subject = sight.subject
    with transaction.atomic():
        held = Question.objects.filter(author=person, client_id=client_id).first()
        if held is not None:
            if held.text == words and held.subject_id == subject.pk:
                return held, False
            client_id = f"{client_id[:40]}:{fingerprint(f'{subject.pk} {words}')}"
            held = Question.objects.filter(author=person, client_id=client_id).first()
            if held is not None:
                return held, False
        question = Question.objects.create(
            subject=subject,
            author=person,
            is_private=is_private(sight),
            client_id=client_id,
            turn=turn_id(now, client_id),
            language=language,
            text=words,
            asked_at=now,
            local_day=day_of(subject, now),
        )
    return question, True


def is_private(sight: SubjectSight) -> bool:
    """Whether what is asked is the asker's alone: a parent's is the household's, a child's its parents'."""
    return not sight.roles & {Role.PARENT, Role.CHILD}


def _gathered(
    person: Person, sight: Sight, one: SubjectSight, question: Question, now: dt.datetime
) -> tuple[Prepared, Query, Book | None]:
    subject: Subject = one.subject
    language: Language = "tr" if question.language == "tr" else "en"
    windows = {resource.value: day for resource, day in one.windows.items()}
    scope = scope_of((resource.value for resource in one.views), windows)
    today = day_of(subject, now)
    names = [other.name for pk, other in sight.subjects.items() if pk != subject.pk]
    query = parse(
        question.text,
        context=context_of(language, subject.species, today),
        name=subject.name,
        others=names,
        people=_people(person, subject),
    )
    base = Prepared(
        question.pk,
        subject.pk,
        person.pk,
        language,
        scope,
        question.is_private,
        now,
        Plan(),
        [],
    )
    if not needs_retrieval(question.text):
        base.plan = small_talk(question.text, language)
        base.composed = pieces_of(base.plan, Marking({}))
        return base, query, None
    found = retrieve(person=person, subject=subject, question=question.text, language=language, now=now)
    book = gather(person=person, subject=subject, query=query, retrieved=found, now=now)
    base.plan = compose(query, book)
    _mark(base, book, found)
    weight = complexity(
        question.text, language=language, names=[subject.name, *names], has_context=bool(base.given)
    )
    base.tier, base.effort = weight.tier, weight.effort
    base.keys = caching.keys_of(query, base, names=[subject.name, *names], version=f"{found.version}|{today}")
    if one.is_logged:
        records = [given.ref for given in base.given.values() if given.ref.startswith("rec_")]
        note_look(
            person=person, subject_id=subject.pk, resource=Resource.CONVERSATION, now=now, row_ids=records
        )
    return base, query, book


def _people(person: Person, subject: Subject) -> list[str]:
    """Names of those who wrote about the subject, as far as the asker may see what they wrote."""
    rows = visible(person, Resource.OBSERVATION, Statement.objects.filter(subject=subject))
    return list(rows.exclude(author=None).order_by().values_list("author__name", flat=True).distinct()[:30])


def _mark(base: Prepared, book: Book, found: Retrieved) -> None:
    """Give every row the answer cites its marker, and the composer's text with them."""
    facts = {fact.ref: fact for fact in book.facts()}
    marking = Marking({ref: fact.kind for ref, fact in facts.items()})
    base.composed = pieces_of(base.plan, marking)
    texts: dict[str, list[str]] = {}
    for line in base.plan.lines:
        for ref in line.cites:
            texts.setdefault(ref, []).append(line.text)
    base.given = {
        marker: Given(
            marker,
            ref,
            facts[ref].kind,
            facts[ref].pk,
            " ".join(dict.fromkeys(texts[ref])),
            fingerprint(repr(facts[ref])),
            facts[ref].where,
        )
        for ref, marker in marking.given.items()
    }


def _endpoint(prepared: Prepared) -> Endpoint | None:
    """Who writes the answer: the endpoint of its tier, else the other one; None is the composer."""
    if prepared.tier == "none" or prepared.plan.says_nothing:
        return None
    other = {"routine": "analytical", "analytical": "routine"}[prepared.tier]
    return endpoint_for(prepared.tier) or endpoint_for(other)


def _variant(question_id: int) -> PromptVariant | None:
    """The prompt of this question, by the shares the household set."""
    if not PromptVariant.objects.exists():
        fresh = [PromptVariant(key=one.key, text=one.text, split=one.split) for one in bundled()]
        PromptVariant.objects.bulk_create(fresh, ignore_conflicts=True)
    rows = {row.key: row for row in PromptVariant.objects.filter(split__gt=0)}
    variants = [
        Variant(row.key, row.text, row.split) for row in sorted(rows.values(), key=lambda row: row.pk)
    ]
    one = chosen(variants, question_id)
    return rows[one.key] if one else None


def _set_aside(
    prepared: Prepared,
    book: Book,
    query: Query,
    *,
    endpoint: Endpoint,
    variant: PromptVariant | None,
    now: dt.datetime,
) -> None:
    """Reserve the tokens of the call; over the limit the composer answers and says so."""
    prompt = _prompt(prepared, book, query, variant)
    try:
        reservation = reserve(endpoint=endpoint, tokens=prompt.estimate, now=now)
    except OverLimit:
        prepared.why_composed = "over_limit"
        return
    prepared.thought = Thought(endpoint, variant.pk if variant else None, prompt, reservation)


def _prompt(prepared: Prepared, book: Book, query: Query, variant: PromptVariant | None) -> Prompt:
    evidence: Mapping[str, str] = {one.marker: one.text for one in prepared.given.values()}
    return prompt_for(
        variant.text if variant else bundled()[0].text,
        name=book.name,
        language=prepared.language,
        is_animal=book.is_animal,
        evidence=evidence,
        question=query.text,
        effort=prepared.effort,
    )
