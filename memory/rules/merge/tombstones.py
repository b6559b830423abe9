"""What was forgotten, as every holder comes to know it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from memory.rules.merge.documents import Memory, Tombstone


def merge_tombstone(a: Tombstone, b: Tombstone) -> Tombstone:
    """One forgetting from two holders: all turns and pictures, the earlier account of when and by whom."""
    if a.gid != b.gid:
        raise ValueError("two tombstones do not merge")
    accounts = [(side.at_ms, side.device) for side in (a, b) if side.is_forgetting]
    at_ms, device = min(accounts, default=(0, min(a.device, b.device)))
    return Tombstone(
        gid=a.gid,
        kind=min(a.kind, b.kind),
        at_ms=at_ms,
        device=device,
        turns=a.turns | b.turns,
        pictures=a.pictures | b.pictures,
    )


def absorb(tombstone: Tombstone, memory: Memory) -> Tombstone:
    """The tombstone with what its memory brings when they meet: the turns of every mention, its pictures.

    So a telling that the forgetting holder never heard of is emptied too, everywhere.
    """
    return replace(
        tombstone,
        turns=tombstone.turns | {mention.turn for mention in memory.mentions if mention.turn},
        pictures=tombstone.pictures | {link.name for link in memory.pictures},
    )


def is_rising(held: Tombstone | None, merged: Tombstone) -> bool:
    """Whether a forgetting became known that was none before, so that it has to empty."""
    return merged.is_forgetting and (held is None or not held.is_forgetting)


def forgotten(tombstones: Iterable[Tombstone]) -> frozenset[str]:
    """The identities somebody forgot: chats are emptied for each, lines that name one lose their words."""
    return frozenset(t.gid for t in tombstones if t.is_forgetting)


def forgotten_turns(tombstones: Iterable[Tombstone]) -> frozenset[str]:
    """The turns whose lines are emptied, now or as they arrive."""
    return frozenset(turn for t in tombstones if t.is_forgetting for turn in t.turns)


def forgotten_pictures(tombstones: Iterable[Tombstone], memories: Mapping[str, Memory]) -> frozenset[str]:
    """The pictures that go and are refused if they come: those of a forgetting that no memory shows now."""
    named = frozenset(name for t in tombstones if t.is_forgetting for name in t.pictures)
    return named - {link.name for memory in memories.values() for link in memory.pictures}


def is_picture_wanted(name: str, tombstones: Iterable[Tombstone], memories: Mapping[str, Memory]) -> bool:
    """Whether a pushed picture is kept; one that is not is answered as done and dropped."""
    return name not in forgotten_pictures(tombstones, memories)
