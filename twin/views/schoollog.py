"""A teacher's school log: one tap on the caseload, one tap here."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from household.access import require
from household.rules.permissions import Action, Resource
from household.views.pages import Asked, for_members
from household.views.refusals import unfit
from twin.rules.events import IMPACTS
from twin.services.caseload import ANSWERS, PARTS, UnknownPart, log_school, school_today
from twin.shown import hue_of

ICONS = dict(zip(ANSWERS, ("mood-5", "mood-4", "mood-3", "mood-2", "mood-1"), strict=True))
# part of the day: its question, and the place an event of it says
PART_WORDS = {
    "morning": (gettext_lazy("How was the morning?"), gettext_lazy("School, the morning")),
    "day": (gettext_lazy("How was the whole day?"), gettext_lazy("School, the whole day")),
}


@for_members
def school_show(request: Asked, pk: int) -> HttpResponse:
    """Ask how school was; each face is a button that keeps its answer at once."""
    subject = require(request.user, Action.ADD, Resource.OBSERVATION, pk).subject
    if request.method == "POST":
        part, _colon, impact = request.POST.get("tap", "").partition(":")
        try:
            log_school(
                person=request.user,
                subject=subject,
                part=part,
                impact=int(impact),
                words=str(PART_WORDS[part][1]),
                now=request.now,
            )
        except (UnknownPart, ValueError, KeyError):
            return unfit(request, _("Answer by one of the faces."))
        messages.success(request, _("Kept for %(name)s.") % {"name": subject.name})
        return redirect("twin:school-show", pk)
    tapped = school_today(request.user, subject, now=request.now)
    parts = [
        {
            "question": PART_WORDS[part][0],
            "answers": [
                {
                    "value": f"{part}:{impact}",
                    "label": _(IMPACTS[impact]),
                    "icon": ICONS[impact],
                    "is_chosen": tapped.get(part) == impact,
                }
                for impact in ANSWERS
            ],
        }
        for part in PARTS
    ]
    context = {"subject": subject, "hue": hue_of(request.sight.subjects, pk), "parts": parts}
    return render(request, "twin/school_show.html", context)
