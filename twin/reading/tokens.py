"""Cuts a statement into words, numbers and marks, each with its place in the text. One linear pass."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

MAX_CHARS = 10_000
LONGEST_WORD = 40

_LETTERS = r"[^\W\d_ʼ]+"  # ʼ is a letter to Unicode, and an apostrophe to people
_TOKEN = re.compile(rf"\d+(?:[.,:]\d+)?|{_LETTERS}(?:['’ʼ`´]{_LETTERS})*|\n|[^\w\s]|_")
_APOSTROPHES = str.maketrans("", "", "'’ʼ`´")
_TURKISH_LOWER = str.maketrans({"I": "ı", "İ": "i"})
_SPECIAL = str.maketrans({"ı": "i", "ß": "ss", "æ": "ae"})


@dataclass
class Token:
    """One word, number or mark. `plain` is lower-case ASCII, `proper` lower-case with its accents."""

    start: int
    end: int
    raw: str
    plain: str
    proper: str
    is_word: bool
    is_number: bool
    keys: frozenset[str] = frozenset()
    is_end: bool = False
    suffixes: dict[str, str] = field(default_factory=dict)

    @property
    def is_mark(self) -> bool:
        """Whether this is punctuation, an emoji or a line end."""
        return not self.is_word and not self.is_number


def lower(word: str, language: str) -> str:
    """Lower case by the language's own rule: in Turkish I is ı and İ is i."""
    lowered = word.translate(_TURKISH_LOWER).lower() if language == "tr" else word.lower()
    return lowered.replace("i̇", "i")


def typed(word: str) -> str:
    """Lower case as typed on any phone: a capital I may mean either Turkish letter, so it stays plain."""
    return word.replace("İ", "i").lower().replace("i̇", "i")


def plain(word: str) -> str:
    """ASCII without accents or apostrophes, of an already lower-case word."""
    if word.isascii():
        return word.translate(_APOSTROPHES)
    spread = unicodedata.normalize("NFKD", word.translate(_SPECIAL).translate(_APOSTROPHES))
    return "".join(c for c in spread if not unicodedata.combining(c))


def tokenise(text: str) -> list[Token]:
    """Every word, number and mark of `text` in order."""
    found = []
    for match in _TOKEN.finditer(text):
        raw = match.group()
        is_number = raw[0].isdigit()
        is_word = not is_number and raw[0].isalpha()
        proper = typed(raw[:LONGEST_WORD]) if is_word else raw
        found.append(
            Token(match.start(), match.end(), raw, _plain_or_raw(proper, is_word), proper, is_word, is_number)
        )
    return found


def _plain_or_raw(proper: str, is_word: bool) -> str:
    """Never empty: a letter that is nothing but an accent stays as it is."""
    return (plain(proper).strip() or proper) if is_word else proper
