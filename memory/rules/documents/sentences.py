"""The sentences of a page: lines only wrapped are one, labels and rows of a table stand alone. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

_END = re.compile(r"(?<=[.!?…])[\"'”’)]?\s+(?=[\"'“‘(]?[A-ZÇĞİÖŞÜ0-9☑☐•*-])")
_LABEL = re.compile(r"^[A-ZÇĞİÖŞÜ][^.:|]{1,40}:(?:\s|$)")
_BULLET = re.compile(r"^\s*(?:[•*·▪◦☑☐✓o-]|\d{1,2}[.)])\s+")
_SHORT = re.compile(
    r"\b(?:Dr|Uzm|Prof|Doç|Op|Vet|Hek|Mr|Mrs|Ms|No|vb|vs|approx|e\.g|i\.e|bkz|Sn|St|Psk|Erg|Fzt)\.$"
)


@dataclass(frozen=True)
class Sentence:
    """One sentence and where it stands in its page's text; `heading` is the label or heading above it."""

    text: str
    start: int
    end: int
    heading: str = ""


def sentences(text: str) -> list[Sentence]:
    """The sentences of one page, in order."""
    found: list[Sentence] = []
    heading = ""
    for start, end in _blocks(text):
        block = text[start:end]
        if _is_heading(block):
            heading = block.strip(" :\t")
            continue
        for first, last in _parts(block):
            words = " ".join(block[first:last].split())
            if words:
                found.append(Sentence(_unwrapped(block[first:last]), start + first, start + last, heading))
    return found


def _unwrapped(text: str) -> str:
    joined = re.sub(r"(?<=[^\W\d_])-\n\s*(?=[a-zçğıöşü])", "", text.strip())
    return " ".join(joined.split())


def _blocks(text: str) -> list[tuple[int, int]]:
    """Spans of lines that run on into one another."""
    spans: list[tuple[int, int]] = []
    at = 0
    open_ = False
    widest = max((len(line) for line in text.splitlines()), default=0)
    previous = ""
    for line in text.splitlines(keepends=True):
        end = at + len(line.rstrip())
        if not line.strip():
            open_ = False
        elif open_ and _runs_on(previous, line, widest):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((at + len(line) - len(line.lstrip()), end))
            open_ = True
        previous = line.rstrip()
        at += len(line)
    return spans


def _runs_on(previous: str, line: str, widest: int) -> bool:
    """Whether a line only continues the one above it."""
    if _LABEL.match(line) or _BULLET.match(line) or "  " in line.strip() or " | " in line:
        return False
    if "  " in previous.strip() or " | " in previous:
        return False
    first = line.lstrip()[0]
    if first.islower():
        return True
    return len(previous) > 0.7 * widest and len(previous) > 40


def _is_heading(block: str) -> bool:
    text = block.strip()
    if len(text) > 60 or "\n" in text or not any(map(str.isalpha, text)) or text.endswith((".", ";", ",")):
        return False
    if text.endswith(":"):
        return True
    words = re.findall(r"[^\W\d_]+", text)
    is_loud = text == text.upper() or sum(word[0].isupper() for word in words) >= len(words) - 1
    return (
        is_loud
        and ":" not in text
        and len(words) <= 6
        and not any(map(str.isdigit, text))
        and "|" not in text
    )


def _parts(block: str) -> list[tuple[int, int]]:
    parts: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(block):
        if _SHORT.search(block[start : match.start()]) or re.search(
            r"(?:^|\s)\d{1,2}\.$", block[start : match.start()]
        ):
            continue
        parts.append((start, match.start()))
        start = match.end()
    parts.append((start, len(block)))
    return parts
