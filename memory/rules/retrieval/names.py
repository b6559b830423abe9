"""A subject's own name out of a text before it is embedded: names swamp short texts."""

from __future__ import annotations

import re

from memory.rules.retrieval.folding import fold

CALLED = {
    "en": {"person": "the child", "cat": "the cat", "dog": "the dog", "rabbit": "the rabbit",
           "bird": "the bird", "other": "the animal"},
    "tr": {"person": "çocuk", "cat": "kedi", "dog": "köpek", "rabbit": "tavşan", "bird": "kuş",
           "other": "hayvan"},
}  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+")


def called(species: str, language: str) -> str:
    """What a subject is called instead of its name."""
    said = CALLED.get(language, CALLED["en"])
    return said.get(species, said["other"])


def without_names(text: str, *, name: str, species: str, language: str) -> str:
    """The text with the subject's name, however it is written, swapped for what it is; endings stay."""
    words = [fold(word) for word in _WORD.findall(name)]
    if not words:
        return text
    instead, key = called(species, language), words[0]
    rest = frozenset(words[1:])
    swapped = _WORD.sub(lambda found: instead if fold(found[0]) == key else found[0], text)
    if not rest:
        return swapped
    follows = re.compile(re.escape(instead) + r"(?:\s+([^\W\d_]+))")
    return follows.sub(lambda m: instead if fold(m[1]) in rest else m[0], swapped)
