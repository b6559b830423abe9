"""How grave a day's signs are, which way a course goes, and how long quiet must last. Literal tables, pure.

0 nothing of concern, 1 mild, 2 marked, 3 high: a 3 opens a course on its first day.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from twin.rules.categories import FIELDS
from twin.rules.entries import Polarity, SignValue
from twin.rules.lifecycle import Horizons
from twin.rules.polarity import ABNORMAL_WHEN_TRUE

Trajectory = Literal["onset", "worsening", "improving", "unchanged", "normal"]

# Abnormal signs that are more than mild when true. All others of the category are 1.
GRAVE: Mapping[str, Mapping[str, int]] = {
    "whole_body": {"fever": 2, "pain": 2, "collapse": 3},
    "appetite_intake": {"refuses_food": 2, "choking": 3},
    "thirst_hydration": {"dehydrated": 3},
    "upper_digestive": {"vomiting": 2, "blood": 3, "bloating": 2},
    "lower_digestive": {"diarrhoea": 2, "constipation": 2, "straining": 2, "blood": 3, "worms": 2},
    "oral_dental": {"tooth_pain": 2, "mouth_sores": 2},
    "respiratory": {"wheezing": 2, "laboured_breathing": 3},
    "cardiovascular": {"fainting": 3, "racing_heart": 2, "weak_pulse": 3, "exercise_intolerance": 2},
    "urinary": {"straining": 2, "blood": 2, "no_urine": 3},
    "reproductive": {"discharge": 2, "bleeding": 2},
    "skin_coat": {"wound": 2, "lump": 2},
    "ears": {"pain": 2, "hearing_loss": 2},
    "eyes": {"squinting": 2, "cloudiness": 2, "vision_loss": 3},
    "musculoskeletal": {"weakness": 2, "cannot_rise": 3, "injury": 2},
    "neurological": {
        "seizure": 3,
        "tremor": 2,
        "head_tilt": 2,
        "circling": 2,
        "disorientation": 2,
        "loss_of_balance": 2,
    },
    "metabolic_weight": {"weight_loss": 2},
    "blood_immune": {"bruising": 2, "allergic_reaction": 2, "pale_gums": 3, "bleeding": 2},
    "sleep": {},
    "behaviour": {
        "meltdown": 2,
        "aggression": 2,
        "self_injury": 3,
        "sensory_overload": 2,
        "elopement": 3,
        "regression": 2,
    },
}

MEMBER_GRAVITY: Mapping[tuple[str, str], Mapping[str, int]] = {
    ("appetite_intake", "amount"): {"none": 2, "less": 1, "more": 1},
    ("thirst_hydration", "amount"): {"none": 2, "less": 1, "more": 1},
    ("lower_digestive", "form"): {"hard": 1, "soft": 1, "loose": 1, "watery": 2},
    ("oral_dental", "gum_colour"): {"pale": 3, "white": 3, "blue": 3, "yellow": 3, "red": 1},
}

# (from this number on, gravity), highest first.
NUMBER_GRAVITY: Mapping[tuple[str, str], tuple[tuple[float, int], ...]] = {
    ("upper_digestive", "vomit_count"): ((5, 3), (1, 2)),
    ("lower_digestive", "stool_count"): ((7, 2), (5, 1)),
    ("urinary", "urine_count"): ((13, 2), (9, 1)),
}

# previous severity (None: no day before it in the course) and today's -> trajectory. 0 is a normal day.
TRAJECTORIES: Mapping[tuple[int | None, int], Trajectory] = {
    (None, 0): "normal",
    (None, 1): "onset",
    (None, 2): "onset",
    (None, 3): "onset",
    (0, 0): "normal",
    (0, 1): "worsening",
    (0, 2): "worsening",
    (0, 3): "worsening",
    (1, 0): "normal",
    (1, 1): "unchanged",
    (1, 2): "worsening",
    (1, 3): "worsening",
    (2, 0): "normal",
    (2, 1): "improving",
    (2, 2): "unchanged",
    (2, 3): "worsening",
    (3, 0): "normal",
    (3, 1): "improving",
    (3, 2): "improving",
    (3, 3): "unchanged",
}

# Default quiet days to passive and to close, before a model proposes others. What heals in days is short,
# what comes and goes (skin, seizures, weight) is watched for longer.
QUIET_DAYS: Mapping[str, Horizons] = {
    "whole_body": Horizons(3, 7),
    "appetite_intake": Horizons(3, 7),
    "thirst_hydration": Horizons(3, 7),
    "upper_digestive": Horizons(3, 7),
    "lower_digestive": Horizons(3, 7),
    "oral_dental": Horizons(5, 14),
    "respiratory": Horizons(4, 10),
    "cardiovascular": Horizons(7, 30),
    "urinary": Horizons(5, 14),
    "reproductive": Horizons(5, 14),
    "skin_coat": Horizons(7, 21),
    "ears": Horizons(5, 14),
    "eyes": Horizons(4, 10),
    "musculoskeletal": Horizons(5, 14),
    "neurological": Horizons(7, 30),
    "metabolic_weight": Horizons(7, 30),
    "blood_immune": Horizons(5, 14),
    "sleep": Horizons(4, 10),
    "behaviour": Horizons(5, 14),
}


def severity(category: str, signs: Mapping[str, SignValue]) -> int:
    """The gravest of the signs, 0 to 3."""
    return max((_gravity(category, name, value) for name, value in signs.items()), default=0)


def day_severity(graded: int, polarity: Polarity) -> int:
    """A day's severity with its polarity: none on a normal day, at least mild on an abnormal one."""
    return max(graded, 1) if polarity == "abnormal" else 0


def trajectory(previous: int | None, today: int, polarity: Polarity | None = None) -> Trajectory:
    """Which way a course went on a day, against its last observed day (None where there was none).

    With `polarity`, today's severity is `day_severity`: judged abnormal without a graded sign is mild.
    """
    return TRAJECTORIES[previous, today if polarity is None else day_severity(today, polarity)]


def quiet_days(category: str) -> Horizons:
    """The default horizons of a category."""
    return QUIET_DAYS[category]


def _gravity(category: str, name: str, value: SignValue) -> int:
    match FIELDS[category][name].kind:
        case "tri" if value is True and name in ABNORMAL_WHEN_TRUE[category]:
            return GRAVE[category].get(name, 1)
        case "enum":
            return MEMBER_GRAVITY.get((category, name), {}).get(str(value), 0)
        case "number":
            steps = NUMBER_GRAVITY.get((category, name), ())
            return next((gravity for least, gravity in steps if float(value) >= least), 0)
        case _:
            return 0
