"""The bytes of what is gone: noting what is owed on disk, and rewriting it until no file holds a word."""

from household.services.backups.turns import BYTES_LOCK
from household.services.erasing.grants import Grant, grants
from household.services.erasing.orphans import orphans
from household.services.erasing.owing import owe, owe_edited, relations_reached
from household.services.erasing.sweeping import Outcome, sweep, sweep_at_start

__all__ = [
    "BYTES_LOCK",
    "Grant",
    "Outcome",
    "grants",
    "orphans",
    "owe",
    "owe_edited",
    "relations_reached",
    "sweep",
    "sweep_at_start",
]
