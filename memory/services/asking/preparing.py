"""Takes a question in: keeps its words, gathers what may answer it, chooses who writes the answer.

Three steps: keep and understand in one transaction, make the question ready for searching in none (the
embedder is slow), gather in another.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.utils import translation

from household.access import Denied, Sight, SubjectSight, may_do, seen_by
from household.models import Endpoint, Person
from household.rules.limits import OverLimit
from household.rules.permissions import Action, Resource
from household.services.looks import note_look
from household.services.thinking import endpoint_for, reserve
from memory.models import Answer, PromptVariant, Question
from memory.rules.asking.prompting import Supplied, Variant, bundled, chosen, prompt_for
from memory.rules.asking.query import Language
from memory.rules.asking.sameness import fingerprint
from memory.rules.asking.scope import scope_of
from memory.rules.asking.supplying import full_text
from memory.rules.catalogue import Card
from memory.rules.complexity import complexity, needs_retrieval
from memory.rules.composing.book import Book, Fact
from memory.rules.composing.compose import compose
from memory.rules.composing.plan import Marking, Plan, pieces_of
from memory.rules.never import said_in
from memory.services.asking import caching
from memory.services.asking.gathering import gather
from memory.services.asking.keeping import EmptyQuestion, QuestionTooLong, checked, keep_question
from memory.services.asking.prepared import Given, Prepared, Thought
from memory.services.asking.small_talk import small_talk
from memory.services.asking.understanding import Understood, language_of, understand
from memory.services.asking.widening import widened
from memory.services.finding.searching import Wanted, wanted_for
from memory.services.never import note_dropped, touched
from memory.services.open_questions import topic_of
from memory.services.prompts import variants_in_use
from memory.services.retrieving import retrieve
from twin.models import Subject
from twin.rules.language import guess_language

__all__ = ["EmptyQuestion", "QuestionTooLong", "prepare"]
TURNS_SHOWN = 4  # questions before this one that a model is shown


def prepare(
    *,
    person: Person,
    subject_id: int,
    text: str,
    client_id: str,
    now: dt.datetime,
    follows: int | None = None,
) -> Prepared:
    """Keep a question and gather all its answer may rest on.

    `follows` is the answer that it goes on from. The same client id twice is one question. Raises
    EmptyQuestion, QuestionTooLong, Denied.
    """
    words = checked(text)
    language = guess_language(words, default="tr" if person.language == "tr" else "en")
    with translation.override(language):
        with seen_by(person, now=now) as sight:
            one = _subject_of(sight, subject_id)
            question, is_new = keep_question(
                person, one, words, client_id=client_id, language=language, now=now
            )
            held = None if is_new else Answer.objects.filter(question=question).values_list("pk").first()
            base = _base(question, one, person, now)
            if held is not None:
                base.answer_id = held[0]
                return base
            understood = understand(person, sight, one, question, follows=follows, scope=base.scope, now=now)
        base.conversation = understood.conversation.key
        if not needs_retrieval(question.text):
            return _talked(base)
        wanted = wanted_for(understood.searched, subject=one.subject, language=language)
        said = said_in(question.text)
        with seen_by(person, now=now) as sight:
            base.may_remember = not touched(subject_id, [said])[0]
            model = _gathered(base, person, _subject_of(sight, subject_id), understood, wanted)
            _speak_of_it(base, person, understood.query.language)
        if model is not None:
            _set_aside(base, model, understood)
    return base


@dataclass(frozen=True)
class _Model:
    """Who is to write, by which prompt, about whom."""

    endpoint: Endpoint
    variant: PromptVariant | None
    name: str
    is_animal: bool


def _subject_of(sight: Sight, subject_id: int) -> SubjectSight:
    one = sight.subjects.get(subject_id)
    if one is None:
        raise Denied
    return one


def _base(question: Question, one: SubjectSight, person: Person, now: dt.datetime) -> Prepared:
    windows = {resource.value: day for resource, day in one.windows.items()}
    return Prepared(
        question.pk,
        one.subject.pk,
        person.pk,
        language_of(question),
        scope_of((resource.value for resource in one.views), windows),
        question.is_private,
        now,
        Plan(),
        [],
        turn=question.turn,
        conversation=question.turn,
        text=question.text,
    )


def _talked(base: Prepared) -> Prepared:
    base.plan = small_talk(base.text, base.language)
    base.composed = pieces_of(base.plan, Marking({}))
    return base


def _gathered(
    base: Prepared, person: Person, one: SubjectSight, understood: Understood, wanted: Wanted
) -> _Model | None:
    """Gather and compose; who writes in the composer's place, where the household has a model for it."""
    subject: Subject = one.subject
    query, names, now = understood.query, [subject.name, *understood.others], base.started_at
    found = retrieve(
        person=person,
        subject=subject,
        question=understood.searched,
        language=base.language,
        now=now,
        wanted=wanted,
    )
    book = gather(person=person, subject=subject, query=query, retrieved=found, now=now)
    base.plan = compose(query, book)
    marking = _mark(base, book)
    weight = complexity(base.text, language=query.language, names=names, has_context=bool(base.given))
    base.tier, base.effort = weight.tier, weight.effort
    endpoint = _endpoint(base)
    if endpoint is not None:
        base.given = widened(dict(base.given), marking, book, found, understood.conversation.live)
    if one.is_logged:
        _note_look(base, person)
    if endpoint is None:
        return None
    base.vector, base.embedder = list(wanted.vector) if wanted.vector else None, wanted.made_by
    version = f"{found.version}|{book.today}"
    base.keys = caching.keys_of(query, base, names=names, version=version) if base.may_remember else {}
    caching.look_up(base)
    if base.cached is not None:
        return None
    return _Model(endpoint, _variant(base.question_id), book.name, book.is_animal)


def _speak_of_it(base: Prepared, person: Person, language: Language) -> None:
    """A parent's question wakes its topic; of one never to be learned the journal says that it was asked.

    Last of all, since whoever writes a line waits for the journal's pen to the end of the transaction.
    """
    pk, now = base.subject_id, base.started_at
    if not may_do(person, Action.VIEW, Resource.CONVERSATION, pk):
        return
    if not base.may_remember:
        note_dropped(subject_id=pk, turn=base.turn, author_id=person.pk, now=now)
    elif may_do(person, Action.ADD, Resource.OBSERVATION, pk):
        topic_of(subject_id=pk, text=base.text, language=language, opens=False, now=now)


def _note_look(base: Prepared, person: Person) -> None:
    records = [given.ref for given in base.given.values() if given.ref.startswith("rec_")]
    note_look(
        person=person,
        subject_id=base.subject_id,
        resource=Resource.CONVERSATION,
        now=base.started_at,
        row_ids=records,
    )


def _mark(base: Prepared, book: Book) -> Marking:
    """Give every row the answer cites its marker, and the composer's text with them."""
    facts = {fact.ref: fact for fact in book.facts()}
    marking = Marking({ref: fact.kind for ref, fact in facts.items()})
    base.composed = pieces_of(base.plan, marking)
    texts: dict[str, list[str]] = {}
    for line in base.plan.lines:
        for ref in line.cites:
            texts.setdefault(ref, []).append(line.text)
    base.given = {
        marker: _given(marker, facts[ref], full_text(facts[ref], list(dict.fromkeys(texts[ref]))))
        for ref, marker in marking.given.items()
    }
    return marking


def _given(marker: str, fact: Fact, text: str) -> Given:
    first = getattr(fact, "day", None) or getattr(fact, "started_on", None)
    return Given(
        marker,
        fact.ref,
        fact.kind,
        fact.pk,
        text,
        fingerprint(repr(fact)),
        fact.where,
        getattr(fact, "category", "") or getattr(fact, "what", "") or fact.kind,
        first if first != dt.date.min else None,
        getattr(fact, "ended_on", None) or getattr(fact, "last_on", None),
        getattr(fact, "polarity", ""),
    )


def _endpoint(prepared: Prepared) -> Endpoint | None:
    """Who writes the answer: the endpoint of its tier, else the other one; None is the composer."""
    if prepared.tier == "none" or prepared.plan.says_nothing:
        return None
    other = {"routine": "analytical", "analytical": "routine"}[prepared.tier]
    return endpoint_for(prepared.tier) or endpoint_for(other)


def _variant(question_id: int) -> PromptVariant | None:
    """The prompt of this question, by the shares the household set."""
    rows = {row.key: row for row in variants_in_use()}
    one = chosen([Variant(row.key, row.text, row.split) for row in rows.values()], question_id)
    return rows[one.key] if one else None


def _set_aside(base: Prepared, model: _Model, understood: Understood) -> None:
    """Reserve the tokens of the call; over the limit the composer answers and says so."""
    prompt = prompt_for(
        model.variant.text if model.variant else bundled()[0].text,
        name=model.name,
        language=base.language,
        is_animal=model.is_animal,
        supplied=[_supplied(one) for one in base.given.values()],
        set_down=understood.conversation.held.stubs,
        question=understood.query.text,
        before=[row.text for row in understood.conversation.before[:TURNS_SHOWN]],
        effort=base.effort,
    )
    try:
        reservation = reserve(endpoint=model.endpoint, tokens=prompt.estimate, now=base.started_at)
    except OverLimit:
        base.why_composed = "over_limit"
        return
    variant_id = model.variant.pk if model.variant else None
    base.thought = Thought(model.endpoint, variant_id, prompt, reservation)


def _supplied(one: Given) -> Supplied:
    card = Card(one.marker, one.about, one.first_on, one.last_on, (), one.polarity)
    return Supplied(card, one.text)
