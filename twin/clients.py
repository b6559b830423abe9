"""The outside of the twin: the reader that turns words into entries."""

from __future__ import annotations

from twin.rules.entries import Reading, ReadingContext


def read(text: str, *, context: ReadingContext) -> Reading:
    """Read one statement with the household's reader."""
    from twin.reading.builtin import read as read_builtin

    return read_builtin(text, context=context)
