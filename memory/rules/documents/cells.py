"""Rows of a table that letter reading took apart: it gives columns that lie far apart as blocks. Pure.

A block belongs beside earlier lines where most of its lines stand at the height of one of them and not both
are prose; two columns of prose stay one after the other. The lines themselves are kept as they were read,
because on a photographed page they are bent, and what is one line is known better by who read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from statistics import fmean, median

from memory.rules.documents.columns import LEAST_FILL, LEAST_ROWS, LEAST_WORDS

SHARE = 0.6  # of a block's lines that stand at the height of another
LEVEL = 0.6  # of a line's height by which two lines of one row may differ
LEAST_LONG = 5  # lines from which it is told how the slope changes down the page
CELL = "  "  # what stands between the cells of a row


@dataclass(frozen=True)
class Seen:
    """One word in a picture: how sure its reader was (0 to 100), its box, what stands before it."""

    text: str
    sure: float
    x0: float
    y0: float
    x1: float
    y1: float
    before: str = ""


@dataclass(frozen=True)
class Line:
    """Words read as one line, and the block and paragraph they were read in."""

    block: int
    paragraph: int
    words: tuple[Seen, ...]

    @property
    def middle(self) -> float:
        """Where the line stands, from the top."""
        return median((word.y0 + word.y1) / 2 for word in self.words)

    @property
    def centre(self) -> float:
        """Where its middle word stands, from the left."""
        return median((word.x0 + word.x1) / 2 for word in self.words)

    @property
    def slope(self) -> float:
        """How far the line sinks for each step to the right, through the feet of its words."""
        places = [((word.x0 + word.x1) / 2, word.y1) for word in self.words]
        x, y = fmean(one[0] for one in places), fmean(one[1] for one in places)
        spread = sum((one[0] - x) ** 2 for one in places)
        return sum((one[0] - x) * (one[1] - y) for one in places) / spread if spread else 0.0

    @property
    def height(self) -> float:
        """How high its words are."""
        return median(word.y1 - word.y0 for word in self.words)

    @property
    def span(self) -> tuple[float, float]:
        """From its first word's left to its last word's right."""
        return min(word.x0 for word in self.words), max(word.x1 for word in self.words)


def in_rows(lines: Sequence[Line]) -> list[Line]:
    """The lines, those of a table's torn-off columns put back behind the row they belong to."""
    sinking = _sinking(lines)
    kept: list[Line] = []
    for _block, group in groupby(lines, key=lambda one: one.block):
        block = list(group)
        pairs = [(one, _partner(one, kept, sinking)) for one in block]
        found = [(one, kept[at]) for one, at in pairs if at is not None]
        if len(found) < SHARE * len(block) or not found or _both_prose(block, [row for _one, row in found]):
            kept += block
            continue
        for one, at in pairs:
            if at is None:
                kept.append(one)
            else:
                kept[at] = _joined(kept[at], one)
    return kept


def lying(lines: Sequence[Line]) -> int:
    """By how many degrees clockwise a page must be turned whose lines run upwards or downwards, else 0."""
    steps = [
        ((b.x0 + b.x1 - a.x0 - a.x1) / 2, (b.y0 + b.y1 - a.y0 - a.y1) / 2)
        for line in lines
        for a, b in pairwise(line.words)
    ]
    upright = [abs(across) >= abs(down) for across, down in steps]
    if 2 * sum(upright) >= len(steps):
        return 0
    return 90 if sum(down for _across, down in steps) < 0 else 270


def _sinking(lines: Sequence[Line]) -> tuple[float, float]:
    """The slope of the page's lines as `a + b * y`: from an angle upper lines sink otherwise than lower.

    Fitted through the long lines by least squares; few lines tell one slope, none tells of no slope.
    """
    long = [(one.middle, one.slope) for one in lines if len(one.words) >= 3]
    if not long:
        return 0.0, 0.0
    y, slope = fmean(one[0] for one in long), median(one[1] for one in long)
    spread = sum((one[0] - y) ** 2 for one in long)
    if len(long) < LEAST_LONG or not spread:
        return slope, 0.0
    mean = fmean(one[1] for one in long)
    bend = sum((one[0] - y) * (one[1] - mean) for one in long) / spread
    return mean - bend * y, bend


def _partner(line: Line, rows: Sequence[Line], sinking: tuple[float, float]) -> int | None:
    """The row at the line's height that leaves its place free, None where there is none."""
    best, found = LEVEL, None
    for at, row in enumerate(rows):
        sinks = (sinking[0] + sinking[1] * line.middle) * (line.centre - row.centre)
        apart = abs(row.middle + sinks - line.middle) / max(min(row.height, line.height), 1.0)
        is_free = row.span[1] <= line.span[0] or line.span[1] <= row.span[0]
        if apart < best and is_free:
            best, found = apart, at
    return found


def _both_prose(block: Sequence[Line], rows: Sequence[Line]) -> bool:
    return _is_prose(block) and _is_prose(rows)


def _is_prose(lines: Sequence[Line]) -> bool:
    """Whether the lines are long enough, in words and on their side, to be read on; one alone is no table."""
    words = [sum(any(map(str.isalnum, word.text)) for word in one.words) for one in lines]
    if len(lines) < LEAST_ROWS:
        return median(words) > 2 * LEAST_WORDS
    left, right = min(one.span[0] for one in lines), max(one.span[1] for one in lines)
    fills = median((one.span[1] - one.span[0]) / max(right - left, 1.0) for one in lines)
    return median(words) >= LEAST_WORDS and fills >= LEAST_FILL


def _joined(row: Line, line: Line) -> Line:
    first, second = sorted((row, line), key=lambda one: one.span[0])
    behind = (replace(second.words[0], before=CELL), *second.words[1:])
    return replace(row, words=(*first.words, *behind))
