"""When a pair of levels is a pattern, and what becomes of one. Pure; the whole machine stands in this file.

                 4 days with both, lift > 1.2
    (nothing) ------------------------------> hypothesis
                        believed tonight            |  ^ not believed any more
                                                    v  |
                                                 supported
    hypothesis, supported -- the last 8 weeks alone have lift < 1 on >= 8 antecedent days --> weakening
    weakening -- those weeks are better again --> hypothesis
    weakening -- 8 more such weeks --> retired
    hypothesis -- lift <= 1, or fewer than 4 days with both are left in the window --> retired ("faded")
    retired -- the last 8 weeks alone show it again --> hypothesis, unless a person retired it

"Believed" is a one-sided Fisher test under Benjamini-Hochberg at q = 0.05 over all pairs that hold counts.
A pattern moves one step a night, so it always stands as a hypothesis before it is supported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from math import sqrt
from typing import Literal

from memory.rules.counting.significance import benjamini_hochberg, fisher_greater
from memory.rules.counting.tables import Counts, Pair, Table, Values, moved_on

Lifecycle = Literal["hypothesis", "supported", "weakening", "retired"]

LEAST_TOGETHER = 4
LEAST_LIFT = 1.2
WEAK_LIFT = 1.0
WEAK_ANTECEDENT_DAYS = 8
RETIRES_AFTER = timedelta(days=56)
Q = 0.05
HOPELESS_Z = 1.0  # below it no exact p comes near q, so it is not worked out


@dataclass(frozen=True)
class Standing:
    """What a pattern is since which day; `by_hand` where a person decided it."""

    lifecycle: Lifecycle
    since: date
    by_hand: bool = False


@dataclass(frozen=True)
class Move:
    """One step of one pattern in one night, and why."""

    pair: Pair
    day: date
    was: str
    became: Lifecycle
    reason: str


def p_of(table: Table) -> float:
    """The one-sided Fisher p of a pair's table."""
    return fisher_greater(table.both, table.antecedent_days, table.outcome_days, table.days)


def believable_p(counts: Mapping[Pair, Counts]) -> tuple[dict[Pair, float], float, int]:
    """The p of each pair that could matter, the largest that may be believed, and among how many tests."""
    tests = sum(1 for one in counts.values() if one.year.days)
    ps = {pair: p_of(one.year) for pair, one in counts.items() if _could_matter(one.year)}
    small = {pair: p for pair, p in ps.items() if p <= Q}
    return small, benjamini_hochberg(list(small.values()), tests, Q) if tests else 0.0, tests


def _could_matter(table: Table) -> bool:
    """Whether a normal approximation leaves any hope of p <= q; the exact test is the stricter one."""
    n, a, o = table.days, table.antecedent_days, table.outcome_days
    if not 0 < a < n or not 0 < o < n:
        return False
    return table.both * n - a * o > HOPELESS_Z * sqrt(a * o * (n - a) * (n - o) / n)


def is_hypothesis(table: Table) -> bool:
    """Whether the counts alone make it worth watching."""
    return table.both >= LEAST_TOGETHER and table.lift > LEAST_LIFT


def is_weak(recent: Table) -> bool:
    """Whether the last eight weeks alone speak against it."""
    return recent.antecedent_days >= WEAK_ANTECEDENT_DAYS and recent.lift < WEAK_LIFT


def next_step(
    standing: Standing | None, counts: Counts, *, is_believed: bool, day: date
) -> tuple[Lifecycle, str] | None:
    """What tonight's counts make of a pattern, and why; None where it stays as it is."""
    match standing.lifecycle if standing else None:
        case None:
            return ("hypothesis", "counted") if is_hypothesis(counts.year) else None
        case "hypothesis" | "supported" if is_weak(counts.recent):
            return "weakening", "recent_weeks"
        case "hypothesis" if counts.year.both < LEAST_TOGETHER or counts.year.lift <= WEAK_LIFT:
            return "retired", "faded"
        case "hypothesis" if is_believed and is_hypothesis(counts.year):
            return "supported", "passes"
        case "supported" if not (is_believed and is_hypothesis(counts.year)):
            return "hypothesis", "passes_no_more"
        case "weakening" if not is_weak(counts.recent):
            return "hypothesis", "recovered"
        case "weakening" if standing and day - standing.since >= RETIRES_AFTER:
            return "retired", "recent_weeks"
        case "retired" if standing and not standing.by_hand and is_hypothesis(counts.recent):
            return "hypothesis", "again"
    return None


@dataclass(frozen=True)
class Replayed:
    """What some nights in order came to: counts and standings after the last, and every move of them."""

    counts: Mapping[Pair, Counts]
    standings: Mapping[Pair, Standing]
    moves: tuple[Move, ...]


def replay(
    counts: Mapping[Pair, Counts],
    standings: Mapping[Pair, Standing],
    days: Mapping[date, Values],
    *,
    first: date,
    last: date,
    by_hand: Mapping[date, Mapping[Pair, Lifecycle]] | None = None,
) -> Replayed:
    """Every night from `first` to `last`, from what stood the day before `first`.

    `days` holds at least the edges of each night; `by_hand` what people decided on which day.
    """
    now, stands = dict(counts), dict(standings)
    moves: list[Move] = []
    for number in range((last - first).days + 1):
        day = first + timedelta(days=number)
        for pair, decided in ((by_hand or {}).get(day) or {}).items():
            if pair in stands:
                stands[pair] = Standing(decided, day, by_hand=decided == "retired")
        now = {pair: moved_on(one, pair, days, day) for pair, one in now.items()}
        for move in plan_night(now, stands, day):
            stands[move.pair] = Standing(move.became, day)
            moves.append(move)
    return Replayed(now, stands, tuple(moves))


def plan_night(counts: Mapping[Pair, Counts], standings: Mapping[Pair, Standing], day: date) -> list[Move]:
    """The steps of one night, in the order of the pairs."""
    ps, believed, _tests = believable_p(counts)
    found = []
    for pair, one in counts.items():
        standing = standings.get(pair)
        is_believed = pair in ps and ps[pair] <= believed
        step = next_step(standing, one, is_believed=is_believed, day=day)
        if step is not None:
            found.append(Move(pair, day, standing.lifecycle if standing else "", *step))
    return found


def days_to_confirm(table: Table, *, needed: float, most: int = 60) -> int | None:
    """How many further days with both, one after the other, would bring p to `needed`; None beyond `most`."""
    for more in range(1, most + 1):
        if p_of(table + Table(more, more, more, more)) <= needed:
            return more
    return None
