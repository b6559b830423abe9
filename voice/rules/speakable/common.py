"""What every language reads the same way: the book's own marks and signs without a sound are dropped."""

from __future__ import annotations

import re
import unicodedata

from voice.rules.speakable.pieces import Rule

_PICTURES = "\U0001f000-\U0001faff\U0001fc00-\U0001fffd←-⇿⌀-➿⬀-⯿☀-⛿️‍⃣\U000e0020-\U000e007f"


def nothing(_match: re.Match[str]) -> str:
    """Say nothing."""
    return ""


def _pause(_match: re.Match[str]) -> str:
    return ", "


def _unsaid(match: re.Match[str]) -> str | None:
    """Nothing for a letter of a script the voices do not read; everything else is kept."""
    letter = match[0]
    name = unicodedata.name(letter, "")
    if unicodedata.category(letter)[0] in "LM":
        return None if name.startswith(("LATIN", "MODIFIER", "COMBINING", "FEMININE", "MASCULINE")) else ""
    return "" if unicodedata.category(letter)[0] in "SC" and letter not in "\n\t+=<>|^~`$" else None


# Markers of evidence [E1], [E1, E3]; record ids, bare or in brackets; a list's bullet or dash; headings.
FIRST: tuple[Rule, ...] = (
    (re.compile(r"(?<![ \t])[ \t]*\[\s*E\d+(?:\s*[,;–-]\s*E?\d+)*\s*\]"), nothing),
    (re.compile(r"(?<![ \t])[ \t]*[(\[]\s*rec_\d+(?:\s*[,;]\s*rec_\d+)*\s*[)\]]", re.IGNORECASE), nothing),
    (re.compile(r"(?<![ \t])[ \t]*(?<!\w)rec_\d+\b", re.IGNORECASE), nothing),
    (re.compile(r"^[ \t]*(?:[•●▪‣*·]+|[-–—](?![\d.,]))[ \t]+", re.MULTILINE), nothing),
    (re.compile(r"^[ \t]*[-–—](?=[^\W\d])", re.MULTILINE), nothing),
    (re.compile(r"^#{1,6}[ \t]+", re.MULTILINE), nothing),
    (re.compile(r"\*\*|__|`+"), nothing),
    (re.compile(rf"(?<![ \t])[ \t]*[{_PICTURES}]+"), nothing),
    (re.compile(r"(?<![ \t])[ \t]+[–—][ \t]+"), _pause),
)
LAST: tuple[Rule, ...] = ((re.compile(r"[^\x00-\x7f]"), _unsaid),)
