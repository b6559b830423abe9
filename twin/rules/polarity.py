"""Normal or abnormal: what the signs alone say, and how the three sources of judgement combine. Pure.

Every rule is a row of a table. A sign that is in no table (what calmed him, which side, how long) is no
finding.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from twin.rules.categories import FIELDS, NOT_OBSERVED
from twin.rules.entries import Polarity, SignValue


@dataclass(frozen=True)
class PolarityContext:
    """What the signs are judged against, as it was when they were filed."""

    species: str
    sex: str | None = None
    age_months: int | None = None
    stool_per_day: float | None = None
    urine_per_day: float | None = None
    previous_bcs: float | None = None
    hours_since_stool: float | None = None
    hours_since_urine: float | None = None


@dataclass(frozen=True)
class Frequency:
    """When a count is abnormal without a baseline: none for `none_hours`, or more than `most` in a day."""

    none_hours: float
    most: float


@dataclass(frozen=True)
class AgeBand:
    """What is usual for a person below `below_months`."""

    below_months: float
    stool: Frequency
    urine: Frequency


# Signs that are a finding when true. Those of HARMLESS are looked at and no concern by themselves: they may
# be a habit, a season or a joy, and the words or the speaker's judgement decide.
ABNORMAL_WHEN_TRUE: dict[str, frozenset[str]] = {
    "whole_body": frozenset({"fever", "pain", "lethargy", "shivering", "collapse"}),
    "appetite_intake": frozenset({"refuses_food", "picky", "choking"}),
    "thirst_hydration": frozenset({"dehydrated"}),
    "upper_digestive": frozenset(
        {"vomiting", "regurgitation", "nausea", "drooling", "blood", "hairball", "bloating"}
    ),
    "lower_digestive": frozenset(
        {"diarrhoea", "constipation", "straining", "blood", "mucus", "worms", "accident", "gas"}
    ),
    "oral_dental": frozenset({"bad_breath", "gum_bleeding", "gum_redness", "tooth_pain", "mouth_sores"}),
    "respiratory": frozenset(
        {"sneezing", "coughing", "wheezing", "laboured_breathing", "nasal_discharge", "congestion"}
    ),
    "cardiovascular": frozenset({"fainting", "murmur", "racing_heart", "weak_pulse", "exercise_intolerance"}),
    "urinary": frozenset({"straining", "blood", "accident", "frequent", "no_urine", "strong_smell"}),
    "reproductive": frozenset({"discharge", "swelling", "bleeding"}),
    "skin_coat": frozenset(
        {
            "itching",
            "rash",
            "redness",
            "hair_loss",
            "wound",
            "lump",
            "parasites",
            "dryness",
            "swelling",
        }
    ),
    "ears": frozenset(
        {
            "redness",
            "odour",
            "discharge",
            "scratching",
            "head_shaking",
            "pain",
            "swelling",
            "hearing_loss",
        }
    ),
    "eyes": frozenset(
        {"redness", "discharge", "squinting", "cloudiness", "swelling", "itching", "vision_loss"}
    ),
    "musculoskeletal": frozenset(
        {"limping", "stiffness", "joint_swelling", "weakness", "cannot_rise", "injury"}
    ),
    "neurological": frozenset(
        {
            "seizure",
            "tremor",
            "head_tilt",
            "circling",
            "disorientation",
            "loss_of_balance",
            "headache",
        }
    ),
    "metabolic_weight": frozenset({"weight_loss", "weight_gain"}),
    "blood_immune": frozenset(
        {"bruising", "swollen_glands", "allergic_reaction", "hives", "pale_gums", "bleeding"}
    ),
    "sleep": frozenset(
        {
            "poor_sleep",
            "night_waking",
            "early_waking",
            "trouble_falling_asleep",
            "nightmares",
            "restless",
            "oversleeping",
        }
    ),
    "behaviour": frozenset(
        {
            "meltdown",
            "aggression",
            "self_injury",
            "anxiety",
            "withdrawal",
            "hiding",
            "sensory_overload",
            "elopement",
            "regression",
            "destructive",
        }
    ),
}

HARMLESS: dict[str, frozenset[str]] = {
    "respiratory": frozenset({"snoring"}),
    "reproductive": frozenset({"in_heat"}),
    "behaviour": frozenset({"stimming", "repetitive", "vocalising"}),
}

NORMAL_MEMBERS: dict[tuple[str, str], frozenset[str]] = {
    ("appetite_intake", "amount"): frozenset({"usual"}),
    ("thirst_hydration", "amount"): frozenset({"usual"}),
    ("lower_digestive", "form"): frozenset({"firm"}),
    ("oral_dental", "gum_colour"): frozenset({"pink"}),
}

# Rectal temperature of an animal at rest (MSD Veterinary Manual, normal rectal temperature ranges, widened to
# the whole of the ranges given for the species); a person's, any site, with 38.0 as fever (WHO). Birds and
# the rest differ too much by kind to be judged by one range.
NORMAL_TEMPERATURE_C: dict[str, tuple[float, float]] = {
    "person": (35.5, 37.9),
    "cat": (37.5, 39.3),
    "dog": (37.5, 39.3),
    "rabbit": (38.0, 40.1),
}

NORMAL_VOMIT_COUNT = (0.0, 0.0)

# Measured and kept, compared with nothing: no per-day "normal range" exists for them.
WITHOUT_RANGE: dict[str, frozenset[str]] = {
    "appetite_intake": frozenset({"food_g"}),
    "thirst_hydration": frozenset({"water_ml"}),
    "metabolic_weight": frozenset({"weight_kg"}),
    "sleep": frozenset({"hours"}),
}

NO_FINDING: dict[str, frozenset[str]] = {
    "skin_coat": frozenset({"site"}),
    "ears": frozenset({"side"}),
    "eyes": frozenset({"side"}),
    "musculoskeletal": frozenset({"limb"}),
    "behaviour": frozenset({"trigger", "place", "minutes", "calmed_by"}),
}

BASELINE_MANY = 1.5
BASELINE_FEW = 0.5
BCS_CHANGE = 1.0
STOOL = Frequency(none_hours=48, most=4)
URINE = Frequency(none_hours=24, most=8)

# Persons by age. Stool: infants on milk pass several a day or none for days, older children under three a
# week is constipation (Rome IV). Urine: eight or more a day is frequent from five years on (ICCS); a dry
# spell counts sooner in the young, who dry out sooner.
PERSON_BANDS: tuple[AgeBand, ...] = (
    AgeBand(12, stool=Frequency(120, 8), urine=Frequency(8, 20)),
    AgeBand(48, stool=Frequency(72, 4), urine=Frequency(12, 12)),
    AgeBand(144, stool=Frequency(72, 3), urine=Frequency(18, 8)),
    AgeBand(float("inf"), stool=Frequency(72, 3), urine=Frequency(24, 8)),
)


def derived_polarity(
    category: str, signs: Mapping[str, SignValue], context: PolarityContext
) -> Polarity | None:
    """What the signs alone say: abnormal if any is, else normal if any was looked at, else None."""
    votes = [_vote(category, name, value, context) for name, value in signs.items()]
    return _any_of(votes)


def resolve_polarity(
    asserted: Polarity | None, derived: Polarity | None, model_read: Polarity | None
) -> Polarity:
    """The record's polarity, as the database generates it: any abnormal wins, nothing known is abnormal."""
    return _any_of([asserted, derived, model_read]) or "abnormal"


def _any_of(votes: list[Polarity | None]) -> Polarity | None:
    if "abnormal" in votes:
        return "abnormal"
    return "normal" if "normal" in votes else None


def _vote(category: str, name: str, value: SignValue, context: PolarityContext) -> Polarity | None:
    """One sign's judgement; None where it was not looked at, or is no finding."""
    if value == NOT_OBSERVED or name in NO_FINDING.get(category, ()):
        return None
    match FIELDS[category][name].kind:
        case "tri":
            return _call(bool(value) and name in ABNORMAL_WHEN_TRUE[category])
        case "enum":
            return _call(value not in NORMAL_MEMBERS[category, name])
        case _:
            return _number_vote(name, float(value), context)


def _number_vote(name: str, value: float, context: PolarityContext) -> Polarity | None:
    match name:
        case "stool_count":
            usual = _frequency(context).stool
            return _count_vote(value, context.stool_per_day, context.hours_since_stool, usual)
        case "urine_count":
            usual = _frequency(context).urine
            return _count_vote(value, context.urine_per_day, context.hours_since_urine, usual)
        case "temperature_c":
            return _range_vote(value, NORMAL_TEMPERATURE_C.get(context.species))
        case "vomit_count":
            return _range_vote(value, NORMAL_VOMIT_COUNT)
        case "bcs" if context.previous_bcs is not None:
            return _call(abs(value - context.previous_bcs) >= BCS_CHANGE)
        case _:
            return "normal"


def _count_vote(
    count: float, baseline: float | None, hours_since: float | None, usual: Frequency
) -> Polarity | None:
    if baseline is not None and baseline > 0:
        return _call(count >= BASELINE_MANY * baseline or count <= BASELINE_FEW * baseline)
    if count > 0:
        return _call(count > usual.most)
    return None if hours_since is None else _call(hours_since >= usual.none_hours)


def _frequency(context: PolarityContext) -> AgeBand:
    if context.species != "person" or context.age_months is None:
        return AgeBand(float("inf"), stool=STOOL, urine=URINE)
    age = context.age_months
    return next(band for band in PERSON_BANDS if age < band.below_months)


def _range_vote(value: float, normal: tuple[float, float] | None) -> Polarity | None:
    return None if normal is None else _call(not normal[0] <= value <= normal[1])


def _call(is_abnormal: bool) -> Polarity:
    return "abnormal" if is_abnormal else "normal"
