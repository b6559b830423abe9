"""The cards about a child's distress, as far as a parent answers them."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from household.views.pages import Asked, for_members
from memory.crisis_shown import crises_shown
from memory.services.crises import acknowledge
from memory.services.heard import heard_for_parents
from twin.views.subject_nav import subject_page


@for_members
def heard_list(request: Asked, pk: int) -> HttpResponse:
    """What a child's companion wrote down for its parents."""
    found = heard_for_parents(request.user, pk)
    context = subject_page(request, pk, at="memory:heard-list") | {
        "crises": crises_shown(found.crises),
        "told": found.told,
        "is_more": found.is_more,
    }
    return render(request, "memory/heard_list.html", context)


@require_POST
@for_members
def crisis_acknowledge(request: Asked, pk: int) -> HttpResponse:
    """Say that this parent has seen a card; it leaves Today, and stays on the child's own page."""
    acknowledge(person=request.user, card_id=pk, now=request.now)
    back = request.POST.get("back", "")
    if back.isdecimal() and len(back) < 18 and int(back) in request.sight.subjects:
        return redirect("memory:heard-list", int(back))
    return redirect("twin:today-show")
