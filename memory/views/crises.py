"""The cards about a child's distress, as far as a parent answers them."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from household.views.pages import Asked, for_members
from memory.services.crises import acknowledge


@require_POST
@for_members
def crisis_acknowledge(request: Asked, pk: int) -> HttpResponse:
    """Say that this parent has seen a card; it leaves Today."""
    acknowledge(person=request.user, card_id=pk, now=request.now)
    return redirect("twin:today-show")
