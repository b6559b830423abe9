"""Where a text is cut for streaming: a short first clause, then sentences, long ones at their commas.

Works on what is said, in which a full stop ends a sentence and nothing else: numbers and
abbreviations are words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

FIRST_LEAST, FIRST_MOST = 12, 60
REST_MOST = 220
_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|$)|\n\s*\n|\n")
_CLAUSE_END = re.compile(r"[,;:](?=\s)|\s[–—-](?=\s)|\)(?=\s)")
_JOINS = re.compile(
    r"\s(?=(?:and|but|because|so|while|when|which|that|although|if|after|before|then|until"
    r"|ve|ama|fakat|çünkü|ancak|ki|sonra|eğer|yoksa)\s)"
)
_SPACE = re.compile(r"\s")


def units(said: str) -> tuple[tuple[int, int], ...]:
    """The parts [start, end) that are spoken one after the other; together they are the whole text."""
    cuts = [0, *_cuts(said), len(said)]
    return tuple((a, b) for a, b in pairwise(cuts) if b > a)


def _cuts(said: str) -> Iterator[int]:
    start, most = 0, FIRST_MOST
    while start < len(said):
        end = _sentence_end(said, start)
        while end - start > most:
            cut = _clause_cut(said, start, end, most)
            if cut is None:
                break
            yield cut
            start, most = cut, REST_MOST
        if end < len(said):
            yield end
        start, most = end, REST_MOST


def _sentence_end(said: str, start: int) -> int:
    """Where the sentence ends; one of a word or two takes the next along."""
    for found in _SENTENCE_END.finditer(said, start):
        if found.end() - start >= FIRST_LEAST and any(c.isalnum() for c in said[start : found.end()]):
            rest = said[found.end() :]
            return found.end() if any(c.isalnum() for c in rest[:400]) or len(rest) > 400 else len(said)
    return len(said)


def _clause_cut(said: str, start: int, end: int, most: int) -> int | None:
    """The best place to breathe: a comma near the limit, else before a joining word, else any space."""
    window = said[start + FIRST_LEAST : min(end - FIRST_LEAST, start + 2 * most)]
    ahead = start + FIRST_LEAST
    for pattern in (_CLAUSE_END, _JOINS, _SPACE):
        places = [ahead + found.end() for found in pattern.finditer(window)]
        near = [place for place in places if place - start <= most]
        if near:
            return near[0] if most == FIRST_MOST and pattern is not _SPACE else near[-1]
    if found := _SPACE.search(window):
        return ahead + found.end()
    return start + 2 * most if end - start > 2 * most else None  # one endless word
