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
from memory.models.episodes import Episode, EpisodeRecord
from memory.models.forgetting import FORGETTABLE, Forgetting
from memory.models.journal import JournalLine, JournalWords, JournalWriter
from memory.models.patterns import (
    Counting,
    DayLevels,
    PairCount,
    Pattern,
    PatternEvidence,
    PatternMove,
    StrategyPattern,
)
from memory.models.remembering import Drawer, NeverTopic, OpenQuestion, SettledFact, WorkingSet
from memory.models.strategies import Strategy, StrategyUse

__all__ = [
    "FORGETTABLE",
    "Answer",
    "AnswerEvidence",
    "CachedAnswer",
    "Counting",
    "DayLevels",
    "Document",
    "DocumentStage",
    "DocumentSummary",
    "DocumentText",
    "Drawer",
    "Episode",
    "EpisodeRecord",
    "Forgetting",
    "JournalLine",
    "JournalWords",
    "JournalWriter",
    "NeverTopic",
    "OpenQuestion",
    "OwedErasure",
    "PairCount",
    "Passage",
    "Pattern",
    "PatternEvidence",
    "PatternMove",
    "PromptVariant",
    "ProposedFinding",
    "Question",
    "SettledFact",
    "Strategy",
    "StrategyPattern",
    "StrategyUse",
    "WorkingSet",
]
