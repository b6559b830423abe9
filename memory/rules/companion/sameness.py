"""When two tellings are the same memory: by their words of content, in any inflection. Pure."""

from __future__ import annotations

from functools import lru_cache

from twin.reading.english import stem
from twin.reading.tokens import tokenise

SAME = 0.8  # of all words of content that either has
STEM = 5  # letters of a Turkish word that carry its meaning, its suffixes hanging behind
SPELLED = {
    "colour": "color",
    "colours": "color",
    "favourite": "favorite",
    **dict.fromkeys(("mum", "mummy", "mommy"), "mom"),
}
EMPTY = frozenset(
    "i im ive me my mine we our us you your it its the a an and or but so to of in on at for with"
    " from is are was were be been am do did does have has had got get really very too also just then"
    " now today yesterday that this there here some one like about told tell went go going want not no"
    " yes what who when where how ben bana beni benim biz bize bizim sen bir ve ile de da ki cok bu su"
    " o mi mu var yok gun bugun dun simdi artik sonra icin ama daha en her gibi kadar olan oldu dedi"
    " diye sey evet hayir ne nasil kim nerede".split()
)


@lru_cache(maxsize=4096)
def content(text: str) -> frozenset[str]:
    """The stems of a text's words of content."""
    words = (token.plain for token in tokenise(text) if token.is_word or token.is_number)
    return frozenset(_stem(word) for word in words if word not in EMPTY)


def _stem(word: str) -> str:
    """A crude stem that serves both languages: English inflections off, then the first letters."""
    short = stem(SPELLED.get(word, word))
    return short[:STEM] if len(short) > STEM + 1 else short


def similarity(one: str, other: str) -> float:
    """How much two texts share, from 0 to 1; two without content share nothing."""
    mine, theirs = content(one), content(other)
    both = mine | theirs
    return len(mine & theirs) / len(both) if both else 0.0


def is_same(one: str, other: str) -> bool:
    """Whether two texts tell the same memory."""
    return similarity(one, other) >= SAME


def shares_a_word(mine: frozenset[str], theirs: frozenset[str]) -> int:
    """How many words of content two texts share."""
    return len(mine & theirs)


__all__ = ["content", "is_same", "shares_a_word", "similarity"]
