"""What a device lacks: memories and tombstones changed since its cursor, a page at a time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Q

from household.access import Sight
from household.models import Device, Household
from memory import models
from memory.rules.cursors import Cursor, read_cursor
from memory.rules.merge import Memory, to_json
from memory.services.store.documents import Push, Refused
from memory.services.store.reading import memories_of, soft_actions_of, tombstones_of

MOST_ITEMS = 500
MOST_BYTES = 1 << 20
Row = models.Memory | models.Tombstone


@dataclass
class Answer:
    """What a device gets back: what changed since its cursor, and what the house still needs."""

    cursor: str
    more: bool = False
    memories: list[dict[str, Any]] = field(default_factory=list)
    tombstones: list[dict[str, Any]] = field(default_factory=list)
    soft_actions: list[dict[str, Any]] = field(default_factory=list)
    need_pictures: list[str] = field(default_factory=list)
    rejected: list[Refused] = field(default_factory=list)


def epoch() -> UUID:
    """The house's epoch: a restored house begins a new one."""
    return Household.objects.values_list("epoch", flat=True).get()


def newest() -> int:
    """The last change number given."""
    return models.ChangeCounter.objects.values_list("n", flat=True).first() or 0


def current_cursor() -> Cursor:
    """Where changes stand now."""
    return Cursor(str(epoch()), newest())


def pull(device: Device, push: Push, sight: Sight) -> Answer:
    """What changed since the cursor of a push; call it inside `seen_through`. Raises Resync."""
    last = newest()
    since = read_cursor(push.since, epoch=epoch(), newest=last)
    subjects = list(sight.subjects)
    changed = _changed(subjects, since.n, last)
    answer = Answer(cursor=str(Cursor(since.epoch, last)))
    taken = _fill(answer, changed[:MOST_ITEMS], push)
    if taken < len(changed):
        answer.more = True
        answer.cursor = str(Cursor(since.epoch, changed[taken - 1].change))
    answer.need_pictures = _needed([one.gid for one in push.memories], subjects)
    if since.n != device.change_seen:
        Device.objects.filter(pk=device.pk).update(change_seen=since.n)
    return answer


def _changed(subjects: list[int], after: int, last: int) -> list[Row]:
    """At most one row more than a page, by change number."""
    window = {"change__gt": after, "change__lte": last}
    told = models.Memory.objects.filter(subject_id__in=subjects, **window).order_by("change")
    gone = models.Tombstone.objects.filter(Q(subject_id__in=subjects) | Q(subject_id=None), **window)
    rows: list[Row] = [*told[: MOST_ITEMS + 1], *gone.order_by("change")[: MOST_ITEMS + 1]]
    return sorted(rows, key=lambda row: row.change)[: MOST_ITEMS + 1]


def _fill(answer: Answer, page: Sequence[Row], push: Push) -> int:
    """Put the rows of a page into an answer up to its size; how many were dealt with, at least one."""
    documents = memories_of([row for row in page if isinstance(row, models.Memory)])
    forgotten = tombstones_of([row for row in page if isinstance(row, models.Tombstone)])
    actions = _actions(documents, push)
    sent = {one.gid: one for one in push.memories}
    size = 0
    for at, row in enumerate(page):
        if isinstance(row, models.Memory):
            items, document = answer.memories, documents[row.gid]
            is_known = _is_same(sent.get(row.gid), document)
        else:
            items, stone = answer.tombstones, forgotten[row.gid]
            is_known = stone in push.tombstones
        spelled = to_json(document if isinstance(row, models.Memory) else stone)
        size += 0 if is_known else len(json.dumps(spelled))
        if size > MOST_BYTES and at:
            return at
        if not is_known:
            items.append(spelled)
        if isinstance(row, models.Memory):
            answer.soft_actions += actions.get(row.gid, [])
    return len(page)


def _is_same(sent: Memory | None, held: Memory) -> bool:
    """Whether a device has this very document, embeddings included: it just pushed it."""
    return sent == held and sent.embeddings == held.embeddings


def _actions(documents: dict[str, Memory], push: Push) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    rows = models.SoftAction.objects.filter(memory__gid__in=list(documents))
    for one in soft_actions_of(rows).values():
        if one not in push.soft_actions:
            found.setdefault(one.gid, []).append(to_json(one))
    return found


def _needed(gids: list[str], subjects: list[int]) -> list[str]:
    """The pictures of just pushed memories whose bytes the house does not have."""
    if not gids:
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT p.picture FROM memory_memorypicture p JOIN memory_memory m ON m.id = p.memory_id"
            " WHERE m.gid = ANY(%s::text[]) AND m.subject_id = ANY(%s::bigint[])"
            " AND NOT EXISTS (SELECT 1 FROM memory_picture b WHERE b.name = p.picture) ORDER BY 1 LIMIT 500",
            [gids, subjects],
        )
        return [name for (name,) in cursor.fetchall()]
