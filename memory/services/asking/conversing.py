"""A conversation about one subject: the questions before this one, and what of them still holds.

It goes on only while its asker may view all that its answers could rest on. Where a role, an override or a
data window was narrowed since, the next question begins a new one: nothing is carried over, no name either.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from household.access import visible
from household.models import Person
from household.rules.permissions import Resource
from memory.models import Answer, Question, WorkingSet
from memory.rules import working_set as rules
from memory.rules.asking.scope import covers


@dataclass(frozen=True)
class Conversation:
    """Its key, the questions before (newest first), and the set as it stands before this turn."""

    key: str
    before: tuple[Question, ...] = ()
    held: rules.WorkingSet = field(default_factory=rules.WorkingSet)

    @property
    def live(self) -> tuple[str, ...]:
        """The references that are held, those of the newest turns first."""
        held = self.held.held.values()
        return tuple(one.ref for one in sorted(held, key=lambda one: (-(one.relevant_at or 0), one.ref)))

    @property
    def just_about(self) -> frozenset[str]:
        """What the records of the last turn were about: categories and kinds."""
        return frozenset(
            one.about for one in self.held.held.values() if one.relevant_at == self.held.count and one.about
        )


def conversation_of(person: Person, question: Question, follows: int | None, *, scope: str) -> Conversation:
    """The conversation a question goes on with, after one's own answer `follows`; else one of its own.

    `scope` is what its asker may view now (`memory.rules.asking.scope`).
    """
    asked = _question_of(person, question.subject_id, follows)
    if asked is None or asked.pk == question.pk:
        return Conversation(question.turn)
    row = _set_with(person, question.subject_id, asked.turn)
    held = rules.from_json(row.state) if row else rules.WorkingSet()
    turns = [turn for turn in held.turns if turn != question.turn] if row else [asked.turn]
    before = _asked_in(person, question.subject_id, turns)
    if not all(covers(scope, one.answer.scope) for one in [asked, *before] if hasattr(one, "answer")):
        return Conversation(question.turn)
    return Conversation(row.conversation if row else asked.turn, tuple(before), held)


def earlier_in(person: Person, question: Question) -> list[Question]:
    """The questions of one's conversation before this one, oldest first, with their answers."""
    row = _set_with(person, question.subject_id, question.turn)
    if row is None:
        return []
    turns: list[str] = row.state.get("turns", [])
    return _asked_in(person, question.subject_id, turns[: turns.index(question.turn)])[::-1]


def _question_of(person: Person, subject_id: int, follows: int | None) -> Question | None:
    if follows is None:
        return None
    rows = visible(person, Resource.CONVERSATION, Answer.objects.filter(pk=follows, author=person))
    answer = rows.filter(subject=subject_id).select_related("question").first()
    return answer.question if answer else None


def _set_with(person: Person, subject_id: int, turn: str) -> WorkingSet | None:
    rows = WorkingSet.objects.filter(author=person, subject=subject_id, state__turns__contains=[turn])
    return rows.order_by("-changed_at").first()


def _asked_in(person: Person, subject_id: int, turns: Iterable[str]) -> list[Question]:
    rows = Question.objects.filter(author=person, subject=subject_id, turn__in=list(turns))
    return list(rows.select_related("answer").order_by("-asked_at", "-pk"))
