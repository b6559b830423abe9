"""What the pages of one subject share: whose they are, and the way to the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from household.rules.permissions import Action, Resource
from household.services.looks import note_look
from household.views.pages import Asked
from twin.services.days import day_of
from twin.shown import hue_of


@dataclass(frozen=True)
class Place:
    """One page of a subject in its navigation."""

    url: str
    label: str
    icon: str
    is_current: bool


# URL name, label, icon, and what one must be able to do; no resource: seeing anything of the subject. A page
# that opens to either of two rights stands here twice.
PLACES: tuple[tuple[str, Any, str, Action, Resource | None], ...] = (
    ("twin:subject-show", _("Timeline"), "clock", Action.VIEW, None),
    ("twin:frame-show", _("What stands now"), "eye", Action.VIEW, Resource.OBSERVATION),
    ("twin:month-show", _("By the month"), "calendar", Action.VIEW, Resource.OBSERVATION),
    ("twin:event-list", _("Events"), "event", Action.VIEW, Resource.OBSERVATION),
    ("memory:pattern-list", _("What helps"), "bulb", Action.VIEW, Resource.MEMORY),
    ("twin:medicine-list", _("Medicines"), "pill", Action.VIEW, Resource.OBSERVATION),
    ("twin:trackable-list", _("Counted"), "measurement", Action.VIEW, Resource.OBSERVATION),
    ("twin:profile-show", _("The usual"), "metabolic_weight", Action.VIEW, Resource.PROFILE),
    ("twin:assessment-show", _("Assessment"), "insights", Action.VIEW, Resource.PROFILE),
    ("twin:night-list", _("Nights"), "moon", Action.VIEW, Resource.OBSERVATION),
    ("memory:fact-list", _("Settled"), "check-circle", Action.ADD, Resource.PROFILE),
    ("memory:document-list", _("Documents"), "document", Action.VIEW, Resource.DOCUMENT),
    ("memory:document-list", _("Documents"), "document", Action.ADD, Resource.DOCUMENT),
    ("memory:heard-list", _("Heard for you"), "ears", Action.ADD, Resource.PROFILE),
    ("twin:print-show", _("For a visit"), "print", Action.VIEW, None),
    ("twin:quicklog-list", _("Buttons"), "link", Action.ADD, Resource.PROFILE),
    ("household:membership-list", _("People"), "people", Action.ADD, Resource.PROFILE),
)
CHILDREN_ALONE = frozenset({"memory:heard-list"})  # an animal has no companion


def places_of(request: Asked, pk: int, *, at: str) -> list[Place]:
    """The pages of a subject that this person may open; `at` is the URL name of the one they are on."""
    sight = request.sight.subjects[pk]
    can = {Action.VIEW: sight.views, Action.ADD: sight.adds}
    found = {
        name: Place(reverse(name, args=[pk]), str(label), icon, name == at)
        for name, label, icon, action, resource in PLACES
        if (resource in can[action] or (resource is None and sight.views))
        and (name not in CHILDREN_ALONE or sight.subject.species == "person")
    }
    return list(found.values())


def subject_page(request: Asked, pk: int, *, at: str) -> dict[str, Any]:
    """The context every page of a subject begins with; `at` is the page's own URL name."""
    sight = request.sight.subjects[pk]
    return {
        "subject": sight.subject,
        "hue": hue_of(request.sight.subjects, pk),
        "today": day_of(sight.subject, request.now),
        "may_change": Resource.PROFILE in sight.adds,
        "places": places_of(request, pk, at=at),
    }


def note_professional_look(request: Asked, pk: int, resource: Resource, *row_ids: str) -> None:
    """Write down that a professional looked; a parent's look leaves no trace."""
    if request.sight.subjects[pk].is_logged:
        note_look(person=request.user, subject_id=pk, resource=resource, now=request.now, row_ids=row_ids)
