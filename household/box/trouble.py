"""The one kind of failure a person at the console is told about, in one sentence."""

from __future__ import annotations

from pathlib import Path


class Trouble(Exception):
    """Why the box cannot go on, as one sentence for the person who runs it."""


def of_disk(error: OSError, folder: Path) -> Trouble:
    """The sentence for a folder that could not be written, full disks included."""
    reason = (error.strerror or str(error)).lower()
    return Trouble(f"The data folder {folder} cannot be written ({reason}): free it or set HEARTHBOOK_HOME.")
