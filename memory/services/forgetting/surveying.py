"""What a forgetting comes to, asked for at once: whose rows go, which records it touches, how much."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db import connection

from memory.rules.forgetting import HeldRecord, Reach
from memory.services.forgetting.growing import OWNERS, Owner, as_json, identities, typed

SURVEY = f"""
    WITH owners(is_taken, subject_id, author_id) AS MATERIALIZED ({OWNERS}),
    touched AS (
        SELECT unnest(%(records)s || %(refolds)s) AS id
        UNION SELECT record_id FROM twin_ledgerentry WHERE id = ANY (%(entries)s)
        UNION SELECT id FROM twin_record WHERE turns && %(turns)s::varchar[] AND lifecycle <> 'day'
    ),
    held AS MATERIALIZED (SELECT r.* FROM twin_record r WHERE r.id IN (SELECT id FROM touched)),
    answers(id, record_id) AS (
        SELECT id, NULL::bigint FROM memory_answer
            WHERE question_id = ANY (%(questions)s) OR subject_id = ANY (%(subjects)s)
        UNION SELECT answer_id, NULL FROM memory_answerevidence
            WHERE statement_id = ANY (%(statements)s) OR fill_id = ANY (%(fills)s)
               OR event_id = ANY (%(events)s)
        UNION SELECT e.answer_id, NULL FROM memory_answerevidence e
            JOIN memory_passage p ON p.id = e.passage_id WHERE p.document_id = ANY (%(documents)s)
        UNION SELECT answer_id, record_id FROM memory_answerevidence WHERE record_id IN (SELECT id FROM held)
    )
    SELECT
        (SELECT coalesce(jsonb_agg(jsonb_build_array(is_taken, subject_id, author_id)), '[]') FROM owners),
        (SELECT coalesce(jsonb_object_agg(id, name), '{{}}') FROM twin_subject
            WHERE id = ANY (%(subjects)s) OR id IN (SELECT subject_id FROM owners)),
        (SELECT coalesce(jsonb_agg(jsonb_build_array(h.id, ARRAY(
                SELECT l.id FROM twin_ledgerentry l WHERE l.record_id = h.id AND l.state = 'filed'),
            h.turns, h.lifecycle <> 'day', h.day) ORDER BY h.id), '[]') FROM held h),
        ARRAY(SELECT picture FROM memory_linepicture WHERE line_id = ANY (%(lines)s)
            UNION SELECT p.picture FROM memory_memorypicture p JOIN memory_memory m ON m.id = p.memory_id
                WHERE m.gid = ANY (%(memories)s)),
        (SELECT coalesce(jsonb_agg(jsonb_build_array(id, record_id)), '[]') FROM answers)
"""  # noqa: S608 - statements of ours


@dataclass(frozen=True)
class Survey:
    """What is known of a reach: owners, names of subjects, records with their sources, pictures, answers."""

    owners: tuple[Owner, ...]
    names: tuple[tuple[int, str], ...]
    held: tuple[HeldRecord, ...]
    pictures: frozenset[str]
    answers: tuple[tuple[int, int | None], ...]  # an answer, and the record it rests on

    def answers_on(self, gone: frozenset[int]) -> int:
        """How many answers go, where these records do."""
        return len({answer for answer, record in self.answers if record is None or record in gone})


def survey(reach: Reach) -> Survey:
    """Everything about a reach that a page or a plan asks for."""
    with connection.cursor() as cursor:
        cursor.execute(typed(SURVEY), identities(reach))
        owners, names, held, pictures, answers = cursor.fetchone()
    return Survey(
        tuple(Owner(*one) for one in as_json(owners)),
        tuple(sorted((int(pk), name) for pk, name in as_json(names).items())),
        tuple(_held(*one) for one in as_json(held)),
        frozenset(pictures),
        tuple((answer, record) for answer, record in as_json(answers)),
    )


def _held(pk: int, sources: list[int], turns: list[str], is_course: bool, day: Any) -> HeldRecord:
    first = dt.date.fromisoformat(day) if day else None
    return HeldRecord(pk, frozenset(sources), frozenset(turns), is_course=is_course, first_day=first)
