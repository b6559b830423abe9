"""What of a told behaviour makes an episode. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Behaviours that are events of their own, the one that names the episode first.
EVENTS = ("meltdown", "self_injury", "aggression", "elopement", "destructive", "sensory_overload")


def behaviour_of(category: str, signs: Mapping[str, Any]) -> str | None:
    """The behaviour that happened, None where an entry tells of none."""
    if category != "behaviour":
        return None
    return next((sign for sign in EVENTS if signs.get(sign) is True), None)


def impact_of(severity: int) -> int:
    """How hard a told behaviour was, from -3 to 0, by the severity of its signs."""
    return -min(max(severity, 0), 3)
