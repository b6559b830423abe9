"""Cursors of change: `epoch:n`, n from the house's one counter."""

from __future__ import annotations

import re
from dataclasses import dataclass
from uuid import UUID

CURSOR = re.compile(r"([0-9a-f-]{36}):([0-9]{1,18})")


class Resync(ValueError):
    """The cursor is of another epoch, or of a future this house never had: the whole copy is wanted."""


@dataclass(frozen=True)
class Cursor:
    """How far a device has heard of changes."""

    epoch: str
    n: int

    def __str__(self) -> str:
        return f"{self.epoch}:{self.n}"


def read_cursor(text: str | None, *, epoch: UUID, newest: int) -> Cursor:
    """The cursor a device sent; none is the beginning. Raises Resync."""
    if not text:
        return Cursor(str(epoch), 0)
    found = CURSOR.fullmatch(text)
    if found is None or found[1] != str(epoch) or int(found[2]) > newest:
        raise Resync
    return Cursor(found[1], int(found[2]))
