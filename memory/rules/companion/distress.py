"""Whether a child says words of distress or of hurting itself, and of which kind. Pure.

The words are `memory/data/distress_en.toml` and `distress_tr.toml`; both are tried on every text. A phrase
under `calm` that stands over a cue takes it back ("dying to see it"). What is found is never judged further:
one card too many is a talk, one too few is not.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from memory.rules.companion.glance import glance
from memory.rules.companion.likely import Likely, Meaning
from memory.rules.companion.phrases import line_of, plain_words, spans

KINDS = ("wish_to_die", "self_harm", "harmed", "despair")  # the gravest first
LANGUAGES = ("en", "tr")
GROUP = re.compile(r"@(\w+)")


@dataclass(frozen=True)
class Lexicon:
    """The cues of one language by kind, what calms them, and how words are spelled alike."""

    cues: Mapping[str, tuple[str, ...]]
    calm: tuple[str, ...]
    forms: Mapping[str, str]
    slips: tuple[str, ...]

    @cached_property
    def meaning(self) -> Meaning:
        """How words are spelled alike, ready to be asked."""
        return Meaning(self.forms, self.slips)

    @cached_property
    def likely(self) -> Likely:
        """The cues by the words they need."""
        return Likely(phrase for phrases in self.cues.values() for phrase in phrases)

    @cached_property
    def likely_calm(self) -> Likely:
        """What calms them, by the words it needs."""
        return Likely(self.calm)


@cache
def lexicon(language: str) -> Lexicon:
    """The words of one language, read once."""
    raw = tomllib.loads(files("memory.data").joinpath(f"distress_{language}.toml").read_text("utf-8"))
    groups: dict[str, str] = raw["groups"]
    return Lexicon(
        {kind: _spelt_out(raw["cues"][kind], groups) for kind in KINDS},
        _spelt_out(raw["calm"]["phrases"], groups),
        raw["forms"],
        tuple(raw["slips"]["words"]),
    )


def _spelt_out(phrases: Iterable[str], groups: Mapping[str, str]) -> tuple[str, ...]:
    """Phrases with each `@name` as the words of its group."""
    return tuple(GROUP.sub(lambda found: groups[found[1]], phrase) for phrase in phrases)


def distress_in(text: str) -> str | None:
    """The gravest kind of distress that a text says, in either language; None where it says none."""
    if not may_say(text):
        return None
    words = plain_words(text)
    distinct = set(words)
    found = {kind for language in LANGUAGES for kind in _kinds(words, distinct, lexicon(language))}
    return next((kind for kind in KINDS if kind in found), None)


def may_say(text: str) -> bool:
    """Whether words of distress can be in a text at all, by its words at a glance, in whatever order.

    Nearly every text is answered no; one in which `distress_in` finds something never is.
    """
    words = glance(text)
    return words is None or any(_cues_among(words, lexicon(language)) for language in LANGUAGES)


def _cues_among(words: Set[str], known: Lexicon) -> list[str]:
    return known.likely.among(known.meaning.of(words))


def _kinds(words: list[str], distinct: set[str], known: Lexicon) -> set[str]:
    may = known.meaning.of(distinct)
    cues = known.likely.among(may)
    if not cues:
        return set()
    line = line_of(words, forms=known.forms, slips=known.slips)
    calm = [span for phrase in known.likely_calm.among(may) for span in spans(phrase, line)]
    return {
        kind
        for phrase in cues
        for span in spans(phrase, line)
        if not any(_overlaps(span, other) for other in calm)
        for kind in KINDS
        if phrase in known.cues[kind]
    }


def _overlaps(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


__all__ = ["KINDS", "Lexicon", "distress_in", "lexicon", "may_say"]
