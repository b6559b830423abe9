"""Markers in an answer: which were supplied, which were invented, and what rests on none. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

_MARKS = re.compile(r"\s?[\[【]\s*([A-Z]\d{1,4}(?:\s*[,;]\s*[A-Z]\d{1,4})*)\s*[\]】]")
_ONE = re.compile(r"[A-Z]\d{1,4}")
_PLACED = re.compile(r"\[([A-Z]\d{1,4})\]")
MOST_CHARS = 12_000  # of one answer
SHORT_CLAIM = 25  # a paragraph shorter than this, or one that asks, claims nothing


@dataclass(frozen=True)
class Mark:
    """A marker inside a paragraph."""

    name: str


@dataclass(frozen=True)
class Block:
    """One heading, item or paragraph; `is_unsupported` where it claims something without a marker."""

    kind: Literal["heading", "item", "paragraph"]
    parts: tuple[str | Mark, ...]
    is_unsupported: bool = False


@dataclass(frozen=True)
class Resolved:
    """A text whose every marker was supplied, which ones it has, and how many were taken out."""

    text: str
    marks: tuple[str, ...]
    removed: int


def resolve(text: str, supplied: Collection[str]) -> Resolved:
    """The text with markers of `supplied` alone; any other is removed and counted."""
    kept: dict[str, None] = {}
    removed = 0

    def placed(match: re.Match[str]) -> str:
        nonlocal removed
        names = _ONE.findall(match[1])
        held = [name for name in names if name in supplied]
        removed += len(names) - len(held)
        kept.update(dict.fromkeys(held))
        return (" " if held else "") + "".join(f"[{name}]" for name in held)

    clean = _MARKS.sub(placed, text[:MOST_CHARS])
    return Resolved(clean, tuple(kept), removed)


def blocks_of(text: str, *, is_judged: bool = False) -> list[Block]:
    """A resolved text as blocks; with `is_judged`, a claim without a marker is marked as such."""
    return [_block(line, is_judged=is_judged) for line in text.splitlines() if line.strip()]


def unsupported(text: str) -> int:
    """How many paragraphs claim something and rest on nothing."""
    return sum(one.is_unsupported for one in blocks_of(text, is_judged=True))


def _block(line: str, *, is_judged: bool) -> Block:
    line = line.strip()
    if line.startswith("#"):
        return Block("heading", (line.lstrip("# ").replace("*", ""),))
    kind: Literal["item", "paragraph"] = "item" if line[:2] in ("- ", "* ", "• ") else "paragraph"
    parts = tuple(_parts(line[2:] if kind == "item" else line))
    return Block(kind, parts, is_judged and _is_bare_claim(parts))


def _parts(line: str) -> Iterator[str | Mark]:
    at = 0
    for match in _PLACED.finditer(line):
        if before := line[at : match.start()].replace("**", ""):
            yield before
        yield Mark(match[1])
        at = match.end()
    if rest := line[at:].replace("**", ""):
        yield rest


def _is_bare_claim(parts: tuple[str | Mark, ...]) -> bool:
    if any(isinstance(part, Mark) for part in parts):
        return False
    words = " ".join(part for part in parts if isinstance(part, str)).strip()
    return len(words) >= SHORT_CLAIM and not words.endswith(("?", ":"))
