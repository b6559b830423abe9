"""Vectors of memories' current words, made by whoever can: here by the house's own embedder."""

from __future__ import annotations

from array import array

from django.db import transaction

from memory.clients.embedder import Embedder, EmbedderFailed, current_embedder
from memory.models import Memory
from memory.rules.merge import Embedding, StaleWords, StoreDoc, difference, embed
from memory.services.store.pushing import lock_for_merge
from memory.services.store.reading import memories_of
from memory.services.store.writing import write

AT_ONCE = 32


def embed_memories(*, embedder: Embedder | None = None) -> int:
    """Give some memories without one a vector. Gives how many; none where the embedder fails."""
    maker = embedder or current_embedder()
    waiting = Memory.objects.exclude(embeddings__model=maker.name).order_by("pk")
    rows = list(waiting.values_list("pk", "subject_id", "text", "text_at_ms")[:AT_ONCE])
    if not rows:
        return 0
    try:
        made = maker.passages([text for _pk, _subject, text, _at in rows])
    except EmbedderFailed:
        return 0
    return sum(
        _keep(pk, subject, text, at, Embedding(maker.name, array("f", vector).tobytes()))
        for (pk, subject, text, at), vector in zip(rows, made, strict=True)
    )


@transaction.atomic
def _keep(pk: int, subject_id: int, text: str, text_at_ms: int, made: Embedding) -> bool:
    """Keep one vector, unless its memory is gone or says something else by now."""
    lock_for_merge(subject_id)
    held = StoreDoc(memories=memories_of(Memory.objects.select_for_update(of=("self",)).filter(pk=pk)))
    for gid, memory in held.memories.items():
        try:
            after = StoreDoc(memories={gid: embed(memory, made, text_at_ms=text_at_ms, text=text)})
        except StaleWords:
            return False
        write(difference(held, after), held, subject_id=subject_id)
        return True
    return False


__all__ = ["embed_memories"]
