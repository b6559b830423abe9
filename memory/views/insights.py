"""Insights: over everybody a person sees, what the house has learned to count, and how well it reads."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from household.access import Denied, visible
from household.rules.permissions import Resource
from household.services.together import fetch_together
from household.views.pages import Asked, for_members
from memory.models import Pattern, Strategy, StrategyUse
from memory.pattern_shown import pattern_cards
from memory.services.asking.insights import variant_scores
from memory.strategy_shown import ORDER, strategy_card
from memory.views.patterns import sees_all
from memory.views.prompts import shown_score
from twin.labels import CATEGORY_LABELS
from twin.models import ReadingCorrection
from twin.rules.channels import Corrected, agreement, by_category
from twin.rules.polarity import PolarityContext, derived_polarity
from twin.services.days import day_of
from twin.shown import hue_of
from twin.views.subject_nav import note_professional_look

CHANNEL_LABELS = {
    "asserted": gettext_lazy("What the teller said of it"),
    "derived": gettext_lazy("What the signs alone say"),
    "model_read": gettext_lazy("How the words were read"),
}
PATTERNS_SHOWN, STRATEGIES_SHOWN, CORRECTIONS_COUNTED = 4, 4, 2_000


@for_members
def insight_show(request: Asked) -> HttpResponse:
    """Patterns and strategies of every subject, and which channel was right when a reading was corrected."""
    ids = request.sight.viewable(Resource.MEMORY)
    if not ids:
        raise Denied
    for pk in ids:
        note_professional_look(request, pk, Resource.MEMORY)
    patterns, strategies, uses, corrections = fetch_together(
        visible(request.user, Resource.MEMORY, Pattern.objects.exclude(lifecycle="retired")),
        visible(request.user, Resource.MEMORY, Strategy.objects.exclude(lifecycle="retired")),
        visible(request.user, Resource.MEMORY, StrategyUse.objects.all()),
        visible(request.user, Resource.OBSERVATION, ReadingCorrection.objects.order_by("-id"))[
            :CORRECTIONS_COUNTED
        ],
    )
    context = {
        "is_parent": request.sight.is_parent(),
        "variants": [shown_score(one) for one in variant_scores(request.user)]
        if request.sight.is_parent()
        else [],
        "subjects": [_subject(request, pk, patterns, strategies, uses) for pk in ids],
        "reading": _reading(
            corrections, {pk: one.subject.species for pk, one in request.sight.subjects.items()}
        ),
    }
    return render(request, "memory/insight_show.html", context)


def _subject(
    request: Asked, pk: int, patterns: list[Pattern], strategies: list[Strategy], uses: list[StrategyUse]
) -> dict[str, Any]:
    subject = request.sight.subjects[pk].subject
    own = [row for row in patterns if row.subject_id == pk]
    cards = pattern_cards(request.user, own, sees_all=sees_all(request, pk)) if own else []
    today = day_of(subject, request.now)
    helps = [
        strategy_card(row, [one for one in uses if one.strategy_id == row.pk], today)
        for row in strategies
        if row.subject_id == pk
    ]
    helps.sort(key=lambda one: (ORDER[one.row.lifecycle], -one.all_time.lower, one.row.name))
    return {
        "subject": subject,
        "hue": hue_of(request.sight.subjects, pk),
        "patterns": cards[:PATTERNS_SHOWN],
        "strategies": [one for one in helps if one.all_time.uses][:STRATEGIES_SHOWN],
        "supported": sum(1 for one in cards if one.row.lifecycle == "supported"),
        "hypotheses": sum(1 for one in cards if one.row.lifecycle == "hypothesis"),
    }


def _corrected(row: ReadingCorrection, species: str) -> Corrected:
    """One correction; what the signs alone say is worked out again from the signs as read."""
    category, signs = row.was.get("category", ""), row.was.get("signs", {})
    derived = derived_polarity(category, signs, PolarityContext(species=species)) if category else None
    said = {"asserted": row.was.get("asserted"), "derived": derived, "model_read": row.was.get("model_read")}
    return Corrected(category, said, row.became.get("polarity"))


def _reading(rows: list[ReadingCorrection], species: dict[int, str]) -> dict[str, Any]:
    """How often the three judgements disagreed where somebody corrected a reading, and which was right."""
    said = [_corrected(row, species.get(row.subject_id, "other")) for row in rows]
    return {
        "corrections": len(said),
        "channels": [(CHANNEL_LABELS[one.channel], one) for one in agreement(said)],
        "categories": [
            (CATEGORY_LABELS.get(name, name), one, [(CHANNEL_LABELS[key], n) for key, n in one.right.items()])
            for name, one in by_category(said).items()
            if name
        ],
    }
