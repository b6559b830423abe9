"""Task memory: open questions in drawers by topic. Pure; one state machine.

A drawer's key is a set of intents. A turn finds its drawer by what the sets share, never by wording: topics
decide, circumstances (school, medicine) colour them and decide only where neither side names a topic. A
question waits `open`; after DORMANT_AFTER_DAYS unanswered it is `dormant`, never deleted, and open again when
its topic returns; it is `closed` at the first moment its evidence exists (the database does that). At most
AT_MOST questions may reach a response, chosen by `to_show`, whoever asks.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from memory.rules.topics import topics
from twin.rules.severity import severity

AT_MOST = 2
DORMANT_AFTER_DAYS = 7
LEAST_SHARED = 0.5
State = Literal["open", "dormant", "closed"]


@dataclass(frozen=True)
class Drawer:
    """One topic that was spoken of: its key and when it was last touched."""

    id: int
    intents: frozenset[str]
    touched_at: dt.datetime


@dataclass(frozen=True)
class Closes:
    """The evidence that would close a question: a sign of a category, or a field of the profile."""

    category: str = ""
    sign: str = ""
    profile_field: str = ""


@dataclass(frozen=True)
class Waiting:
    """A question in its drawer; `revived_at` is when it was asked or last woken."""

    id: int
    drawer: int
    closes: Closes
    state: State
    asked_at: dt.datetime
    revived_at: dt.datetime


def drawer_for(intents: frozenset[str], drawers: Sequence[Drawer]) -> int | None:
    """The drawer a turn belongs into, None where it opens its own (or is about nothing known)."""
    fitting = [(_fit(intents, one.intents), one.touched_at, -one.id) for one in drawers]
    fitting = [each for each in fitting if each[0] is not None]
    return -max(fitting, key=lambda each: (each[0], each[1], each[2]))[2] if fitting else None


def _fit(turn: frozenset[str], key: frozenset[str]) -> tuple[bool, float, float] | None:
    """How well a turn fits a key: the very same set, shared topics, shared intents; None where not at all."""
    mine, its = turn & topics(), key & topics()
    if not (mine and its) and (mine or its):
        return None
    shared = _shared(mine, its) if mine else _shared(turn, key)
    return (turn == key, shared, _shared(turn, key)) if shared >= LEAST_SHARED else None


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0


def falls_asleep(questions: Sequence[Waiting], now: dt.datetime) -> tuple[int, ...]:
    """The open questions that nobody answered in time: they become dormant."""
    age = dt.timedelta(days=DORMANT_AFTER_DAYS)
    return tuple(one.id for one in questions if one.state == "open" and now - one.revived_at >= age)


def wakes(questions: Sequence[Waiting], drawer: int | None) -> tuple[int, ...]:
    """The dormant questions of a topic that returns: they are open again."""
    return tuple(one.id for one in questions if one.state == "dormant" and one.drawer == drawer)


def is_evidence(closes: Closes, category: str, signs: Mapping[str, Any]) -> bool:
    """Whether signs of a category answer what a question waits for; "didn't look" answers nothing."""
    value = signs.get(closes.sign) if closes.category == category and closes.sign else None
    return value is not None and value != "not_observed"


def to_show(
    questions: Sequence[Waiting],
    *,
    drawer: int | None = None,
    settled: Collection[Closes] = (),
    taken: int = 0,
) -> tuple[int, ...]:
    """The questions a response may carry beside `taken` others: those of its topic, then what waits longest.

    What is settled is asked of nobody, and a dormant question waits for its topic.
    """
    asked = [one for one in questions if one.state == "open" and one.closes not in settled]
    ordered = sorted(asked, key=lambda one: (one.drawer != drawer, one.asked_at, one.id))
    return tuple(one.id for one in ordered[: max(0, AT_MOST - taken)])


# What is worth knowing once a sign was seen: asked about in this order, one at a time for each topic.
FOLLOW_UPS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("whole_body", "fever"): ("temperature_c", "lethargy"),
    ("whole_body", "pain"): ("fever",),
    ("whole_body", "lethargy"): ("fever",),
    ("appetite_intake", "refuses_food"): ("choking",),
    ("upper_digestive", "vomiting"): ("vomit_count", "blood"),
    ("upper_digestive", "nausea"): ("vomiting",),
    ("lower_digestive", "diarrhoea"): ("blood", "stool_count"),
    ("lower_digestive", "constipation"): ("straining", "stool_count"),
    ("lower_digestive", "blood"): ("form",),
    ("oral_dental", "tooth_pain"): ("gum_redness",),
    ("oral_dental", "bad_breath"): ("gum_redness",),
    ("respiratory", "coughing"): ("laboured_breathing", "nasal_discharge"),
    ("respiratory", "wheezing"): ("laboured_breathing",),
    ("urinary", "straining"): ("blood", "urine_count"),
    ("urinary", "blood"): ("straining",),
    ("urinary", "frequent"): ("straining", "blood"),
    ("skin_coat", "itching"): ("site", "parasites"),
    ("skin_coat", "rash"): ("site", "itching"),
    ("skin_coat", "lump"): ("site",),
    ("ears", "scratching"): ("odour", "side"),
    ("ears", "head_shaking"): ("odour", "side"),
    ("ears", "pain"): ("discharge", "side"),
    ("eyes", "redness"): ("discharge", "side"),
    ("eyes", "discharge"): ("redness", "side"),
    ("musculoskeletal", "limping"): ("limb", "joint_swelling"),
    ("neurological", "seizure"): ("disorientation",),
    ("neurological", "headache"): ("disorientation",),
    ("sleep", "poor_sleep"): ("night_waking",),
    ("sleep", "night_waking"): ("nightmares",),
    ("behaviour", "meltdown"): ("trigger", "calmed_by"),
    ("behaviour", "aggression"): ("trigger",),
}


def follow_up(category: str, signs: Mapping[str, Any], known: Collection[str]) -> Closes | None:
    """What to ask after a finding, None where nothing more is worth it. `known` are signs told lately."""
    for sign, value in sorted(
        signs.items(), key=lambda pair: (-severity(category, {pair[0]: pair[1]}), pair[0])
    ):
        for wanted in FOLLOW_UPS.get((category, sign), ()) if value is True else ():
            if wanted not in signs and wanted not in known:
                return Closes(category, wanted)
    return None
