"""Which table is which resource of the permission matrix; a table with a subject and no entry is refused."""

from collections.abc import Mapping

from household.rules.permissions import Resource

OBSERVATION_TABLES = (
    "memory.ObservationEntry",
    "twin.Statement",
    "twin.LedgerEntry",
    "twin.ReadingCorrection",
    "twin.Record",
    "twin.CourseDay",
    "twin.CourseMove",
    "twin.CourseStatement",
    "twin.Frame",
    "twin.FrameLog",
    "twin.AgendaItem",
    "twin.FormFill",
    "twin.Event",
    "twin.Medicine",
    "twin.Dose",
    "twin.Trackable",
    "twin.TrackableSubject",
    "twin.TrackableEntry",
    "twin.QuickLog",
    "twin.ImportChild",
    "twin.ImportLine",
    # Of a round only who ran it and counts are kept.
    "twin.Lease",
    "twin.RoundRun",
)
PROFILE_TABLES = (
    "twin.Subject",
    "twin.PersonProfile",
    "twin.ProfileVersion",
    "twin.Assessment",
)
MEMORY_TABLES = (
    "memory.MemoryEntry",
    "memory.Episode",
    "memory.EpisodeRecord",
    "memory.DayLevels",
    "memory.Counting",
    "memory.PairCount",
    "memory.Pattern",
    "memory.PatternMove",
    "memory.PatternEvidence",
    "memory.StrategyPattern",
    "memory.Strategy",
    "memory.StrategyUse",
    "memory.SettledFact",
    "memory.Memory",
    "memory.MemoryMention",
    "memory.MemoryRevision",
    "memory.MemoryEmbedding",
    "memory.MemoryPicture",
    "memory.Picture",
    "memory.SoftAction",
    "memory.Tombstone",
    "memory.TombstoneTurn",
    "memory.TombstonePicture",
)
DOCUMENT_TABLES = (
    "memory.DocumentEntry",
    "memory.Document",
    "memory.DocumentStage",
    "memory.DocumentText",
    "memory.DocumentSummary",
    "memory.Passage",
    "memory.ProposedFinding",
    # Names in the storage whose bytes are still to be erased.
    "memory.OwedErasure",
)
CONVERSATION_TABLES = (
    "memory.JournalLine",
    "memory.JournalWords",
    "memory.LinePicture",
    "memory.ChatSession",
    "memory.ChatTurn",
    "memory.PendingReflection",
    "memory.CompanionTurn",
    "memory.CrisisCard",
    "memory.Drawer",
    "memory.OpenQuestion",
    "memory.WorkingSet",
    "memory.NeverTopic",
    "memory.Question",
    "memory.Answer",
    "memory.AnswerEvidence",
    "memory.CachedAnswer",
    # A clarifying question quotes what was told; the teller answers it as an own row.
    "twin.Question",
    # What was forgotten and when, without a word: for parents alone.
    "memory.Forgetting",
    # Who belongs to the subject, who looked, the child's limits and how long it talked: for parents alone.
    "household.Membership",
    "household.Invitation",
    "household.AccessLog",
    "household.Device",
    "household.PairingCode",
    "household.Register",
    "household.TimeSpent",
)

TABLES: Mapping[str, Resource] = {
    **dict.fromkeys(OBSERVATION_TABLES, Resource.OBSERVATION),
    **dict.fromkeys(PROFILE_TABLES, Resource.PROFILE),
    **dict.fromkeys(MEMORY_TABLES, Resource.MEMORY),
    **dict.fromkeys(DOCUMENT_TABLES, Resource.DOCUMENT),
    **dict.fromkeys(CONVERSATION_TABLES, Resource.CONVERSATION),
}


class UnmappedTable(ValueError):
    """A table of subject rows stands in no resource, so nobody may see it."""


def resource_of(label: str) -> Resource:
    """The resource of a model by its label, such as `twin.Record`. Raises UnmappedTable."""
    if label not in TABLES:
        raise UnmappedTable(f"{label} belongs to no resource: add it to household/rules/resources.py")
    return TABLES[label]


def unmapped(labels: frozenset[str]) -> frozenset[str]:
    """Those of `labels` that have no entry."""
    return labels - TABLES.keys()
