"""Noise does not become lore, and what is there is found: random and planted diaries with fixed seeds."""

from __future__ import annotations

from random import Random

import pytest

from tests.memory.rules.counting.diaries import PAIRS, nights, planted_diary, random_diary
from tests.slices import IS_LONG

NOISE_RUNS, NOISE_DAYS = (200, 365) if IS_LONG else (6, 120)
PLANTED_RUNS = 400 if IS_LONG else 20


@pytest.mark.parametrize("kept", [1.0, 0.6], ids=["every day", "six days of ten"])
def test_random_diaries_give_a_false_supported_pattern_on_fewer_than_one_night_in_twenty(kept: float) -> None:
    false = total = 0
    for seed in range(NOISE_RUNS):
        for stands in nights(random_diary(Random(f"noise {seed}"), NOISE_DAYS, kept=kept), NOISE_DAYS):
            total += 1
            false += any(one.lifecycle == "supported" for one in stands.values())
    print(f"kept {kept}: {false} of {total} nights, {false / total:.4f}")
    assert false / total < 0.05


def test_a_planted_effect_is_supported_within_four_and_within_six_months() -> None:
    by_120 = by_180 = hypotheses = 0
    for seed in range(PLANTED_RUNS):
        random = Random(f"planted {seed}")
        pair = random.choice(PAIRS)
        after = [stands.get(pair) for stands in nights(planted_diary(random, 180, pair), 180)]
        lives = [one.lifecycle if one else None for one in after]
        first = lives.index("supported") if "supported" in lives else None
        by_120 += first is not None and first < 120
        by_180 += first is not None
        hypotheses += first is None or lives[first - 1] == "hypothesis"
    print(f"by 120: {by_120 / PLANTED_RUNS:.3f}, by 180: {by_180 / PLANTED_RUNS:.3f}")
    assert by_120 / PLANTED_RUNS >= 0.80
    assert by_180 / PLANTED_RUNS >= 0.95
    assert hypotheses == PLANTED_RUNS, "a pattern stands as a hypothesis before it is supported"
