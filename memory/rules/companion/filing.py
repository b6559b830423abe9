"""What becomes of a fact beside the memories there are: new, told again, or changed. Pure.

A fact is told again where a memory says the same; it changes a memory that settles the same thing ("my
favourite colour") otherwise. Of memories that say the same among themselves the first learned stays.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from memory.rules.companion.facts import Fact
from memory.rules.companion.learning import slot_of
from memory.rules.companion.sameness import is_same

SETTLING = frozenset({"favourite", "like", "dislike", "name", "about"})  # kinds that can have a slot


class Filing(StrEnum):
    """What is done with a fact."""

    NEW = "new"
    MENTION = "mention"
    REVISE = "revise"


@dataclass(frozen=True)
class Held:
    """One memory that there is, put away or not."""

    gid: str
    text: str
    kind: str = ""
    learned_at_ms: int = 0


@dataclass(frozen=True)
class FactPlan:
    """What is done with one fact, with which memory, and which ones say the same and are dropped."""

    filing: Filing
    gid: str
    duplicates: tuple[str, ...] = ()


def plan_fact(fact: Fact, held: Sequence[Held], *, new_gid: str) -> FactPlan:
    """What is done with a fact; a memory that has `new_gid` already was made of this very telling."""
    same = sorted((one for one in held if _says_the_same(fact, one)), key=_order)
    if same:
        return FactPlan(Filing.MENTION, same[0].gid, tuple(one.gid for one in same[1:]))
    changed = sorted((one for one in held if _settles_the_same(fact, one)), key=_order)
    if changed:
        return FactPlan(Filing.REVISE, changed[-1].gid)
    return FactPlan(Filing.NEW, new_gid)


def _order(one: Held) -> tuple[int, str]:
    return one.learned_at_ms, one.gid


def _says_the_same(fact: Fact, one: Held) -> bool:
    if one.kind and one.kind != fact.kind:
        return False
    return is_same(fact.text, one.text) and (not fact.slot or slot_of(one.text) in ("", fact.slot))


def _settles_the_same(fact: Fact, one: Held) -> bool:
    if not fact.slot or (one.kind and one.kind not in SETTLING):
        return False
    return slot_of(one.text) == fact.slot


def gid_for(*, device: str, turn: str, at_ms: int, number: int) -> str:
    """The identity of a memory learned from one telling: wordless, and the same for the same telling."""
    made = hashlib.sha256(f"{device}/{turn}/{number}".encode()).hexdigest()[:16]
    return f"m-{at_ms:x}-{made}"


__all__ = ["FactPlan", "Filing", "Held", "gid_for", "plan_fact"]
