"""A text as folded words and signs, so that phone spelling, book spelling and both alphabets meet. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from twin.rules.when.tokens import fold

_WORD = re.compile(r"[^\W_]+(?:['’ʼ`´][^\W_]+)*|[^\w\s]")


class Words:
    """The folded words of a text by position; beyond either end every word is empty."""

    def __init__(self, text: str) -> None:
        self.all = tuple(fold(word) for word in _WORD.findall(unicodedata.normalize("NFC", text)))
        self._places: dict[str, list[int]] = {}
        for i, word in enumerate(self.all):
            self._places.setdefault(word, []).append(i)

    def __len__(self) -> int:
        return len(self.all)

    def at(self, i: int) -> str:
        """The word or sign at `i`, or nothing."""
        return self.all[i] if 0 <= i < len(self.all) else ""

    def places(self, word: str, *, is_stem: bool = False) -> Iterator[int]:
        """Where this word stands, or every word that begins with it."""
        if not is_stem:
            yield from self._places.get(word, ())
            return
        for each, places in self._places.items():
            if each.startswith(word):
                yield from places

    def stand(self, i: int, *words: str) -> bool:
        """Whether exactly these words stand from `i` on."""
        return self.all[i : i + len(words)] == words
