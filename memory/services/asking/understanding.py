"""What a kept question asks, with what it leaves out taken from its conversation."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, replace

from household.access import Sight, SubjectSight, visible
from household.models import Person
from household.rules.permissions import Resource
from memory.models import Question
from memory.rules.asking.following import leaned_on, leans, whole
from memory.rules.asking.query import Language, Query, context_of, parse
from memory.services.asking.conversing import Conversation, conversation_of
from memory.services.working_sets import refs_named
from twin.models import Record, Statement, Subject
from twin.rules.categories import CATEGORIES
from twin.rules.record_ids import parse as parse_id
from twin.services.days import day_of


@dataclass(frozen=True)
class Understood:
    """A question made whole, the words to search by, its conversation, the names of others in the house."""

    query: Query
    searched: str
    conversation: Conversation
    others: tuple[str, ...]


def understand(
    person: Person,
    sight: Sight,
    one: SubjectSight,
    question: Question,
    *,
    follows: int | None,
    scope: str,
    now: dt.datetime,
) -> Understood:
    """Take a question apart, after what was asked before it within `scope`. Call it inside `seen_by`."""
    subject: Subject = one.subject
    others = tuple(other.name for pk, other in sight.subjects.items() if pk != subject.pk)
    people = _people(person, subject)
    conversation = conversation_of(person, question, follows, scope=scope)

    def taken_apart(text: str, language: str) -> Query:
        context = context_of("tr" if language == "tr" else "en", subject.species, day_of(subject, now))
        return parse(text, context=context, name=subject.name, others=others, people=people)

    query = taken_apart(question.text, question.language)
    before = [taken_apart(row.text, row.language) for row in conversation.before]
    used = leaned_on(query, before)
    made = _pointed_at(person, subject, _about_the_same(whole(query, before), conversation))
    words = [question.text, *(row.text for row in conversation.before[:used])]
    return Understood(made, " ".join(reversed(words)), conversation, others)


def language_of(question: Question) -> Language:
    """The language a question is answered in."""
    return "tr" if question.language == "tr" else "en"


def _people(person: Person, subject: Subject) -> list[str]:
    """Names of those who wrote about the subject, as far as the asker may see what they wrote."""
    rows = visible(person, Resource.OBSERVATION, Statement.objects.filter(subject=subject))
    return list(rows.exclude(author=None).order_by().values_list("author__name", flat=True).distinct()[:30])


def _about_the_same(query: Query, conversation: Conversation) -> Query:
    """A question that still names no matter is about what the last answer rested on, where that was one."""
    about = conversation.just_about & set(CATEGORIES)
    if query.has_target or len(about) != 1 or not conversation.before or not leans(query):
        return query
    return replace(query, categories=frozenset(about))


def _pointed_at(person: Person, subject: Subject, query: Query) -> Query:
    """A question that names a record by its id is about what that record is about."""
    numbers = _numbers(refs_named(query.text))
    if not numbers:
        return query
    rows = visible(person, Resource.OBSERVATION, Record.objects.filter(subject=subject, pk__in=numbers))
    found = frozenset(filter(None, rows.values_list("category", flat=True)))
    words = tuple(word for word in query.words if word != "rec")
    return replace(query, categories=query.categories | found, words=words) if found else query


def _numbers(refs: Iterable[str]) -> list[int]:
    return [number for ref in refs if (number := parse_id(ref)) is not None]
