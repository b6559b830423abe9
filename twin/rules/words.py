"""A text as folded words and signs, so that phone spelling, book spelling and both alphabets meet. Pure."""

from __future__ import annotations

import re
import unicodedata

from twin.rules.when.tokens import fold

_WORD = re.compile(r"[^\W_]+(?:['’ʼ`´][^\W_]+)*|[^\w\s]")


class Words:
    """The folded words of a text by position; beyond either end every word is empty."""

    def __init__(self, text: str) -> None:
        self.all = tuple(fold(word) for word in _WORD.findall(unicodedata.normalize("NFC", text)))

    def __len__(self) -> int:
        return len(self.all)

    def at(self, i: int) -> str:
        """The word or sign at `i`, or nothing."""
        return self.all[i] if 0 <= i < len(self.all) else ""

    def stand(self, i: int, *words: str) -> bool:
        """Whether exactly these words stand from `i` on."""
        return self.all[i : i + len(words)] == words
