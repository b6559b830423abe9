"""What the house remembers: the journal and what helped."""

from memory.models.journal import JournalLine, JournalWords, JournalWriter
from memory.models.remembering import Drawer, NeverTopic, OpenQuestion, SettledFact, WorkingSet
from memory.models.strategies import Strategy, StrategyUse

__all__ = [
    "Drawer",
    "JournalLine",
    "JournalWords",
    "JournalWriter",
    "NeverTopic",
    "OpenQuestion",
    "SettledFact",
    "Strategy",
    "StrategyUse",
    "WorkingSet",
]
