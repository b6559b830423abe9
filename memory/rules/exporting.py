"""What an export holds: tables with what a family put in, in the order they are read back. Pure data.

What is not here is derived from what is (frames, agendas, patterns, where words are found), belongs to one
box (devices, tokens, sessions, what was looked at), or is a secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

FORMAT, VERSION = "hearthbook-export", 1


@dataclass(frozen=True)
class Exported:
    """One table: the lookup from a row to its subject, and columns that name a file in the storage."""

    label: str
    subject: str = "subject_id"
    files: tuple[str, ...] = ()


TABLES: tuple[Exported, ...] = (
    Exported("twin.Subject", "pk"),
    Exported("twin.PersonProfile"),
    Exported("household.Membership"),
    Exported("household.Register", "child_id"),
    Exported("twin.ProfileVersion"),
    Exported("twin.Statement"),
    Exported("twin.FormFill"),
    Exported("twin.Event"),
    Exported("twin.Record"),
    Exported("twin.LedgerEntry"),
    Exported("twin.Question"),
    Exported("twin.CourseDay"),
    Exported("twin.CourseMove"),
    Exported("twin.CourseStatement"),
    Exported("twin.ReadingCorrection"),
    Exported("twin.RoundRun"),
    Exported("twin.Medicine"),
    Exported("twin.Dose"),
    Exported("twin.Trackable", "trackablesubject__subject_id"),
    Exported("twin.TrackableSubject"),
    Exported("twin.TrackableEntry"),
    Exported("memory.Episode"),
    Exported("memory.EpisodeRecord"),
    Exported("memory.Strategy"),
    Exported("memory.StrategyUse"),
    Exported("memory.SettledFact"),
    Exported("memory.NeverTopic"),
    Exported("memory.JournalLine"),
    Exported("memory.JournalWords", "line__subject_id"),
    Exported("memory.ChatSession"),
    Exported("memory.ChatTurn", "session__subject_id"),
    Exported("memory.Memory"),
    Exported("memory.MemoryRevision", "memory__subject_id"),
    Exported("memory.MemoryMention", "memory__subject_id"),
    Exported("memory.Picture", files=("file",)),
    Exported("memory.MemoryPicture", "memory__subject_id"),
    Exported("memory.Document", files=("stored", "unlocked", "thumbnail")),
    Exported("memory.DocumentStage"),
    Exported("memory.DocumentText"),
    Exported("memory.DocumentSummary"),
    Exported("memory.Passage"),
    Exported("memory.ProposedFinding"),
    Exported("memory.Question"),
)
PERSON_COLUMNS = ("id", "gid", "name", "language")
# Tables of a subject that no export holds, and why; a table in neither list fails a test.
LEFT_OUT: Mapping[str, str] = {
    **dict.fromkeys(
        ("household.Device", "household.PairingCode", "household.TimeSpent", "twin.QuickLog"), "of one box"
    ),
    **dict.fromkeys(("household.AccessLog", "household.Invitation"), "of the people of one box"),
    **dict.fromkeys(("twin.ImportChild", "twin.ImportLine"), "where a row once came from"),
    **dict.fromkeys(("twin.Lease", "memory.OwedErasure"), "work under way"),
    **dict.fromkeys(
        ("twin.Assessment", "twin.Frame", "twin.FrameLog", "twin.AgendaItem"), "made again by the round"
    ),
    **dict.fromkeys(
        (
            "memory.DayLevels",
            "memory.Counting",
            "memory.PairCount",
            "memory.Pattern",
            "memory.PatternMove",
            "memory.PatternEvidence",
            "memory.StrategyPattern",
        ),
        "counted again",
    ),
    **dict.fromkeys(
        ("memory.ObservationEntry", "memory.MemoryEntry", "memory.DocumentEntry", "memory.MemoryEmbedding"),
        "where words are found: made again",
    ),
    **dict.fromkeys(
        ("memory.Answer", "memory.AnswerEvidence", "memory.CachedAnswer"), "the house's own words"
    ),
    **dict.fromkeys(
        ("memory.WorkingSet", "memory.Drawer", "memory.OpenQuestion", "memory.PendingReflection"),
        "of a conversation under way",
    ),
    **dict.fromkeys(("memory.CompanionTurn", "memory.CrisisCard"), "of a conversation under way"),
    **dict.fromkeys(
        ("memory.Forgetting", "memory.Tombstone", "memory.TombstoneTurn", "memory.TombstonePicture"),
        "what was forgotten is not in the export",
    ),
    **dict.fromkeys(("memory.SoftAction", "memory.LinePicture"), "follows the companion's own copy"),
}
