"""One memory from two holders."""

from collections.abc import Iterable
from dataclasses import replace

from household.rules.text import sanitise
from memory.rules.merge.documents import Embedding, Memory, PictureLink
from memory.rules.merge.revisions import unite, versions_of, with_versions


def merge_memory(a: Memory, b: Memory) -> Memory:
    """What both holders know of one memory. Raises ValueError for two memories."""
    if a.gid != b.gid:
        raise ValueError("two memories do not merge")
    hidden, visibility_at_ms = max((side.visibility_at_ms, side.hidden) for side in (a, b))[::-1]
    cover_picture, cover_at_ms = _cover(a, b)
    words = with_versions(a, unite(versions_of(a), versions_of(b)))
    merged = replace(
        words,
        learned_at_ms=min(a.learned_at_ms, b.learned_at_ms),
        hidden=bool(hidden),
        visibility_at_ms=visibility_at_ms,
        cover_picture=cover_picture,
        cover_at_ms=cover_at_ms,
        icon=min((side.icon for side in (a, b) if side.icon is not None), default=None),
        kind=min(a.kind, b.kind),
        who=min(a.who, b.who),
        place=min(a.place, b.place),
        said_when=min(a.said_when, b.said_when),
        mentions=a.mentions | b.mentions,
        pictures=in_position(a.pictures + b.pictures),
    )
    return replace(merged, embeddings=_embeddings(merged, a, b))


def normal(memory: Memory) -> Memory:
    """The one form of a memory: its wordings in order and its pictures in position, each once."""
    ordered = with_versions(memory, versions_of(memory))
    is_same = (ordered.text_at_ms, ordered.text) == (memory.text_at_ms, memory.text)
    return replace(
        ordered,
        pictures=in_position(memory.pictures),
        embeddings=smallest_of_each_model(memory.embeddings) if is_same else frozenset(),
    )


def sanitised(memory: Memory) -> Memory:
    """The memory with nothing in its words that a store refuses."""
    return replace(
        memory,
        text=sanitise(memory.text),
        kind=sanitise(memory.kind),
        who=sanitise(memory.who),
        place=sanitise(memory.place),
        said_when=sanitise(memory.said_when),
    )


def in_position(links: Iterable[PictureLink]) -> tuple[PictureLink, ...]:
    """Pictures in their order, one given twice at the first of its places."""
    first: dict[str, PictureLink] = {}
    for link in sorted(links):
        first.setdefault(link.name, link)
    return tuple(sorted(first.values()))


def smallest_of_each_model(embeddings: Iterable[Embedding]) -> frozenset[Embedding]:
    """One embedding of each model: of two, the one with the smaller bytes."""
    smallest: dict[str, Embedding] = {}
    for embedding in sorted(embeddings):
        smallest.setdefault(embedding.model, embedding)
    return frozenset(smallest.values())


def _cover(a: Memory, b: Memory) -> tuple[str | None, int | None]:
    """The later star; on a tie the smaller name; a memory without one never beats a star."""
    return min(
        ((side.cover_picture, side.cover_at_ms) for side in (a, b)),
        key=lambda cover: (cover[1] is None, -(cover[1] or 0), cover[0] or ""),
    )


def _embeddings(merged: Memory, *sides: Memory) -> frozenset[Embedding]:
    """Those made of the words that won, in that very writing; others are made again by whoever can."""
    current = (merged.text_at_ms, merged.text)
    return smallest_of_each_model(
        e for side in sides if (side.text_at_ms, side.text) == current for e in side.embeddings
    )
