"""Cards for the parents when a child says words of distress: raised at once, there until one saw them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from household.access import Denied, require_parent, sight_of, visible
from household.models import Person
from household.rules.permissions import Resource, Role
from memory.models import CrisisCard, JournalLine
from memory.rules.companion.distress import distress_in

MOST_SHOWN = 20


@dataclass(frozen=True)
class Crisis:
    """One card as a page needs it: `words` are empty where no tablet has sent its lines yet, or forgotten."""

    card: CrisisCard
    at: dt.datetime
    words: str


@dataclass(frozen=True)
class Heard:
    """What a child said in one turn."""

    turn: str
    text: str
    at_ms: int


def raise_cards(*, subject_id: int, device: str, heard: Iterable[Heard]) -> dict[str, str]:
    """Raise a card for every turn that says words of distress, once; the kinds found, by turn."""
    found = {one.turn: (kind, one.at_ms) for one in heard if (kind := distress_in(one.text)) is not None}
    if found:
        rows = [
            CrisisCard(subject_id=subject_id, device=device, turn=turn, kind=kind, at_ms=at_ms)
            for turn, (kind, at_ms) in found.items()
        ]
        CrisisCard.objects.bulk_create(rows, ignore_conflicts=True)
    return {turn: kind for turn, (kind, _at) in found.items()}


def unseen_rows(person: Person) -> QuerySet[CrisisCard] | None:
    """The cards no parent has seen yet, of the children whose parent this person is. Inside `seen_by`."""
    mine = [pk for pk, one in sight_of(person).subjects.items() if Role.PARENT in one.roles]
    if not mine:
        return None
    rows = CrisisCard.objects.filter(subject__in=mine, seen_at=None)
    return visible(person, Resource.CONVERSATION, rows).order_by("-at_ms", "pk")[:MOST_SHOWN]


def crises_of(person: Person, subject_id: int, *, most: int) -> list[Crisis]:
    """The latest cards of one child, seen or not, `most` at most. Raises Denied. Inside `seen_by`."""
    require_parent(person, subject_id)
    rows = CrisisCard.objects.filter(subject=subject_id).select_related("subject", "seen_by")
    return with_words(person, visible(person, Resource.CONVERSATION, rows).order_by("-at_ms")[:most])


def with_words(person: Person, rows: Iterable[CrisisCard]) -> list[Crisis]:
    """These cards with what was said, as far as the journal holds it."""
    cards = list(rows)
    words = _words(person, cards) if cards else {}
    return [
        Crisis(
            card,
            dt.datetime.fromtimestamp(card.at_ms / 1000, tz=dt.UTC),
            words.get((card.device, card.turn), ""),
        )
        for card in cards
    ]


def _words(person: Person, cards: Sequence[CrisisCard]) -> dict[tuple[str, str], str]:
    """What was said in these turns, from the journal."""
    lines = JournalLine.objects.filter(turn__in=[card.turn for card in cards], envelope__event="Heard")
    seen = visible(person, Resource.CONVERSATION, lines).order_by("position")
    found: dict[tuple[str, str], list[str]] = {}
    for device, turn, body in seen.values_list("device", "turn", "words__body"):
        text = _text(body)
        if text:
            found.setdefault((device, turn), []).append(text)
    return {key: " ".join(texts) for key, texts in found.items()}


def _text(body: Any) -> str:
    return str(body.get("text") or "") if isinstance(body, Mapping) else ""


def acknowledge(*, person: Person, card_id: int, now: dt.datetime) -> None:
    """Say that a parent saw a card; the first who does stays named. Raises Denied. Inside `seen_by`."""
    rows = visible(person, Resource.CONVERSATION, CrisisCard.objects.filter(pk=card_id))
    card = rows.first()
    if card is None:
        raise Denied
    require_parent(person, card.subject_id)
    CrisisCard.objects.filter(pk=card_id, seen_at=None).update(seen_by=person, seen_at=now)


__all__ = ["Crisis", "Heard", "acknowledge", "crises_of", "raise_cards", "unseen_rows", "with_words"]
