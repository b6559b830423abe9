"""The reading order of words on a page: columns of prose one after another, tables row by row. Pure.

A gutter counts as one between columns only where both sides are prose: several words a line that fill most
of their side. The cells of a table are short, so a table stays in rows. Lines across the gutter (a title, a
footer) part the page into runs above and below them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median

LEAST_ROWS = 3  # of a run with two columns
LEAST_WORDS = 2.5  # of a line of prose, at the median
LEAST_FILL = 0.55  # of its side's width
GUTTER = 1.2  # heights of a word
WIDE = 2.5  # heights: a gap inside a row that a table's cells leave
APART = 2.5  # heights: a gap between rows that parts two chunks
DEEPEST = 3


@dataclass(frozen=True)
class Word:
    """One word and its box, y growing downwards."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


Row = list[Word]


def reading_lines(words: Sequence[Word]) -> list[str]:
    """The lines of a page in reading order; an empty line parts what lies apart."""
    if not words:
        return []
    return _lines(_order(list(words), 0))


def rows_of(words: Sequence[Word]) -> list[Row]:
    """Words that stand side by side, from top to bottom, each row from left to right."""
    rows: list[Row] = []
    for word in sorted(words, key=lambda one: ((one.y0 + one.y1) / 2, one.x0)):
        middle = (word.y0 + word.y1) / 2
        last = rows[-1] if rows else None
        if last is not None and min(w.y0 for w in last[-3:]) <= middle <= max(w.y1 for w in last[-3:]):
            last.append(word)
        else:
            rows.append([word])
    return [sorted(row, key=lambda one: one.x0) for row in rows]


def _order(words: list[Word], depth: int) -> list[Row]:
    rows = rows_of(words)
    if depth >= DEEPEST or len(rows) < LEAST_ROWS:
        return rows
    height = median(word.y1 - word.y0 for word in words) or 1.0
    gutter = _gutter(rows, height)
    if gutter is None:
        return rows
    ordered: list[Row] = []
    run: list[Row] = []
    for row in [*rows, None]:
        if row is not None and not _crosses(row, gutter):
            run.append(row)
            continue
        ordered += _split(run, gutter, depth)
        run = []
        if row is not None:
            ordered.append(row)
    return ordered


def _split(run: list[Row], gutter: float, depth: int) -> list[Row]:
    """A run of rows without a word on the gutter: left column, then right; as it is where it is no prose.

    Prose and a table below it lie apart, so each chunk between wide gaps is looked at by itself; chunks of
    prose that follow one another are the same two columns.
    """
    ordered: list[Row] = []
    for is_prose, chunks in groupby(_chunks(run), key=lambda chunk: _has_columns(chunk, gutter)):
        rows = [row for chunk in chunks for row in chunk]
        if is_prose:
            left, right = _sides(rows, gutter)
            ordered += _order(left, depth + 1) + _order(right, depth + 1)
        else:
            ordered += rows
    return ordered


def _chunks(run: list[Row]) -> list[list[Row]]:
    chunks: list[list[Row]] = []
    for row in run:
        above = chunks[-1][-1] if chunks else None
        if above is not None and row[0].y0 - above[0].y1 < APART * (row[0].y1 - row[0].y0):
            chunks[-1].append(row)
        else:
            chunks.append([row])
    return chunks


def _sides(rows: list[Row], gutter: float) -> tuple[list[Word], list[Word]]:
    words = [word for row in rows for word in row]
    return [word for word in words if word.x1 <= gutter], [word for word in words if word.x0 >= gutter]


def _has_columns(chunk: list[Row], gutter: float) -> bool:
    """Whether both sides are prose; a chunk too short to tell is, where its lines are long enough."""
    left, right = _sides(chunk, gutter)
    if len(chunk) >= LEAST_ROWS:
        return bool(left and right) and _is_prose(left) and _is_prose(right)
    return all(len(row) >= LEAST_WORDS for side in (left, right) for row in rows_of(side))


def _is_prose(words: list[Word]) -> bool:
    rows = rows_of(words)
    if len(rows) < LEAST_ROWS:
        return False
    width = max(word.x1 for word in words) - min(word.x0 for word in words)
    fills = median((row[-1].x1 - row[0].x0) / (width or 1.0) for row in rows)
    return median(len(row) for row in rows) >= LEAST_WORDS and fills >= LEAST_FILL


def _crosses(row: Row, x: float) -> bool:
    return any(word.x0 < x < word.x1 for word in row) or _is_one_line(row, x)


def _is_one_line(row: Row, x: float) -> bool:
    """Whether the words beside `x` stand as close as the words of one line."""
    left = max((word.x1 for word in row if word.x1 <= x), default=None)
    right = min((word.x0 for word in row if word.x0 >= x), default=None)
    if left is None or right is None:
        return False
    return right - left < 0.7 * median(word.y1 - word.y0 for word in row)


def _gutter(rows: list[Row], height: float) -> float | None:
    """The x at which most rows leave a gap between words on both sides, None where few do."""
    gaps = [
        (left.x1, right.x0)
        for row in rows
        for left, right in pairwise(row)
        if right.x0 - left.x1 >= GUTTER * height * 0.6
    ]
    best, found = LEAST_ROWS - 1, None
    for x in {round((start + end) / 2, 1) for start, end in gaps}:
        split = sum(start < x < end for start, end in gaps)
        crossing = sum(any(word.x0 < x < word.x1 for word in row) for row in rows)
        if split > best and split > crossing:
            best, found = split, x
    return found


def _lines(rows: list[Row]) -> list[str]:
    lines: list[str] = []
    last: Row | None = None
    for row in rows:
        if last is not None and _is_apart(last, row):
            lines.append("")
        lines.append(_line(row))
        last = row
    return lines


def _is_apart(upper: Row, lower: Row) -> bool:
    height = max(word.y1 - word.y0 for word in upper)
    gap = min(word.y0 for word in lower) - max(word.y1 for word in upper)
    return gap > 0.9 * height or gap < -3 * height


def _line(row: Row) -> str:
    text = row[0].text
    height = max(word.y1 - word.y0 for word in row)
    for left, right in pairwise(row):
        is_cell = right.x0 - left.x1 > WIDE * height
        text += ("  " if is_cell else " ") + right.text
    return text
