"""How a model is asked: the texts, each one's share of the questions, how its answers were taken."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from household.access import require_parent
from household.models import Endpoint
from household.views.pages import Asked, for_members
from memory.services.asking.insights import VariantScore, variant_scores
from memory.services.prompts import LONGEST, SHORTEST, BadPrompt, BadShares, add_variant, share_out, variants

FIELD = "share-"


@require_http_methods(["GET", "POST"])
@for_members
def variant_list(request: Asked) -> HttpResponse:
    """Every text with its share and its counts; a post sets the shares."""
    require_parent(request.user)
    if request.method == "POST":
        try:
            share_out(person=request.user, shares=_shares(request))
        except BadShares:
            return _page(request, error=_("Shares are whole numbers that add up to 100."))
        messages.success(request, _("Saved."))
        return redirect("memory:variant-list")
    return _page(request)


@require_http_methods(["POST"])
@for_members
def variant_add(request: Asked) -> HttpResponse:
    """Add a text of one's own; it gets questions once it has a share."""
    require_parent(request.user)
    text = request.POST.get("text", "")
    try:
        add_variant(person=request.user, text=text)
    except BadPrompt as bad:
        error = (
            _("It must say {name} where the subject's name goes, and {language} where the language goes.")
            if bad.args[0] == "places"
            else _("A text has %(least)s to %(most)s characters.") % {"least": SHORTEST, "most": LONGEST}
        )
        return _page(request, text=text, text_error=error)
    messages.success(request, _("Added. Give it a share, and its answers are counted beside the others."))
    return redirect("memory:variant-list")


def _shares(request: Asked) -> dict[int, int]:
    """The shares as they were typed. Raises BadShares."""
    given = {
        name.removeprefix(FIELD): value for name, value in request.POST.items() if name.startswith(FIELD)
    }
    try:
        return {int(pk): int(str(value)) for pk, value in given.items()}
    except ValueError:
        raise BadShares from None


def _page(request: Asked, *, error: str = "", text: str = "", text_error: str = "") -> HttpResponse:
    rows = variants()
    scores = {one.key: one for one in variant_scores(request.user)}
    context = {
        "rows": [
            {
                "row": row,
                "score": shown_score(scores.get(row.key)),
                "typed": request.POST.get(f"{FIELD}{row.pk}", row.split),
            }
            for row in rows
        ],
        "composer": shown_score(scores.get("")),
        "has_model": Endpoint.objects.filter(purpose__in=("routine", "analytical"), is_on=True).exists(),
        "error": error,
        "text": text,
        "text_error": text_error,
        "longest": LONGEST,
    }
    return render(request, "memory/variant_list.html", context, status=422 if error or text_error else 200)


def shown_score(one: VariantScore | None) -> dict[str, Any] | None:
    """The counts of one variant; the share that helped has bounds where there are thumbs."""
    if one is None:
        return None
    bounds = (round(100 * one.low), round(100 * one.high)) if one.up + one.down else None
    return {"score": one, "rated": one.up + one.down, "bounds": bounds}
