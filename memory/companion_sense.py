"""What a tablet knows of listening and talking without the house: the same words and sayings."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import Any

from memory.rules.companion.composing import GREETS_WITH_MEMORY, VOICED, WEEK_MS
from memory.rules.companion.distress import LANGUAGES, lexicon
from memory.rules.companion.icons import icons
from memory.rules.companion.moments import ALONE, ORDER, SHORT
from memory.rules.companion.phrases import ENDS, MOST, NEGATIVE, SLIP_FROM, TAIL
from memory.rules.companion.recalling import ABOUT, FLIPPED, LONGEST, MOST_MEMORIES, SETTLED_MS, UNKIND
from memory.rules.companion.sameness import EMPTY, SPELLED, STEM
from memory.rules.companion.sayings import sayings
from twin.reading.english import DOUBLES, VOWELS
from twin.reading.tokens import LONGEST_WORD
from twin.rules.language import ENGLISH_WORDS, SAMPLE, TURKISH_LETTERS, TURKISH_WORDS

LETTERS = {"vowels": VOWELS, "doubles": DOUBLES, "turkish": TURKISH_LETTERS}
NUMBERS = {
    "voiced": VOICED,
    "week_ms": WEEK_MS,
    "most_memories": MOST_MEMORIES,
    "longest_memory": LONGEST,
    "settled_ms": SETTLED_MS,
    "stem": STEM,
    "short": SHORT,
    "most_text": MOST,
    "longest_word": LONGEST_WORD,
    "slip_from": SLIP_FROM,
    "tail": TAIL,
    "sample": SAMPLE,
}


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
        "with_memory": sorted(GREETS_WITH_MEMORY),
        "ends": sorted(ENDS),
        "negative": NEGATIVE,
        "letters": {name: "".join(sorted(one)) for name, one in LETTERS.items()},
        "numbers": NUMBERS,
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
