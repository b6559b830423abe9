"""What a tablet knows of listening and talking without the house: the same words and sayings."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import Any

from memory.rules.companion.composing import LONGEST, VOICED
from memory.rules.companion.distress import LANGUAGES, lexicon
from memory.rules.companion.icons import icons
from memory.rules.companion.moments import ALONE, ORDER
from memory.rules.companion.recalling import ABOUT, FLIPPED, UNKIND
from memory.rules.companion.sameness import EMPTY, SPELLED
from memory.rules.companion.sayings import sayings
from twin.rules.language import ENGLISH_WORDS, TURKISH_WORDS


@cache
def sense() -> dict[str, Any]:
    """Everything `static/companion/mind/` needs, from the rules and data files of the house."""
    return {
        "distress": {one: _heard(one) for one in LANGUAGES},
        "sayings": {one: asdict(sayings(one)) for one in LANGUAGES},
        "order": [one.value for one in ORDER],
        "alone": sorted(ALONE),
        "unkind": sorted(UNKIND),
        "icons": [[name, one.topic, list(one.phrases)] for name, one in icons().items()],
        "empty": sorted(EMPTY),
        "spelled": SPELLED,
        "about": ABOUT.pattern,
        "flipped": FLIPPED,
        "words": {"en": sorted(ENGLISH_WORDS), "tr": sorted(TURKISH_WORDS)},
        "voiced": VOICED,
        "longest": LONGEST,
    }


def _heard(language: str) -> dict[str, Any]:
    known = lexicon(language)
    return {
        "cues": sorted({phrase for phrases in known.cues.values() for phrase in phrases}),
        "calm": list(known.calm),
        "forms": list(known.forms.items()),
        "slips": list(known.slips),
    }


__all__ = ["sense"]
