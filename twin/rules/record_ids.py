"""How a record's number is shown and read: rec_000123, six digits or more."""

from __future__ import annotations

import re

_SHOWN = re.compile(r"\Arec_([0-9]{6,15})\Z")


def show(number: int) -> str:
    """The id of the record with this number, six digits or more."""
    return f"rec_{number:06d}"


def parse(text: str) -> int | None:
    """The number in an id, or None where the text is no record id."""
    found = _SHOWN.match(text.strip().lower())
    return int(found[1]) if found else None
