"""The fact ledger's decisions: what holds on a day, what contradicts what, what need not be asked. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from memory.rules.drawers import Closes


class InvalidFact(ValueError):
    """A fact that cannot be settled so; the message is a code."""


@dataclass(frozen=True)
class Fact:
    """One settled item: what it is about, how it stands, and from when until when."""

    id: int
    kind: str  # ruled_out, settled
    about: Closes
    valid_from: dt.date
    valid_until: dt.date | None = None
    is_retired: bool = False


def holds(fact: Fact, day: dt.date) -> bool:
    """Whether a fact is in force on a day."""
    begun = fact.valid_from <= day
    return begun and not fact.is_retired and (fact.valid_until is None or day <= fact.valid_until)


def settled(facts: Sequence[Fact], day: dt.date) -> frozenset[Closes]:
    """What nobody is asked about on a day."""
    empty = Closes()
    return frozenset(fact.about for fact in facts if holds(fact, day) and fact.about != empty)


def contradicted(new: Fact, facts: Sequence[Fact]) -> tuple[int, ...]:
    """The facts in force that say the opposite of a new one: both stay, each with its validity.

    The newer evidence decides from its first day on (`ends_before`); a model's never does.
    """
    return tuple(
        old.id
        for old in facts
        if old.id != new.id
        and old.about == new.about
        and old.about != Closes()
        and old.kind != new.kind
        and not old.is_retired
        and _overlap(old, new)
    )


def _overlap(one: Fact, other: Fact) -> bool:
    one_end, other_end = one.valid_until or dt.date.max, other.valid_until or dt.date.max
    return one.valid_from <= other_end and other.valid_from <= one_end


def ends_before(old: Fact, new: Fact) -> dt.date | None:
    """The last day of an older fact once newer evidence stands against it; None where it stays open.

    Two of the same first day both keep their validity until a person decides.
    """
    if new.valid_from <= old.valid_from:
        return None
    return new.valid_from - dt.timedelta(days=1)


def checked_dates(valid_from: dt.date, valid_until: dt.date | None, today: dt.date) -> None:
    """Refuse a fact that begins in the future or ends before it begins. Raises InvalidFact."""
    if valid_from > today:
        raise InvalidFact("from_future")
    if valid_until is not None and valid_until < valid_from:
        raise InvalidFact("until_before_from")
