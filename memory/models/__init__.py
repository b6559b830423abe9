"""What the house remembers: the journal, what helped, what it was asked."""

from memory.models.asking import Answer, AnswerEvidence, CachedAnswer, PromptVariant, Question
from memory.models.journal import JournalLine, JournalWords, JournalWriter
from memory.models.remembering import Drawer, NeverTopic, OpenQuestion, SettledFact, WorkingSet
from memory.models.strategies import Strategy, StrategyUse

__all__ = [
    "Answer",
    "AnswerEvidence",
    "CachedAnswer",
    "Drawer",
    "JournalLine",
    "JournalWords",
    "JournalWriter",
    "NeverTopic",
    "OpenQuestion",
    "PromptVariant",
    "Question",
    "SettledFact",
    "Strategy",
    "StrategyUse",
    "WorkingSet",
]
