"""Rows of memory made ready for pages. No queries, no decisions."""

from __future__ import annotations

from dataclasses import dataclass

from memory.models import OpenQuestion
from twin.labels import icon_of
from twin.sign_questions import sign_question


@dataclass(frozen=True)
class OpenQuestionCard:
    """A question that waits, with its one-tap answers."""

    id: int
    text: str
    icon: str
    taps: list[tuple[str, str]]
    wants_words: bool


def open_question_card(row: OpenQuestion) -> OpenQuestionCard:
    """The card of a question about a sign whose subject is loaded."""
    asked = sign_question(row.subject.name, row.category, row.sign)
    return OpenQuestionCard(
        row.pk, asked.text, icon_of("symptom", row.category), asked.taps, wants_words=len(asked.taps) == 1
    )
