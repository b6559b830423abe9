"""What a tap or typed words say about the one sign that was asked for. Pure."""

from __future__ import annotations

import re

from twin.rules.categories import FIELDS, NOT_OBSERVED, TEXT_LIMIT, InvalidSigns, validate_signs
from twin.rules.entries import SignValue

_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


def sign_value(category: str, sign: str, tapped: str, words: str) -> SignValue | None:
    """What a tap or typed words say about a sign; None where they say nothing it can hold."""
    field = FIELDS[category][sign]
    value: SignValue | None
    if field.kind == "tri":
        value = {"yes": True, "no": False}.get(tapped)
    elif field.kind == "enum":
        value = tapped if tapped in field.members and tapped != NOT_OBSERVED else None
    elif field.kind == "number":
        found = _NUMBER.search(words)
        number = float(found.group().replace(",", ".")) if found else None
        value = int(number) if number is not None and field.is_whole and number.is_integer() else number
    else:
        value = words.strip()[:TEXT_LIMIT] or None
    if value is None:
        return None
    try:
        validate_signs(category, {sign: value})
    except InvalidSigns:
        return None
    return value
