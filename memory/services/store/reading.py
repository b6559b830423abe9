"""Documents as the tables hold them."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet

from memory import models
from memory.rules.merge import (
    ChatSession,
    ChatTurn,
    Embedding,
    Memory,
    Mention,
    PictureLink,
    Revision,
    SoftAction,
    Tombstone,
)


def memories_of(rows: Iterable[models.Memory]) -> dict[str, Memory]:
    """The whole documents of these rows, by gid: five queries however many there are."""
    held = {row.pk: row for row in rows}
    mentions = _by_memory(
        models.MemoryMention.objects.filter(memory_id__in=held), "at_ms", "device", "turn", make=Mention
    )
    revisions = _by_memory(
        models.MemoryRevision.objects.filter(memory_id__in=held),
        "at_ms",
        "text_at_ms",
        "text",
        "device",
        make=Revision,
    )
    pictures = _by_memory(
        models.MemoryPicture.objects.filter(memory_id__in=held), "position", "picture", make=PictureLink
    )
    embeddings = _by_memory(
        models.MemoryEmbedding.objects.filter(memory_id__in=held), "model", "embedding", make=_embedding
    )
    return {
        row.gid: Memory(
            gid=row.gid,
            text=row.text,
            learned_at_ms=row.learned_at_ms,
            text_at_ms=row.text_at_ms,
            hidden=row.hidden,
            visibility_at_ms=row.visibility_at_ms,
            cover_picture=row.cover_picture,
            cover_at_ms=row.cover_at_ms,
            icon=row.icon,
            kind=row.kind,
            who=row.who,
            place=row.place,
            said_when=row.said_when,
            mentions=frozenset(mentions[pk]),
            # As `revisions.in_order` lists them: by when the words began, of one stamp the smallest last.
            revisions=tuple(_in_order(revisions[pk])),
            pictures=tuple(sorted(pictures[pk])),
            embeddings=frozenset(embeddings[pk]),
        )
        for pk, row in held.items()
    }


def tombstones_of(rows: Iterable[models.Tombstone]) -> dict[str, Tombstone]:
    """The whole documents of these rows, by gid."""
    held = {row.pk: row for row in rows}
    turns: dict[int, set[str]] = defaultdict(set)
    pictures: dict[int, set[str]] = defaultdict(set)
    named = models.TombstoneTurn.objects.filter(tombstone_id__in=held).values_list("tombstone_id", "turn")
    for pk, turn in named:
        turns[pk].add(turn)
    shown = models.TombstonePicture.objects.filter(tombstone_id__in=held)
    for pk, picture in shown.values_list("tombstone_id", "picture"):
        pictures[pk].add(picture)
    return {
        row.gid: Tombstone(
            row.gid, row.kind, row.at_ms, row.device, frozenset(turns[pk]), frozenset(pictures[pk])
        )
        for pk, row in held.items()
    }


def soft_actions_of(rows: QuerySet[models.SoftAction]) -> dict[tuple[str, str], SoftAction]:
    """Soft actions by their memory and id."""
    values = rows.values_list("action_id", "memory__gid", "at_ms", "undone_at_ms")
    return {(gid, key): SoftAction(key, gid, at, undone) for key, gid, at, undone in values}


def sessions_of(rows: Iterable[models.ChatSession]) -> dict[str, ChatSession]:
    """The whole conversations of these rows, by gid."""
    held = {row.pk: row for row in rows}
    turns: dict[int, list[ChatTurn]] = defaultdict(list)
    said = models.ChatTurn.objects.filter(session_id__in=held).order_by("session_id", "position")
    for pk, turn, who, text, at_ms in said.values_list("session_id", "turn", "who", "text", "at_ms"):
        turns[pk].append(ChatTurn(turn, who, text, at_ms))
    return {
        row.gid: ChatSession(
            gid=row.gid,
            last_activity_at_ms=row.last_activity_at_ms,
            version=row.version,
            stamp_ms=row.stamp_ms,
            summary=row.summary,
            turns=tuple(turns[pk]),
            scrubbed=frozenset(row.scrubbed),
        )
        for pk, row in held.items()
    }


def _by_memory(rows: QuerySet[Any], *columns: str, make: Any) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = defaultdict(list)
    for pk, *values in rows.values_list("memory_id", *columns):
        found[pk].append(make(*values))
    return found


def _embedding(model: str, numbers: Iterable[float]) -> Embedding:
    return Embedding(model, array("f", map(float, numbers)).tobytes())


def _in_order(revisions: list[Revision]) -> list[Revision]:
    smallest_last = sorted(revisions, key=lambda one: one.text, reverse=True)
    return sorted(smallest_last, key=lambda one: one.text_at_ms)
