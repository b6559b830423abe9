"""The languages texts can be made speakable in, and the one function that does it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from voice.rules.speakable import common, english, english_numbers, turkish, turkish_numbers
from voice.rules.speakable.pieces import Piece, Rule, Spoken, chained, rewrite

LANGUAGES: Mapping[str, tuple[Rule, ...]] = {
    "en": (*common.FIRST, *english.RULES, *common.LAST),
    "tr": (*common.FIRST, *turkish.RULES, *common.LAST),
}
DIGITS: Mapping[str, Callable[[str], str]] = {"en": english_numbers.digits, "tr": turkish_numbers.digits}
_LONG = re.compile(r"([0-9]{30,})")
_OTHER: tuple[Rule, ...] = (*common.FIRST, *common.LAST)


def speakable(text: str, language: str) -> Spoken:
    """How a text is said in a language ("en", "tr"); another language keeps its numbers as written."""
    rules = LANGUAGES.get(language[:2].lower(), _OTHER)
    digits = DIGITS.get(language[:2].lower(), DIGITS["en"])
    parts = _LONG.split(text)
    said = [
        digits_said(part, digits) if index % 2 else rewrite(part, rules) for index, part in enumerate(parts)
    ]
    return chained(text, said)


def digits_said(text: str, digits: Callable[[str], str]) -> Spoken:
    """A number too long for any name, digit by digit."""
    return Spoken(text, (Piece(0, len(text), digits(text), False),))
