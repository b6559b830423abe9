"""The second wall as text: row-level security policies for one table, from what is known of its columns.

Pure: strings in, strings out. Who is asking stands in transaction-local settings that `household.access`
writes (PostgreSQL: CREATE POLICY, current_setting). A setting nobody wrote reads NULL or '', so without
`access.seen_by` every comparison is NULL and no row is there. What nearly every row is compared with stands
in a scalar subquery, evaluated once a statement; the rest is left to functions, called where a row gets that
far, because a policy's text is paid for by the plan of every query.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

NAMES = ("sees", "adds", "changes", "deletes")


@dataclass(frozen=True)
class Table:
    """What a policy must know of one table; column names are as in the database.

    `subject` is the column with the subject's id, `parent` the table and columns that a row without one
    hangs on: (table, its key, our column). `author` is whose own row it is, `own` SQL of the same where a
    column does not say it, `window` the date a data window compares.
    """

    name: str
    resource: str
    subject: str = ""
    is_nullable: bool = False
    author: str = ""
    own: str = ""
    window: str = ""
    adds_own: bool = False
    parent: tuple[str, str, str] | None = None


@dataclass(frozen=True)
class Policies:
    """The condition of each command: `change` of UPDATE and DELETE, `lock` of SELECT ... FOR UPDATE."""

    see: str
    add: str
    change: str
    lock: str = ""


def ids(setting: str) -> str:
    """The subject ids of one setting, as the right side of a comparison."""
    return f"ANY (nullif(current_setting('hearthbook.{setting}', true), '')::bigint[])"


def ids_once(setting: str) -> str:
    """The same, read once for all rows of a statement."""
    return f"ANY ((SELECT nullif(current_setting('hearthbook.{setting}', true), '')::bigint[])::bigint[])"


ME = "nullif(current_setting('hearthbook.person', true), '')::bigint"
# Before the settings are written, a person's own memberships say whose subjects may be read.
MINE = f"SELECT array_agg(m.subject_id) FROM household_membership m WHERE m.person_id = {ME}"  # noqa: S608
MEMBER_OF = (
    "ANY ((SELECT coalesce(nullif(current_setting('hearthbook.member', true), '')::bigint[],"
    f" ({MINE})))::bigint[])"
)


def policies_of(table: Table, *, alias: str = "", parents: Mapping[str, Table] | None = None) -> Policies:
    """The conditions of one table; `alias` is what its rows are called inside another's subquery."""
    at = alias or table.name
    if table.parent is not None:
        return _hanging(table, at, parents or {})
    subject, resource = f"{at}.{table.subject}", table.resource
    mine = f"{at}.{table.author} = {ME}" if table.author else ""
    own = " AND ".join(part for part in (mine, table.own.format(at=at, me=ME)) if part)
    added = [f"{subject} = {ids_once(f'add_{resource}')}"]  # of many rows of one statement, asked once
    hand = f"{subject} = {ids('change')}"
    changed = [f"{subject} = {ids(f'add_{resource}')} AND ({_any(hand, mine)})"]
    if own and table.adds_own:
        added.append(f"{own} AND {subject} = {ids('member')}")
    if own and table.is_nullable:
        nobodys = f"{own} AND {subject} IS NULL"
        added, changed = [*added, nobodys], [*changed, nobodys]
    return Policies(_seen(table, at), _any(*added), _any(*changed))


def _seen(table: Table, at: str) -> str:
    """Viewed by the matrix, or else by a data window or as one's own: the short way stands first."""
    subject, day = f"{at}.{table.subject}", f"{at}.{table.window}" if table.window else "NULL"
    author = f"{at}.{table.author}" if table.author else "NULL"
    seen = [f"{subject} = {ids_once(f'view_{table.resource}')}"]
    if table.own:
        extra = table.own.format(at=at, me=ME)
        whose = author if table.author else ME
        seen.append(f"hearthbook_else_sees('{table.resource}', {subject}, {whose}, NULL) AND {extra}")
        author = "NULL"
    if author != "NULL" or day != "NULL":
        seen.append(f"hearthbook_else_sees('{table.resource}', {subject}, {author}, {day})")
    return _any(*seen)


def _any(*conditions: str) -> str:
    held = [condition for condition in conditions if condition]
    return " OR ".join(f"({one})" for one in held) if len(held) > 1 else held[0]


def _hanging(table: Table, at: str, parents: Mapping[str, Table]) -> Policies:
    """What holds for the row a table hangs on holds for its own; the parent's policy does the seeing."""
    assert table.parent is not None
    name, key, column = table.parent
    upper = f"{at}_up"
    held = policies_of(parents[name], alias=upper, parents=parents)
    found = f"SELECT 1 FROM {name} {upper} WHERE {upper}.{key} = {at}.{column}"  # noqa: S608 - names of ours
    return Policies(
        f"EXISTS ({found})",
        f"EXISTS ({found} AND ({held.add}))",
        f"EXISTS ({found} AND ({held.change}))",
    )


NOBODY = Policies("false", "false", "false")
SUBJECTS = Policies(
    see=f"id = {MEMBER_OF}",
    add=f"id = {ids('change')}",
    change=f"id = {ids('add_profile')} AND id = {ids('change')}",
    # Everybody who writes about a subject waits for the others on its row.
    lock=f"id = {ids('add_observation')} OR id = {ids('change')}",
)
PARENTS_ROW = f"subject_id = {ids('add_conversation')} AND subject_id = {ids('change')}"
MEMBERS = Policies(
    see=f"subject_id = {ids('view_conversation')} OR person_id = {ME}", add=PARENTS_ROW, change=PARENTS_ROW
)
LOOKS = Policies(
    see=f"subject_id = {ids('view_conversation')} OR person_id = {ME}",
    add=f"person_id = {ME} AND subject_id = {ids('member')}",
    change=PARENTS_ROW,
)
CHILDS_ROW = f"child_id = {ids('add_conversation')} AND child_id = {ids('change')}"
REGISTERS = Policies(  # a setting of the whole house belongs to no subject
    see=f"child_id IS NULL OR child_id = {ids('view_conversation')}",
    add=f"child_id IS NULL OR ({CHILDS_ROW})",
    change=f"child_id IS NULL OR ({CHILDS_ROW})",
)
LINKED = "EXISTS (SELECT 1 FROM twin_trackablesubject l WHERE l.trackable_id = twin_trackable.id{more})"
TRACKABLES = Policies(  # one trackable may be counted for several subjects
    see=LINKED.format(more="") + f" OR author_id = {ME}",
    add=f"author_id = {ME} AND 0 < {ids('add_observation')}",
    change=LINKED.format(more=f" AND l.subject_id = {ids('change')}") + f" OR author_id = {ME}",
)
# What somebody asked who is no parent is theirs alone; only its asker writes it, whatever they may add.
ASKERS_ROW = f"author_id = {ME} AND subject_id = {ids('member')}"
ASKED = Policies(
    see=f"(NOT is_private AND subject_id = {ids_once('view_conversation')}) OR ({ASKERS_ROW})",
    add=ASKERS_ROW,
    change=ASKERS_ROW,
)
CONVERSED = Policies(see=ASKERS_ROW, add=ASKERS_ROW, change=ASKERS_ROW)
ITS_ANSWER = "EXISTS (SELECT 1 FROM memory_answer a WHERE a.id = answer_id{more})"
RESTS_ON = Policies(
    see=ITS_ANSWER.format(more=""),
    add=ITS_ANSWER.format(more=f" AND a.author_id = {ME}"),
    change=ITS_ANSWER.format(more=f" AND a.author_id = {ME}"),
)

# What was forgotten outlives its subject, as identities that every holder of the house must hear of.
TOMBSTONES = Policies(
    see=f"subject_id IS NULL OR subject_id = {ids('view_memory')}",
    add=f"subject_id IS NULL OR subject_id = {ids('add_memory')}",
    change=f"subject_id IS NULL OR (subject_id = {ids('add_memory')} AND subject_id = {ids('change')})",
)
OF_TOMBSTONE = "EXISTS (SELECT 1 FROM memory_tombstone t WHERE t.id = tombstone_id)"  # seen by its own policy
REACHED = Policies(see=OF_TOMBSTONE, add=OF_TOMBSTONE, change=OF_TOMBSTONE)

# Tables whose rows are nobody's alone, or are asked before anybody is known.
SPECIAL: Mapping[str, Policies] = {
    "twin.Subject": SUBJECTS,
    "household.Membership": MEMBERS,
    "household.AccessLog": LOOKS,
    "household.Register": REGISTERS,
    "twin.Trackable": TRACKABLES,
    "memory.Question": ASKED,
    "memory.Answer": ASKED,
    "memory.CachedAnswer": ASKED,
    "memory.WorkingSet": CONVERSED,
    "memory.AnswerEvidence": RESTS_ON,
    "memory.Tombstone": TOMBSTONES,
    "memory.TombstoneTurn": REACHED,
    "memory.TombstonePicture": REACHED,
}

# Whose own row it is, where no author column says so. A function is planned once, where a subquery would
# carry the policies of its own tables into every plan.
OWN: Mapping[str, str] = {
    # The house folds a day's words of several people into one record: it is one's own while all are.
    "twin.Record": "twin_record_is_all_by({at}.id, {me})",
    "twin.LedgerEntry": "twin_entry_is_by({at}.statement_id, {at}.fill_id, {me})",
    "twin.Question": "twin_question_is_by({at}.entry_id, {me})",
}

# Every member may write their own of these: what they say, and what is answered to them.
ADDS_OWN = frozenset({"memory.JournalLine"})

# Rows of no subject that everybody may see, beside what the table's own policy shows. The second wall only
# holds no words back here; the page asks for parents.
ANYBODYS: Mapping[str, str] = {
    "memory.JournalLine": "subject_id IS NULL AND envelope ->> 'event' = 'Cleared'",  # counts by age
}

# Rows of no subject, or of a device, an invitation or a token that is known before its bearer is. What
# they hold is guarded by the first wall alone.
EXEMPT: Mapping[str, str] = {
    "household.Person": "who signs in is looked up before anybody is known; names are the household's own",
    "household.Household": "one row: the home's name, zone and language",
    "household.Device": "its token is looked up before anybody is known; it holds a hash and a name",
    "household.PairingCode": "its digits are looked up before anybody is known; it holds a hash",
    "household.Invitation": "its token is looked up before anybody is known; it holds a hash and a role",
    "household.TimeSpent": "minutes of one device on one day",
    "household.RecoveryCode": "asked for before anybody is signed in; it holds a hash",
    "household.Endpoint": "the household's; its key is encrypted",
    "household.Channel": "how a person is told; a feed's token is looked up before anybody is known",
    "household.Export": "numbers, and the name of a file; its pages show it to its author",
    "household.Notice": "kinds and numbers of rows",
    "household.MailServer": "the household's; its password is encrypted",
    "household.ThinkingSpend": "counts of tokens",
    "household.Job": "identities only, never words",
    "household.Heartbeat": "which worker lives",
    "twin.ImportBatch": "numbers, and names of files made of no words; its pages show it to its author",
    "household.Backup": "names of files, made of no words, and outcomes",
    "household.ForgetOwed": "names of relations",
    "household.Rewritten": "names of relations",
    "twin.SpentId": "client ids whose words were forgotten; they name no subject",
    "memory.JournalWriter": "the next number of each writer",
    "memory.PromptVariant": "the house's own prompts; no family's words",
    "memory.ChangeCounter": "one number",
    "memory.FileOwed": "names of files that nothing shows any more, made of no words",
    "voice.SpeechCache": "the house's fixed lines under a hash; no family's words",
    "voice.VoiceSpend": "counts of characters",
    "voice.VoiceSettings": "how the house sounds",
}

# What a policy must know of rows that the asking person may not see; each gives a yes or a no.
FUNCTIONS: Mapping[str, str] = {
    "household_has_parent": """
CREATE OR REPLACE FUNCTION household_has_parent(moment timestamptz) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM household_membership
        WHERE role = 'parent' AND starts_at <= moment AND (ends_at IS NULL OR ends_at > moment))
$$""",
    "household_belongs_elsewhere": """
CREATE OR REPLACE FUNCTION household_belongs_elsewhere(person bigint, subjects bigint[], moment timestamptz)
RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM household_membership m WHERE m.person_id = person
        AND NOT m.subject_id = ANY (subjects) AND (m.ends_at IS NULL OR m.ends_at > moment))
$$""",
    "hearthbook_else_sees": """
CREATE OR REPLACE FUNCTION hearthbook_else_sees(resource text, subject bigint, author bigint, day date)
RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
    me bigint := nullif(current_setting('hearthbook.person', true), '')::bigint;
    first jsonb := nullif(current_setting('hearthbook.from_' || resource, true), '')::jsonb;
BEGIN
    IF subject IS NULL THEN RETURN author = me; END IF;
    IF day >= (first ->> subject::text)::date THEN RETURN true; END IF;
    RETURN author = me AND subject = ANY (nullif(current_setting('hearthbook.member', true), '')::bigint[]);
END $$""",
    "twin_entry_is_by": """
CREATE OR REPLACE FUNCTION twin_entry_is_by(statement bigint, fill bigint, person bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM twin_statement s WHERE s.id = statement AND s.author_id = person)
        OR EXISTS (SELECT 1 FROM twin_formfill f WHERE f.id = fill AND f.author_id = person)
$$""",
    "twin_question_is_by": """
CREATE OR REPLACE FUNCTION twin_question_is_by(entry bigint, person bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM twin_ledgerentry e JOIN twin_statement s ON s.id = e.statement_id
        WHERE e.id = entry AND s.author_id = person)
$$""",
    "twin_record_is_all_by": """
CREATE OR REPLACE FUNCTION twin_record_is_all_by(record bigint, person bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT NOT EXISTS (SELECT 1 FROM twin_ledgerentry e
        LEFT JOIN twin_statement s ON s.id = e.statement_id LEFT JOIN twin_formfill f ON f.id = e.fill_id
        WHERE e.record_id = record AND coalesce(s.author_id, f.author_id) IS DISTINCT FROM person)
$$""",
    "twin_trackable_is_all_of": """
CREATE OR REPLACE FUNCTION twin_trackable_is_all_of(trackable bigint, subjects bigint[]) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT NOT EXISTS (SELECT 1 FROM twin_trackablesubject l
        WHERE l.trackable_id = trackable AND NOT l.subject_id = ANY (subjects))
$$""",
}


def statements(name: str, policies: Policies) -> list[str]:
    """The DDL that gives a table exactly these policies; the table's owner is not bound by them."""
    made = {
        "sees": f"FOR SELECT TO PUBLIC USING ({policies.see})",
        "adds": f"FOR INSERT TO PUBLIC WITH CHECK ({policies.add})",
        "changes": "FOR UPDATE TO PUBLIC"
        f" USING ({policies.lock or policies.change}) WITH CHECK ({policies.change})",
        "deletes": f"FOR DELETE TO PUBLIC USING ({policies.change})",
    }
    assert made.keys() == set(NAMES)
    lines = [f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY"]
    for policy, condition in made.items():
        lines.append(f"DROP POLICY IF EXISTS {policy} ON {name}")
        lines.append(f"CREATE POLICY {policy} ON {name} {condition}")
    lines.append(f"COMMENT ON POLICY sees ON {name} IS '{fingerprint(policies)}'")
    return lines


def fingerprint(policies: Policies) -> str:
    """A short name for a table's conditions, by which a later run sees that nothing changed."""
    text = "\0".join((policies.see, policies.add, policies.change, policies.lock, *FUNCTIONS.values()))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
