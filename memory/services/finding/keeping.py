"""One turn of keeping everything findable: words first, then vectors while there is time."""

from __future__ import annotations

import time
from collections.abc import Callable

from memory.clients.embedder import Embedder, EmbedderFailed, current_embedder
from memory.services.finding.entries import embed_some, fill_due, index_by_size


def deadline(seconds: float) -> Callable[[], bool]:
    """A clock that says whether so many seconds are over."""
    ends = time.monotonic() + seconds
    return lambda: time.monotonic() >= ends


def keep_entries(*, is_time_over: Callable[[], bool], embedder: Embedder | None = None) -> tuple[int, int]:
    """Fill what is due, then embed until the time is over. Gives how many of each.

    An endpoint that fails leaves its rows for the next turn; they are found by their words meanwhile.
    """
    filled, embedded = fill_due(), 0
    maker = embedder or current_embedder()
    try:
        while not is_time_over() and (count := embed_some(maker)):
            embedded += count
    except EmbedderFailed:
        return filled, embedded
    if embedded:
        index_by_size(model=maker.name)
    return filled, embedded
