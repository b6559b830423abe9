"""Splits a statement into folded tokens with their places in it. One pass, linear in the text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container
from dataclasses import dataclass

LETTERS = r"[^\W\d_]+"
TOKEN = re.compile(rf"\d+|{LETTERS}(?:['’ʼ`´]{LETTERS})?|[^\w\s]|_")
APOSTROPHES = frozenset("'’ʼ`´")
SPECIAL = str.maketrans({"ı": "i", "ß": "ss", "–": "-", "—": "-", "−": "-", "‑": "-"})
LONGEST_WORD = 32


@dataclass(frozen=True)
class Token:
    """One word, number or sign. `fold` is lower-case ASCII without apostrophes; `glued`: no space before."""

    start: int
    end: int
    raw: str
    fold: str
    glued: bool


def fold(word: str) -> str:
    """Lower-case without accents, dots or apostrophes, so that phone spelling and book spelling meet."""
    if word.isascii():
        return word.lower().replace("'", "").replace("`", "") if len(word) > 1 else word.lower()
    plain = unicodedata.normalize("NFKD", word.lower().translate(SPECIAL))
    kept = "".join(c for c in plain if not unicodedata.combining(c))
    return "".join(c for c in kept if c not in APOSTROPHES) if len(word) > 1 else kept


class Line:
    """The tokens of one statement, read by position; beyond either end every word is empty."""

    def __init__(self, text: str, spell: Callable[[str, str], str]) -> None:
        found: list[Token] = []
        matches = list(TOKEN.finditer(text))
        for n, match in enumerate(matches):
            raw = match.group()
            if raw in APOSTROPHES and _joins(matches, n):
                continue
            glued = n > 0 and matches[n - 1].end() == match.start()
            folded = spell(fold(raw), raw) if len(raw) <= LONGEST_WORD else "_"
            found.append(Token(match.start(), match.end(), raw, folded, glued))
        self.text = text
        self.tokens = tuple(found)
        self._folds = [token.fold for token in found]

    def __len__(self) -> int:
        return len(self.tokens)

    def at(self, i: int) -> str:
        """The folded word at `i`, or nothing."""
        return self._folds[i] if 0 <= i < len(self._folds) else ""

    def raw(self, i: int) -> str:
        """The word at `i` as written, or nothing."""
        return self.tokens[i].raw if 0 <= i < len(self.tokens) else ""

    def glued(self, i: int) -> bool:
        """Whether the token at `i` follows the one before without a space."""
        return 0 <= i < len(self.tokens) and self.tokens[i].glued

    def follows(self, i: int, *words: str) -> bool:
        """Whether exactly these words stand from `i` on."""
        return i >= 0 and tuple(self._folds[i : i + len(words)]) == words

    def phrase(self, i: int, phrases: Container[tuple[str, ...]]) -> int:
        """How many tokens from `i` make the longest phrase of the table; 0 when none does."""
        ahead = tuple(self._folds[i : i + 6]) if i >= 0 else ()
        for length in range(len(ahead), 0, -1):
            if ahead[:length] in phrases:
                return length
        return 0


def _joins(matches: list[re.Match[str]], n: int) -> bool:
    """An apostrophe between a number and its suffix ("2023'ten") is glue, not a sign."""
    if n == 0 or n + 1 >= len(matches):
        return False
    before, here, after = matches[n - 1], matches[n], matches[n + 1]
    touching = before.end() == here.start() and here.end() == after.start()
    return touching and before.group()[-1].isalnum() and after.group()[0].isalnum()


def near(word: str, vocabulary: dict[str, tuple[str, ...]]) -> str:
    """The word of a closed vocabulary (grouped by first letter) that `word` misspells, or nothing."""
    if not 5 <= len(word) <= 12:
        return ""
    for candidate in vocabulary.get(word[0], ()):
        allowed = 1 if len(candidate) < 8 else 2
        if abs(len(candidate) - len(word)) <= allowed and edits(word, candidate) <= allowed:
            return candidate
    return ""


def edits(one: str, other: str) -> int:
    """Edit distance between two short words, a swap of neighbours counting once."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]
