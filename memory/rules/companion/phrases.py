"""Phrases of a small language of their own, found in what a child typed. Pure.

A phrase is words in a row. `a|b` is either word, `kes-` a stem with any suffix that does not negate it,
`kes~` a stem with any suffix, `..` up to three words between, `...` up to eight, `#` the start of a clause,
`|` its end.
A text is compared in plain letters without accents; marks end a clause, and no phrase goes on past one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from twin.reading.english import one_slip
from twin.reading.tokens import LONGEST_WORD, plain, tokenise, typed

MOST = 2_000  # characters of one text
SLIP_FROM = 6
ENDS = frozenset(".!?;:\n")
TAIL = 14
# What makes a Turkish verb negative, right behind its stem, in plain letters.
NEGATIVE = r"(?:m[ae]z|m[ae]d[iu]|m[iu]yo|m[ae]m\b|m[ae]mis|m[ae]y[ae]c|m[ae]sin|m[ae]se|m[ae]sa)"
ASCII = re.compile(r"[a-z]+(?:['`][a-z]+)*|[0-9]+(?:[.,:][0-9]+)?|[.!?;:\n]")
APOSTROPHE = re.compile("['`]")
LONGER = re.compile(r"(.)\1{2,}")


def normalised(text: str, *, forms: Mapping[str, str], slips: Iterable[str] = ()) -> str:
    """A text as words in plain letters between blanks, `|` where a clause ends."""
    return line_of(plain_words(text), forms=forms, slips=tuple(slips))


def plain_words(text: str) -> list[str]:
    """The words and numbers of a text in plain letters, `|` where a clause ends."""
    read = LONGER.sub(r"\1", text[:MOST])
    if read.isascii():
        return ["|" if raw in ENDS else raw[:LONGEST_WORD] for raw in _ascii(read.lower())]
    found = []
    for token in tokenise(read):
        if token.is_word or token.is_number:
            found.append(token.plain)
        elif token.raw in ENDS:
            found.append("|")
    return found


def _ascii(read: str) -> list[str]:
    """The same cut as `tokenise` makes, where every letter is a plain one already."""
    raws = ASCII.findall(read)
    return [APOSTROPHE.sub("", raw[:LONGEST_WORD]) for raw in raws] if APOSTROPHE.search(read) else raws


def line_of(words: Iterable[str], *, forms: Mapping[str, str], slips: tuple[str, ...] = ()) -> str:
    """Plain words between blanks, each as it was meant."""
    line = f" {' '.join(slipped(word, slips) for word in words)} "
    for said, meant in forms.items():
        line = line.replace(f" {said} ", f" {meant} ")
    return line


def slipped(word: str, known: tuple[str, ...]) -> str:
    """The known word that this one misses by a slip of the finger, else the word itself."""
    if len(word) < SLIP_FROM - 1 or word in known:
        return word
    return next((one for one in known if one[0] == word[0] and one_slip(word, one)), word)


@lru_cache(maxsize=4096)
def compiled(phrase: str) -> re.Pattern[str]:
    """A phrase as the expression that finds it in a normalised text."""
    parts = [_part(word) for word in phrase.split()]
    return re.compile("".join(parts) + r"(?= )", re.ASCII)


def _part(word: str) -> str:
    if word == "..":
        return r"(?: [^ |]+){0,3}?"
    if word == "...":
        return r"(?: [^ |]+){0,8}?"
    if word == "#":
        return r"(?:^|(?<=\|))"
    if word == "|":
        return r"(?: \||(?= $))"
    return f" (?:{'|'.join(_word(one) for one in word.split('|'))})"


def _word(word: str) -> str:
    bare = re.escape(plain(typed(word.rstrip("-~"))))
    if word.endswith("-"):
        return rf"{bare}(?!{NEGATIVE})\w{{0,{TAIL}}}"
    return rf"{bare}\w{{0,{TAIL}}}" if word.endswith("~") else bare


def spans(phrase: str, line: str) -> list[tuple[int, int]]:
    """Where a phrase stands in a normalised text."""
    return [match.span() for match in compiled(phrase).finditer(line)]


def has_any(phrases: Iterable[str], line: str) -> bool:
    """Whether any of the phrases stands in a normalised text."""
    return any(compiled(phrase).search(line) for phrase in phrases)


__all__ = ["compiled", "has_any", "line_of", "normalised", "plain_words", "slipped", "spans"]
