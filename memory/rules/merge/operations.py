"""What people do with memories, as the documents it leaves."""

from collections.abc import Iterable
from dataclasses import replace

from household.rules.text import sanitise
from memory.rules.merge.documents import Embedding, Memory, Mention, SoftAction, StoreDoc, Tombstone
from memory.rules.merge.memories import normal, sanitised, smallest_of_each_model
from memory.rules.merge.revisions import versions_of, with_versions
from memory.rules.merge.store import merge_store

UNDO_WINDOW_MS = 8_000


class Refused(ValueError):
    """A memory does not allow what was asked of it."""


class Forgotten(Refused):
    """The memory was forgotten, so it cannot be written again."""


class UnknownMemory(Refused):
    """No such memory or soft action is held."""


class UndoRefused(Refused):
    """A putting away is too old to be undone, or was undone already."""


class StaleWords(Refused):
    """An embedding was made of words the memory no longer has."""


def remember(store: StoreDoc, memory: Memory) -> StoreDoc:
    """The store with one memory more, or with what is new of one it has. Raises Forgotten."""
    if memory.gid in store.tombstones:
        raise Forgotten(memory.gid)
    return merge_store(store, StoreDoc(memories={memory.gid: normal(sanitised(memory))}))


def mention(memory: Memory, telling: Mention) -> Memory:
    """The memory told once more."""
    return replace(memory, mentions=memory.mentions | {telling})


def edit_text(memory: Memory, text: str, *, at_ms: int, device: str) -> Memory:
    """The memory in new words; the old ones become a revision. The same words are no edit."""
    clean = sanitise(text)
    if clean == memory.text:
        return memory
    began = max(at_ms, memory.text_at_ms + 1)
    edited = with_versions(memory, {**versions_of(memory), (began, clean): device})
    return replace(edited, embeddings=frozenset())


def set_hidden(memory: Memory, *, hidden: bool, at_ms: int) -> Memory:
    """The memory put away or brought back, later than it last was."""
    return replace(memory, hidden=hidden, visibility_at_ms=max(at_ms, memory.visibility_at_ms + 1))


def star(memory: Memory, picture: str, *, at_ms: int) -> Memory:
    """The memory with one of its pictures as its cover. Raises Refused where it does not show it."""
    if picture not in {link.name for link in memory.pictures}:
        raise Refused(f"the memory does not show {picture}")
    return replace(memory, cover_picture=picture, cover_at_ms=max(at_ms, (memory.cover_at_ms or 0) + 1))


def embed(memory: Memory, embedding: Embedding, *, text_at_ms: int, text: str) -> Memory:
    """The memory with an embedding made of the words `text` of `text_at_ms`. Raises StaleWords."""
    if (text_at_ms, text) != (memory.text_at_ms, memory.text):
        raise StaleWords(memory.gid)
    return replace(memory, embeddings=smallest_of_each_model(memory.embeddings | {embedding}))


def put_away(store: StoreDoc, gid: str, *, action_id: str, at_ms: int) -> StoreDoc:
    """The store with a memory hidden and the soft action that can undo it. Raises UnknownMemory."""
    hidden = set_hidden(_held(store, gid), hidden=True, at_ms=at_ms)
    action = SoftAction(action_id, gid, at_ms)
    return _with(store, hidden, action)


def undo(store: StoreDoc, gid: str, *, action_id: str, at_ms: int) -> StoreDoc:
    """The store with a putting away undone and spent. Raises UnknownMemory, UndoRefused."""
    memory = _held(store, gid)
    action = store.soft_actions.get((gid, action_id))
    if action is None:
        raise UnknownMemory(action_id)
    if action.undone_at_ms is not None or at_ms - action.at_ms > UNDO_WINDOW_MS:
        raise UndoRefused(action_id)
    shown = set_hidden(memory, hidden=False, at_ms=at_ms)
    return _with(store, shown, replace(action, undone_at_ms=at_ms))


def forget(
    store: StoreDoc,
    gid: str,
    *,
    at_ms: int,
    device: str,
    kind: str = "memory",
    turns: Iterable[str] = (),
    pictures: Iterable[str] = (),
) -> StoreDoc:
    """The store with a tombstone, which takes all it reaches; `turns` and `pictures` add to what is known.

    What is not held can be forgotten too: the tombstone does its work on the holders that have it.
    """
    tombstone = Tombstone(gid, kind, at_ms, device, frozenset(turns), frozenset(pictures))
    return merge_store(store, StoreDoc(tombstones={gid: tombstone}))


def drop_duplicate(store: StoreDoc, gid: str) -> StoreDoc:
    """The store without a memory filed twice; nobody forgot anything, so nothing else is emptied."""
    return merge_store(store, StoreDoc(tombstones={gid: Tombstone(gid, "memory")}))


def _held(store: StoreDoc, gid: str) -> Memory:
    if gid in store.tombstones:
        raise Forgotten(gid)
    if gid not in store.memories:
        raise UnknownMemory(gid)
    return store.memories[gid]


def _with(store: StoreDoc, memory: Memory, action: SoftAction) -> StoreDoc:
    return replace(
        store,
        memories={**store.memories, memory.gid: memory},
        soft_actions={**store.soft_actions, action.key: action},
    )
