"""The 19 body systems a record may speak of, and the signs each of them can hold. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from twin.rules.entries import SignValue

NOT_OBSERVED = "not_observed"
TEXT_LIMIT = 200

SignKind = Literal["tri", "enum", "number", "text"]


@dataclass(frozen=True)
class SignField:
    """One sign of a category: true/false, one of `members`, a number in low..high, or the speaker's words."""

    name: str
    kind: SignKind
    members: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    is_whole: bool = False


class InvalidSigns(ValueError):
    """Signs that do not fit their category: `path` names the sign ("" for the category), `code` why."""

    def __init__(self, path: str, code: str) -> None:
        super().__init__(f"{path or 'category'}: {code}")
        self.path = path
        self.code = code


def _tri(*names: str) -> tuple[SignField, ...]:
    return tuple(SignField(name, "tri") for name in names)


def _enum(name: str, *members: str) -> SignField:
    return SignField(name, "enum", members=(*members, NOT_OBSERVED))


def _number(name: str, low: float, high: float) -> SignField:
    return SignField(name, "number", low=low, high=high)


def _count(name: str, high: int) -> SignField:
    return SignField(name, "number", low=0, high=high, is_whole=True)


def _text(name: str) -> SignField:
    return SignField(name, "text")


# The limits of numbers are those of a living body of any species, there to refuse a slip of the finger.
SCHEMAS: dict[str, tuple[SignField, ...]] = {
    "whole_body": (
        *_tri("fever", "pain", "lethargy", "shivering", "collapse"),
        _number("temperature_c", 25, 46),
    ),
    "appetite_intake": (
        _enum("amount", "none", "less", "usual", "more"),
        *_tri("refuses_food", "picky", "choking"),
        _number("food_g", 0, 20_000),
    ),
    "thirst_hydration": (
        _enum("amount", "none", "less", "usual", "more"),
        *_tri("dehydrated"),
        _number("water_ml", 0, 100_000),
    ),
    "upper_digestive": (
        *_tri("vomiting"),
        _count("vomit_count", 100),
        *_tri("regurgitation", "nausea", "drooling", "blood", "hairball", "bloating"),
    ),
    "lower_digestive": (
        *_tri("diarrhoea", "constipation", "straining", "blood", "mucus", "worms", "accident", "gas"),
        _count("stool_count", 100),
        _enum("form", "hard", "firm", "soft", "loose", "watery"),
    ),
    "oral_dental": (
        *_tri("bad_breath", "gum_bleeding", "gum_redness", "tooth_pain", "mouth_sores"),
        _enum("gum_colour", "pink", "pale", "white", "blue", "yellow", "red"),
    ),
    "respiratory": _tri(
        "sneezing",
        "coughing",
        "wheezing",
        "laboured_breathing",
        "nasal_discharge",
        "congestion",
        "snoring",
    ),
    "cardiovascular": _tri("fainting", "murmur", "racing_heart", "weak_pulse", "exercise_intolerance"),
    "urinary": (
        *_tri("straining", "blood", "accident", "frequent", "no_urine", "strong_smell"),
        _count("urine_count", 200),
    ),
    "reproductive": _tri("discharge", "swelling", "in_heat", "bleeding"),
    "skin_coat": (
        *_tri(
            "itching",
            "rash",
            "redness",
            "hair_loss",
            "wound",
            "lump",
            "parasites",
            "dryness",
            "swelling",
        ),
        _text("site"),
    ),
    "ears": (
        *_tri(
            "redness",
            "odour",
            "discharge",
            "scratching",
            "head_shaking",
            "pain",
            "swelling",
            "hearing_loss",
        ),
        _enum("side", "left", "right", "both"),
    ),
    "eyes": (
        *_tri("redness", "discharge", "squinting", "cloudiness", "swelling", "itching", "vision_loss"),
        _enum("side", "left", "right", "both"),
    ),
    "musculoskeletal": (
        *_tri("limping", "stiffness", "joint_swelling", "weakness", "cannot_rise", "injury"),
        _text("limb"),
    ),
    "neurological": _tri(
        "seizure",
        "tremor",
        "head_tilt",
        "circling",
        "disorientation",
        "loss_of_balance",
        "headache",
    ),
    "metabolic_weight": (
        *_tri("weight_loss", "weight_gain"),
        _number("weight_kg", 0.001, 1_000),
        _number("bcs", 1, 9),
    ),
    "blood_immune": _tri(
        "bruising",
        "swollen_glands",
        "allergic_reaction",
        "hives",
        "pale_gums",
        "bleeding",
    ),
    "sleep": (
        *_tri(
            "poor_sleep",
            "night_waking",
            "early_waking",
            "trouble_falling_asleep",
            "nightmares",
            "restless",
            "oversleeping",
        ),
        _number("hours", 0, 24),
    ),
    "behaviour": (
        *_tri(
            "meltdown",
            "aggression",
            "self_injury",
            "anxiety",
            "withdrawal",
            "hiding",
            "stimming",
            "sensory_overload",
            "elopement",
            "regression",
            "repetitive",
            "vocalising",
            "destructive",
        ),
        _text("trigger"),
        _text("place"),
        _number("minutes", 0, 1_440),
        _text("calmed_by"),
    ),
}

CATEGORIES: tuple[str, ...] = tuple(SCHEMAS)
FIELDS: dict[str, dict[str, SignField]] = {
    category: {field.name: field for field in fields} for category, fields in SCHEMAS.items()
}
LOCATORS: dict[str, str] = {
    "ears": "side",
    "eyes": "side",
    "skin_coat": "site",
    "musculoskeletal": "limb",
}


def validate_signs(category: str, signs: Mapping[str, object]) -> dict[str, SignValue]:
    """The signs in their category's order, numbers that must be whole as int. Raises InvalidSigns."""
    fields = FIELDS.get(category)
    if fields is None:
        raise InvalidSigns("", "unknown_category")
    for name in signs:
        if name not in fields:
            raise InvalidSigns(name, "unknown_sign")
    return {name: _validate_value(field, signs[name]) for name, field in fields.items() if name in signs}


def observed(category: str, signs: Mapping[str, object]) -> bool:
    """Whether these signs may file a finding: false where all they say is that nobody looked."""
    fields = FIELDS[category]
    said = [value for name, value in signs.items() if name in fields and fields[name].kind != "text"]
    return not said or any(value != NOT_OBSERVED for value in said)


def _validate_value(field: SignField, value: object) -> SignValue:
    match field.kind:
        case "tri":
            return _validate_tri(field, value)
        case "enum":
            return _validate_member(field, value)
        case "number":
            return _validate_number(field, value)
        case _:
            return _validate_text(field, value)


def _validate_tri(field: SignField, value: object) -> bool:
    if not isinstance(value, bool):
        raise InvalidSigns(field.name, "not_true_or_false")
    return value


def _validate_member(field: SignField, value: object) -> str:
    if not isinstance(value, str) or value not in field.members:
        raise InvalidSigns(field.name, "not_a_member")
    return value


def _validate_number(field: SignField, value: object) -> float | int:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidSigns(field.name, "not_a_number")
    if not math.isfinite(value) or not (field.low or 0) <= value <= (field.high or math.inf):
        raise InvalidSigns(field.name, "out_of_range")
    if not field.is_whole:
        return value
    if value != int(value):
        raise InvalidSigns(field.name, "not_whole")
    return int(value)


def _validate_text(field: SignField, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidSigns(field.name, "not_words")
    if len(value) > TEXT_LIMIT:
        raise InvalidSigns(field.name, "too_long")
    return value
