"""What a question wants, by how it is put. Pure.

The phrases are `memory/data/intents.toml`, read once: an ordered table over the folded words of a question,
English and Turkish in one; the first row that fits is the primary intent, later ones may stand beside it.
"""

from __future__ import annotations

import re
import tomllib
from enum import StrEnum
from functools import cache
from importlib.resources import files

from memory.rules.asking.concepts import folded


class Intent(StrEnum):
    """What a question asks for."""

    NOW = "now"  # what to do
    WORKED = "worked"  # what has helped
    FAILED = "failed"  # what has not
    SINCE = "since"  # since when
    TRIED = "tried"  # what was tried
    SAME = "same"  # is it as before
    COMPARE = "compare"  # better or worse than before
    HOW = "how"  # how has it been
    TELL = "tell"  # what to tell somebody
    SAID = "said"  # what somebody or a report said
    COUNT = "count"
    LAST = "last"
    LONG = "long"  # how long it lasts
    EVER = "ever"  # whether it ever was
    DOSE = "dose"
    NORMAL = "normal"
    WHY = "why"  # what comes before it
    ABOUT = "about"  # who the subject is
    HAPPENED = "happened"


@cache
def _compiled() -> tuple[tuple[Intent, re.Pattern[str]], ...]:
    raw = tomllib.loads(files("memory.data").joinpath("intents.toml").read_text("utf-8"))
    words: dict[str, str] = raw["words"]
    return tuple(
        (Intent(row["name"]), re.compile("|".join(f"(?:{_filled(one, words)})" for one in row["phrases"])))
        for row in raw["intent"]
    )


def _filled(phrase: str, words: dict[str, str]) -> str:
    for name, alternatives in words.items():
        phrase = phrase.replace(f"<{name}>", alternatives)
    return phrase


def intents_of(text: str) -> tuple[Intent, ...]:
    """Every intent a question is put in, the primary one first; empty where none shows."""
    words = " ".join(folded(text))
    return tuple(intent for intent, pattern in _compiled() if pattern.search(words))
