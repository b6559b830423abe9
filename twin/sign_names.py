"""The names of every sign in front of people: when it was there, and when somebody looked and it was not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop, ngettext_lazy

from twin.rules.categories import NOT_OBSERVED

# category: sign: (there, looked for and absent)
TRI: Mapping[str, Mapping[str, tuple[Any, Any]]] = {
    "whole_body": {
        "fever": (_("fever"), _("no fever")),
        "pain": (_("pain"), _("no pain")),
        "lethargy": (_("listless"), _("not listless")),
        "shivering": (_("shivering"), _("no shivering")),
        "collapse": (_("collapsed"), _("no collapse")),
    },
    "appetite_intake": {
        "refuses_food": (_("refuses food"), _("does not refuse food")),
        "picky": (_("picky about food"), _("not picky about food")),
        "choking": (_("choking"), _("no choking")),
    },
    "thirst_hydration": {
        "dehydrated": (_("dehydrated"), _("not dehydrated")),
    },
    "upper_digestive": {
        "vomiting": (_("vomiting"), _("no vomiting")),
        "regurgitation": (_("food comes back up"), _("no food coming back up")),
        "nausea": (_("nausea"), _("no nausea")),
        "drooling": (_("drooling"), _("no drooling")),
        "blood": (_("blood in the vomit"), _("no blood in the vomit")),
        "hairball": (_("hairball"), _("no hairball")),
        "bloating": (_("bloated belly"), _("belly not bloated")),
    },
    "lower_digestive": {
        "diarrhoea": (_("diarrhoea"), _("no diarrhoea")),
        "constipation": (_("constipation"), _("no constipation")),
        "straining": (_("straining to pass stool"), _("no straining to pass stool")),
        "blood": (_("blood in the stool"), _("no blood in the stool")),
        "mucus": (_("mucus in the stool"), _("no mucus in the stool")),
        "worms": (_("worms"), _("no worms")),
        "accident": (_("stool accident"), _("no stool accident")),
        "gas": (_("gas"), _("no gas")),
    },
    "oral_dental": {
        "bad_breath": (_("bad breath"), _("no bad breath")),
        "gum_bleeding": (_("bleeding gums"), _("gums not bleeding")),
        "gum_redness": (_("red gums"), _("gums not red")),
        "tooth_pain": (_("toothache"), _("no toothache")),
        "mouth_sores": (_("mouth sores"), _("no mouth sores")),
    },
    "respiratory": {
        "sneezing": (_("sneezing"), _("no sneezing")),
        "coughing": (_("coughing"), _("no coughing")),
        "wheezing": (_("wheezing"), _("no wheezing")),
        "laboured_breathing": (_("laboured breathing"), _("breathing not laboured")),
        "nasal_discharge": (_("runny nose"), _("no runny nose")),
        "congestion": (_("blocked nose"), _("nose not blocked")),
        "snoring": (_("snoring"), _("no snoring")),
    },
    "cardiovascular": {
        "fainting": (_("fainting"), _("no fainting")),
        "murmur": (_("heart murmur"), _("no heart murmur")),
        "racing_heart": (_("racing heart"), _("heart not racing")),
        "weak_pulse": (_("weak pulse"), _("pulse not weak")),
        "exercise_intolerance": (_("tires quickly"), _("does not tire quickly")),
    },
    "urinary": {
        "straining": (_("straining to urinate"), _("no straining to urinate")),
        "blood": (_("blood in the urine"), _("no blood in the urine")),
        "accident": (_("urine accident"), _("no urine accident")),
        "frequent": (_("urinates often"), _("does not urinate often")),
        "no_urine": (_("passes no urine"), _("passes urine")),
        "strong_smell": (_("urine smells strong"), _("urine does not smell strong")),
    },
    "reproductive": {
        "discharge": (_("discharge"), _("no discharge")),
        "swelling": (_("swelling"), _("no swelling")),
        "in_heat": (_("in heat"), _("not in heat")),
        "bleeding": (_("bleeding"), _("no bleeding")),
    },
    "skin_coat": {
        "itching": (_("itching"), _("no itching")),
        "rash": (_("rash"), _("no rash")),
        "redness": (_("redness"), _("no redness")),
        "hair_loss": (_("hair loss"), _("no hair loss")),
        "wound": (_("wound"), _("no wound")),
        "lump": (_("lump"), _("no lump")),
        "parasites": (_("parasites"), _("no parasites")),
        "dryness": (_("dry skin"), _("skin not dry")),
        "swelling": (_("swelling"), _("no swelling")),
    },
    "ears": {
        "redness": (_("redness"), _("no redness")),
        "odour": (_("smell"), _("no smell")),
        "discharge": (_("discharge"), _("no discharge")),
        "scratching": (_("scratching"), _("no scratching")),
        "head_shaking": (_("head shaking"), _("no head shaking")),
        "pain": (_("pain"), _("no pain")),
        "swelling": (_("swelling"), _("no swelling")),
        "hearing_loss": (_("hears badly"), _("hears as usual")),
    },
    "eyes": {
        "redness": (_("redness"), _("no redness")),
        "discharge": (_("discharge"), _("no discharge")),
        "squinting": (_("squinting"), _("no squinting")),
        "cloudiness": (_("cloudy eye"), _("eye not cloudy")),
        "swelling": (_("swelling"), _("no swelling")),
        "itching": (_("itching"), _("no itching")),
        "vision_loss": (_("sees badly"), _("sees as usual")),
    },
    "musculoskeletal": {
        "limping": (_("limping"), _("no limping")),
        "stiffness": (_("stiffness"), _("no stiffness")),
        "joint_swelling": (_("swollen joint"), _("no swollen joint")),
        "weakness": (_("weakness"), _("no weakness")),
        "cannot_rise": (_("cannot get up"), _("gets up as usual")),
        "injury": (_("injury"), _("no injury")),
    },
    "neurological": {
        "seizure": (_("seizure"), _("no seizure")),
        "tremor": (_("tremor"), _("no tremor")),
        "head_tilt": (_("head tilt"), _("no head tilt")),
        "circling": (_("walking in circles"), _("no walking in circles")),
        "disorientation": (_("disorientation"), _("no disorientation")),
        "loss_of_balance": (_("loss of balance"), _("no loss of balance")),
        "headache": (_("headache"), _("no headache")),
    },
    "metabolic_weight": {
        "weight_loss": (_("weight loss"), _("no weight loss")),
        "weight_gain": (_("weight gain"), _("no weight gain")),
    },
    "blood_immune": {
        "bruising": (_("bruising"), _("no bruising")),
        "swollen_glands": (_("swollen glands"), _("no swollen glands")),
        "allergic_reaction": (_("allergic reaction"), _("no allergic reaction")),
        "hives": (_("hives"), _("no hives")),
        "pale_gums": (_("pale gums"), _("gums not pale")),
        "bleeding": (_("bleeding"), _("no bleeding")),
    },
    "sleep": {
        "poor_sleep": (_("slept badly"), _("did not sleep badly")),
        "night_waking": (_("woke at night"), _("did not wake at night")),
        "early_waking": (_("woke too early"), _("did not wake too early")),
        "trouble_falling_asleep": (_("trouble falling asleep"), _("fell asleep as usual")),
        "nightmares": (_("nightmares"), _("no nightmares")),
        "restless": (_("restless sleep"), _("sleep not restless")),
        "oversleeping": (_("sleeps too much"), _("does not sleep too much")),
    },
    "behaviour": {
        "meltdown": (_("meltdown"), _("no meltdown")),
        "aggression": (_("aggression"), _("no aggression")),
        "self_injury": (_("hurt themselves"), _("did not hurt themselves")),
        "anxiety": (_("anxious"), _("not anxious")),
        "withdrawal": (_("withdrawn"), _("not withdrawn")),
        "hiding": (_("hiding"), _("no hiding")),
        "stimming": (_("stimming"), _("no stimming")),
        "sensory_overload": (_("sensory overload"), _("no sensory overload")),
        "elopement": (_("ran off"), _("did not run off")),
        "regression": (_("regression"), _("no regression")),
        "repetitive": (_("repetitive behaviour"), _("no repetitive behaviour")),
        "vocalising": (_("vocalising"), _("no vocalising")),
        "destructive": (_("destructive"), _("not destructive")),
    },
}

SIDES: Mapping[str, Any] = {
    "left": _("left"),
    "right": _("right"),
    "both": _("both sides"),
    NOT_OBSERVED: _("side not said"),
}

# (category, sign): member: its name
MEMBERS: Mapping[tuple[str, str], Mapping[str, Any]] = {
    ("appetite_intake", "amount"): {
        "none": _("ate nothing"),
        "less": _("ate less than usual"),
        "usual": _("ate as usual"),
        "more": _("ate more than usual"),
        NOT_OBSERVED: _("eating not looked at"),
    },
    ("thirst_hydration", "amount"): {
        "none": _("drank nothing"),
        "less": _("drank less than usual"),
        "usual": _("drank as usual"),
        "more": _("drank more than usual"),
        NOT_OBSERVED: _("drinking not looked at"),
    },
    ("lower_digestive", "form"): {
        "hard": _("hard stool"),
        "firm": _("firm stool"),
        "soft": _("soft stool"),
        "loose": _("loose stool"),
        "watery": _("watery stool"),
        NOT_OBSERVED: _("stool not looked at"),
    },
    ("oral_dental", "gum_colour"): {
        "pink": _("pink gums"),
        "pale": _("pale gums"),
        "white": _("white gums"),
        "blue": _("blue gums"),
        "yellow": _("yellow gums"),
        "red": _("red gums"),
        NOT_OBSERVED: _("gums not looked at"),
    },
    ("ears", "side"): SIDES,
    ("eyes", "side"): SIDES,
}

# Counted things: what none of it is called, and a lazy plural of how often.
COUNTS: Mapping[str, tuple[Any, Any]] = {
    "vomit_count": (
        _("no vomiting"),
        ngettext_lazy("vomited %(count)d time", "vomited %(count)d times", "count"),
    ),
    "stool_count": (_("no stool"), ngettext_lazy("%(count)d stool", "%(count)d stools", "count")),
    "urine_count": (
        _("no urine"),
        ngettext_lazy("urinated %(count)d time", "urinated %(count)d times", "count"),
    ),
}

NUMBERS: Mapping[str, str] = {
    "temperature_c": gettext_noop("temperature %(value)s °C"),
    "food_g": gettext_noop("ate %(value)s g"),
    "water_ml": gettext_noop("drank %(value)s ml"),
    "weight_kg": gettext_noop("weight %(value)s kg"),
    "bcs": gettext_noop("body condition %(value)s of 9"),
    "hours": gettext_noop("slept %(value)s h"),
    "minutes": gettext_noop("%(value)s min"),
}

WORDS: Mapping[str, str] = {
    "site": gettext_noop("where: %(words)s"),
    "limb": gettext_noop("limb: %(words)s"),
    "trigger": gettext_noop("set off by: %(words)s"),
    "place": gettext_noop("place: %(words)s"),
    "calmed_by": gettext_noop("calmed by: %(words)s"),
}
