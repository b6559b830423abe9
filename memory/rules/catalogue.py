"""The semantic catalogue and its expander: a line a record, and chosen records in full within a budget. Pure.

Nothing is carried forward in the context window: each turn is put together again from these lines and from
the ids it opens.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from household.rules.tokens import tokens_of


class OverBudget(ValueError):
    """Not even the first of the records fits."""


@dataclass(frozen=True)
class Card:
    """One record as its line shows it."""

    ref: str
    category: str
    first_on: dt.date | None = None
    last_on: dt.date | None = None
    tags: tuple[str, ...] = ()
    polarity: str = ""


@dataclass(frozen=True)
class Expanded:
    """What the expander gives: texts in the order asked for, their cost, and the ids that found no room."""

    texts: tuple[tuple[str, str], ...]
    tokens: int
    left_out: tuple[str, ...] = ()


def line_of(card: Card) -> str:
    """A record on one line: id, category, dates, tags, polarity."""
    dates = "/".join(day.isoformat() for day in (card.first_on, card.last_on) if day) or "undated"
    tags = ",".join(" ".join(tag.split()) for tag in card.tags)
    return " | ".join(part for part in (card.ref, card.category, dates, tags, card.polarity) if part)


def catalogue(cards: Sequence[Card], *, budget: int) -> tuple[str, ...]:
    """The lines of as many cards as the budget of tokens holds, in the order given; never over it."""
    lines: list[str] = []
    spent = 0
    for card in cards:
        line = line_of(card)
        spent += tokens_of(line + "\n")
        if spent > budget:
            break
        lines.append(line)
    return tuple(lines)


def expand(ids: Iterable[str], full: Mapping[str, str], *, budget: int) -> Expanded:
    """The chosen records in full, each whole or not at all, within the budget of tokens.

    An id that is not among `full` is left out. Raises OverBudget where something is there and nothing fits.
    """
    texts: list[tuple[str, str]] = []
    left_out: list[str] = []
    spent = 0
    for ref in dict.fromkeys(ids):
        cost = tokens_of(f"[{ref}] {full[ref]}\n") if ref in full else budget + 1
        if spent + cost > budget:
            left_out.append(ref)
            continue
        texts.append((ref, full[ref]))
        spent += cost
    if not texts and any(ref in full for ref in left_out):
        raise OverBudget(f"{budget} tokens hold none of {len(left_out)} records")
    return Expanded(tuple(texts), spent, tuple(left_out))
