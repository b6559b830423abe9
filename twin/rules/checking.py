"""What of a reading may be stored: nothing outside the 19 categories and their schemas. Pure.

What is dropped is counted by a stable code, so that nothing goes silently; the words stay whatever happens.
"""

from __future__ import annotations

from dataclasses import replace

from twin.rules.categories import CATEGORIES, InvalidSigns, validate_signs
from twin.rules.entries import Entry, Reading, SignValue


def checked(reading: Reading) -> Reading:
    """The reading without unknown categories and signs outside their schema, each dropped with a code."""
    entries: list[Entry] = []
    dropped = list(reading.dropped)
    for entry in reading.entries:
        if entry.category not in CATEGORIES:
            dropped.append("category_unknown")
            continue
        signs: dict[str, SignValue] = {}
        for name, value in entry.signs.items():
            try:
                signs |= validate_signs(entry.category, {name: value})
            except InvalidSigns as error:
                dropped.append(f"sign_{error.code}")
        entries.append(replace(entry, signs=signs))
    return replace(reading, entries=tuple(entries), dropped=tuple(dropped))
