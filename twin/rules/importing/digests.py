"""Names that one row, and one child, of another program keeps through every export. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

# What the export of one program adds and that of another day leaves out.
NOT_CONTENT = frozenset({"id", "child_id", "child_first_name", "child_last_name"})


def child_digest(*, number: str, name: str) -> str:
    """The name of a child of a file: its number there with the name beside it."""
    return _digest("child", number, " ".join(name.casefold().split()))


def content_key(values: Mapping[str, str], child: str) -> str:
    """What a row says, whatever the order of its columns."""
    said = sorted((name, text.strip()) for name, text in values.items() if name not in NOT_CONTENT)
    return _digest("row", child, *(part for pair in said if pair[1] for part in pair))


def row_digest(source: str, table: str, number: str, content: str, ordinal: int) -> str:
    """The name of a row: by its number where the file gives one, else by what it says and how often."""
    return _digest(source, table, *(("id", number) if number else ("content", content, str(ordinal))))


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()
