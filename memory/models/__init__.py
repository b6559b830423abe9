"""What the house remembers: the journal and what helped."""

from memory.models.journal import JournalLine, JournalWords, JournalWriter
from memory.models.strategies import Strategy, StrategyUse

__all__ = ["JournalLine", "JournalWords", "JournalWriter", "Strategy", "StrategyUse"]
