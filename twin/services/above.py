"""What the app above this one lends the twin: settled facts, and the questions of the family's memory.

The twin stands below and imports nothing of it; the app above puts its functions here when it is loaded.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from twin.rules.agenda import WaitingQuestion
from twin.rules.frame import Cited

Settled = frozenset[tuple[str, str]]


def _nothing_settled(subject_id: int, day: dt.date) -> Settled:
    return frozenset()


def _nothing_ruled_out(subject_id: int, day: dt.date) -> Sequence[Cited]:
    return ()


def _nobody_waits(subject_id: int, day: dt.date, at: dt.datetime) -> Sequence[WaitingQuestion]:
    return ()


@dataclass
class Above:
    """The functions lent: what is settled on a day as (category, sign), what stands ruled out, what waits."""

    settled: Callable[[int, dt.date], Settled] = _nothing_settled
    ruled_out: Callable[[int, dt.date], Sequence[Cited]] = _nothing_ruled_out
    waiting: Callable[[int, dt.date, dt.datetime], Sequence[WaitingQuestion]] = _nobody_waits


above = Above()
