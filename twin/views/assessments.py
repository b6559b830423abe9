"""The assessment of a subject: what stands, whether it is out of date and why, and making another."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from household.access import Sight, require, seen_by, visible
from household.clients import ModelFailed
from household.models import Person
from household.rules.limits import OverLimit
from household.rules.permissions import Action, Resource
from household.services.thinking import endpoint_for
from household.views.pages import Asked, for_members
from twin.models import Assessment, Medicine, ProfileVersion, Record
from twin.rules.assessment import differences, is_stale
from twin.services.assessments import (
    find_assessment,
    gather_inputs,
    input_label,
    keep_assessment,
    sentences_of,
    write_by_model,
)
from twin.services.days import day_of
from twin.views.subject_nav import note_professional_look, subject_page


@for_members
def assessment_show(request: Asked, pk: int) -> HttpResponse:
    """The last assessment, in the reader's language, and what changed since."""
    require(request.user, Action.VIEW, Resource.PROFILE, pk)
    note_professional_look(request, pk, Resource.PROFILE)
    rows = Assessment.objects.filter(subject_id=pk).order_by("-created_at", "-id")
    last = visible(request.user, Resource.PROFILE, rows).first()
    page = subject_page(request, pk, at="twin:assessment-show")
    context = {**page, "assessment": last, **(_shown(request, pk, last) if last else {})}
    return render(request, "twin/assessment_show.html", context)


def _shown(request: Asked, pk: int, last: Assessment) -> dict[str, Any]:
    """What the reader may see of it; only who sees every observation is told whether it is out of date."""
    sees_all = _sees_all(request.sight, pk)
    sentences = sentences_of(last.inputs, sees_observations=sees_all)
    is_by_model = last.source == "model" and sees_all
    page: dict[str, Any] = {
        "sentences": sentences,
        "is_partly_hidden": not sees_all,
        "model_text": last.text if is_by_model else "",
        "model_language": last.language,
        "is_foreign": is_by_model and last.language != (get_language() or "en"),
    }
    if sees_all:
        inputs = _inputs(request.user, request.sight, pk, request.now)
        page["is_stale"] = is_stale(last.inputs_hash, inputs)
        page["changed"] = [input_label(name) for name in differences(last.inputs, inputs)]
    return page


def _sees_all(sight: Sight, pk: int) -> bool:
    """Whether no observation or profile of this subject is closed to the reader, nor cut by a window."""
    one = sight.subjects[pk]
    both = (Resource.OBSERVATION, Resource.PROFILE)
    return all(resource in one.views and resource not in one.windows for resource in both)


def _inputs(person: Person, sight: Sight, pk: int, now: Any) -> dict[str, Any]:
    subject = sight.subjects[pk].subject
    return gather_inputs(
        subject,
        day_of(subject, now),
        records=visible(person, Resource.OBSERVATION, Record.objects.all()),
        medicines=visible(person, Resource.OBSERVATION, Medicine.objects.all()),
        versions=visible(person, Resource.PROFILE, ProfileVersion.objects.all()),
    )


@require_POST
@login_required
def assessment_make(request: HttpRequest, pk: int) -> HttpResponse:
    """Make an assessment of what is known now, by a model where one is chosen. For parents.

    The model is asked between two short transactions, so that nobody waits for it.
    """
    person, now = cast(Person, request.user), timezone.now()
    language = get_language() or "en"
    with seen_by(person, now=now) as sight:
        require(person, Action.ADD, Resource.PROFILE, pk)
        inputs = _inputs(person, sight, pk, now)
        written = find_assessment(pk, inputs, language=language, source="model")
        endpoint = endpoint_for("analytical")
    text = written.text if written and endpoint else None
    if endpoint is not None and text is None:
        try:
            text = write_by_model(endpoint, inputs, language=language, now=now)
        except (ModelFailed, OverLimit):
            messages.info(
                request, _("The model did not answer well, so the house wrote it by its own rules.")
            )
    with seen_by(person, now=now):
        require(person, Action.ADD, Resource.PROFILE, pk)
        keep_assessment(subject_id=pk, inputs=inputs, language=language, now=now, by_model=text)
    return redirect("twin:assessment-show", pk)
