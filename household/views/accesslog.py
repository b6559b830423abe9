"""Who looked: every view of a subject by a professional. For the subject's parents."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from household.access import require_parent
from household.labels import RESOURCE_LABELS
from household.models import AccessLog
from household.services.looks import looks_at
from household.views.pages import Asked, for_members

SIZE = 50
LINKED = {"rec_": "twin:record-show", "doc_": "memory:document-show"}  # ids that have a page of their own
WORDS = {resource.value: label for resource, label in RESOURCE_LABELS.items()}
SHOWN = 5  # ids a row names; of the others it says how many


@for_members
def accesslog_list(request: Asked, pk: int) -> HttpResponse:
    """The looks at one subject, the newest first."""
    require_parent(request.user, pk)
    page = Paginator(looks_at(pk), SIZE).get_page(request.GET.get("page"))
    context = {
        "subject": request.sight.subjects[pk].subject,
        "page_obj": page,
        "looks": [_described(row) for row in page],
    }
    return render(request, "household/accesslog_list.html", context)


def _described(row: AccessLog) -> dict[str, Any]:
    linked = [one for one in row.row_ids if one[:4] in LINKED]
    return {
        "row": row,
        "what": WORDS.get(row.resource, row.resource),
        "records": [(one, reverse(LINKED[one[:4]], args=[one])) for one in linked[:SHOWN]],
        "more": max(0, len(linked) - SHOWN),
    }
