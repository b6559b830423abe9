"""Two runs side by side: what changed beyond the noise of either. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from tests.bench.figures import Figure
from tests.bench.measures import MEASURES

# Changes below these stay noise; a single sample has no spread of its own.
LEAST_CHANGE = 0.05
LEAST_CHANGE_OF_ONE = 0.25


class Change(StrEnum):
    """What became of one figure."""

    BETTER = "better"
    WORSE = "worse"
    NOISE = "within noise"
    NEW = "new"
    GONE = "gone"


@dataclass(frozen=True)
class Difference:
    """One figure in both runs."""

    key: str
    before: Figure | None
    after: Figure | None
    change: Change


def compare(before: Mapping[str, Figure], after: Mapping[str, Figure]) -> list[Difference]:
    """Every figure of either run, by key."""
    keys = sorted(before.keys() | after.keys())
    return [_difference(key, before.get(key), after.get(key)) for key in keys]


def _difference(key: str, before: Figure | None, after: Figure | None) -> Difference:
    if before is None or after is None:
        return Difference(key, before, after, Change.NEW if before is None else Change.GONE)
    if not is_beyond_noise(before, after):
        return Difference(key, before, after, Change.NOISE)
    is_better = (after.median > before.median) == is_more_better(key)
    return Difference(key, before, after, Change.BETTER if is_better else Change.WORSE)


def is_beyond_noise(before: Figure, after: Figure) -> bool:
    """Whether the quartiles of two figures do not touch and the medians are far enough apart."""
    touch = before.low <= after.high and after.low <= before.high
    least = LEAST_CHANGE_OF_ONE if 1 in {before.n, after.n} else LEAST_CHANGE
    return not touch and abs(after.median - before.median) > least * abs(before.median)


def is_more_better(key: str) -> bool:
    """Whether a greater figure of this key is the better one; floors and unknown figures are times."""
    known = {one.key: one.more_is_better for one in MEASURES}
    return known.get(key, key.endswith("_s"))


def as_text(differences: list[Difference]) -> str:
    """What changed, one line each; what did not, as a count."""
    changed = [one for one in differences if one.change is not Change.NOISE]
    said = [
        f"{one.change.value:8} {one.key:32} {_shown(one.before)} -> {_shown(one.after)}" for one in changed
    ]
    return "\n".join([*said, f"{len(differences) - len(changed)} figures within noise."])


def _shown(one: Figure | None) -> str:
    return "none" if one is None else f"{one.median:,.4g} [{one.low:,.4g} .. {one.high:,.4g}]"
