"""The closed set of icons of a memory, and which one fits some words. Pure; the words are a data file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from memory.rules.companion.phrases import has_any, normalised

DEFAULT = "star"


@dataclass(frozen=True)
class Icon:
    """One icon: the questions that fit it, and the phrases that choose it."""

    topic: str
    phrases: tuple[str, ...]


@cache
def icons() -> Mapping[str, Icon]:
    """Every icon by name, in the order they are tried."""
    raw = tomllib.loads(files("memory.data").joinpath("icons.toml").read_text("utf-8"))
    return {
        name: Icon(one["topic"], tuple(_phrase(word) for word in f"{one['en']} {one['tr']}".split()))
        for name, one in raw.items()
    }


def _phrase(word: str) -> str:
    return f"{word[:-1]}~" if word.endswith("-") else word.replace("-", " ")


def icon_for(text: str) -> str:
    """The icon that fits a text; the star where none does."""
    line = normalised(text, forms={})
    return next((name for name, one in icons().items() if has_any(one.phrases, line)), DEFAULT)


def topic_of(icon: str) -> str:
    """The questions that fit an icon, `any` where none are its own."""
    return icons()[icon].topic if icon in icons() else "any"


__all__ = ["DEFAULT", "Icon", "icon_for", "icons", "topic_of"]
