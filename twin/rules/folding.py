"""How several statements about one day become one view of it, and which of them belong together. Pure.

The statements themselves all stay; folding only says what the day looks like once they are read in order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from twin.rules.categories import LOCATORS, NOT_OBSERVED
from twin.rules.entries import Precision, SignValue, Since
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


@dataclass(frozen=True)
class Onset:
    """Since when a day's finding is there: a date cut to its precision or an age, never both."""

    started_on: date | None = None
    precision: Precision | None = None
    low_months: int | None = None
    high_months: int | None = None


def fold_onset(day: date, told: Sequence[Since | None]) -> Onset:
    """The earliest date that was told, else the age told last; a date after `day` is no onset."""
    dates = [each for each in told if each and each.kind == "date" and each.on and each.on <= day]
    if dates:
        first = min(dates, key=lambda each: each.on or day)
        return Onset(first.on, first.precision or "day")
    ages = [each for each in told if each and each.kind == "age" and _is_age(each)]
    return Onset(low_months=ages[-1].low_months, high_months=ages[-1].high_months) if ages else Onset()


def _is_age(since: Since) -> bool:
    low, high = since.low_months, since.high_months
    return low is not None and high is not None and 0 <= low <= high


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
