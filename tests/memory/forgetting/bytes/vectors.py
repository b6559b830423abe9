"""Looking for every piece of a vector: all windows of 16 bytes, as four float32 or eight float16."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

WINDOW = 16


def pieces(content: bytes, vector: Sequence[float]) -> list[str]:
    """Every window of 16 bytes of the vector that stands in the content, wherever it begins."""
    return [
        f"{kind.__name__} at {at}"
        for kind in (np.float32, np.float16)
        for at in _windows(content, vector, kind)
    ]


def _windows(content: bytes, vector: Sequence[float], kind: type[np.floating]) -> list[int]:
    numbers = np.asarray(vector, kind)
    width, count = numbers.itemsize, WINDOW // numbers.itemsize
    windows = {numbers[at : at + count].tobytes(): at for at in range(len(numbers) - count + 1)}
    known = np.zeros(2**16, bool)  # by the lower half of a number: leaves few places to look at closely
    halves = numbers.view(np.uint16)
    known[halves[:: width // 2]] = True
    found: set[int] = set()
    for shift in range(width):
        usable = (len(content) - shift) // width * width
        if usable < WINDOW:
            continue
        here = known[np.frombuffer(content, np.uint16, usable // 2, shift)[:: width // 2]]
        runs = here[: len(here) - count + 1].copy()
        for ahead in range(1, count):
            runs &= here[ahead : len(here) - count + 1 + ahead]
        for place in np.flatnonzero(runs):
            start = shift + int(place) * width
            at = windows.get(content[start : start + WINDOW])
            if at is not None:
                found.add(at)
    return sorted(found)
