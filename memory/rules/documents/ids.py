"""How a document's number is shown and read: doc_000012, six digits or more."""

from __future__ import annotations

import re

_SHOWN = re.compile(r"\Adoc_([0-9]{6,15})\Z")


def show(number: int) -> str:
    """The id of the document with this number."""
    return f"doc_{number:06d}"


def parse(text: str) -> int | None:
    """The number in an id, or None where the text is no document id."""
    found = _SHOWN.match(text.strip().lower())
    return int(found[1]) if found else None
