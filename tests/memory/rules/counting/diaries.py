"""Diaries for the counting tests: random ones, and ones with a planted effect."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from random import Random

from memory.rules.counting.patterns import Standing, plan_night
from memory.rules.counting.tables import Counts, Pair, Values, moved_on

START = dt.date(2026, 1, 1)
PAIRS = tuple(Pair(f"a{n // 10}", f"o{n % 10}", n % 2) for n in range(100))
LEVELS = sorted({name for pair in PAIRS for name in pair[:2]})


def random_diary(random: Random, days: int, *, kept: float = 1.0) -> dict[dt.date, Values]:
    """Levels that have nothing to do with each other, each with its own share; some days nobody kept."""
    shares = {name: random.uniform(0.05, 0.6) for name in LEVELS}
    return {
        START + dt.timedelta(days=n): {name: random.random() < share for name, share in shares.items()}
        for n in range(days)
        if random.random() < kept
    }


def planted_diary(random: Random, days: int, pair: Pair) -> dict[dt.date, Values]:
    """A random diary in which `pair` has P(antecedent) = P(outcome) = 0.3 over all days and lift 2."""
    diary = {day: dict(values) for day, values in random_diary(random, days).items()}
    for number in range(days):
        diary[START + dt.timedelta(days=number)][pair.antecedent] = random.random() < 0.3
    for day, values in diary.items():
        before = diary.get(day - dt.timedelta(days=pair.lag), {}).get(pair.antecedent)
        chance = 0.3 if before is None else 0.6 if before else 0.12 / 0.7
        values[pair.outcome] = random.random() < chance
    return diary


def nights(diary: Mapping[dt.date, Values], days: int) -> list[dict[Pair, Standing]]:
    """What stood after each night of a diary."""
    counts = dict.fromkeys(PAIRS, Counts())
    stands: dict[Pair, Standing] = {}
    after = []
    for number in range(days):
        day = START + dt.timedelta(days=number)
        counts = {pair: moved_on(one, pair, diary, day) for pair, one in counts.items()}
        for move in plan_night(counts, stands, day):
            stands[move.pair] = Standing(move.became, day)
        after.append(dict(stands))
    return after
