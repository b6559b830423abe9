"""The child's ninety days of tap forms: random by seed, with exact counts so that its patterns hold for any.

After 27 bad nights a meltdown follows on the next day 16 times; it does on 26 days of 90: lift 2.05. Of 20
days with a change of plan 14 run high, of all 90 it is 28: lift 2.25. Days before and after the ninety count
in neither.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random

DAYS = 90
MELTDOWNS = 26
BAD_NIGHTS = 27
MELTDOWNS_AFTER_BAD = 16
CHANGES = 20
HIGH_DAYS = 28
HIGH_ON_CHANGE = 14

FIELDS = ("arousal", "emotion", "regulation", "sensory", "sleep", "nutrition", "environment")
HIGH = ("high", "very_high")
CALM_LEVELS: Mapping[str, Mapping[str, int]] = {  # level: weight, on a day without its own reason
    "arousal": {"right": 9, "low": 2},
    "emotion": {"happy": 5, "calm": 8, "flat": 2},
    "regulation": {"steady": 8, "alone": 5, "helped": 4},
    "sensory": {"easy": 8, "seeking": 4, "sensitive": 2},
    "sleep": {"good": 9, "late": 3, "woke": 2},
    "nutrition": {"usual": 9, "safe_only": 4, "less": 1},
    "environment": {"calm": 9, "busy": 3},
}
HARD_LEVELS: Mapping[str, Mapping[str, int]] = {  # on a day with a meltdown
    "emotion": {"anxious": 3, "sad": 4, "flat": 2},
    "sensory": {"overloaded": 3, "avoiding": 3, "sensitive": 3},
}


def ninety_days(seed: int, fixed: Mapping[int, Mapping[str, str]]) -> dict[int, dict[str, str]]:
    """The levels of each day by days ago, 90 to 1; `fixed` gives levels the story has settled."""
    random = Random(f"hearthbook demo diary {seed}")  # noqa: S311 - a story, not a secret
    days = range(DAYS, 0, -1)
    settled = _days(fixed, "regulation", {"meltdown"})
    hard = _chosen(random, days, MELTDOWNS, yes=settled, fixed=fixed, of="regulation")
    bad = _bad_nights(random, hard, fixed)
    settled = _days(fixed, "environment", {"changed"})
    # A change of plan falls on no hard day but those of the story: the two patterns stay apart.
    changed = _chosen(
        random, (set(days) - hard) | settled, CHANGES, yes=settled, fixed=fixed, of="environment"
    )
    high = _high_days(random, hard, changed, fixed)
    diary = {}
    for ago in days:
        own = dict(CALM_LEVELS) | (dict(HARD_LEVELS) if ago in hard else {})
        levels = {field: random.choices(list(own[field]), list(own[field].values()))[0] for field in FIELDS}
        if ago in hard:
            levels["regulation"] = "meltdown"
        if ago in bad:
            levels["sleep"] = "bad"
        if ago in changed:
            levels["environment"] = "changed"
        if ago in high:
            levels["arousal"] = random.choice(("high", "high", "very_high"))
        diary[ago] = levels | dict(fixed.get(ago, {}))
    return diary


def _days(fixed: Mapping[int, Mapping[str, str]], field: str, levels: Collection[str]) -> set[int]:
    return {ago for ago, one in fixed.items() if one.get(field) in levels and 1 <= ago <= DAYS}


def _chosen(
    random: Random,
    among: Collection[int],
    count: int,
    *,
    yes: set[int],
    fixed: Mapping[int, Mapping[str, str]],
    of: str,
) -> set[int]:
    """`count` days of `among`: those settled as `yes`, and others that the story leaves open."""
    settled = yes & set(among)
    free = sorted(ago for ago in among if of not in fixed.get(ago, {}))
    return settled | set(random.sample(free, count - len(settled)))


def _bad_nights(random: Random, hard: set[int], fixed: Mapping[int, Mapping[str, str]]) -> set[int]:
    """Bad nights by days ago: the given number of them has a meltdown on the next day."""
    settled = _days(fixed, "sleep", {"bad"})
    before_hard = {ago + 1 for ago in hard if ago < DAYS}
    others = set(range(2, DAYS + 1)) - before_hard
    after = BAD_NIGHTS - MELTDOWNS_AFTER_BAD
    pick = _chosen(random, before_hard, MELTDOWNS_AFTER_BAD, yes=settled, fixed=fixed, of="sleep")
    return pick | _chosen(random, others, after, yes=settled, fixed=fixed, of="sleep")


def _high_days(
    random: Random, hard: set[int], changed: set[int], fixed: Mapping[int, Mapping[str, str]]
) -> set[int]:
    """Days of high arousal: most on a change of plan, the others among the hard days."""
    settled = _days(fixed, "arousal", HIGH)
    with_change = _chosen(random, changed, HIGH_ON_CHANGE, yes=settled, fixed=fixed, of="arousal")
    others = (hard - changed) | (settled - changed)
    return with_change | _chosen(
        random, others, HIGH_DAYS - HIGH_ON_CHANGE, yes=settled, fixed=fixed, of="arousal"
    )
