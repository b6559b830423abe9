"""What hangs on what a forgetting begins with, in one statement over arrays of identities."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from django.db import connection

from memory.rules.forgetting import Reach
from memory.rules.journal.emptying import EMPTIED_WITH_TURN

GROWN = """
    SELECT g_turns AS turns, g_statements AS statements, g_fills AS fills, g_events AS events,
        g_questions AS questions, g_entries AS entries, g_refolds AS refolds, g_records AS records
    FROM memory_forgetting_grown(%(turns)s, %(statements)s, %(fills)s, %(events)s, %(questions)s,
        %(entries)s, %(refolds)s, %(records)s)
"""
# A whole subject is taken by itself: what others share with it loses a part, and nothing hangs on that.
AS_IT_IS = """
    SELECT %(turns)s AS turns, %(statements)s AS statements, %(fills)s AS fills, %(events)s AS events,
        %(questions)s AS questions, %(entries)s AS entries, %(refolds)s AS refolds, %(records)s AS records
"""
# With what was reached: the memories told in these turns with all their turns, and the lines with words
# of the turns, of the subjects and, by memory, of those that name one.
REACHED = """
    WITH g AS MATERIALIZED ({grown}),
    told AS MATERIALIZED (
        SELECT m.id, m.gid FROM memory_memory m WHERE %(is_told)s AND m.id IN (
            SELECT n.memory_id FROM memory_memorymention n, g WHERE n.turn = ANY (g.turns))
    )
    SELECT g.turns, g.statements, g.fills, g.events, g.questions, g.entries, g.refolds, g.records,
        (SELECT coalesce(jsonb_object_agg(t.gid, t.turns), '{{}}') FROM (
            SELECT told.gid, jsonb_agg(n.turn) AS turns
            FROM told JOIN memory_memorymention n ON n.memory_id = told.id GROUP BY told.gid) t),
        ARRAY(
            SELECT l.position FROM memory_journalline l JOIN memory_journalwords w ON w.position = l.position
            WHERE l.turn = ANY (g.turns) AND l.envelope ->> 'event' = ANY (%(emptied)s::text[])
            UNION
            SELECT l.position FROM memory_journalline l JOIN memory_journalwords w ON w.position = l.position
            WHERE l.subject_id = ANY (%(subjects)s)),
        (SELECT coalesce(jsonb_agg(jsonb_build_array(n.gid, n.place)), '[]')
            FROM memory_lines_naming(ARRAY(SELECT gid FROM told) || %(memories)s) n
            JOIN memory_journalline l ON l.position = n.place
            JOIN memory_journalwords w ON w.position = l.position)
    FROM g
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
    UNION SELECT false, subject_id, author_id FROM memory_journalline WHERE position = ANY (%(lines)s)
    UNION SELECT false, subject_id, NULL FROM memory_memory WHERE gid = ANY (%(memories)s)
"""
ARRAYS = ("turns", "statements", "fills", "events", "questions", "entries", "refolds", "records")


@dataclass(frozen=True)
class Owner:
    """Whose some rows are: of a subject, or of nobody known yet and said by an author."""

    is_taken: bool
    subject_id: int | None
    author_id: int | None


@dataclass(frozen=True)
class Grown:
    """A reach with all that hangs on it, the turns of every memory told in it, and lines that lose words."""

    reach: Reach
    told: Mapping[str, list[str]]
    lines: frozenset[int]
    naming: tuple[tuple[str, int], ...]  # the memory a line names, and its position


def grown(reach: Reach, *, is_told: bool, is_whole: bool) -> Grown:
    """What hangs on what is reached; with `is_told` also the memories told in its turns.

    `is_whole` says that it is a whole subject, on which nothing else hangs.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            typed(REACHED.format(grown=AS_IT_IS if is_whole else GROWN)),
            {**identities(reach), "is_told": is_told, "emptied": sorted(EMPTIED_WITH_TURN)},
        )
        *arrays, told, lines, naming = cursor.fetchone()
    more = Reach(**{name: frozenset(one) for name, one in zip(ARRAYS, arrays, strict=True)})
    return Grown(
        reach | more, as_json(told), frozenset(lines), tuple((gid, at) for gid, at in as_json(naming))
    )


def owners_of(reach: Reach) -> list[Owner]:
    """Whose the reached rows are, each once."""
    with connection.cursor() as cursor:
        cursor.execute(typed(OWNERS), identities(reach))
        return [Owner(*row) for row in cursor.fetchall()]


def identities(reach: Reach) -> dict[str, Any]:
    """A reach as the values of a statement."""
    return {one.name: sorted(getattr(reach, one.name)) for one in fields(reach)}


def typed(statement: str) -> str:
    """The statement with the types of its arrays, which an empty one does not tell."""
    for one in fields(Reach):
        kind = "text[]" if one.name in ("turns", "memories") else "bigint[]"
        statement = statement.replace(f"%({one.name})s", f"%({one.name})s::{kind}")
    return statement


def as_json(value: Any) -> Any:
    """What jsonb gives: Django's own connections leave it as text."""
    return json.loads(value) if isinstance(value, str) else value
