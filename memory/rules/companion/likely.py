"""Which of many phrases can stand in a text at all, by its words alone: the others need no look. Pure.

A phrase needs a word for each of its parts. It is kept under the words of its rarest part, so that a text is
asked once for each of its words, however many phrases there are. What is found may still not be there, in
this order and this near; what is not found is not there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Set

from memory.rules.companion.phrases import SLIP_FROM, slipped
from twin.reading.tokens import plain, typed

Part = tuple[frozenset[str], tuple[str, ...]]  # words, and stems of words: one of them is needed
SHORT = 4


class Likely:
    """Phrases by the words they need."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self.parts = {phrase: _parts(phrase) for phrase in phrases}
        often = Counter(word for parts in self.parts.values() for part in parts for word in _all(part))
        self.by_word: dict[str, set[str]] = {}
        self.by_stem: dict[str, set[str]] = {}
        for phrase, parts in self.parts.items():
            words, stems = min(parts, key=lambda part: _commonness(part, often))
            for word in words:
                self.by_word.setdefault(word, set()).add(phrase)
            for stem in stems:
                self.by_stem.setdefault(stem, set()).add(phrase)
        self.start = min(map(len, self.by_stem), default=0)  # letters that tell nearly all other words apart
        self.starts = frozenset(stem[: self.start] for stem in self.by_stem)

    def among(self, words: Set[str]) -> list[str]:
        """The phrases that a text of these words may say, in no order."""
        found: set[str] = set()
        for word in self.by_word.keys() & words:
            found |= self.by_word[word]
        if self.starts and (begun := self.starts & {word[: self.start] for word in words}):
            for stem in self.by_stem:
                if stem[: self.start] in begun:
                    found |= self.by_stem[stem]
        return [one for one in found if all(_has(part, words) for part in self.parts[one])]


def _commonness(part: Part, often: Mapping[str, int]) -> tuple[bool, int]:
    """Short words are in every text; of the longer ones, those that few phrases need tell more."""
    return min(len(word) for word in _all(part)) < SHORT, sum(often[word] for word in _all(part))


def _parts(phrase: str) -> list[Part]:
    return [_part(word) for word in phrase.split() if word not in {"..", "...", "#", "|"}]


def _part(word: str) -> Part:
    every = word.split("|")
    stems = tuple(_bare(one) for one in every if one[-1] in "-~")
    return frozenset(_bare(one) for one in every if one[-1] not in "-~"), stems


def _bare(word: str) -> str:
    return plain(typed(word.rstrip("-~")))


def _all(part: Part) -> Iterable[str]:
    return (*part[0], *part[1])


def _has(part: Part, words: Set[str]) -> bool:
    exact, stems = part
    return not exact.isdisjoint(words) or (bool(stems) and any(word.startswith(stems) for word in words))


class Meaning:
    """What words may be meant as: slips of the finger forgiven, forms said otherwise."""

    def __init__(self, forms: Mapping[str, str], slips: Iterable[str]) -> None:
        self.forms = [(frozenset(said.split()), frozenset(meant.split())) for said, meant in forms.items()]
        self.slips = tuple(slips)
        self.firsts = frozenset(one[0] for one in self.slips)

    def of(self, words: Set[str]) -> set[str]:
        """These words with everything they may be meant as."""
        found = set(words)
        found |= {
            slipped(word, self.slips)
            for word in words
            if len(word) >= SLIP_FROM - 1 and word[0] in self.firsts
        }
        for said, meant in self.forms:
            if said <= found:
                found |= meant
        return found


__all__ = ["Likely", "Meaning"]
