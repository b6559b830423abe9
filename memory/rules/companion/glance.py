"""The words of a text at a glance: at least those that the careful reading finds, much sooner. Pure.

A question that more words can only turn from no to yes is asked of these first. Where the answer is no, the
careful reading (`phrases.plain_words`) is spared; where a glance cannot be sure of the words it says so.
"""

from __future__ import annotations

import re
from string import ascii_lowercase

from memory.rules.companion.phrases import LONGER, MOST
from twin.reading.tokens import plain, typed

LETTER = re.compile(r"[^\W\d_ʼ]")
APOSTROPHES = "'’ʼ`´"
ODD = "\x01"  # stands for a letter that is no plain one, however it is spelled
MOST_KNOWN = 4_096  # characters whose spelling is remembered
RUNS = tuple(letter * 3 for letter in ascii_lowercase)


class _Plain(dict[int, str]):
    """Each character as it is compared: a plain letter, an apostrophe, `ODD`, or a blank for all else."""

    def __missing__(self, code: int) -> str:
        found = _spelled(chr(code))
        if len(self) < MOST_KNOWN:
            self[code] = found
        return found


def _spelled(character: str) -> str:
    if character in APOSTROPHES:
        return "'"
    if not LETTER.fullmatch(character):
        return " "
    found = plain(typed(character))
    return found if found.isascii() and found.isalpha() else ODD


PLAIN = _Plain()


def glance(text: str) -> set[str] | None:
    """Every plain word that `plain_words` finds in a text, but numbers and ends, and perhaps more words.

    A word longer than the careful reading takes stands here whole. None where the text has letters of other
    alphabets or apostrophes side by side: only the careful reading knows what to make of those.
    """
    words = _words(text[:MOST])
    if words is not None and _has_run(words):
        return _words(LONGER.sub(r"\1", text[:MOST]))
    return words


def _words(text: str) -> set[str] | None:
    line = text.translate(PLAIN)
    if ODD in line or "''" in line:
        return None
    return set(line.replace("'", "").split())


def _has_run(words: set[str]) -> bool:
    """Whether a letter stands three times in a row, which is read as once."""
    line = " ".join(words)
    return any(run in line for run in RUNS)


__all__ = ["glance"]
