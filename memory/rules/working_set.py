"""What a conversation holds on to: the last turns, and records each held by reasons. Pure; one state machine.

A record is held while a reason lives, never by a timestamp. A *semantic* reason is renewed by each turn to
which the record is relevant, and lapses after SEMANTIC_TURNS turns without that. A *structural* reason (it
came with its parent) lapses when the parent leaves. With its last reason a record leaves, its children after
it, and a one-line stub stays, by whose id a later turn picks it up again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

LAST_TURNS = 8
SEMANTIC_TURNS = 3
MOST_STUBS = 40


@dataclass(frozen=True)
class Brought:
    """A record that a turn retrieved: its ref, what it is, when, and the parent it came with."""

    ref: str
    about: str = ""  # a category or a kind, never a word of the family's
    on: dt.date | None = None
    parent: str | None = None


@dataclass(frozen=True)
class Held:
    """A record in the set: `relevant_at` is the turn that last renewed its semantic reason, None for none."""

    ref: str
    about: str
    on: dt.date | None
    relevant_at: int | None
    parents: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Stub:
    """What stays of a record that was set down."""

    ref: str
    about: str
    on: dt.date | None
    at: int  # the turn it was set down in


@dataclass(frozen=True)
class Turn:
    """One turn: its identity, what was retrieved for it, and which ids it named."""

    id: str
    brought: tuple[Brought, ...] = ()
    named: frozenset[str] = frozenset()


@dataclass(frozen=True)
class WorkingSet:
    """The state between two turns."""

    count: int = 0
    turns: tuple[str, ...] = ()
    held: Mapping[str, Held] = field(default_factory=dict)
    stubs: tuple[Stub, ...] = ()


def advance(before: WorkingSet, turn: Turn) -> WorkingSet:
    """The set after one turn: renew, pick up by id, let lapse, cascade."""
    now = before.count + 1
    held = dict(before.held)
    for one in turn.brought:
        held[one.ref] = _renewed(held.get(one.ref), one, now)
    for stub in before.stubs:
        if stub.ref in turn.named and stub.ref not in held:
            held[stub.ref] = Held(stub.ref, stub.about, stub.on, now)
    for ref in turn.named & held.keys():
        held[ref] = replace(held[ref], relevant_at=now)
    kept = standing(held, now)
    fallen = [Stub(one.ref, one.about, one.on, now) for ref, one in sorted(held.items()) if ref not in kept]
    stubs = [one for one in before.stubs if one.ref not in held] + fallen
    return WorkingSet(
        now,
        (*before.turns, turn.id)[-LAST_TURNS:],
        {ref: replace(one, parents=one.parents & kept) for ref, one in held.items() if ref in kept},
        tuple(stubs[-MOST_STUBS:]),
    )


def _renewed(known: Held | None, one: Brought, now: int) -> Held:
    """A record that came with a parent is held by it; one that came by itself is relevant now."""
    parents = known.parents if known else frozenset()
    if one.parent is not None:
        relevant = known.relevant_at if known else None
        return Held(one.ref, one.about, one.on, relevant, parents | {one.parent})
    return Held(one.ref, one.about, one.on, now, parents)


def has_semantic_reason(one: Held, now: int) -> bool:
    """Whether a record was relevant within the last turns."""
    return one.relevant_at is not None and now - one.relevant_at < SEMANTIC_TURNS


def standing(held: Mapping[str, Held], now: int) -> frozenset[str]:
    """Those with a living reason: relevant ones, and whatever hangs on them through its parents."""
    kept = {ref for ref, one in held.items() if has_semantic_reason(one, now)}
    children: dict[str, list[str]] = {}
    for ref, one in held.items():
        for parent in one.parents:
            children.setdefault(parent, []).append(ref)
    waiting = list(kept)
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child not in kept:
                kept.add(child)
                waiting.append(child)
    return frozenset(kept)


def to_json(working_set: WorkingSet) -> dict[str, Any]:
    """The set as it is stored: references, codes and numbers, never a word."""
    return {
        "count": working_set.count,
        "turns": list(working_set.turns),
        "held": [
            {"ref": one.ref, "about": one.about, "on": _day(one.on), "relevant_at": one.relevant_at}
            | ({"parents": sorted(one.parents)} if one.parents else {})
            for _ref, one in sorted(working_set.held.items())
        ],
        "stubs": [
            {"ref": one.ref, "about": one.about, "on": _day(one.on), "at": one.at}
            for one in working_set.stubs
        ],
    }


def from_json(state: Mapping[str, Any]) -> WorkingSet:
    """The stored set as a value; an empty state is a set that holds nothing."""
    held = {
        one["ref"]: Held(
            one["ref"], one["about"], _date(one["on"]), one["relevant_at"], frozenset(one.get("parents", ()))
        )
        for one in state.get("held", ())
    }
    stubs = tuple(
        Stub(one["ref"], one["about"], _date(one["on"]), one["at"]) for one in state.get("stubs", ())
    )
    return WorkingSet(state.get("count", 0), tuple(state.get("turns", ())), held, stubs)


def _day(day: dt.date | None) -> str | None:
    return day.isoformat() if day else None


def _date(text: str | None) -> dt.date | None:
    return dt.date.fromisoformat(text) if text else None
