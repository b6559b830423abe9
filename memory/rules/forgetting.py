"""What a forgetting reaches, by identities alone: which records go, and which keep what others said.

Pure: the service fetches what is known of one step and asks again, until nothing new is reached.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

Kind = Literal["memory", "statement", "record", "event", "document", "turn", "day", "subject"]
KINDS: tuple[Kind, ...] = ("memory", "statement", "record", "event", "document", "turn", "day", "subject")


class Unknown(ValueError):
    """There is nothing of this kind and name to forget."""


class NotYours(ValueError):
    """It also reaches a subject whose parent the asking person is not."""


@dataclass(frozen=True)
class Target:
    """One thing to forget: its kind, and the identity it has in an address."""

    kind: Kind
    key: str

    def __post_init__(self) -> None:
        if self.kind not in KINDS or not self.key:
            raise Unknown(self.kind)

    @property
    def number(self) -> int:
        """The key as a row's number. Raises Unknown."""
        if not self.key.isdecimal() or len(self.key) > 18:
            raise Unknown(self.kind)
        return int(self.key)

    @property
    def day(self) -> dt.date:
        """The key as a day. Raises Unknown."""
        try:
            return dt.date.fromisoformat(self.key)
        except ValueError:
            raise Unknown(self.kind) from None


@dataclass(frozen=True)
class Reach:
    """Everything one forgetting reaches, by identities."""

    turns: frozenset[str] = frozenset()
    statements: frozenset[int] = frozenset()
    fills: frozenset[int] = frozenset()
    entries: frozenset[int] = frozenset()
    events: frozenset[int] = frozenset()
    records: frozenset[int] = frozenset()  # named: they go whatever else speaks for them
    refolds: frozenset[int] = frozenset()  # touched: they keep what their other sources say, or go
    memories: frozenset[str] = frozenset()
    documents: frozenset[int] = frozenset()
    questions: frozenset[int] = frozenset()  # asked of the house in these turns
    shares: frozenset[int] = frozenset()  # statements of others that were cut from the same words
    lines: frozenset[int] = frozenset()  # journal lines that lose their words, by position
    subjects: frozenset[int] = frozenset()  # forgotten wholly

    def __or__(self, other: Reach) -> Reach:
        return Reach(**{one.name: getattr(self, one.name) | getattr(other, one.name) for one in fields(self)})

    def is_nothing(self) -> bool:
        """Whether there is nothing to forget."""
        return not any(getattr(self, one.name) for one in fields(self) if one.name != "turns")


@dataclass(frozen=True)
class HeldRecord:
    """What the plan must know of a record that loses a source."""

    id: int
    sources: frozenset[int]  # entries filed into it that still count
    turns: frozenset[str]  # of a course: those of all its days
    is_course: bool = False
    first_day: dt.date | None = None


@dataclass(frozen=True)
class RecordPlan:
    """Which records go, and which are folded again from what others said."""

    gone: frozenset[int] = frozenset()
    folded: frozenset[int] = frozenset()


def plan_records(records: Iterable[HeldRecord], reach: Reach) -> RecordPlan:
    """A named record goes; another goes with its last source, and a course with its last turn."""
    gone: set[int] = set()
    folded: set[int] = set()
    for record in records:
        if record.id in reach.records:
            gone.add(record.id)
        elif record.is_course:
            if record.turns and record.turns <= reach.turns:
                gone.add(record.id)
        elif record.sources & reach.entries or record.id in reach.refolds:
            (folded if record.sources - reach.entries else gone).add(record.id)
    return RecordPlan(frozenset(gone), frozenset(folded))


def rounds_from(days: Collection[dt.date | None], last_closed: dt.date | None) -> dt.date | None:
    """The first day whose rounds must run again: the earliest reached day that is closed."""
    known = sorted(day for day in days if day is not None)
    return known[0] if known and last_closed is not None and known[0] <= last_closed else None


def forgotten_memories(mentions: Mapping[str, Collection[str]], turns: Collection[str]) -> frozenset[str]:
    """The memories told in these turns and nowhere else; a mention without a turn is elsewhere."""
    return frozenset(gid for gid, told in mentions.items() if told and all(turn in turns for turn in told))


@dataclass(frozen=True)
class Counts:
    """How much is reached, by table, for the page that asks and the page that proves."""

    by_label: Mapping[str, int] = field(default_factory=dict)

    def plus(self, label: str, count: int) -> Counts:
        """With so many more rows of a table."""
        return Counts({**self.by_label, label: self.by_label.get(label, 0) + count}) if count else self

    def as_json(self) -> dict[str, Any]:
        """As it is stored: no words, only names of tables and numbers."""
        return dict(sorted(self.by_label.items()))
