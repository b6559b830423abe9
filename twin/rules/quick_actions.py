"""What one press of a quick log may do, and how a page names it. Pure.

An action is stored as JSON, in one of three forms:

    {"kind": "dose", "id": 5}                                        one dose of a medicine, given now
    {"kind": "trackable", "id": 3, "values": {"f1": 1}}              one entry with these values
    {"kind": "form", "field": "arousal", "level": "high"}            one tap of the form
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twin.rules.trackables import WHOLE_RANGES, TrackedField, TrackedValue, one_tap_values


def preset_values(fields: Sequence[TrackedField]) -> list[dict[str, TrackedValue]]:
    """What a press can log of a trackable without anybody choosing; empty where a value must be written."""
    values = one_tap_values(fields)
    if values is not None:
        return [values]
    if len(fields) != 1:
        return []
    (field,) = fields
    if field.kind == "choice":
        return [{field.key: option} for option in field.options]
    if field.kind == "scale":
        low, high = WHOLE_RANGES["scale"]
        return [{field.key: level} for level in range(low, high + 1)]
    return []


def key_of(action: dict[str, Any], n: int = 0) -> str:
    """How a form names an action; `n` counts the presets of one trackable."""
    match action["kind"]:
        case "dose":
            return f"dose:{action['id']}"
        case "trackable":
            return f"trackable:{action['id']}:{n}"
        case _:
            return f"form:{action['field']}:{action['level']}"
