"""How long the parts of a document may be, so that every holder's columns hold them."""

from __future__ import annotations

import math
from array import array

from household.rules.clock import is_skewed
from memory.rules.merge.documents import ChatSession, Embedding, Memory, SoftAction, Tombstone
from memory.rules.merge.wire import Invalid

MOST_TEXT = 20_000
MOST_SHORT = 200
MOST_LABEL = 60
MOST_WHO = 20
MOST_ROWS = 5_000  # mentions, revisions, pictures or turns of one document
MOST_DIMENSIONS = 2_000


def check_memory(memory: Memory, path: str) -> None:
    """Pass for a memory that fits. Raises Invalid."""
    _check_text(memory.text, MOST_TEXT, f"{path}.text")
    for name, most in (
        ("icon", MOST_LABEL),
        ("kind", MOST_LABEL),
        ("who", MOST_SHORT),
        ("place", MOST_SHORT),
        ("said_when", MOST_SHORT),
    ):
        _check_text(getattr(memory, name) or "", most, f"{path}.{name}")
    for revision in memory.revisions:
        _check_text(revision.text, MOST_TEXT, f"{path}.revisions")
    for name in ("mentions", "revisions", "pictures", "embeddings"):
        if len(getattr(memory, name)) > MOST_ROWS:
            raise Invalid(f"{path}.{name}", f"at most {MOST_ROWS} are taken")
    for embedding in memory.embeddings:
        numbers_of(embedding, f"{path}.embeddings")


def check_tombstone(tombstone: Tombstone, path: str) -> None:
    """Pass for a tombstone that fits. Raises Invalid."""
    if len(tombstone.turns) > MOST_ROWS or len(tombstone.pictures) > MOST_ROWS:
        raise Invalid(path, f"at most {MOST_ROWS} turns and pictures are taken")


def check_session(session: ChatSession, path: str) -> None:
    """Pass for a conversation that fits. Raises Invalid."""
    _check_text(session.summary, MOST_TEXT, f"{path}.summary")
    if len(session.turns) > MOST_ROWS:
        raise Invalid(f"{path}.turns", f"at most {MOST_ROWS} are taken")
    for at, turn in enumerate(session.turns):
        _check_text(turn.text, MOST_TEXT, f"{path}.turns[{at}].text")
        _check_text(turn.who, MOST_WHO, f"{path}.turns[{at}].who")


def numbers_of(embedding: Embedding, path: str = "embedding") -> tuple[float, ...]:
    """An embedding's numbers: 32-bit floats, little-endian. Raises Invalid."""
    size = len(embedding.data)
    if not size or size % 4 or size > 4 * MOST_DIMENSIONS:
        raise Invalid(path, f"1 to {MOST_DIMENSIONS} 32-bit floats are expected")
    numbers = array("f", embedding.data)
    if not all(map(math.isfinite, numbers)):
        raise Invalid(path, "finite numbers are expected")
    return tuple(numbers)


def memory_is_ahead(memory: Memory, now_ms: int) -> bool:
    """Whether any stamp of a memory lies too far ahead of the house's clock."""
    stamps = [memory.text_at_ms, memory.visibility_at_ms, memory.learned_at_ms, memory.cover_at_ms or 0]
    stamps += [one.at_ms for one in memory.mentions]
    stamps += [one.at_ms for one in memory.revisions]
    return is_skewed(max(stamps), now_ms)


def action_is_ahead(action: SoftAction, now_ms: int) -> bool:
    """Whether a soft action's stamps lie too far ahead."""
    return is_skewed(max(action.at_ms, action.undone_at_ms or 0), now_ms)


def session_is_ahead(session: ChatSession, now_ms: int) -> bool:
    """Whether a conversation's stamps lie too far ahead."""
    return is_skewed(max(session.last_activity_at_ms, session.stamp_ms), now_ms)


def _check_text(text: str, most: int, path: str) -> None:
    if len(text) > most:
        raise Invalid(path, f"at most {most} characters are taken")
