"""What the house remembers: the journal, memories and what was forgotten, what helped, what it was asked."""

from memory.models.asking import Answer, AnswerEvidence, CachedAnswer, PromptVariant, Question
from memory.models.chat import ChatSession, ChatTurn
from memory.models.companion import CRISIS_KINDS, CompanionTurn, CrisisCard
from memory.models.documents import (
    Document,
    DocumentStage,
    DocumentSummary,
    DocumentText,
    OwedErasure,
    Passage,
    ProposedFinding,
)
from memory.models.entries import DocumentEntry, Entry, MemoryEntry, ObservationEntry
from memory.models.episodes import Episode, EpisodeRecord
from memory.models.forgetting import FORGETTABLE, Forgetting
from memory.models.journal import JournalLine, JournalWords, JournalWriter
from memory.models.memories import (
    ChangeCounter,
    Memory,
    MemoryEmbedding,
    MemoryMention,
    MemoryRevision,
    PendingReflection,
    SoftAction,
)
from memory.models.patterns import (
    Counting,
    DayLevels,
    PairCount,
    Pattern,
    PatternEvidence,
    PatternMove,
    StrategyPattern,
)
from memory.models.pictures import FileOwed, LinePicture, MemoryPicture, Picture
from memory.models.remembering import Drawer, NeverTopic, OpenQuestion, SettledFact, WorkingSet
from memory.models.strategies import Strategy, StrategyUse
from memory.models.tombstones import Tombstone, TombstonePicture, TombstoneTurn

__all__ = [
    "CRISIS_KINDS",
    "FORGETTABLE",
    "Answer",
    "AnswerEvidence",
    "CachedAnswer",
    "ChangeCounter",
    "ChatSession",
    "ChatTurn",
    "CompanionTurn",
    "Counting",
    "CrisisCard",
    "DayLevels",
    "Document",
    "DocumentEntry",
    "DocumentStage",
    "DocumentSummary",
    "DocumentText",
    "Drawer",
    "Entry",
    "Episode",
    "EpisodeRecord",
    "FileOwed",
    "Forgetting",
    "JournalLine",
    "JournalWords",
    "JournalWriter",
    "LinePicture",
    "Memory",
    "MemoryEmbedding",
    "MemoryEntry",
    "MemoryMention",
    "MemoryPicture",
    "MemoryRevision",
    "NeverTopic",
    "ObservationEntry",
    "OpenQuestion",
    "OwedErasure",
    "PairCount",
    "Passage",
    "Pattern",
    "PatternEvidence",
    "PatternMove",
    "PendingReflection",
    "Picture",
    "PromptVariant",
    "ProposedFinding",
    "Question",
    "SettledFact",
    "SoftAction",
    "Strategy",
    "StrategyPattern",
    "StrategyUse",
    "Tombstone",
    "TombstonePicture",
    "TombstoneTurn",
    "WorkingSet",
]
