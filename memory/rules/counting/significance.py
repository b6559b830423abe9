"""How sure a share is, whether a 2x2 table is more than chance, and how many may be believed. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb, sqrt

Z_95 = 1.959963984540054


def wilson_lower(successes: float, trials: float, z: float = Z_95) -> float:
    """The lower end of Wilson's 95 % interval of a share, 0 without trials (Wilson 1927).

    Half successes are allowed: a partial success counts for half.
    """
    if trials <= 0:
        return 0.0
    share, square = successes / trials, z * z
    middle = share + square / (2 * trials)
    spread = z * sqrt(share * (1 - share) / trials + square / (4 * trials * trials))
    return max(0.0, (middle - spread) / (1 + square / trials))


def wilson_upper(successes: float, trials: float, z: float = Z_95) -> float:
    """The upper end of the same interval, 1 without trials."""
    return 1.0 - wilson_lower(trials - successes, trials, z) if trials > 0 else 1.0


@lru_cache(maxsize=65_536)
def fisher_greater(both: int, antecedent_days: int, outcome_days: int, days: int) -> float:
    """The chance of so many days with both, or more, where the two have nothing to do with each other.

    One-sided Fisher exact test with fixed margins (Fisher 1922), in whole numbers until the last division.
    """
    most = min(antecedent_days, outcome_days)
    others = days - antecedent_days
    if both <= max(0, outcome_days - others):
        return 1.0
    term = comb(antecedent_days, both) * comb(others, outcome_days - both)
    total = 0
    for k in range(both, most + 1):
        total += term
        term = (
            term * ((antecedent_days - k) * (outcome_days - k)) // ((k + 1) * (others - outcome_days + k + 1))
        )
    return min(1.0, total / comb(days, outcome_days))


def benjamini_hochberg(ps: Sequence[float], tests: int, q: float) -> float:
    """The largest p that may be believed among `tests` tests, 0 where none may (Benjamini, Hochberg 1995).

    `ps` may leave out those above q: they decide nothing.
    """
    believed = 0.0
    for rank, p in enumerate(sorted(ps), start=1):
        if p <= rank * q / tests:
            believed = p
    return believed
