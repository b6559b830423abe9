"""How several statements about one day become one view of it, and which of them belong together. Pure.

The statements themselves all stay; folding only says what the day looks like once they are read in order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from twin.rules.categories import LOCATORS, NOT_OBSERVED
from twin.rules.entries import SignValue
from twin.rules.when.tokens import fold

SITE_LIMIT = 60

# Words that name no part of the body, folded.
_NO_PLACE = frozenset({"the", "a", "an", "his", "her", "its", "their", "my", "your", "onun"})

# One limb, several ways to call it, folded. A Turkish part of the body mostly comes with its possessive
# ending.
_SAME_LIMB = {
    "back": "hind",
    "rear": "hind",
    "fore": "front",
    "paw": "leg",
    "limb": "leg",
    "foot": "leg",
    "bacagi": "bacak",
    "ayagi": "bacak",
    "ayak": "bacak",
    "patisi": "bacak",
    "pati": "bacak",
    "kolu": "kol",
}


def fold_signs(parts: Sequence[Mapping[str, SignValue]]) -> dict[str, SignValue]:
    """One view of a day's signs in the order said: the later stands, "did not look" only where nobody did."""
    view: dict[str, SignValue] = {}
    for signs in parts:
        for name, value in signs.items():
            if value != NOT_OBSERVED or name not in view:
                view[name] = value
    return view


def daily_key(category: str, signs: Mapping[str, SignValue]) -> str:
    """Which part of the body the signs are about: a side, limb or place, "" where none is named.

    Left and right ear are two records of a day; "both" is one of its own, since one sentence spoke of the
    pair. The key compares and is not for show: without case, accents, or words for "his" and "the".
    """
    value = signs.get(LOCATORS.get(category, ""))
    if not isinstance(value, str) or value == NOT_OBSERVED:
        return ""
    words = [word for word in map(fold, value.split()) if word not in _NO_PLACE]
    if category == "musculoskeletal":
        words = [_SAME_LIMB.get(word, word) for word in words]
    return " ".join(filter(None, words))[:SITE_LIMIT].strip()
