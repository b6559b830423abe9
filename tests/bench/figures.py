"""What a bench gives: samples of one figure, their median and spread. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

Samples = dict[str, list[float]]


@dataclass(frozen=True)
class Figure:
    """Samples in short: how many, their median, and their quartiles."""

    n: int
    median: float
    low: float
    high: float


def figure(samples: Sequence[float]) -> Figure:
    """The figure of at least one sample; of one sample the quartiles are the sample."""
    if len(samples) == 1:
        return Figure(1, samples[0], samples[0], samples[0])
    low, median, high = statistics.quantiles(samples, n=4, method="inclusive")
    return Figure(len(samples), median, low, high)


def add(found: Samples, more: Samples) -> None:
    """Put the samples of one round to those there are."""
    for name, values in more.items():
        found.setdefault(name, []).extend(values)


def to_json(figures: Mapping[str, Figure]) -> dict[str, Any]:
    """Figures as `bench.json` holds them."""
    return {key: asdict(one) for key, one in figures.items()}


def from_json(held: Mapping[str, Any]) -> dict[str, Figure]:
    """The same read back."""
    return {key: Figure(**one) for key, one in held.items()}
