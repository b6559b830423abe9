"""How each table is reached by a forgetting: one entry a table, and a test that none is left out.

To add a table that bears words, add it here. A table nobody thought of fails
`tests/memory/forgetting/test_registry.py`.

    found(...)      its rows are found by an identity of the reach, and deleted
    follows(...)    its rows go with the row they hang on, by a cascade the test looks for
    of_subject()    nothing said in a conversation can be in it: it goes with its subject
    done(...)       a step of its own in `taking` or `rederiving` sees to it
    wordless(...)   no words of a family can stand in it
    household(...)  words of the household itself: people, devices, settings; nobody is forgotten with them
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

How = Literal["found", "follows", "subject", "done", "wordless", "household"]


@dataclass(frozen=True)
class Entry:
    """How one table is reached, and why that is all."""

    how: How
    by: Mapping[str, str] = field(default_factory=dict)  # {lookup: identities of the reach}
    labels: tuple[str, ...] = ()
    why: str = ""


def found(**by: str) -> Entry:
    """Rows found by identities of the reach, and deleted."""
    return Entry("found", by=by)


def follows(*labels: str) -> Entry:
    """Rows that go with those of another table."""
    return Entry("follows", labels=labels)


def of_subject(why: str = "") -> Entry:
    """Rows that only the forgetting of their subject takes."""
    return Entry("subject", why=why)


def done(why: str) -> Entry:
    """Rows that a step of its own sees to."""
    return Entry("done", why=why)


def wordless(why: str) -> Entry:
    """A table without a family's words."""
    return Entry("wordless", why=why)


def household(why: str) -> Entry:
    """A table with the household's own words, which belong to no subject and no telling."""
    return Entry("household", why=why)


SEE_REDERIVING = "derived by rounds: taken back and made again without what was forgotten"

# Found rows are deleted in this order.
TABLES: Mapping[str, Entry] = {
    # what was said, and what hangs on it
    "memory.Question": found(pk__in="questions"),
    "memory.Answer": follows("memory.Question"),  # and, by trigger, with any row it rests on
    "memory.AnswerEvidence": follows(
        "memory.Answer", "twin.Statement", "twin.Record", "twin.Event", "twin.FormFill", "memory.SettledFact"
    ),
    "memory.CachedAnswer": follows("memory.Answer"),
    "memory.SettledFact": found(entry__in="entries", record__in="gone"),
    "memory.Document": found(pk__in="documents"),
    "memory.DocumentStage": follows("memory.Document"),
    "memory.DocumentText": follows("memory.Document"),
    "memory.DocumentSummary": follows("memory.Document"),
    "memory.Passage": follows("memory.Document"),
    "memory.ProposedFinding": follows("memory.Document"),
    "memory.Episode": follows("twin.Event", "twin.Statement"),
    "memory.EpisodeRecord": follows("memory.Episode", "twin.Record"),
    "twin.ReadingCorrection": follows("twin.LedgerEntry"),
    "twin.CourseStatement": follows("twin.LedgerEntry"),
    "twin.Question": follows("twin.LedgerEntry"),
    "twin.LedgerEntry": found(pk__in="entries"),
    "twin.Statement": found(pk__in="statements"),
    "twin.FormFill": found(pk__in="fills"),
    "twin.Event": found(pk__in="events"),
    "memory.StrategyUse": follows("twin.Event"),
    # records and what rounds made of them
    "twin.Record": done("goes with its last source, or is folded again from the others: taking.records"),
    "twin.CourseDay": done(SEE_REDERIVING),
    "twin.CourseMove": done(SEE_REDERIVING),
    "twin.Frame": done(SEE_REDERIVING),
    "twin.FrameLog": done(SEE_REDERIVING),
    "twin.AgendaItem": done(SEE_REDERIVING),
    "twin.RoundRun": done(SEE_REDERIVING),
    "twin.Assessment": done("those made since the words were told: rederiving.assessments"),
    "memory.DayLevels": done(SEE_REDERIVING),
    "memory.Pattern": done(SEE_REDERIVING),
    "memory.PatternMove": follows("memory.Pattern"),
    "memory.PatternEvidence": follows("twin.Record", "twin.FormFill", "twin.Event", "memory.Pattern"),
    "memory.WorkingSet": done("those of the subjects touched: rederiving.working_sets"),
    "memory.OpenQuestion": done(
        "names of signs only; goes with what gave rise to it, and waits again where its evidence goes"
    ),
    # memories, journal, chat: the tombstone takes them, by triggers
    "memory.Memory": done("the tombstone of its identity takes it, by trigger"),
    "memory.MemoryMention": follows("memory.Memory"),
    "memory.MemoryRevision": follows("memory.Memory"),
    "memory.MemoryEmbedding": follows("memory.Memory"),
    "memory.MemoryPicture": follows("memory.Memory"),
    "memory.SoftAction": follows("memory.Memory"),
    "memory.Picture": done("goes with the last thing that showed it, by trigger"),
    "memory.LinePicture": done("goes with its line's words, by trigger"),
    "memory.JournalWords": found(pk__in="lines"),
    "memory.PendingReflection": done("every one of the subject goes with a tombstone that has a time"),
    "memory.ChatSession": done("emptied by the tombstone, which it names from then on"),
    "memory.ChatTurn": follows("memory.ChatSession"),
    "sessions.Session": done("what a wizard holds of a forgotten subject: taking.drafts"),
    # where rows are found: kept beside them by triggers, current words only
    "memory.ObservationEntry": done("goes with its row, by trigger"),
    "memory.MemoryEntry": done("goes with its row, by trigger"),
    "memory.DocumentEntry": done("goes with its row, by trigger"),
    # what a subject has that no telling made
    "twin.Subject": done("the forgetting of a subject deletes its row"),
    "twin.PersonProfile": of_subject("filled in on a page of its own"),
    "twin.ProfileVersion": of_subject("measured in a wizard: numbers and chosen words"),
    "twin.Medicine": of_subject("entered on a page of its own"),
    "twin.Dose": of_subject("no words"),
    "twin.Trackable": done("goes with the last subject it is counted for: taking.subject"),
    "twin.TrackableEntry": of_subject("numbers and chosen options"),
    "twin.TrackableSubject": of_subject("no words"),
    "twin.ImportBatch": wordless("numbers, and names of files that are erased when it ends"),
    "twin.ImportChild": of_subject("a digest"),
    "twin.ImportLine": of_subject("digests: a row that was forgotten is not brought in again"),
    "twin.QuickLog": of_subject("a label and an action"),
    "twin.Lease": of_subject("who runs a round"),
    "memory.Strategy": of_subject("named on a page of its own; its counts follow its uses, by trigger"),
    "memory.StrategyPattern": of_subject("no words"),
    "memory.NeverTopic": of_subject("decided on a page of its own"),
    "memory.Drawer": of_subject("intents of a closed vocabulary"),
    "memory.Counting": of_subject("a day"),
    "memory.PairCount": of_subject("numbers"),
    "household.Register": of_subject("settings of a child"),
    "household.Membership": of_subject("decisions about cells of the matrix"),
    "household.AccessLog": of_subject("numbers of rows"),
    "household.Device": of_subject("a companion of its child"),
    "household.PairingCode": of_subject("a hash"),
    "household.TimeSpent": of_subject("minutes"),
    # identities, never words
    "memory.JournalLine": wordless("the spine: envelopes without words"),
    "twin.SpentId": wordless("client ids made by machines"),
    "memory.JournalWriter": wordless("numbers"),
    "memory.CompanionTurn": wordless("keys of the house's own sentences; digests go by trigger"),
    "memory.CrisisCard": wordless("a code: the words stand in the journal"),
    "memory.Tombstone": wordless("identities"),
    "memory.TombstoneTurn": wordless("identities"),
    "memory.TombstonePicture": wordless("names made of time and a counter"),
    "memory.FileOwed": wordless("names of files"),
    "memory.OwedErasure": wordless("names of files"),
    "memory.Forgetting": wordless("names of tables and numbers"),
    "memory.ChangeCounter": wordless("a number"),
    "household.ForgetOwed": wordless("names of relations and files"),
    "household.Rewritten": wordless("names of relations"),
    "household.Job": wordless("identities"),
    "household.Heartbeat": wordless("which worker lives"),
    "household.Backup": wordless("names of files"),
    "household.ThinkingSpend": wordless("counts of tokens"),
    "voice.SpeechCache": wordless("the house's own fixed lines, under a hash"),
    "voice.VoiceSpend": wordless("counts of characters"),
    "voice.VoiceSettings": wordless("how the house sounds"),
    "huey_kv": wordless("identities only: results and errors are not kept"),
    "huey_counter": wordless("counts"),
    "huey_schedule": wordless("identities only"),
    "huey_task": wordless("identities only"),
    # the household's own
    "household.Person": household("who lives here and who was invited"),
    "household.Household": household("the home's name"),
    "household.Invitation": done("one that names a forgotten subject alone is deleted: taking.subject"),
    "household.RecoveryCode": household("a hash"),
    "household.Channel": household("how a person is told"),
    "household.MailServer": household("where the house's e-mails go through"),
    "household.Export": wordless("numbers, and the name of a file that is erased after a day"),
    "household.Notice": wordless("kinds and numbers of rows"),
    "household.Endpoint": household("where the household thinks"),
    "memory.PromptVariant": household("the house's own prompts"),
    "account.EmailAddress": household("how a person is reached"),
    "account.EmailConfirmation": household("how a person is reached"),
    "mfa.Authenticator": household("a person's second step"),
    "usersessions.UserSession": household("a person's browsers"),
    "auth.Permission": wordless("of the framework"),
    "auth.Group": wordless("of the framework"),
    "auth.Group_permissions": wordless("of the framework"),
    "contenttypes.ContentType": wordless("of the framework"),
    "django_migrations": wordless("of the framework"),
    "pgtrigger": wordless("of the framework"),
}
