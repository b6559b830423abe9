"""What the house remembers: the journal, what helped, what it was asked and what was handed in."""

from memory.models.asking import Answer, AnswerEvidence, CachedAnswer, PromptVariant, Question
from memory.models.documents import (
    Document,
    DocumentStage,
    DocumentSummary,
    DocumentText,
    OwedErasure,
    Passage,
    ProposedFinding,
)
from memory.models.journal import JournalLine, JournalWords, JournalWriter
from memory.models.remembering import Drawer, NeverTopic, OpenQuestion, SettledFact, WorkingSet
from memory.models.strategies import Strategy, StrategyUse

__all__ = [
    "Answer",
    "AnswerEvidence",
    "CachedAnswer",
    "Document",
    "DocumentStage",
    "DocumentSummary",
    "DocumentText",
    "Drawer",
    "JournalLine",
    "JournalWords",
    "JournalWriter",
    "NeverTopic",
    "OpenQuestion",
    "OwedErasure",
    "Passage",
    "PromptVariant",
    "ProposedFinding",
    "Question",
    "SettledFact",
    "Strategy",
    "StrategyUse",
    "WorkingSet",
]
