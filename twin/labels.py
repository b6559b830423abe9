"""What categories, signs and states are called in front of people, in both languages.

A sign has two names: one for when it was there and one for when somebody looked and it was not, so that
a normal finding reads as "checked: no smell, no redness".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypedDict

from django.utils.formats import number_format
from django.utils.text import capfirst
from django.utils.translation import get_language
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from twin.rules.categories import FIELDS, LOCATORS, NOT_OBSERVED
from twin.rules.polarity import ABNORMAL_WHEN_TRUE, NORMAL_MEMBERS
from twin.sign_names import COUNTS, MEMBERS, NUMBERS, TRI, WORDS

Tone = Literal["abnormal", "normal", "muted"]

CATEGORY_LABELS: Mapping[str, Any] = {
    "whole_body": _("Whole body"),
    "appetite_intake": _("Eating"),
    "thirst_hydration": _("Drinking"),
    "upper_digestive": _("Stomach"),
    "lower_digestive": _("Gut and stool"),
    "oral_dental": _("Mouth and teeth"),
    "respiratory": _("Breathing"),
    "cardiovascular": _("Heart"),
    "urinary": _("Urine"),
    "reproductive": _("Reproductive organs"),
    "skin_coat": _("Skin and coat"),
    "ears": _("Ears"),
    "eyes": _("Eyes"),
    "musculoskeletal": _("Joints and muscles"),
    "neurological": _("Nerves and balance"),
    "metabolic_weight": _("Weight"),
    "blood_immune": _("Blood and immune system"),
    "sleep": _("Sleep"),
    "behaviour": _("Behaviour"),
}
KIND_LABELS: Mapping[str, Any] = {
    "symptom": _("Observation"),
    "history": _("History"),
    "measurement": _("Measurement"),
    "medication": _("Medicine"),
    "vaccination": _("Vaccination"),
    "procedure": _("Procedure"),
    "diet": _("Diet"),
    "environment": _("Surroundings"),
    "background": _("Long-term"),
    "note": _("Note"),
}
POLARITY_LABELS: Mapping[str, Any] = {"abnormal": _("Not as usual"), "normal": _("Looks fine")}
LIFECYCLE_LABELS: Mapping[str, Any] = {
    "day": _("One day"),
    "active": _("Open"),
    "passive": _("Settling"),
    "dormant": _("Not heard of lately"),
    "closed": _("Over"),
}
TRAJECTORY_LABELS: Mapping[str, Any] = {
    "onset": _("Began"),
    "worsening": _("Worsening"),
    "improving": _("Improving"),
    "unchanged": _("Unchanged"),
    "normal": _("Normal"),
}
SEVERITY_LABELS: Mapping[int, Any] = {
    0: _("nothing of concern"),
    1: _("mild"),
    2: _("marked"),
    3: _("high"),
}
PROVENANCE_LABELS: Mapping[str, Any] = {
    "parent": _("a parent"),
    "family": _("family"),
    "child": _("the child"),
    "teacher": _("a teacher"),
    "therapist": _("a therapist"),
    "vet": _("a vet"),
    "document": _("a document"),
    "model": _("a model"),
    "import": _("an import"),
    "round": _("the nightly round"),
}
MANNER_LABELS: Mapping[str, Any] = {
    "stated": _("said"),
    "measured": _("measured"),
    "inferred": _("inferred"),
}
THROUGH_LABELS: Mapping[str, Any] = {
    "web": _("on a page"),
    "device": _("on a device"),
    "form": _("by a tap"),
    "import": _("by an import"),
    "command": _("on the console"),
}
LEDGER_STATE_LABELS: Mapping[str, Any] = {
    "read": _("Read"),
    "asked": _("Waiting for an answer"),
    "filed": _("Filed"),
    "discarded": _("Set aside"),
    "undone": _("Taken back"),
}
TODAY_LABELS: Mapping[str, Any] = {"yes": _("yes"), "no": _("no"), "unknown": _("it did not say")}
SIDED_TITLES: Mapping[tuple[str, str], Any] = {
    ("ears", "left"): _("Left ear"),
    ("ears", "right"): _("Right ear"),
    ("ears", "both"): _("Both ears"),
    ("eyes", "left"): _("Left eye"),
    ("eyes", "right"): _("Right eye"),
    ("eyes", "both"): _("Both eyes"),
}
# A count that says the same as a sign, so that the sign need not be said beside it.
SAID_BY_COUNT = {("upper_digestive", "vomiting"): "vomit_count"}
ABNORMAL_COUNTS = {("upper_digestive", "vomit_count")}
LABELS_KEPT = 4096


@dataclass(frozen=True)
class SignLabel:
    """One sign as a page shows it."""

    name: str
    text: str
    tone: Tone


class SignLines(TypedDict):
    """All signs of a row: those that were there, those that were not, those nobody looked for."""

    found: list[SignLabel]
    checked: list[SignLabel]
    unseen: list[SignLabel]


def category_label(category: str | None) -> str:
    """The name of a category, empty for none."""
    return _category_label(category or "", get_language())


@lru_cache
def _category_label(category: str, _language: str | None) -> str:
    return str(CATEGORY_LABELS.get(category, ""))


def title_of(kind: str, category: str | None, signs: Mapping[str, Any]) -> str:
    """What a record is called: its category with the side or place its signs name, else its kind."""
    if not category:
        return str(KIND_LABELS[kind])
    place = signs.get(LOCATORS.get(category, ""))
    if not isinstance(place, str) or place == NOT_OBSERVED:
        return category_label(category)
    if (category, place) in SIDED_TITLES:
        return str(SIDED_TITLES[category, place])
    return f"{category_label(category)} · {place}"


def icon_of(kind: str, category: str | None) -> str:
    """The name of the icon of a record."""
    return category or kind


def sign_lines(category: str | None, signs: Mapping[str, Any]) -> SignLines:
    """The signs of a row as `describe_signs`, `checked_signs` and `unseen_signs` give them."""
    labels = _labels(category, signs)
    return {
        "found": [label for label in labels if label.tone != "normal"],
        "checked": [label for label in labels if label.tone == "normal"],
        "unseen": unseen_signs(category, signs),
    }


def describe_signs(category: str | None, signs: Mapping[str, Any]) -> list[SignLabel]:
    """Signs that were there: true, not as usual, counted or told in words; where and which side left out."""
    return [label for label in _labels(category, signs) if label.tone != "normal"]


def checked_signs(category: str | None, signs: Mapping[str, Any]) -> list[SignLabel]:
    """Signs somebody looked for and found absent or as usual: "no smell", "ate as usual"."""
    return [label for label in _labels(category, signs) if label.tone == "normal"]


def unseen_signs(category: str | None, signs: Mapping[str, Any]) -> list[SignLabel]:
    """Signs of which somebody said that they did not look."""
    return [
        SignLabel(name, str(MEMBERS[category or "", name][NOT_OBSERVED]), "muted")
        for name, value in signs.items()
        if value == NOT_OBSERVED
        and (category or "", name) in MEMBERS
        and name != LOCATORS.get(category or "")
    ]


def sign_label(category: str, name: str, value: Any) -> SignLabel | None:
    """One sign with its value; None where it is shown elsewhere or was not looked at."""
    field = FIELDS[category].get(name)
    if field is None or value == NOT_OBSERVED or name == LOCATORS.get(category):
        return None
    if field.kind == "text":  # the family's own words, which are not to be kept here
        return SignLabel(name, _now(WORDS[name]) % {"words": value}, "muted")
    return _known_label(category, name, value, get_language())


def field_label(category: str, name: str) -> str:
    """What a sign's own field is called in a form."""
    field = FIELDS[category][name]
    if field.kind == "tri":
        return capfirst(str(TRI[category][name][0]))
    return str(FIELD_LABELS[name])


@lru_cache(maxsize=LABELS_KEPT, typed=True)
def _known_label(category: str, name: str, value: Any, _language: str | None) -> SignLabel:
    """A sign of few values, or a number; most days say the same, so its words are kept by language."""
    match FIELDS[category][name].kind:
        case "tri":
            return _tri_label(category, name, bool(value))
        case "enum":
            is_normal = value in NORMAL_MEMBERS.get((category, name), ())
            return SignLabel(name, str(MEMBERS[category, name][value]), "normal" if is_normal else "abnormal")
        case _:
            return _number_label(category, name, value)


def _labels(category: str | None, signs: Mapping[str, Any]) -> list[SignLabel]:
    if category not in FIELDS:
        return []
    found = [
        sign_label(category, name, signs[name])
        for name in FIELDS[category]
        if name in signs and not _is_said_by_count(category, name, signs)
    ]
    return [label for label in found if label is not None]


def _is_said_by_count(category: str, name: str, signs: Mapping[str, Any]) -> bool:
    count = signs.get(SAID_BY_COUNT.get((category, name), ""))
    return count is not None and bool(count) == signs[name]


def _tri_label(category: str, name: str, is_there: bool) -> SignLabel:
    there, absent = TRI[category][name]
    if not is_there:
        return SignLabel(name, str(absent), "normal")
    return SignLabel(name, str(there), "abnormal" if name in ABNORMAL_WHEN_TRUE[category] else "muted")


def _number_label(category: str, name: str, value: float) -> SignLabel:
    if name in COUNTS:
        none, some = COUNTS[name]
        text = str(none) if value == 0 else str(some % {"count": int(value)})
        if (category, name) in ABNORMAL_COUNTS:
            return SignLabel(name, text, "abnormal" if value else "normal")
        return SignLabel(name, text, "muted")
    return SignLabel(name, _now(NUMBERS[name]) % {"value": _shown(value)}, "muted")


def _shown(value: float) -> str:
    """A number as the reader's language writes it, without a tail of zeros."""
    places = 0 if float(value).is_integer() else len(f"{value:.3f}".rstrip("0").partition(".")[2])
    return str(number_format(value, decimal_pos=places))


FIELD_LABELS: Mapping[str, Any] = {
    "temperature_c": _("Temperature in °C"),
    "amount": _("How much"),
    "food_g": _("Food in grams"),
    "water_ml": _("Water in millilitres"),
    "vomit_count": _("How often vomited"),
    "stool_count": _("Stools that day"),
    "form": _("Form of the stool"),
    "gum_colour": _("Colour of the gums"),
    "urine_count": _("How often urinated"),
    "site": _("Where on the body"),
    "side": _("Side"),
    "limb": _("Which limb"),
    "weight_kg": _("Weight in kg"),
    "bcs": _("Body condition, 1 to 9"),
    "hours": _("Hours slept"),
    "trigger": _("What set it off"),
    "place": _("Place"),
    "minutes": _("Minutes"),
    "calmed_by": _("What calmed"),
}
