"""Red flags of a turn: shown in the very answer to the words that raised them."""

from __future__ import annotations

from collections.abc import Sequence

from twin.models import LedgerEntry, Statement
from twin.rules.red_flags import RedFlag, red_flags


def flags_of_turn(statements: Sequence[Statement], entries: Sequence[LedgerEntry]) -> list[RedFlag]:
    """The flags of what was just said, gravest first, each once."""
    found: dict[str, RedFlag] = {}
    for entry in entries:
        for flag in red_flags(
            entry.subject.species, entry.subject.sex, entry.category, entry.signs, entry.words
        ):
            found.setdefault(flag.key, flag)
    return list(found.values())
