"""A device's copy of the journal: its own lines, counted without a gap, and those it pulled."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from household.rules.canonical import canonical
from memory.device.copy import Copy, HeldLine
from memory.rules.journal import Line, Reach, emptied, expired, expires, loses_words, pictures_of

COLUMNS = "device, seq, envelope, words"
EXPIRED = '%"event":"Expired"%'


def _line(envelope: str, words: str | None) -> Line:
    return Line(json.loads(envelope), None if words is None else json.loads(words))


def _held(rows: Iterable[tuple[str, int, str, str | None]]) -> Iterator[HeldLine]:
    for device, seq, envelope, words in rows:
        yield HeldLine(device, seq, _line(envelope, words))


def keep_lines(copy: Copy, lines: Iterable[HeldLine], *, position: int | None = None) -> None:
    """Keep lines in place of what was there; `position` is the house's, None for one it may not have."""
    copy.db.executemany(
        "INSERT INTO line (device, seq, at_ms, turn, envelope, words, position) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (device, seq) DO UPDATE SET at_ms = excluded.at_ms, turn = excluded.turn,"
        " envelope = excluded.envelope, words = excluded.words,"
        " position = coalesce(excluded.position, position)",
        [
            (
                held.device,
                held.seq,
                held.line.at_ms,
                held.line.turn,
                canonical(held.line.envelope),
                None if held.line.words is None else canonical(held.line.words),
                position,
            )
            for held in lines
        ],
    )


def own_lines(copy: Copy, device: str, *, from_seq: int = 0, limit: int = 1_000_000_000) -> list[HeldLine]:
    """The lines of one device from a seq on."""
    asked = f"SELECT {COLUMNS} FROM line WHERE device = ? AND seq >= ? ORDER BY seq LIMIT ?"  # noqa: S608
    return list(_held(copy.db.execute(asked, [device, from_seq, limit])))


def all_lines(copy: Copy) -> list[HeldLine]:
    """Every line, by time."""
    asked = f"SELECT {COLUMNS} FROM line ORDER BY at_ms, device, seq"  # noqa: S608
    return list(_held(copy.db.execute(asked)))


def unplaced(copy: Copy, device: str) -> list[HeldLine]:
    """The lines of a device of which this copy does not know that the house has them."""
    asked = f"SELECT {COLUMNS} FROM line WHERE device = ? AND position IS NULL ORDER BY seq"  # noqa: S608
    return list(_held(copy.db.execute(asked, [device])))


def drop_unplaced(copy: Copy, device: str) -> None:
    """Drop those lines."""
    copy.db.execute("DELETE FROM line WHERE device = ? AND position IS NULL", [device])


def count(copy: Copy, device: str) -> int:
    """The seq a device's next line gets."""
    row = copy.db.execute("SELECT coalesce(max(seq) + 1, 0) FROM line WHERE device = ?", [device]).fetchone()
    return int(row[0])


def empty_reached(copy: Copy, reach: Reach) -> int:
    """Take the words of every line that a forgetting reaches. Gives how many lost theirs."""
    asked = f"SELECT {COLUMNS} FROM line WHERE words IS NOT NULL"  # noqa: S608
    reached = [held for held in _held(copy.db.execute(asked)) if loses_words(held.line, reach)]
    keep_lines(copy, [HeldLine(held.device, held.seq, emptied(held.line)) for held in reached])
    return len(reached)


def expire_old(copy: Copy, cutoff: int | None) -> int:
    """Leave nothing but their time of lines that are older than is kept. Gives how many."""
    if cutoff is None:
        return 0
    asked = f"SELECT {COLUMNS} FROM line WHERE at_ms < ? AND envelope NOT LIKE ?"  # noqa: S608
    old = [held for held in _held(copy.db.execute(asked, [cutoff, EXPIRED])) if expires(held.line, cutoff)]
    keep_lines(copy, [HeldLine(held.device, held.seq, expired(held.line)) for held in old])
    return len(old)


def shown_pictures(copy: Copy) -> set[str]:
    """The pictures some line shows."""
    asked = "SELECT device, seq, envelope, words FROM line WHERE envelope LIKE '%\"picture%'"
    return {name for held in _held(copy.db.execute(asked)) for name in pictures_of(held.line)}
