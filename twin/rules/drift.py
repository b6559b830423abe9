"""The steady-state profile's fields, and what changed between two of its versions. Pure.

A profile is measured now and then; no single day is ever compared with it. Continuous fields drift by a
fraction of the old value, ordinal ones by rank distance. A field missing on either side says so and does not
drift.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from twin.rules.messages import gettext_noop

FieldKind = Literal["continuous", "ordinal"]
Mark = Literal["same", "noted", "drift", "missing"]
Value = float | int

CONTINUOUS_THRESHOLD = 0.30
THRESHOLDS = {"food_g": 0.25}
NOTED_RANKS = 1
DRIFT_RANKS = 2


@dataclass(frozen=True)
class ProfileField:
    """One measured field: its range, whether it counts wholes, and whether only persons have it."""

    name: str
    label: str
    kind: FieldKind
    low: float
    high: float
    is_whole: bool = False
    is_for_persons: bool = False


class InvalidProfile(ValueError):
    """A profile's values do not fit its fields; `path` names the field, `code` the reason."""

    def __init__(self, path: str, code: str) -> None:
        super().__init__(f"{path}: {code}")
        self.path = path
        self.code = code


@dataclass(frozen=True)
class Drift:
    """One field between two versions; `change` is a fraction of the old value, or ranks."""

    field: str
    old: Value | None
    new: Value | None
    change: float | None
    mark: Mark


FIELDS: Mapping[str, ProfileField] = {
    field.name: field
    for field in (
        ProfileField("stool_per_day", gettext_noop("Stools a day"), "continuous", 0, 30),
        ProfileField("stool_form", gettext_noop("Stool form"), "ordinal", 1, 7, is_whole=True),
        ProfileField("urine_per_day", gettext_noop("Urine a day"), "continuous", 0, 60),
        ProfileField("food_g", gettext_noop("Food a day (g)"), "continuous", 0, 20_000),
        ProfileField("water_ml", gettext_noop("Water a day (ml)"), "continuous", 0, 100_000),
        ProfileField("activity_min", gettext_noop("Activity a day (min)"), "continuous", 0, 1_440),
        ProfileField("sleep_hours", gettext_noop("Sleep a day (h)"), "continuous", 0, 24),
        ProfileField("night_wakings", gettext_noop("Wakings a night"), "continuous", 0, 50),
        ProfileField("weight_kg", gettext_noop("Weight (kg)"), "continuous", 0.001, 1_000),
        ProfileField("bcs", gettext_noop("Body condition (1-9)"), "ordinal", 1, 9, is_whole=True),
        ProfileField("appetite", gettext_noop("Appetite (1-5)"), "ordinal", 1, 5, is_whole=True),
        ProfileField("energy", gettext_noop("Energy (1-5)"), "ordinal", 1, 5, is_whole=True),
        ProfileField("mood", gettext_noop("Mood (1-5)"), "ordinal", 1, 5, is_whole=True),
        ProfileField(
            "meltdowns_per_week", gettext_noop("Meltdowns a week"), "continuous", 0, 200, is_for_persons=True
        ),
        ProfileField(
            "words_or_signs_per_day",
            gettext_noop("Words or signs a day"),
            "continuous",
            0,
            50_000,
            is_for_persons=True,
        ),
        ProfileField(
            "foods_accepted",
            gettext_noop("Foods accepted"),
            "continuous",
            0,
            1_000,
            is_whole=True,
            is_for_persons=True,
        ),
    )
}


def fields_of(species: str) -> tuple[ProfileField, ...]:
    """The fields that a subject of this species has."""
    return tuple(field for field in FIELDS.values() if species == "person" or not field.is_for_persons)


def validate_profile(species: str, values: Mapping[str, object]) -> dict[str, Value]:
    """The values in the fields' order; a field left out stays out. Raises InvalidProfile."""
    fields = {field.name: field for field in fields_of(species)}
    for name in values:
        if name not in fields:
            raise InvalidProfile(name, "unknown_field")
    return {name: _validate(field, values[name]) for name, field in fields.items() if name in values}


def relative_change(old: float, new: float) -> float | None:
    """Change from `old` to `new` as a fraction of `old`; None where `old` is zero."""
    return None if old == 0 else (new - old) / old


def drift_of(name: str, old: Value | None, new: Value | None) -> Drift:
    """What became of one field."""
    if old is None or new is None:
        return Drift(name, old, new, None, "missing")
    if FIELDS[name].kind == "ordinal":
        ranks = abs(new - old)
        mark: Mark = "drift" if ranks >= DRIFT_RANKS else "noted" if ranks >= NOTED_RANKS else "same"
        return Drift(name, old, new, float(new - old), mark)
    change = relative_change(old, new)
    return Drift(name, old, new, change, "drift" if _is_large(name, change, new) else "same")


def drift(species: str, old: Mapping[str, Value], new: Mapping[str, Value]) -> tuple[Drift, ...]:
    """Every field that either version has, in the fields' order."""
    names = [field.name for field in fields_of(species) if field.name in old or field.name in new]
    return tuple(drift_of(name, old.get(name), new.get(name)) for name in names)


def _is_large(name: str, change: float | None, new: float) -> bool:
    if change is None:
        return new > 0
    return round(abs(change), 9) >= THRESHOLDS.get(name, CONTINUOUS_THRESHOLD)


def _validate(field: ProfileField, value: object) -> Value:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidProfile(field.name, "not_a_number")
    if not math.isfinite(value) or not field.low <= value <= field.high:
        raise InvalidProfile(field.name, "out_of_range")
    if field.is_whole and value != int(value):
        raise InvalidProfile(field.name, "not_whole")
    return int(value) if field.is_whole else value
