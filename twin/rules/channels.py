"""How often the three judgements of an entry disagree, and which was right once corrected. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

CHANNELS = ("asserted", "derived", "model_read")


@dataclass(frozen=True)
class Corrected:
    """One corrected entry: what each channel had said, and what the person says it is."""

    category: str
    said: Mapping[str, str | None]
    truth: str | None


@dataclass(frozen=True)
class Agreement:
    """Of one channel: how often it judged where the truth is known, and how often it was right."""

    channel: str
    judged: int = 0
    right: int = 0


@dataclass(frozen=True)
class Disagreement:
    """Of one category: corrections, how many had channels against each other, who was right there."""

    corrections: int
    disagreed: int
    right: Mapping[str, int]


def disagrees(one: Corrected) -> bool:
    """Whether two channels judged and did not say the same."""
    return len({judged for judged in one.said.values() if judged}) > 1


def agreement(rows: Iterable[Corrected]) -> list[Agreement]:
    """Every channel over all corrections, in the order of CHANNELS."""
    known = [one for one in rows if one.truth]
    return [
        Agreement(
            name,
            sum(1 for one in known if one.said.get(name)),
            sum(1 for one in known if one.said.get(name) == one.truth),
        )
        for name in CHANNELS
    ]


def by_category(rows: Iterable[Corrected]) -> dict[str, Disagreement]:
    """Each category's corrections, the most corrected first."""
    grouped: dict[str, list[Corrected]] = {}
    for one in rows:
        grouped.setdefault(one.category, []).append(one)
    order = sorted(grouped, key=lambda name: (-len(grouped[name]), name))
    return {name: _of_category(grouped[name]) for name in order}


def _of_category(rows: list[Corrected]) -> Disagreement:
    apart = [one for one in rows if disagrees(one)]
    right = {
        name: sum(1 for one in apart if one.truth and one.said.get(name) == one.truth) for name in CHANNELS
    }
    return Disagreement(len(rows), len(apart), right)
