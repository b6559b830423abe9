"""A family's own trackables: what a definition may hold, and which values fit it. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

FieldKind = Literal["count", "number", "scale", "choice", "yes_no", "duration"]
KINDS: tuple[FieldKind, ...] = ("count", "number", "scale", "choice", "yes_no", "duration")
TrackedValue = int | float | bool | str

FIELDS_MOST = 8
CHOICES_MOST = 12
NAME_LONGEST = 60
# Whole numbers of these kinds, lowest and highest; a duration is in minutes.
WHOLE_RANGES: Mapping[str, tuple[int, int]] = {"count": (0, 10_000), "scale": (1, 5), "duration": (0, 1_440)}
NUMBER_MOST = 1_000_000_000


class InvalidTrackable(ValueError):
    """A definition or a value that does not fit; `path` names where, `code` why."""

    def __init__(self, path: str, code: str) -> None:
        super().__init__(f"{path}: {code}")
        self.path = path
        self.code = code


@dataclass(frozen=True)
class TrackedField:
    """One field: its key in the values, its name for people, a unit for numbers, options for choices."""

    key: str
    name: str
    kind: FieldKind
    unit: str = ""
    options: tuple[str, ...] = ()


def parse_fields(raw: object) -> tuple[TrackedField, ...]:
    """The fields of a definition, in its order. Raises InvalidTrackable."""
    if not isinstance(raw, list) or not 1 <= len(raw) <= FIELDS_MOST:
        raise InvalidTrackable("fields", "one_to_eight")
    fields = tuple(_parse_field(one, f"fields.{n}") for n, one in enumerate(raw))
    if len({field.key for field in fields}) != len(fields):
        raise InvalidTrackable("fields", "key_twice")
    return fields


def validate_values(fields: Sequence[TrackedField], values: Mapping[str, object]) -> dict[str, TrackedValue]:
    """The logged values in the fields' order; at least one is there. Raises InvalidTrackable."""
    known = {field.key: field for field in fields}
    for key in values:
        if key not in known:
            raise InvalidTrackable(key, "unknown_field")
    if not values:
        raise InvalidTrackable("values", "empty")
    return {key: _validate(field, values[key]) for key, field in known.items() if key in values}


def one_tap_values(fields: Sequence[TrackedField]) -> dict[str, TrackedValue] | None:
    """What one tap logs: one, or yes; None where a value has to be chosen first."""
    if len(fields) != 1 or fields[0].kind not in ("count", "yes_no"):
        return None
    return {fields[0].key: True if fields[0].kind == "yes_no" else 1}


def counted(fields: Sequence[TrackedField], values: Mapping[str, TrackedValue]) -> float:
    """How much one entry adds to the day's count: its counts, else one for the entry itself."""
    counts = [float(values[field.key]) for field in fields if field.kind == "count" and field.key in values]
    return sum(counts) if counts else 1.0


def _parse_field(raw: object, path: str) -> TrackedField:
    if not isinstance(raw, dict):
        raise InvalidTrackable(path, "not_a_field")
    if extra := set(raw) - {"key", "name", "kind", "unit", "options"}:
        raise InvalidTrackable(f"{path}.{min(map(str, extra))}", "unknown_member")
    kind = raw.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise InvalidTrackable(f"{path}.kind", "unknown_kind")
    return TrackedField(
        key=_words(raw.get("key"), f"{path}.key"),
        name=_words(raw.get("name"), f"{path}.name"),
        kind=KINDS[KINDS.index(kind)],
        unit=_words(raw["unit"], f"{path}.unit") if raw.get("unit") else "",
        options=_parse_options(raw.get("options") or [], kind, f"{path}.options"),
    )


def _parse_options(raw: object, kind: str, path: str) -> tuple[str, ...]:
    if not isinstance(raw, list):
        raise InvalidTrackable(path, "not_a_list")
    options = tuple(_words(one, path) for one in raw)
    if (kind == "choice") != bool(options):
        raise InvalidTrackable(path, "only_and_always_for_choice")
    if not 2 <= len(options) <= CHOICES_MOST and kind == "choice":
        raise InvalidTrackable(path, "two_to_twelve")
    if len(set(options)) != len(options):
        raise InvalidTrackable(path, "option_twice")
    return options


def _words(raw: Any, path: str) -> str:
    if not isinstance(raw, str) or not raw.strip() or len(raw) > NAME_LONGEST:
        raise InvalidTrackable(path, "not_a_short_text")
    return raw.strip()


def _validate(field: TrackedField, value: object) -> TrackedValue:
    if field.kind == "yes_no":
        if not isinstance(value, bool):
            raise InvalidTrackable(field.key, "not_yes_or_no")
        return value
    if field.kind == "choice":
        if not isinstance(value, str) or value not in field.options:
            raise InvalidTrackable(field.key, "not_an_option")
        return value
    return _validate_number(field, value)


def _validate_number(field: TrackedField, value: object) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InvalidTrackable(field.key, "not_a_number")
    if field.kind == "number":
        if abs(value) > NUMBER_MOST:
            raise InvalidTrackable(field.key, "out_of_range")
        return value
    low, high = WHOLE_RANGES[field.kind]
    if value != int(value) or not low <= value <= high:
        raise InvalidTrackable(field.key, "out_of_range")
    return int(value)
