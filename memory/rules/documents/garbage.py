"""Whether a text layer is words at all: fonts without a map to letters give signs that mean nothing. Pure."""

from __future__ import annotations

import re

_VOWELS = set("aeıioöuüyâîûáéíóúàèäAEIİOÖUÜY")
_TOKEN = re.compile(r"[^\W\d_]+", re.UNICODE)
_SOUND = re.compile(r"[\w\s.,;:!?()'\"/%+\-–—=&@°²³µ€$£*•·…’‘“”«»☐☑☒✓|\[\]<>#№]", re.UNICODE)
LEAST_SOUND = 0.75  # of the characters
LEAST_WORDS = 0.5  # of the tokens
LONGEST = 30


def is_garbage(text: str) -> bool:
    """Whether the text cannot be what the page shows; an empty one is not garbage, only empty."""
    shown = [ch for ch in text if not ch.isspace()]
    if not shown:
        return False
    sound = sum(bool(_SOUND.match(ch)) and not "\ue000" <= ch <= "\uf8ff" for ch in shown)
    if sound < LEAST_SOUND * len(shown):
        return True
    letters = sum(ch.isalnum() for ch in shown)
    if letters < 0.4 * len(shown) and letters < 40:
        return True
    tokens = _TOKEN.findall(text)
    if len(tokens) < 4:
        return letters < 3
    return sum(map(_is_word, tokens)) < LEAST_WORDS * len(tokens)


def _is_word(token: str) -> bool:
    if len(token) > LONGEST:
        return False
    if not token[0].isascii() and not any(ch.isascii() for ch in token):
        return True  # another script has other vowels
    return len(token) <= 3 or any(ch in _VOWELS for ch in token)
