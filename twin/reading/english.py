"""Brings English words to their lookup key: inflections, irregular forms, slips of the finger."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

VOWELS = frozenset("aeiouy")
DOUBLES = frozenset("bdfgklmnprt")


def stem(word: str) -> str:
    """A word without its regular endings: "sneezes", "sneezing" and "sneeze" meet at "sneez"."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zes")) else word[:-1]
    for ending in ("ing", "ed"):
        base = word[: -len(ending)]
        if word.endswith(ending) and len(base) > 2 and not word.endswith("eed") and VOWELS & set(base):
            word = base
            break
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] in DOUBLES else word


def squeezed(word: str) -> Iterable[str]:
    """The word with letters drawn out for stress brought back: "sooo" to "soo" and "so"."""
    twice: list[str] = []
    once: list[str] = []
    for letter in word:
        if len(twice) < 2 or letter != twice[-1] or letter != twice[-2]:
            twice.append(letter)
        if not once or letter != once[-1]:
            once.append(letter)
    return ("".join(twice), "".join(once))


class Speller:
    """Finds the lexicon word that an unknown word misspells; ordinary words are left alone."""

    def __init__(self, vocabulary: Iterable[str], ordinary: frozenset[str]) -> None:
        self.known = frozenset(vocabulary)
        self.ordinary = ordinary
        self._by_deletion: dict[str, tuple[str, ...]] = {}
        for word in sorted(self.known):
            if len(word) >= 5 and word.isalpha():
                for shorter in deletions(word):
                    self._by_deletion[shorter] = (*self._by_deletion.get(shorter, ()), word)

    def correct(self, word: str) -> str | None:
        """The one lexicon word a single slip away (five letters up, same first letter), if there is one."""
        if len(word) < 5 or word in self.known or word in self.ordinary or not word.isascii():
            return None
        candidates: set[str] = set(self._by_deletion.get(word, ()))
        for shorter in deletions(word):
            if shorter in self.known and len(shorter) >= 5:
                candidates.add(shorter)
            candidates.update(self._by_deletion.get(shorter, ()))
        near = [c for c in candidates if c[0] == word[0] and one_slip(word, c)]
        return min(near, key=lambda c: (abs(len(c) - len(word)), c)) if near else None


def deletions(word: str) -> Iterable[str]:
    """The word with each one letter left out."""
    return {word[:i] + word[i + 1 :] for i in range(len(word))}


def one_slip(word: str, other: str) -> bool:
    """Whether one letter left out, added, changed or swapped with its neighbour turns one into the other."""
    if abs(len(word) - len(other)) > 1:
        return False
    if len(word) == len(other):
        differ = [i for i in range(len(word)) if word[i] != other[i]]
        if len(differ) == 1:
            return True
        return (
            len(differ) == 2
            and differ[1] == differ[0] + 1
            and word[differ[0]] == other[differ[1]]
            and word[differ[1]] == other[differ[0]]
        )
    longer, shorter = (word, other) if len(word) > len(other) else (other, word)
    return any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))


def canonical(word: str, forms: Mapping[str, str]) -> str:
    """The lookup key of one lower-case word."""
    return stem(forms.get(word, word))
