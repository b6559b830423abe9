"""Spans: when each character of a text is heard, as a start and an end in milliseconds.

A voice that tells how long each phoneme lasts places the words exactly; within a word, and for a
voice that does not tell, time is shared out in proportion. Stored as 32-bit little-endian integers, start and
end in turn.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from itertools import pairwise

from voice.rules.speakable.pieces import Spoken

Span = tuple[int, int]
_WORD = re.compile(r"\S+")
BYTES_PER_CHARACTER = 8
# What one sign weighs against a letter: a stop at the end of a word is heard as a pause.
_WEIGHTS = {",": 2.0, ";": 2.5, ":": 2.5, ".": 3.0, "!": 3.0, "?": 3.0, "…": 3.0}


def pack(spans: Sequence[Span]) -> bytes:
    """Spans as they are stored and sent."""
    flat = [edge for span in spans for edge in span]
    return struct.pack(f"<{len(flat)}i", *flat)


def unpack(raw: bytes) -> tuple[Span, ...]:
    """Spans as they were packed. Raises ValueError where the bytes are no spans."""
    if len(raw) % BYTES_PER_CHARACTER:
        raise ValueError("spans come in pairs of 32 bits")
    flat = struct.unpack(f"<{len(raw) // 4}i", raw)
    return tuple(zip(flat[::2], flat[1::2], strict=True))


def fits(raw: bytes, text: str, duration_ms: int) -> bool:
    """Whether stored spans can be those of this text: one for each character, in order, within the sound."""
    if len(raw) != BYTES_PER_CHARACTER * len(text):
        return False
    at = 0
    for start, end in unpack(raw):
        if not at <= start <= end <= duration_ms:
            return False
        at = start
    return bool(text) and any(end > start for start, end in unpack(raw))


def word_bounds(said: str) -> list[Span]:
    """The words [start, end) of what is said; a mark that stands alone belongs to no word."""
    return [m.span() for m in _WORD.finditer(said) if any(c.isalnum() for c in m[0])]


def spoken_times(
    said: str, duration_ms: float, groups: Sequence[tuple[int, float, float]] = ()
) -> list[Span]:
    """For each character of what is said, when it is heard.

    `groups` are the voice's own words as (phonemes, start ms, end ms); without them words share the whole
    time by their letters. A gap between words belongs to the first character in it.
    """
    words = word_bounds(said)
    if not words:
        edges = [_ms(duration_ms * i / max(1, len(said))) for i in range(len(said) + 1)]
        return list(pairwise(edges))
    bounds = _from_groups(said, words, groups) if groups else _proportional(said, words, duration_ms)
    times: list[Span] = []
    before = 0.0
    for (first, last), (start, end) in zip(words, bounds, strict=True):
        times += _gap(before, start, first - len(times))
        step = (end - start) / (last - first)
        times += [(_ms(start + i * step), _ms(start + (i + 1) * step)) for i in range(last - first)]
        before = end
    return times + _gap(before, duration_ms, len(said) - len(times))


def _gap(start: float, end: float, count: int) -> list[Span]:
    return [(_ms(start), _ms(end))][:count] + [(_ms(end), _ms(end))] * (count - 1)


def _ms(at: float) -> int:
    """A whole number of ms, never past the sound's end; sums of fractions may lie a hair below it."""
    return int(at + 1e-6)


def _weight(word: str) -> float:
    return sum(1.0 if letter.isalnum() else _WEIGHTS.get(letter, 0.5) for letter in word)


def _proportional(said: str, words: Sequence[Span], duration_ms: float) -> list[tuple[float, float]]:
    weights = [_weight(said[a:b]) + 1.0 for a, b in words]
    share = duration_ms / sum(weights)
    bounds, at = [], 0.0
    for weight in weights:
        bounds.append((at, at + weight * share))
        at += weight * share
    return bounds


def _from_groups(
    said: str, words: Sequence[Span], groups: Sequence[tuple[int, float, float]]
) -> list[tuple[float, float]]:
    sizes = [max(1, sum(c.isalnum() for c in said[a:b])) for a, b in words]
    bounds: list[tuple[float, float]] = []
    for took, held in matched(sizes, [count for count, _, _ in groups]):
        start, end = groups[held[0]][1], groups[held[-1]][2]
        total, at = sum(sizes[i] for i in took), start
        for index in took:
            share = (end - start) * sizes[index] / total
            bounds.append((at, at + share))
            at += share
    return bounds


def matched(words: Sequence[int], groups: Sequence[int]) -> list[tuple[range, range]]:
    """Which words are which groups of phonemes, in order, by their lengths.

    A voice runs some words together ("of the") and parts others, so each side may take several of the
    other. The cheapest such matching, by dynamic programming.
    """
    scale = sum(groups) / sum(words) if sum(words) and sum(groups) else 1.0
    best: dict[tuple[int, int], tuple[float, tuple[int, int]]] = {(0, 0): (0.0, (0, 0))}
    for i in range(len(words) + 1):
        for j in range(len(groups) + 1):
            choices = [
                (best[back][0] + _misfit(words[back[0] : i], groups[back[1] : j], scale), back)
                for back in _before(i, j, len(words), len(groups))
                if back in best
            ]
            if choices:
                best[(i, j)] = min(choices)
    pairs, at = [], (len(words), len(groups))
    while at != (0, 0):
        back = best[at][1]
        pairs.append((range(back[0], at[0]), range(back[1], at[1])))
        at = back
    return pairs[::-1]


def _before(i: int, j: int, words: int, groups: int) -> Iterator[tuple[int, int]]:
    """Where a matching that reaches word i and group j may have come from: one to some, or some to one."""
    most_words, most_groups = max(4, words - groups + 1), max(6, groups - words + 1)
    if i and j:
        yield from ((i - n, j - 1) for n in range(1, min(i, most_words) + 1))
        yield from ((i - 1, j - n) for n in range(2, min(j, most_groups) + 1))


def _misfit(words: Sequence[int], groups: Sequence[int], scale: float) -> float:
    off = abs(sum(words) * scale - sum(groups))
    return off + 1.5 * (len(words) - 1) + 1.5 * (len(groups) - 1)


def text_spans(spoken: Spoken, times: Sequence[Span]) -> list[Span]:
    """The spans of the text's own characters, from those of what is said for it.

    What is said as written keeps its times; a rewritten part shares its whole time among its characters; a
    part that is not said has no time of its own. With the times of a beginning only, gives the spans of the
    characters that are complete.
    """
    spans: list[Span] = []
    at, now = 0, 0
    for piece in spoken.pieces:
        said = times[at : at + len(piece.spoken)]
        at += len(piece.spoken)
        if piece.is_same:
            spans += said
        elif len(said) < len(piece.spoken):
            break
        else:
            start, end = (said[0][0], said[-1][1]) if said else (now, now)
            count = piece.end - piece.start
            edges = [start + (end - start) * i // count for i in range(count + 1)] if count else []
            spans += list(pairwise(edges))
        now = spans[-1][1] if spans else now
        if len(said) < len(piece.spoken):
            break
    return spans


def shifted(spans: Sequence[Span], by_ms: int) -> list[Span]:
    """Spans that begin later."""
    return [(start + by_ms, end + by_ms) for start, end in spans]
