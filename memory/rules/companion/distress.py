"""Whether a child says words of distress or of hurting itself, and of which kind. Pure.

The words are `memory/data/distress_en.toml` and `distress_tr.toml`; both are tried on every text. A phrase
under `calm` that stands over a cue takes it back ("dying to see it"). What is found is never judged further:
one card too many is a talk, one too few is not.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from memory.rules.companion.phrases import normalised, spans

KINDS = ("wish_to_die", "self_harm", "harmed", "despair")  # the gravest first
LANGUAGES = ("en", "tr")


@dataclass(frozen=True)
class Lexicon:
    """The cues of one language by kind, what calms them, and how words are spelled alike."""

    cues: Mapping[str, tuple[str, ...]]
    calm: tuple[str, ...]
    forms: Mapping[str, str]
    slips: tuple[str, ...]


@cache
def lexicon(language: str) -> Lexicon:
    """The words of one language, read once."""
    raw = tomllib.loads(files("memory.data").joinpath(f"distress_{language}.toml").read_text("utf-8"))
    return Lexicon(
        {kind: tuple(raw["cues"][kind]) for kind in KINDS},
        tuple(raw["calm"]["phrases"]),
        raw["forms"],
        tuple(raw["slips"]["words"]),
    )


def distress_in(text: str) -> str | None:
    """The gravest kind of distress that a text says, in either language; None where it says none."""
    found = {kind for language in LANGUAGES for kind in _kinds(text, lexicon(language))}
    return next((kind for kind in KINDS if kind in found), None)


def _kinds(text: str, words: Lexicon) -> set[str]:
    line = normalised(text, forms=words.forms, slips=words.slips)
    calm = [span for phrase in words.calm for span in spans(phrase, line)]
    return {
        kind
        for kind, phrases in words.cues.items()
        for phrase in phrases
        for span in spans(phrase, line)
        if not any(_overlaps(span, other) for other in calm)
    }


def _overlaps(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


__all__ = ["KINDS", "Lexicon", "distress_in", "lexicon"]
