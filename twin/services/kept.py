"""What the app above this one keeps of what is told here; it puts its functions in when it is loaded.

The twin stands below and imports nothing of it. Each is called in the transaction that keeps or files the
row, with the subject locked and its book open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from twin.models import Event, LedgerEntry


def _nothing_of_event(event: Event) -> None:
    return None


def _nothing_of_entry(entry: LedgerEntry) -> None:
    return None


@dataclass
class Keeping:
    """What is called after an event was kept or corrected, and after an entry was filed or taken back."""

    event: Callable[[Event], None] = _nothing_of_event
    entry: Callable[[LedgerEntry], None] = _nothing_of_entry


keeping = Keeping()
