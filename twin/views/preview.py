"""A subject's page as one of its members sees it, for the parents who decide that."""

from __future__ import annotations

import copy
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from household.access import seen_as, seen_by
from household.models import Membership, Person
from household.services.memberships import membership_of
from household.views.pages import Asked
from twin.views.timeline import show_subject

# A preview offers nothing to do and no way on: the other pages would be the parent's own.
UNTOUCHED: dict[str, Any] = {"places": [], "may_add": False, "may_change": False}


@require_safe
@login_required
def subject_preview(request: HttpRequest, pk: int) -> HttpResponse:
    """What one membership shows: read only, this subject alone, and no look is written down."""
    now = timezone.now()
    with seen_by(cast(Person, request.user), now=now):
        row = membership_of(cast(Person, request.user), pk, now=now)
    asked = _as_member(request, row)
    asked.now = now
    with seen_as(row.person, row.subject_id, now=now) as sight:
        asked.sight = sight
        try:
            return show_subject(asked, row.subject_id, template="twin/subject_preview.html", **UNTOUCHED)
        except Http404:
            return render(asked, "twin/subject_preview_none.html")


def _as_member(request: HttpRequest, row: Membership) -> Asked:
    """The same request as the member would make it; the parent's own is left as it is."""
    asked = cast(Asked, copy.copy(request))
    asked.user = row.person
    asked.is_preview = True  # type: ignore[attr-defined]
    asked.previewed = row  # type: ignore[attr-defined]
    return asked
