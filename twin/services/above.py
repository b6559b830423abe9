"""What the app above this one lends the twin: settled facts, and the questions of the family's memory.

The twin stands below and imports nothing of it; the app above puts its functions here when it is loaded.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from household.models import Person
from twin.rules.agenda import WaitingQuestion
from twin.rules.frame import Cited

Settled = frozenset[tuple[str, str]]


def _nothing_settled(subject_id: int, day: dt.date) -> Settled:
    return frozenset()


def _nothing_ruled_out(subject_id: int, day: dt.date) -> Sequence[Cited]:
    return ()


def _nobody_waits(subject_id: int, day: dt.date, at: dt.datetime) -> Sequence[WaitingQuestion]:
    return ()


def _nothing_tried(person: Person, ids: Collection[int]) -> Mapping[int, str]:
    return {}


def _not_told(person: Person, number: int, outcome: str, now: dt.datetime) -> bool:
    return False


def _no_rows(person: Person) -> QuerySet[Any] | None:
    return None


def _no_crisis(person: Person, rows: Sequence[Any]) -> Sequence[Any]:
    return ()


@dataclass
class Above:
    """The functions lent: what is settled on a day as (category, sign), what stands ruled out, what waits.

    `tried` names what was tried, by the number of its use, as far as a person may see it; `crisis_rows` are
    the cards a parent has to see first, `crises` the same as a page shows them; `tell_tried` keeps how one
    went, and gives False where the tap is none of its answers.
    """

    settled: Callable[[int, dt.date], Settled] = _nothing_settled
    ruled_out: Callable[[int, dt.date], Sequence[Cited]] = _nothing_ruled_out
    waiting: Callable[[int, dt.date, dt.datetime], Sequence[WaitingQuestion]] = _nobody_waits
    tried: Callable[[Person, Collection[int]], Mapping[int, str]] = _nothing_tried
    crisis_rows: Callable[[Person], QuerySet[Any] | None] = _no_rows
    crises: Callable[[Person, Sequence[Any]], Sequence[Any]] = _no_crisis
    tell_tried: Callable[[Person, int, str, dt.datetime], bool] = _not_told


above = Above()
