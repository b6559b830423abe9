"""The demo's words and structure, read from memory/data/demo_*.toml in one language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

FILES = ("demo_animals.toml", "demo_child.toml")
LANGUAGES = frozenset({"en", "tr"})
HOUSEHOLD = {"en": "The house by the river", "tr": "Nehir kıyısındaki ev"}


def load(language: str) -> dict[str, list[dict[str, Any]]]:
    """Every table of the files, by name, with each {en, tr} pair as its text in `language`."""
    tables: dict[str, list[dict[str, Any]]] = {}
    for name in FILES:
        found = tomllib.loads((files("memory") / "data" / name).read_text(encoding="utf-8"))
        for table, rows in found.items():
            tables.setdefault(table, []).extend(in_language(row, language) for row in rows)
    return tables


def in_language(value: Any, language: str) -> Any:
    """`value` with every {en, tr} pair inside it as its text in `language`."""
    if isinstance(value, Mapping):
        if set(value) == LANGUAGES:
            return value[language]
        return {key: in_language(one, language) for key, one in value.items()}
    if isinstance(value, list):
        return [in_language(one, language) for one in value]
    return value
