"""Words, numbers and marks, of any script."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from twin.reading.tokens import tokenise


def test_every_letter_there_is_makes_a_word_that_says_something() -> None:
    letters = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code))[0] == "L"]
    empty = [letter for letter in letters for token in tokenise(letter) if not token.plain]
    assert len(letters) > 100_000 and empty == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I ʼ want", ["I", "want"]),
        ("donʼt ʼtis ʼ", ["donʼt", "tis"]),
        ("don't don’t", ["don't", "don’t"]),
        ("", []),
    ],
)
def test_an_apostrophe_is_no_word_by_itself(text: str, words: list[str]) -> None:
    assert [token.raw for token in tokenise(text) if token.is_word] == words
