"""Which of the built-in sentences stand in a text: what a tablet said by itself. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from memory.rules.companion.guarding import sentences
from memory.rules.companion.sayings import LANGUAGES, Saying, in_voice, sayings


def keys_in(text: str) -> list[str]:
    """The keys of the built-in sentences that stand in a text, in its order."""
    found: list[str] = []
    for start in dict.fromkeys(sentences(text)):
        for one, voiced in _by_start().get(start, ()):
            if one.text in text:
                found += [other.key for other in voiced if other.text in text] or [one.key]
    return found


@cache
def _by_start() -> Mapping[str, list[tuple[Saying, list[Saying]]]]:
    """Every sentence with what the characters make of it, by the words up to its first mark."""
    found: dict[str, list[tuple[Saying, list[Saying]]]] = {}
    for known in map(sayings, LANGUAGES):
        voices = [(voice, number) for one in known.voices.values() for number, voice in enumerate(one)]
        for saying in (one for pool in (*known.said.values(), *known.asks.values()) for one in pool):
            voiced = [in_voice(saying, voice, number) for voice, number in voices]
            found.setdefault(sentences(saying.text)[0], []).append((saying, voiced))
    return found


__all__ = ["keys_in"]
