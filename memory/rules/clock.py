"""How a device whose clock was wrong stamps again what the house never acknowledged."""

from collections.abc import Sequence
from dataclasses import replace

from household.rules.clock import MAX_AHEAD_MS, Offset, corrected, is_skewed, offset_to, restamped, stamp
from memory.rules.journal.lines import Line

__all__ = [
    "MAX_AHEAD_MS",
    "Offset",
    "corrected",
    "is_skewed",
    "offset_to",
    "restamped",
    "restamped_lines",
    "stamp",
]


def restamped_lines(lines: Sequence[Line], offset: Offset, *, now_ms: int) -> list[Line]:
    """The lines with stamps the house accepts, in the same order; turn ids and words stay.

    `now_ms` is the house's time. Only lines from the house's next seq on: held ones keep their stamps.
    """
    moved = restamped([line.at_ms for line in lines], offset, now_ms=now_ms)
    return [replace(line, envelope={**line.envelope, "at_ms": moved[line.at_ms]}) for line in lines]
