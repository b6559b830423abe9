"""One step from what a forgetting reaches to what hangs on it, in one statement over arrays of identities."""

from __future__ import annotations

from dataclasses import dataclass, fields

from django.db import connection

from memory.rules.forgetting import Reach

# `touched` records lose a source; of those that keep none (`lost`), what corrected them says the same again.
# A named record goes with what corrected it and with what it corrects.
STEP = """
    WITH RECURSIVE
    said AS MATERIALIZED (SELECT id FROM twin_statement WHERE turn = ANY (%(turns)s)),
    filled AS MATERIALIZED (SELECT id FROM twin_formfill WHERE turn = ANY (%(turns)s)),
    read AS MATERIALIZED (
        SELECT id, record_id, statement_id FROM twin_ledgerentry
            WHERE statement_id IN (SELECT id FROM said UNION SELECT unnest(%(statements)s))
        UNION SELECT id, record_id, statement_id FROM twin_ledgerentry
            WHERE fill_id IN (SELECT id FROM filled UNION SELECT unnest(%(fills)s))
        UNION SELECT id, record_id, statement_id FROM twin_ledgerentry WHERE record_id = ANY (%(records)s)
    ),
    touched AS (SELECT DISTINCT record_id AS id FROM read WHERE record_id IS NOT NULL),
    lost AS (
        SELECT id FROM touched WHERE NOT EXISTS (
            SELECT 1 FROM twin_ledgerentry l
            WHERE l.record_id = touched.id AND l.state = 'filed'
              AND NOT (l.id = ANY (%(entries)s) OR l.id IN (SELECT id FROM read)))
    ),
    after(id) AS (
        SELECT id FROM lost
        UNION SELECT r.superseded_by_id FROM after JOIN twin_record r ON r.id = after.id
            WHERE r.superseded_by_id IS NOT NULL
    ),
    around(id) AS (
        SELECT unnest(%(records)s)
        UNION SELECT other.id FROM around JOIN LATERAL (
            SELECT r.superseded_by_id AS id FROM twin_record r
                WHERE r.id = around.id AND r.superseded_by_id IS NOT NULL
            UNION ALL SELECT r.id FROM twin_record r WHERE r.superseded_by_id = around.id) other ON true
    )
    SELECT
        ARRAY(SELECT DISTINCT s.turn::text FROM read JOIN twin_statement s ON s.id = read.statement_id),
        ARRAY(SELECT id FROM said),
        ARRAY(SELECT id FROM filled),
        ARRAY(SELECT id FROM twin_event WHERE turn = ANY (%(turns)s)),
        ARRAY(SELECT id FROM memory_question WHERE turn = ANY (%(turns)s)),
        ARRAY(SELECT id FROM read),
        ARRAY(SELECT id FROM touched),
        ARRAY(SELECT id FROM around UNION (SELECT id FROM after EXCEPT SELECT id FROM lost))
"""

# Whose each row is. Rows of the first half are taken away; those of the second lose a part.
OWNERS = """
    SELECT true, subject_id, author_id FROM twin_statement WHERE id = ANY (%(statements)s)
    UNION SELECT true, subject_id, NULL FROM twin_formfill WHERE id = ANY (%(fills)s)
    UNION SELECT true, subject_id, NULL FROM twin_event WHERE id = ANY (%(events)s)
    UNION SELECT true, subject_id, NULL FROM twin_record WHERE id = ANY (%(records)s)
    UNION SELECT true, subject_id, NULL FROM memory_question WHERE id = ANY (%(questions)s)
    UNION SELECT false, subject_id, NULL FROM twin_statement WHERE id = ANY (%(shares)s)
    UNION SELECT false, subject_id, NULL FROM twin_record WHERE id = ANY (%(refolds)s)
    UNION SELECT false, subject_id, NULL FROM memory_document WHERE id = ANY (%(documents)s)
    UNION SELECT false, subject_id, NULL FROM memory_journalline WHERE position = ANY (%(lines)s)
    UNION SELECT false, subject_id, NULL FROM memory_memory WHERE gid = ANY (%(memories)s)
"""


@dataclass(frozen=True)
class Owner:
    """Whose some rows are: of a subject, or of nobody known yet and said by an author."""

    is_taken: bool
    subject_id: int | None
    author_id: int | None


def grown(reach: Reach) -> Reach:
    """What hangs directly on what is reached so far."""
    with connection.cursor() as cursor:
        cursor.execute(_typed(STEP), _identities(reach))
        row = cursor.fetchone()
    names = ("turns", "statements", "fills", "events", "questions", "entries", "refolds", "records")
    return Reach(**{name: frozenset(one) for name, one in zip(names, row, strict=True)})


def owners_of(reach: Reach) -> list[Owner]:
    """Whose the reached rows are, each once."""
    with connection.cursor() as cursor:
        cursor.execute(_typed(OWNERS), _identities(reach))
        return [Owner(*row) for row in cursor.fetchall()]


def _identities(reach: Reach) -> dict[str, list[int] | list[str]]:
    return {one.name: sorted(getattr(reach, one.name)) for one in fields(reach)}


def _typed(statement: str) -> str:
    """The statement with the types of its arrays, which an empty one does not tell."""
    for one in fields(Reach):
        kind = "text[]" if one.name in ("turns", "memories") else "bigint[]"
        statement = statement.replace(f"%({one.name})s", f"%({one.name})s::{kind}")
    return statement
