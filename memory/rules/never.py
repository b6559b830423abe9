"""Whether words touch a topic that a parent never wants learned. Pure.

Three ways, any of which is enough: every content word of the topic stands in the text, in any inflection; the
topic and the text are about the same intents of the closed vocabulary, in either language; or their meanings
are near, where the caller lends a measure of that. Better one fact too many dropped than one kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memory.rules.topics import Language, circumstances, intents_of, topics
from twin.reading import english
from twin.reading.tokens import tokenise
from twin.reading.turkish_suffixes import noun_tail, verb_tail

Similarity = Callable[[str, str], float]
NEAR = 0.86
SHORTEST_STEM = 4
EMPTY = frozenset(
    "the a an of about our my his her their and or for with to in on at any all everything anything that this"
    " what how s ile ve veya hakkinda bizim onun icin bir her tum butun olan dair ilgili konusu konulari"
    " sey seyler".split()
)


def touches(topics_listed: Iterable[str], text: str, *, similarity: Similarity | None = None) -> str | None:
    """The first listed topic that a text touches, None where it touches none."""
    return next((one for one in topics_listed if is_about(one, text, similarity=similarity)), None)


def is_about(topic: str, text: str, *, similarity: Similarity | None = None) -> bool:
    """Whether a text touches a topic."""
    if not topic.strip() or not text.strip():
        return False
    return (
        _says(topic, text)
        or _means(topic, text)
        or (similarity is not None and similarity(topic, text) >= NEAR)
    )


def _says(topic: str, text: str) -> bool:
    """Every content word of the topic stands in the text."""
    wanted = [word for word in _words(topic) if word not in EMPTY]
    spoken = _words(text)
    return bool(wanted) and all(any(_same_word(one, word) for word in spoken) for one in wanted)


def _words(text: str) -> list[str]:
    return [token.plain for token in tokenise(text) if token.is_word or token.is_number]


def _same_word(wanted: str, word: str) -> bool:
    """The same word in any inflection of either language."""
    if wanted == word or english.stem(wanted) == english.stem(word):
        return True
    for stem in {wanted, wanted[:-3] if wanted.endswith(("mak", "mek")) else wanted, _softened(wanted)}:
        if len(stem) >= SHORTEST_STEM - 1 and word.startswith(stem):
            tail = word[len(stem) :]
            if noun_tail(tail)[0] or verb_tail(tail) is not None:
                return True
    bare = next((wanted[:-n] for n in (1, 2) if _is_possessive(wanted, n)), "")
    return len(bare) >= SHORTEST_STEM and word.startswith(bare) and noun_tail(word[len(bare) :])[0]


def _softened(word: str) -> str:
    return word[:-1] + {"k": "g", "p": "b", "t": "d", "c": "c"}.get(word[-1], word[-1])


def _is_possessive(word: str, letters: int) -> bool:
    """Whether a word ends in "-i" or "-si", as the second word of a Turkish compound does ("okul ucreti")."""
    ending = word[-letters:]
    return ending in ("i", "u") if letters == 1 else ending in ("si", "su")


def _means(topic: str, text: str) -> bool:
    """The text is about all that the topic is about; a circumstance alone needs its own words."""
    asked, told = set[str](), set[str]()
    languages: tuple[Language, ...] = ("en", "tr")
    for language in languages:
        asked |= intents_of(topic, language=language)
        told |= intents_of(text, language=language)
    return bool(asked & topics()) and asked <= told | (circumstances() if "money" in asked else frozenset())
