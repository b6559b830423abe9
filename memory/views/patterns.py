"""The pages of what the house has counted: the patterns of a subject, and one with every row of it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from household.access import Denied, require, require_parent, visible
from household.rules.permissions import Action, Resource
from household.services.together import fetch_together
from household.views.pages import Asked, for_members
from memory.level_names import LIFECYCLES
from memory.models import PairCount, Pattern, PatternEvidence, PatternMove, Strategy
from memory.pattern_shown import confirming, evidence_days, pattern_card, pattern_cards, tracked_names
from memory.services.patterns import reopen_pattern, retire_pattern
from memory.strategy_shown import strategy_cards
from twin.shown import hue_of
from twin.views.subject_nav import note_professional_look, subject_page

HYPOTHESES_SHOWN = 12
MOVES_SHOWN = 12
BRIEF = 3


def row_of(ref: str, prefix: str) -> int:
    """The number in a public id such as pat_000123. Raises Http404."""
    number = ref.removeprefix(f"{prefix}_")
    if number == ref or not number.isdecimal() or not 6 <= len(number) <= 18:
        raise Http404
    return int(number)


def sees_all(request: Asked, pk: int) -> bool:
    """Whether this person sees every row the patterns of a subject stand on."""
    sight = request.sight.subjects[pk]
    return Resource.OBSERVATION in sight.views and not sight.windows


def _pattern(request: Asked, ref: str) -> Pattern:
    """The pattern, if this person may see it. Raises Http404."""
    rows = visible(request.user, Resource.MEMORY, Pattern.objects.filter(pk=row_of(ref, "pat")))
    found = rows.select_related("subject", "retired_by").first()
    if found is None:
        raise Http404
    return found


@for_members
def pattern_list(request: Asked, pk: int) -> HttpResponse:
    """What is generally true of a subject, by counting, and what has helped."""
    require(request.user, Action.VIEW, Resource.MEMORY, pk)
    note_professional_look(request, pk, Resource.MEMORY)
    rows = list(visible(request.user, Resource.MEMORY, Pattern.objects.filter(subject_id=pk)))
    cards = pattern_cards(request.user, rows, sees_all=sees_all(request, pk))
    standing = [card for card in cards if card.row.lifecycle in ("supported", "weakening")]
    hypotheses = [card for card in cards if card.row.lifecycle == "hypothesis"]
    context = {
        **subject_page(request, pk, at="memory:pattern-list"),
        "standing": standing,
        "hypotheses": hypotheses[:HYPOTHESES_SHOWN],
        "further": hypotheses[HYPOTHESES_SHOWN:],
        "retired": [card for card in cards if card.row.lifecycle == "retired"],
        "strategies": strategy_cards(request, pk)[:5],
    }
    return render(request, "memory/pattern_list.html", context)


@for_members
def pattern_brief(request: Asked, pk: int) -> HttpResponse:
    """The best of it for the subject's own page: what stands, and what has helped most."""
    require(request.user, Action.VIEW, Resource.MEMORY, pk)
    note_professional_look(request, pk, Resource.MEMORY)
    rows = Pattern.objects.filter(subject_id=pk, lifecycle__in=["supported", "weakening"])
    standing = list(visible(request.user, Resource.MEMORY, rows))
    cards = pattern_cards(request.user, standing, sees_all=sees_all(request, pk)) if standing else []
    helps = [card for card in strategy_cards(request, pk) if card.row.lifecycle != "retired"]
    context = {
        "subject": request.sight.subjects[pk].subject,
        "patterns": cards[:BRIEF],
        "strategies": [card for card in helps if card.row.uses][:BRIEF],
    }
    return render(request, "memory/pattern_brief.html", context)


@for_members
def pattern_show(request: Asked, ref: str) -> HttpResponse:
    """One pattern: the claim, its count as loud, what would confirm it, every row for and against."""
    pattern = _pattern(request, ref)
    subject = pattern.subject
    log = PatternMove.objects.filter(pattern=pattern).order_by("-day", "-pk")
    helping = Strategy.objects.filter(for_patterns__pattern=pattern).order_by("name")
    links, counts, moves, strategies = fetch_together(
        *(
            visible(request.user, Resource.MEMORY, rows)
            for rows in (
                PatternEvidence.objects.filter(pattern=pattern),
                PairCount.objects.filter(subject=subject),
                log,
                helping,
            )
        )
    )
    days = evidence_days(request.user, pattern, links, zone=subject.time_zone, kind=subject.kind)
    if not days:
        raise Denied
    note_professional_look(request, subject.pk, Resource.MEMORY, pattern.ref)
    both = sum(1 for one in days if one.is_for)
    context: dict[str, Any] = {
        "pattern": pattern,
        "subject": subject,
        "hue": hue_of(request.sight.subjects, subject.pk),
        "card": pattern_card(pattern, both, len(days), tracked_names(request.user, [pattern])),
        "days_for": [one for one in days if one.is_for],
        "days_against": [one for one in days if not one.is_for],
        "is_partial": (both, len(days)) != (pattern.both, pattern.antecedent_days),
        "recent": (pattern.recent_both, pattern.recent_antecedent_days),
        "confirming": confirming(pattern, counts),
        "moves": [(one, str(LIFECYCLES[one.became])) for one in moves[:MOVES_SHOWN]],
        "strategies": strategies,
        "may_decide": Resource.MEMORY in request.sight.subjects[subject.pk].adds,
    }
    return render(request, "memory/pattern_show.html", context)


@require_POST
@for_members
def pattern_retire(request: Asked, ref: str) -> HttpResponse:
    """A parent lets a pattern count no more."""
    pattern = _pattern(request, ref)
    require_parent(request.user, pattern.subject_id)
    retire_pattern(
        person=request.user, pattern_id=pattern.pk, reason=request.POST.get("reason", ""), now=request.now
    )
    messages.success(request, _("Retired. No night brings it back."))
    return redirect("memory:pattern-show", ref)


@require_POST
@for_members
def pattern_reopen(request: Asked, ref: str) -> HttpResponse:
    """A parent lets the nights count it again."""
    pattern = _pattern(request, ref)
    require_parent(request.user, pattern.subject_id)
    reopen_pattern(person=request.user, pattern_id=pattern.pk, now=request.now)
    messages.success(request, _("The nights count it again."))
    return redirect("memory:pattern-show", ref)
