"""The assessment: its inputs, their key, what differs between two, and the text that rules make. Pure.

Nothing transient is an input: an age band, not an age; the chronic background, not tonight's courses. So the
key changes exactly when something lasting did.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from twin.rules.drift import Drift, Value
from twin.rules.messages import gettext_noop

LONG_TERM_DAYS = 30
UNKNOWN_BAND = "unknown"

# (band, below this many months). Cats: AAFP/AAHA life stages 2021. Dogs: AAHA life stages 2019, a
# middle-sized dog. Persons: WHO's infant to adolescent. The others by their usual span of life.
AGE_BANDS: Mapping[str, tuple[tuple[str, float], ...]] = {
    "person": (
        ("infant", 12),
        ("toddler", 36),
        ("preschool", 72),
        ("school", 144),
        ("adolescent", 216),
        ("adult", float("inf")),
    ),
    "cat": (("kitten", 12), ("young_adult", 84), ("mature", 120), ("senior", float("inf"))),
    "dog": (("puppy", 12), ("young_adult", 48), ("mature", 108), ("senior", float("inf"))),
    "rabbit": (("young", 6), ("adult", 60), ("senior", float("inf"))),
    "bird": (("young", 12), ("adult", float("inf"))),
    "other": (("young", 12), ("adult", float("inf"))),
}

BAND_LABELS: Mapping[str, str] = {
    "infant": gettext_noop("infant"),
    "toddler": gettext_noop("toddler"),
    "preschool": gettext_noop("preschool child"),
    "school": gettext_noop("school child"),
    "adolescent": gettext_noop("adolescent"),
    "kitten": gettext_noop("kitten"),
    "puppy": gettext_noop("puppy"),
    "young": gettext_noop("young animal"),
    "young_adult": gettext_noop("young adult"),
    "adult": gettext_noop("adult"),
    "mature": gettext_noop("mature adult"),
    "senior": gettext_noop("senior"),
    UNKNOWN_BAND: gettext_noop("age not known"),
}


@dataclass(frozen=True)
class LongMedicine:
    """A medicine that is given for long."""

    name: str
    dose: float | None = None
    unit: str = ""


@dataclass(frozen=True)
class Sentence:
    """A message to translate and what fills it; `labels` name the params to translate first."""

    message: str
    params: Mapping[str, str]
    labels: frozenset[str] = frozenset()


def age_band(species: str, age_months: int | None) -> str:
    """The life stage of an age, "unknown" where birth is not known."""
    if age_months is None or age_months < 0:
        return UNKNOWN_BAND
    return next(band for band, below in AGE_BANDS[species] if age_months < below)


def is_long_term(started_on: date, ended_on: date | None, today: date) -> bool:
    """Whether a medicine is still given and has been for thirty days."""
    return (ended_on is None or ended_on >= today) and (today - started_on).days >= LONG_TERM_DAYS


def inputs_of(
    *,
    species: str,
    breed: str,
    sex: str,
    neutered: bool | None,
    age_months: int | None,
    chronic: Sequence[str],
    medicines: Sequence[LongMedicine],
    profile_version: int | None = None,
    profile: Mapping[str, Value] | None = None,
    drift: Sequence[Drift] = (),
) -> dict[str, Any]:
    """Everything an assessment depends on, as JSON, whatever the order it was fetched in."""
    return {
        "species": species,
        "breed": " ".join(breed.split()),
        "sex": sex,
        "neutered": neutered,
        "age_band": age_band(species, age_months),
        "chronic": sorted(set(chronic)),
        "medicines": sorted([m.name, _canonical(m.dose), m.unit] for m in set(medicines)),
        "profile": {"version": profile_version, **_canonical(dict(profile or {}))},
        "drift": {each.field: each.mark for each in drift if each.mark in ("noted", "drift")},
    }


def canonical_json(value: object) -> str:
    """One spelling for equal values: keys sorted, no spaces, 2.0 as 2. Raises ValueError for NaN."""
    return json.dumps(
        _canonical(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def inputs_key(inputs: Mapping[str, Any]) -> str:
    """SHA-256 of the inputs, in hexadecimal."""
    return hashlib.sha256(canonical_json(inputs).encode()).hexdigest()


def is_stale(stored_key: str, inputs: Mapping[str, Any]) -> bool:
    """Whether an assessment was made from other inputs. Never stored."""
    return stored_key != inputs_key(inputs)


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the inputs that differ, those of the profile by field ("profile.weight_kg"), in order."""
    before, after = _flat(old), _flat(new)
    return tuple(
        sorted(name for name in before | after if _canonical(before.get(name)) != _canonical(after.get(name)))
    )


def compose(inputs: Mapping[str, Any]) -> tuple[Sentence, ...]:
    """The assessment without a model: sentences to translate that say only what the inputs hold."""
    return (*_who(inputs), *_background(inputs), *_profile(inputs))


def _who(inputs: Mapping[str, Any]) -> list[Sentence]:
    band = BAND_LABELS[inputs["age_band"]]
    sentences = [Sentence(gettext_noop("Life stage: %(band)s."), {"band": band}, frozenset({"band"}))]
    if inputs["breed"]:
        sentences.append(Sentence(gettext_noop("Breed: %(breed)s."), {"breed": inputs["breed"]}))
    return sentences


def _background(inputs: Mapping[str, Any]) -> list[Sentence]:
    sentences = []
    if inputs["chronic"]:
        named = ", ".join(inputs["chronic"])
        sentences.append(Sentence(gettext_noop("Chronic background: %(chronic)s."), {"chronic": named}))
    else:
        sentences.append(Sentence(gettext_noop("No chronic background is recorded."), {}))
    for name, dose, unit in inputs["medicines"]:
        amount = f" {dose} {unit}".rstrip() if dose is not None else ""
        sentences.append(
            Sentence(gettext_noop("Long-term medicine: %(medicine)s."), {"medicine": f"{name}{amount}"})
        )
    return sentences


def _profile(inputs: Mapping[str, Any]) -> list[Sentence]:
    if inputs["profile"]["version"] is None:
        return [Sentence(gettext_noop("No steady-state profile has been measured yet."), {})]
    sentences = [
        Sentence(_DRIFT_MESSAGES[mark], {"field": name}, frozenset({"field"}))
        for name, mark in inputs["drift"].items()
    ]
    return sentences or [Sentence(gettext_noop("The profile is steady against the one before."), {})]


_DRIFT_MESSAGES = {
    "noted": gettext_noop("Slightly changed since the last profile: %(field)s."),
    "drift": gettext_noop("Clearly changed since the last profile: %(field)s."),
}


def _canonical(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {str(key): _canonical(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_canonical(part) for part in value]
    return value


def _flat(value: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, part in value.items():
        if isinstance(part, Mapping):
            flat |= _flat(part, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = part
    return flat
