"""A device whose clock was wrong: it learns its offset and stamps again what was never acknowledged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from household.rules.clock import Offset, restamped
from household.rules.registers import Register
from memory.device.lines import keep_lines, own_lines, unplaced
from memory.device.tablet import Tablet
from memory.rules.journal import Line
from memory.rules.merge import ChatSession, Memory, SoftAction, Tombstone, normal

Moved = Mapping[int, int]


def set_right(tablet: Tablet, *, offset_ms: int, next_seq: int) -> None:
    """Keep the offset to the house's clock and move every open stamp; nothing is dropped, turn ids stay.

    Stamps the house acknowledged stay as they are; `next_seq` is the first line of this device it lacks.
    """
    copy = tablet.copy
    with tablet.writing():
        before = int(copy.about("offset_ms", 0))
        copy.note(offset_ms=offset_ms)
        correction = Offset(offset_ms - before)
        moved = restamped(copy.open_stamps(), correction, now_ms=tablet.now_ms())
        held = own_lines(copy, tablet.device, from_seq=next_seq)
        held += [one for former in copy.about("former", []) for one in unplaced(copy, former)]
        keep_lines(copy, [replace(one, line=_line(one.line, moved)) for one in held])
        for kind in ("memory", "tombstone", "soft_action", "session", "register"):
            for document, _ in list(copy.documents(kind, pending=True)):
                copy.keep(kind, document_at(document, moved, tablet.device), is_pending=True)
        tablet.store = copy.store()
        copy.close_stamps()
        for at in moved.values():
            copy.note_stamp(at)
        copy.note(seen_ms=max([int(copy.about("house_seen_ms", 0)), *moved.values()]))


def _line(held: Line, moved: Moved) -> Line:
    return replace(held, envelope={**held.envelope, "at_ms": moved.get(held.at_ms, held.at_ms)})


def document_at(document: Any, moved: Moved, device: str) -> Any:
    """A document with this device's open stamps moved."""

    def to(at: int) -> int:
        return moved.get(at, at)

    match document:
        case Register() | Tombstone():
            return replace(document, at_ms=to(document.at_ms))
        case SoftAction():
            undone = document.undone_at_ms
            return replace(
                document, at_ms=to(document.at_ms), undone_at_ms=None if undone is None else to(undone)
            )
        case ChatSession():
            return replace(
                document,
                last_activity_at_ms=to(document.last_activity_at_ms),
                stamp_ms=to(document.stamp_ms),
                turns=tuple(replace(turn, at_ms=to(turn.at_ms)) for turn in document.turns),
            )
        case Memory():
            return _memory(document, moved, device)
    return document


def _memory(memory: Memory, moved: Moved, device: str) -> Memory:
    def to(at: int) -> int:
        return moved.get(at, at)

    mentions = (replace(m, at_ms=to(m.at_ms)) if m.device == device else m for m in memory.mentions)
    revisions = (replace(r, at_ms=to(r.at_ms), text_at_ms=to(r.text_at_ms)) for r in memory.revisions)
    cover = memory.cover_at_ms
    return normal(
        replace(
            memory,
            learned_at_ms=to(memory.learned_at_ms),
            text_at_ms=to(memory.text_at_ms),
            visibility_at_ms=to(memory.visibility_at_ms),
            cover_at_ms=None if cover is None else to(cover),
            mentions=frozenset(mentions),
            revisions=tuple(revisions),
        )
    )
