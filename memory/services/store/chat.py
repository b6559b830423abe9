"""Conversations from a device: merged with the house's copies, emptied for all that was forgotten."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from household.access import seen_through
from household.models import Device
from household.services.registers import to_ms
from memory import models
from memory.rules.merge import ChatSession, StoreDoc, difference, merge_store, scrub
from memory.rules.merge.bounds import session_is_ahead
from memory.services.store.documents import Refused
from memory.services.store.pushing import child_of, lock_for_merge
from memory.services.store.reading import sessions_of
from memory.services.store.writing import write_sessions

RECENT = 20


@dataclass
class ChatAnswer:
    """The conversations pushed, as merged, and the latest others; what was not taken."""

    sessions: list[ChatSession] = field(default_factory=list)
    rejected: list[Refused] = field(default_factory=list)


def exchange_chat(*, device: Device, sessions: Sequence[ChatSession], now: dt.datetime) -> ChatAnswer:
    """Merge a device's conversations, writing only what changes. Raises NoChild, DeviceEnded."""
    with seen_through(device, now=now) as sight:
        subject = child_of(device, sight)
        lock_for_merge(subject)
        refused = [
            Refused("session", s.gid, "clock_skew") for s in sessions if session_is_ahead(s, to_ms(now))
        ]
        ahead = {one.gid for one in refused}
        pushed = StoreDoc()
        for one in sessions:
            if one.gid not in ahead:
                pushed = merge_store(pushed, StoreDoc(sessions={one.gid: one}))
        latest = models.ChatSession.objects.filter(subject_id=subject).order_by("-last_activity_at_ms", "id")
        named = models.ChatSession.objects.filter(subject_id=subject, gid__in=list(pushed.sessions))
        rows = {row.gid: row for row in [*latest[:RECENT], *named.select_for_update().order_by("id")]}
        held = StoreDoc(sessions=sessions_of(rows.values()))
        merged = _scrubbed(merge_store(held, pushed), subject)
        foreign = write_sessions(difference(held, merged).sessions, subject_id=subject)
    refused += [Refused("session", gid, "forbidden") for gid in sorted(foreign)]
    kept = [one for gid, one in sorted(merged.sessions.items()) if gid not in foreign]
    return ChatAnswer(kept, refused)


def _scrubbed(merged: StoreDoc, subject: int) -> StoreDoc:
    """The conversations emptied for everything that was forgotten about their child."""
    gids = models.Tombstone.objects.filter(subject_id=subject, at_ms__gt=0).values_list("gid", flat=True)
    wanted = frozenset(gids)
    return StoreDoc(sessions={gid: scrub(one, wanted) for gid, one in merged.sessions.items()})
