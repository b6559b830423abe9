"""Pieces of a page that are searched and cited as one: whole paragraphs, none too long. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST = 700
SHORTEST = 160  # a shorter paragraph joins the next


@dataclass(frozen=True)
class Piece:
    """Characters `start` to `end` of a page's text."""

    start: int
    end: int


def pieces_of(text: str) -> list[Piece]:
    """The pieces of one page: in order, apart, covering every word."""
    joined: list[Piece] = []
    for one in _paragraphs(text):
        last = joined[-1] if joined else None
        if last is not None and last.end - last.start < SHORTEST and one.end - last.start <= LONGEST:
            joined[-1] = Piece(last.start, one.end)
        else:
            joined.append(one)
    return [part for one in joined for part in _cut(text, one)]


def _paragraphs(text: str) -> list[Piece]:
    found = []
    for match in re.finditer(r"\S(?:.*?\S)??(?=\s*\n\s*\n|\s*\Z)", text, re.S):
        found.append(Piece(match.start(), match.end()))
    return found


def _cut(text: str, piece: Piece) -> list[Piece]:
    parts: list[Piece] = []
    start = piece.start
    while piece.end - start > LONGEST:
        window = text[start : start + LONGEST]
        cuts = [m.end() for m in re.finditer(r"[.!?…]\s|\n", window) if m.end() > LONGEST // 3]
        spaces = [m.end() for m in re.finditer(r"\s", window)]
        size = cuts[-1] if cuts else spaces[-1] if spaces else LONGEST
        end = start + len(text[start : start + size].rstrip())
        if end > start:
            parts.append(Piece(start, end))
        start += size
        while start < piece.end and text[start].isspace():
            start += 1
    if start < piece.end:
        parts.append(Piece(start, piece.end))
    return parts
