"""Where a page of the timeline ends and the next begins: the last row's place, as a text for an address."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

_SHOWN = re.compile(r"\A(\d{4}-\d\d-\d\d)?~(\d{1,18})\Z")


@dataclass(frozen=True)
class Cursor:
    """The last row shown: its sort position (None for the undated, which come last) and its number."""

    on: date | None
    number: int

    def __str__(self) -> str:
        return f"{self.on.isoformat() if self.on else ''}~{self.number}"


class BadCursor(ValueError):
    """The text is no place in a timeline."""


def parse_cursor(text: str) -> Cursor:
    """The place a text names. Raises BadCursor."""
    found = _SHOWN.match(text)
    if found is None:
        raise BadCursor(text)
    try:
        return Cursor(date.fromisoformat(found[1]) if found[1] else None, int(found[2]))
    except ValueError:
        raise BadCursor(text) from None
