"""The companion's own sentences, read once from `memory/data/companion_*.toml`. Pure.

Each sentence has a key without words, so what was said can be kept without keeping it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

DEFAULT_CHARACTER = "cat"
LANGUAGES = ("en", "tr")
PARTS = ("listen", "greeting", "goodnight", "thanks", "sad", "health", "question", "picture")


@dataclass(frozen=True)
class Saying:
    """One sentence and its key."""

    key: str
    text: str


@dataclass(frozen=True)
class Sayings:
    """All that a companion can say in one language."""

    fixed: str
    nod: str
    voices: Mapping[str, tuple[str, ...]]
    said: Mapping[str, tuple[Saying, ...]]
    asks: Mapping[str, tuple[Saying, ...]]
    about: tuple[str, ...]
    quote: tuple[str, ...]
    moments: Mapping[str, tuple[str, ...]]


@cache
def sayings(language: str) -> Sayings:
    """Everything there is to say in a language."""
    raw = tomllib.loads(files("memory.data").joinpath(f"companion_{language}.toml").read_text("utf-8"))
    said = {part: tuple(_keyed(language, part, raw[part]["said"])) for part in PARTS}
    asks = {part: tuple(_keyed(language, f"{part}.ask", raw[part].get("ask", ()))) for part in PARTS}
    asks |= {topic: tuple(_keyed(language, f"ask.{topic}", lines)) for topic, lines in raw["asks"].items()}
    return Sayings(
        raw["fixed"],
        raw["nod"],
        {name: tuple(sounds) for name, sounds in raw["voices"].items()},
        said,
        asks,
        tuple(raw["recall"]["about"]),
        tuple(raw["recall"]["quote"]),
        {name: tuple(phrases) for name, phrases in raw["moments"].items()},
    )


def _keyed(language: str, part: str, lines: list[str]) -> Iterator[Saying]:
    for number, text in enumerate(lines):
        yield Saying(f"{language}.{part}.{number}", text)


def in_voice(saying: Saying, voice: str, number: int) -> Saying:
    """The same sentence begun with a character's sound: another sentence, with a key of its own."""
    return Saying(f"{saying.key}.{voice.lower().replace(' ', '')[:8]}{number}", f"{voice}! {saying.text}")


__all__ = ["DEFAULT_CHARACTER", "LANGUAGES", "PARTS", "Saying", "Sayings", "in_voice", "sayings"]
