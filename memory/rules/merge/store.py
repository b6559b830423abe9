"""All that two holders have, and what a holder must write to have it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import TypeVar

from household.rules.limits import TimeRow, merge_time_rows
from memory.rules.merge.chat import merge_session, scrub
from memory.rules.merge.documents import ChatSession, Memory, SoftAction, StoreDoc, Tombstone
from memory.rules.merge.memories import merge_memory
from memory.rules.merge.tombstones import absorb, forgotten, is_rising, merge_tombstone

K = TypeVar("K")
V = TypeVar("V")


def merge_soft_action(a: SoftAction, b: SoftAction) -> SoftAction:
    """One soft action from two holders: spent if either spent it."""
    if a.key != b.key:
        raise ValueError("two soft actions do not merge")
    undone = [side.undone_at_ms for side in (a, b) if side.undone_at_ms is not None]
    return SoftAction(a.id, a.gid, min(a.at_ms, b.at_ms), min(undone, default=None))


def merge_store(a: StoreDoc, b: StoreDoc) -> StoreDoc:
    """What both holders have together, without all that any of them forgot."""
    return settled(
        StoreDoc(
            memories=_union(a.memories, b.memories, merge_memory),
            tombstones=_union(a.tombstones, b.tombstones, merge_tombstone),
            soft_actions=_union(a.soft_actions, b.soft_actions, merge_soft_action),
            sessions=_union(a.sessions, b.sessions, merge_session),
            time=merge_time_rows(a.time, b.time),
        )
    )


def settled(store: StoreDoc) -> StoreDoc:
    """The store after its own tombstones: they take their memories, and soft actions and chats with them."""
    forgettings = forgotten(store.tombstones.values())
    tombstones = {
        gid: absorb(t, store.memories[gid]) if gid in store.memories else t
        for gid, t in store.tombstones.items()
    }
    return StoreDoc(
        memories={gid: m for gid, m in store.memories.items() if gid not in tombstones},
        tombstones=tombstones,
        soft_actions={at: s for at, s in store.soft_actions.items() if s.gid not in tombstones},
        sessions={gid: scrub(session, forgettings) for gid, session in store.sessions.items()},
        time=store.time,
    )


@dataclass(frozen=True)
class Difference:
    """The rows a holder writes and drops to become what was merged; `rising` are forgettings new to it."""

    memories: tuple[Memory, ...] = ()
    gone_memories: tuple[str, ...] = ()
    tombstones: tuple[Tombstone, ...] = ()
    rising: tuple[str, ...] = ()
    soft_actions: tuple[SoftAction, ...] = ()
    gone_soft_actions: tuple[tuple[str, str], ...] = ()
    sessions: tuple[ChatSession, ...] = ()
    time: tuple[TimeRow, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to write."""
        return not any(getattr(self, f.name) for f in fields(self))


def difference(held: StoreDoc, merged: StoreDoc) -> Difference:
    """What changes from `held` to `merged`, a newly known embedding included."""
    return Difference(
        memories=tuple(m for gid, m in merged.memories.items() if _differs(held.memories.get(gid), m)),
        gone_memories=tuple(gid for gid in held.memories if gid not in merged.memories),
        tombstones=_changed(held.tombstones, merged.tombstones),
        rising=tuple(g for g, t in merged.tombstones.items() if is_rising(held.tombstones.get(g), t)),
        soft_actions=_changed(held.soft_actions, merged.soft_actions),
        gone_soft_actions=tuple(at for at in held.soft_actions if at not in merged.soft_actions),
        sessions=_changed(held.sessions, merged.sessions),
        time=_changed(held.time, merged.time),
    )


def _differs(held: Memory | None, merged: Memory) -> bool:
    return held is None or held != merged or held.embeddings != merged.embeddings


def _changed(held: Mapping[K, V], merged: Mapping[K, V]) -> tuple[V, ...]:
    return tuple(row for at, row in merged.items() if held.get(at) != row)


def _union(a: Mapping[K, V], b: Mapping[K, V], merge: Callable[[V, V], V]) -> dict[K, V]:
    both = {**a, **b}
    return {at: merge(a[at], b[at]) if at in a and at in b else row for at, row in both.items()}
