"""Whether words touch a topic that a parent never wants learned. Pure.

Two ways, either of which is enough: every content word of the topic stands in the text, in any inflection, or
the text is about all the intents of the closed vocabulary that the topic is about, in either language. Better
one fact too many dropped than one kept.

Both sides are made into keys once, so that the database can compare them and say no more than yes or no.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memory.rules.topics import Language, circumstances, intents_of, topics
from twin.reading import english
from twin.reading.tokens import tokenise
from twin.reading.turkish_suffixes import noun_tail, verb_tail

SHORTEST_ROOT, SHORTEST_BARE = 3, 4
LANGUAGES: tuple[Language, ...] = ("en", "tr")
EMPTY = frozenset(
    "the a an of about our my his her their and or for with to in on at any all everything anything that this"
    " what how s ile ve veya hakkinda bizim onun icin bir her tum butun olan dair ilgili konusu konulari"
    " sey seyler".split()
)


@dataclass(frozen=True)
class Topic:
    """A listed topic: each of its content words by the keys it is met by, and what it is about."""

    words: tuple[frozenset[str], ...]
    about: frozenset[str]

    @property
    def is_met_by_nothing(self) -> bool:
        """Whether no text could ever touch it."""
        return not (self.words or self.about)


@dataclass(frozen=True)
class Said:
    """What a text says: the keys that its words meet, and what it is about."""

    keys: frozenset[str]
    about: frozenset[str]


def topic_of(words: str) -> Topic:
    """A topic as it is listed."""
    wanted = dict.fromkeys(word for word in _words(words) if word not in EMPTY)
    about = _about(words)
    if "money" in about:
        about -= circumstances()
    return Topic(
        tuple(frozenset(_keys_wanted(word)) for word in wanted), about if about & topics() else frozenset()
    )


def said_in(text: str) -> Said:
    """What a text says. The costly half: call it where no lock is held."""
    return Said(frozenset(key for word in set(_words(text)) for key in _keys_met(word)), _about(text))


def touches(topic: Topic, said: Said) -> bool:
    """Whether what is said touches a topic: as the database's `memory_never_touched` compares them."""
    has_its_words = bool(topic.words) and all(word & said.keys for word in topic.words)
    return has_its_words or (bool(topic.about) and topic.about <= said.about)


def _about(text: str) -> frozenset[str]:
    return frozenset[str]().union(*(intents_of(text, language=language) for language in LANGUAGES))


def _words(text: str) -> list[str]:
    return [token.plain for token in tokenise(text) if token.is_word or token.is_number]


# A key's first letter says by what two words are the same: as they stand, by their English stem, by a root
# before Turkish suffixes, by the bare second word of a compound ("okul ucreti") before suffixes of nouns.


def _keys_wanted(word: str) -> Iterator[str]:
    """The keys of a word of a topic; a word with any of them is the same in some inflection."""
    yield f"w{word}"
    yield f"e{english.stem(word)}"
    for root in {word, word[:-3] if word.endswith(("mak", "mek")) else word, _softened(word)}:
        if len(root) >= SHORTEST_ROOT:
            yield f"t{root}"
    bare = next((word[:-n] for n in (1, 2) if _is_possessive(word, n)), "")
    if len(bare) >= SHORTEST_BARE:
        yield f"n{bare}"


def _keys_met(word: str) -> Iterator[str]:
    """The keys that a word of a text meets."""
    yield f"w{word}"
    yield f"e{english.stem(word)}"
    for at in range(SHORTEST_ROOT, len(word) + 1):
        root, tail = word[:at], word[at:]
        is_noun = noun_tail(tail)[0]
        if is_noun or verb_tail(tail) is not None:
            yield f"t{root}"
        if is_noun and at >= SHORTEST_BARE:
            yield f"n{root}"


def _softened(word: str) -> str:
    return word[:-1] + {"k": "g", "p": "b", "t": "d", "c": "c"}.get(word[-1], word[-1])


def _is_possessive(word: str, letters: int) -> bool:
    """Whether a word ends in "-i" or "-si"."""
    ending = word[-letters:]
    return ending in ("i", "u") if letters == 1 else ending in ("si", "su")
