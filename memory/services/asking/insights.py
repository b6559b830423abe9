"""How the variants of the prompt are taken: counts beside the intervals they allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Avg, Count, Q

from household.access import visible
from household.models import Person
from household.rules.permissions import Resource
from memory.models import Answer
from memory.rules.composing.ranking import wilson


@dataclass(frozen=True)
class VariantScore:
    """One variant, or the composer (`key` empty): answers, thumbs, the bounds of the share that helped."""

    key: str
    answers: int
    up: int
    down: int
    low: float
    high: float
    unresolved: int
    unsupported: int
    fell_back: int
    latency_ms: int
    tokens: int


def variant_scores(person: Person) -> list[VariantScore]:
    """Every variant over the answers this person may see, the most used first. Call it inside `seen_by`."""
    rows = visible(person, Resource.CONVERSATION, Answer.objects.filter(state="complete"))
    counted = (
        rows.order_by()
        .values("variant__key")
        .annotate(
            answers=Count("pk"),
            up=Count("pk", filter=Q(thumb=1)),
            down=Count("pk", filter=Q(thumb=-1)),
            unresolved=Count("pk", filter=Q(unresolved__gt=0)),
            unsupported=Count("pk", filter=Q(unsupported__gt=0)),
            fell_back=Count("pk", filter=~Q(why_composed="")),
            latency=Avg("latency_ms"),
            spent=Avg("tokens"),
        )
    )
    return [_score(row) for row in counted.order_by("-answers", "variant__key")]


def _score(row: Mapping[str, Any]) -> VariantScore:
    numbers = {name: int(float(str(row[name] or 0))) for name in row if name != "variant__key"}
    low, high = wilson(numbers["up"], numbers["up"] + numbers["down"])
    return VariantScore(
        key=str(row["variant__key"] or ""),
        answers=numbers["answers"],
        up=numbers["up"],
        down=numbers["down"],
        low=low,
        high=high,
        unresolved=numbers["unresolved"],
        unsupported=numbers["unsupported"],
        fell_back=numbers["fell_back"],
        latency_ms=numbers["latency"],
        tokens=numbers["spent"],
    )
