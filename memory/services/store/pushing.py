"""What a device pushes: looked at, merged with what is held, and only the difference written."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.db import connection, transaction

from household.access import Sight, seen_through
from household.models import Device, Register
from household.rules.clock import is_skewed
from household.services.registers import to_ms
from memory import models
from memory.rules.merge import Memory, SoftAction, StoreDoc, Tombstone, difference, merge_store
from memory.rules.merge.bounds import action_is_ahead, memory_is_ahead
from memory.rules.never import Said, said_in
from memory.services.forgetting.following import hurry
from memory.services.never import has_topics, note_dropped, touched
from memory.services.owing import owe_reached
from memory.services.store.documents import Push, Refused
from memory.services.store.reading import memories_of, soft_actions_of, tombstones_of
from memory.services.store.writing import write
from twin.models.triggers import FORGETTING_LOCK

MERGE_LOCK = 4_872  # with the subject: one merge of a child's memories at a time
COMPANION_FORGETS = frozenset({"memory", "turn", "day"})


class NoChild(ValueError):
    """A device of the household pushes, and nobody said whose companion it is from."""


class Again(Exception):
    """A tombstone is to be written, which needs the forgetting lock exclusively from the beginning.

    Two who held it shared and asked for it exclusively would wait for each other, so the transaction is left.
    """


def child_of(device: Device, sight: Sight) -> int:
    """Whose rows a device writes: its own child's, else those of the companion's child. Raises NoChild."""
    if device.child_id is not None:
        return device.child_id
    named = Register.objects.filter(key="child", child=None).values_list("value", flat=True).first()
    children = [pk for pk, one in sight.subjects.items() if one.species == "person"]
    chosen = [pk for pk in children if str(sight.subjects[pk].subject.gid) == named]
    if len(chosen or children) != 1:
        raise NoChild
    return (chosen or children)[0]


def merge_push(device: Device, push: Push, *, now: dt.datetime) -> list[Refused]:
    """Merge a push in one transaction; what of it was not taken. Raises NoChild, DeviceEnded."""
    is_exclusive = bool(push.tombstones)
    said: dict[str, Said] = {}
    while True:
        try:
            with seen_through(device, now=now) as sight:
                subject = child_of(device, sight)
                _read_ahead(push, subject, said)
                lock_for_merge(subject, is_exclusive=is_exclusive)
                return _merge(device, push, subject, said, now=now, is_exclusive=is_exclusive)
        except Again:
            is_exclusive = True


def _read_ahead(push: Push, subject: int, said: dict[str, Said]) -> None:
    """Take apart what is told anew while nobody waits for a lock, where a topic is never to be learned."""
    if not (push.memories and has_topics(subject)):
        return
    rows = models.Memory.objects.filter(gid__in=[one.gid for one in push.memories])
    held = dict(rows.values_list("gid", "text"))
    for one in push.memories:
        if one.text not in said and one.text != held.get(one.gid):
            said[one.text] = said_in(one.text)


def lock_for_merge(subject_id: int, *, is_exclusive: bool = False) -> None:
    """The forgetting lock before anything else, then the child's own merge lock."""
    take = "pg_advisory_xact_lock" if is_exclusive else "pg_advisory_xact_lock_shared"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {take}(%s)", [FORGETTING_LOCK])
        cursor.execute("SELECT pg_advisory_xact_lock(%s::int, %s::int)", [MERGE_LOCK, subject_id])


def _merge(
    device: Device,
    push: Push,
    subject: int,
    said: dict[str, Said],
    *,
    now: dt.datetime,
    is_exclusive: bool,
) -> list[Refused]:
    pushed, refused = _taken(device, push, subject, to_ms(now))
    held = _held([*pushed.memories, *pushed.tombstones, *(gid for gid, _id in pushed.soft_actions)])
    merged = merge_store(held, pushed)
    dropped = _listed(merged, held, subject, said)
    if dropped:
        stones = {one.gid: Tombstone(one.gid, "memory") for one in dropped}
        merged = merge_store(merged, StoreDoc(tombstones=stones))
    kept = {at: one for at, one in merged.soft_actions.items() if one.gid in merged.memories}
    lost = [one for at, one in merged.soft_actions.items() if at not in kept]
    merged = StoreDoc(memories=merged.memories, tombstones=merged.tombstones, soft_actions=kept)
    changed = difference(held, merged)
    if changed.tombstones and not is_exclusive:
        raise Again
    for one in dropped:
        turns = [told.turn for told in sorted(one.mentions, key=lambda told: told.at_ms) if told.turn]
        note_dropped(subject_id=subject, turn=turns[-1] if turns else "", now=now)
    foreign = write(changed, held, subject_id=subject)
    if changed.tombstones:
        owe_reached()
        transaction.on_commit(lambda: hurry(now=now))
    refused += [Refused("memory", gid, "forbidden") for gid in sorted(foreign)]
    return refused + [Refused("soft_action", one.id, "invalid") for one in lost]


def _listed(merged: StoreDoc, held: StoreDoc, subject: int, said: dict[str, Said]) -> list[Memory]:
    """What a device remembered of a topic never to be learned: its words are not even stored.

    It is dropped as a duplicate is: the identity alone, which takes it from the device that sent it and from
    no conversation. What the house holds in the same words stays.
    """
    fresh = [one for one in merged.memories.values() if _says_new(one, held.memories.get(one.gid))]
    if not (fresh and has_topics(subject)):
        return []
    touching = touched(subject, [said.get(one.text) or said_in(one.text) for one in fresh])
    return [one for one, is_listed in zip(fresh, touching, strict=True) if is_listed]


def _says_new(one: Memory, held: Memory | None) -> bool:
    """Whether its current words are not among those the house has of it."""
    return held is None or one.text not in {held.text, *(row.text for row in held.revisions)}


def _taken(device: Device, push: Push, subject: int, now_ms: int) -> tuple[StoreDoc, list[Refused]]:
    """What of a push is looked at: nobody else's, nothing from the future, nothing the device may not do."""
    items: Sequence[Memory | Tombstone | SoftAction]
    items = [*push.memories, *push.tombstones, *push.soft_actions]
    elsewhere = _asked("memory_gids_elsewhere(%s::text[], %s)", [one.gid for one in items], [subject])
    unreachable = _unreachable(device, push.tombstones, subject)
    pushed, refused = StoreDoc(), []
    taken: list[Any] = []
    for one in items:
        code = _code(one, now_ms)
        if one.gid in elsewhere or (isinstance(one, Tombstone) and one.gid in unreachable):
            code = "forbidden"
        if code:
            refused.append(Refused(*_name(one), code))
        else:
            taken.append(one)
    memories = [one for one in taken if isinstance(one, Memory)]
    if len({one.gid for one in memories}) < len(memories):  # the same one twice in a push
        for memory in memories:
            pushed = merge_store(pushed, StoreDoc(memories={memory.gid: memory}))
    else:
        pushed = StoreDoc(memories={one.gid: one for one in memories})
    for one in taken:
        if isinstance(one, Tombstone):
            pushed = merge_store(pushed, StoreDoc(tombstones={one.gid: one}))
        elif isinstance(one, SoftAction):
            pushed = merge_store(pushed, StoreDoc(soft_actions={one.key: one}))
    return pushed, refused


def _code(one: Memory | Tombstone | SoftAction, now_ms: int) -> str:
    if isinstance(one, Memory):
        is_ahead = memory_is_ahead(one, now_ms)
    elif isinstance(one, Tombstone):
        is_ahead = is_skewed(one.at_ms, now_ms)
    else:
        is_ahead = action_is_ahead(one, now_ms)
    return "clock_skew" if is_ahead else ""


def _name(one: Memory | Tombstone | SoftAction) -> tuple[str, str]:
    if isinstance(one, SoftAction):
        return "soft_action", one.id
    return ("memory" if isinstance(one, Memory) else "tombstone"), one.gid


def _unreachable(device: Device, tombstones: Sequence[Tombstone], subject: int) -> set[str]:
    """Those a device may not make: of what is no companion's to forget, or naming turns of others."""
    if not tombstones:
        return set()
    is_companion = device.child_id is not None
    turns = sorted({turn for one in tombstones for turn in one.turns})
    others = _asked("memory_turns_elsewhere(%s::text[], %s, %s)", turns, [subject], is_companion)
    doubtful = [
        one
        for one in tombstones
        if (is_companion and one.kind not in COMPANION_FORGETS) or one.turns & others
    ]
    held = tombstones_of(models.Tombstone.objects.filter(gid__in=[one.gid for one in doubtful]))
    return {one.gid for one in doubtful if one.gid not in held or not one.turns <= held[one.gid].turns}


def _asked(call: str, names: Sequence[str], subjects: list[int], *more: bool) -> set[str]:
    if not names:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {call}", [list(names), subjects, *more])  # noqa: S608 - ours
        return {name for (name,) in cursor.fetchall()}


def _held(gids: list[str]) -> StoreDoc:
    rows = models.Memory.objects.select_for_update().filter(gid__in=gids).order_by("id")
    return StoreDoc(
        memories=memories_of(rows),
        tombstones=tombstones_of(models.Tombstone.objects.filter(gid__in=gids)),
        soft_actions=soft_actions_of(models.SoftAction.objects.filter(memory__gid__in=gids)),
    )
