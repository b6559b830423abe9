"""What another app shares: shown back in the forms of this page, kept once somebody says of whom it is."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from household.rules.permissions import Resource
from household.views.pages import Asked, for_members
from household.views.refusals import unfit
from memory.rules.documents.limits import MAX_BYTES
from memory.views.documents import document_add
from twin.services.statements import LONGEST
from twin.shown import hue_of

SHARED_FIELDS = ("title", "text", "url")


@csrf_exempt  # the phone's own share sheet posts here; nothing is kept by it
@for_members
def share_show(request: Asked) -> HttpResponse:
    """The forms for a shared text or photo. Without the worker's help a shared file is chosen once more."""
    said = [request.POST.get(name, "").strip() for name in SHARED_FIELDS]
    words = "\n".join(dict.fromkeys(part for part in said if part))[:LONGEST]
    subjects = request.sight.subjects
    rows = [(one.subject, hue_of(subjects, pk), one.adds) for pk, one in subjects.items()]
    context = {
        "words": words,
        "tellable": [(who, hue) for who, hue, adds in rows if Resource.OBSERVATION in adds],
        "papers": [(who, hue) for who, hue, adds in rows if Resource.DOCUMENT in adds],
        "chosen_again": bool(request.FILES),
        "most_mb": MAX_BYTES // 1024 // 1024,
    }
    return render(request, "memory/share_show.html", context)


@require_POST
def share_keep(request: HttpRequest) -> HttpResponse:
    """Keep shared files as documents of the subject that was said."""
    chosen = request.POST.get("subject", "")
    if not chosen.isdigit() or len(chosen) > 9:
        return unfit(request, _("Say first whom it is about."))
    return document_add(request, int(chosen))
