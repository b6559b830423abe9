"""What everyday matters are called in English and Turkish, so that question and book meet. Pure.

The concepts are `memory/data/concepts.toml`, read once. A concept has English words (compared by stem) and
Turkish stems (a word begins with one and is at most `TAIL` letters longer); `a+b` is a phrase whose words
stand in a row. Both are tried on every text: a household writes in one language and may ask in another.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files

from twin.reading.english import one_slip, stem
from twin.reading.tokens import plain, tokenise

TAIL = 9
LONG_TURKISH = 8  # a Turkish word has more neighbours
LONG = 6  # letters from which on one slip of the finger is forgiven


@dataclass(frozen=True)
class Concept:
    """One matter: its words, the body system it belongs to, and whether naming it narrows a question."""

    en: tuple[str, ...]
    tr: tuple[str, ...]
    category: str = ""
    is_place: bool = False
    near: Mapping[str, float] = field(default_factory=dict)


@cache
def concepts() -> Mapping[str, Concept]:
    """Every concept by its name."""
    raw = tomllib.loads(files("memory.data").joinpath("concepts.toml").read_text("utf-8"))
    return {
        name: Concept(
            tuple(one["en"].split()),
            tuple(one["tr"].split()),
            one.get("category", ""),
            bool(one.get("is_place")),
            one.get("near", {}),
        )
        for name, one in raw.items()
    }


@dataclass(frozen=True)
class Found:
    """One concept named in a text, and the words (by number) that name it."""

    name: str
    first: int
    last: int  # exclusive


@lru_cache(maxsize=4096)
def folded(text: str) -> tuple[str, ...]:
    """The words of a text, lower case and ASCII, numbers included."""
    return tuple(plain(one.proper) if one.is_word else one.raw for one in tokenise(text) if not one.is_mark)


@cache
def _table() -> tuple[dict[str, list[tuple[str, tuple[str, ...]]]], list[tuple[str, tuple[str, ...]]]]:
    """English phrases by the stem of their first word, and every Turkish phrase."""
    english: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    turkish: list[tuple[str, tuple[str, ...]]] = []
    for name, concept in concepts().items():
        for phrase in concept.en:
            words = tuple(stem(word) for word in phrase.replace("-", "+").split("+"))
            english.setdefault(words[0], []).append((name, words))
        turkish += [(name, tuple(phrase.split("+"))) for phrase in concept.tr]
    return english, turkish


@cache
def _turkish_by_letters() -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """Turkish phrases by the first two letters of their first stem."""
    by_letters: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for name, words in _table()[1]:
        by_letters.setdefault(words[0][:2], []).append((name, words))
    return by_letters


def _begins(word: str, turkish_stem: str) -> bool:
    return word.startswith(turkish_stem) and len(word) <= len(turkish_stem) + TAIL


def _stands(words: Sequence[str], at: int, phrase: tuple[str, ...]) -> int:
    """How many words the Turkish phrase takes here, 0 where it does not stand; "x+" has a short tail."""
    parts = [part for part in phrase if part]
    if len(words) - at < len(parts):
        return 0
    if len(phrase) != len(parts):  # a short stem, written with a plus behind it
        return int(words[at].startswith(parts[0]) and len(words[at]) <= len(parts[0]) + 3)
    return len(parts) if all(_begins(words[at + n], part) for n, part in enumerate(parts)) else 0


@lru_cache(maxsize=4096)
def concepts_in(text: str, *, is_question: bool = False) -> tuple[Found, ...]:
    """Every concept a text names; in a question a long word with one slip of the finger counts too."""
    words = folded(text)
    stems = tuple(stem(word) for word in words)
    english, turkish = _table()[0], _turkish_by_letters()
    found: list[Found] = []
    for at, word in enumerate(words):
        before = len(found)
        for name, phrase in english.get(stems[at], ()):
            if stems[at : at + len(phrase)] == phrase:
                found.append(Found(name, at, at + len(phrase)))
        for name, phrase in turkish.get(word[:2], ()):
            if taken := _stands(words, at, phrase):
                found.append(Found(name, at, at + taken))
        if is_question and len(found) == before and len(word) >= LONG:
            found += [Found(name, at, at + 1) for name in _misspelt(word)]
    return _longest(found)


@lru_cache(maxsize=2048)
def _misspelt(word: str) -> tuple[str, ...]:
    names = []
    for name, concept in concepts().items():
        if any(_slipped(word, one) for one in concept.en) or any(
            "+" not in one and len(one) >= LONG_TURKISH and one_slip(word[: len(one)], one)
            for one in concept.tr
        ):
            names.append(name)
    return tuple(names)


def _slipped(word: str, other: str) -> bool:
    return "+" not in other and len(other) >= LONG and one_slip(stem(word), stem(other))


def _longest(found: Iterable[Found]) -> tuple[Found, ...]:
    """Without those whose words all belong to a longer phrase; each concept of a place once."""
    every = list(dict.fromkeys(found))
    return tuple(
        one
        for one in every
        if not any(
            other.first <= one.first
            and one.last <= other.last
            and other.last - other.first > one.last - one.first
            for other in every
        )
    )


def names_in(text: str) -> frozenset[str]:
    """The names of the concepts in a text of the book."""
    return frozenset(one.name for one in concepts_in(text))


def category_of(name: str) -> str:
    """The body system of a concept, empty where it is none."""
    return concepts()[name].category
