"""The languages texts can be made speakable in, and the one function that does it."""

from __future__ import annotations

from collections.abc import Mapping

from voice.rules.speakable import common, english, turkish
from voice.rules.speakable.pieces import Rule, Spoken, rewrite

LANGUAGES: Mapping[str, tuple[Rule, ...]] = {
    "en": (*common.FIRST, *english.RULES, *common.LAST),
    "tr": (*common.FIRST, *turkish.RULES, *common.LAST),
}
_OTHER: tuple[Rule, ...] = (*common.FIRST, *common.LAST)


def speakable(text: str, language: str) -> Spoken:
    """How a text is said in a language ("en", "tr"); another language keeps its numbers as written."""
    return rewrite(text, LANGUAGES.get(language[:2].lower(), _OTHER))
