"""The composer's sentences in both languages, filled in. Pure.

The texts are `memory/data/answer_phrases.toml`, read once.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

_DOUBLE_STOP = re.compile(r"([.!?…])\.(?!\.)")


@cache
def phrases() -> Mapping[str, Mapping[str, str]]:
    """{key: {language: text}}."""
    return tomllib.loads(files("memory.data").joinpath("answer_phrases.toml").read_text("utf-8"))


def say(language: str, key: str, **values: object) -> str:
    """One phrase filled in; a full stop after a sentence's own end falls away."""
    return _DOUBLE_STOP.sub(r"\1", phrases()[key][language].format(**values))
