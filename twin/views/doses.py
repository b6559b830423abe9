"""Doses: one tap gives one, too soon is said before it is saved, a slip is corrected or taken out."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from household.access import Denied, may_do, require, visible
from household.rules.permissions import Action, Resource
from household.views.pages import Asked, for_members
from twin.cards import held_back
from twin.daily_forms import DoseForm, dose_initial
from twin.daily_shown import OUTCOME_LABELS, amount_of, clock_words
from twin.models import Dose, Medicine
from twin.services.doses import DoseTooSoon, Stopped, correct_dose, log_dose, remove_dose
from twin.services.filing import TooLate
from twin.shown import hue_of
from twin.views.medicines import card_of, is_parent_of, seen_medicine
from twin.views.subject_nav import note_professional_look


def _way_back(request: Asked, medicine: Medicine) -> str:
    """Where the page that was tapped on lies; never an address from outside."""
    match request.POST.get("back") or request.GET.get("back"):
        case "today":
            return reverse("twin:today-show")
        case "list":
            return reverse("twin:medicine-list", args=[medicine.subject_id])
        case _:
            return reverse("twin:medicine-show", args=[medicine.pk])


@for_members
def dose_add(request: Asked, pk: int) -> HttpResponse:
    """The form of one dose, and where every tap of a dose is posted to."""
    medicine = seen_medicine(request, pk)
    require(request.user, Action.ADD, Resource.OBSERVATION, medicine.subject_id)
    taps = {"outcome": "given", "when": "now"}
    sent = {**taps, **request.POST.dict()} if request.method == "POST" else None
    form = DoseForm(
        sent, subject=medicine.subject, now=request.now, initial={"client_id": uuid.uuid4(), **taps}
    )
    if not (form.is_bound and form.is_valid()):
        return _form_page(request, form, medicine, url=reverse("twin:dose-add", args=[pk]), dose=None)
    try:
        dose = log_dose(
            person=request.user,
            medicine_id=pk,
            client_id=form.cleaned_data["client_id"],
            now=request.now,
            **form.said(),
        )
    except DoseTooSoon as soon:
        return _warning(request, medicine, form, soon)
    except Stopped:
        text = _("%(name)s was stopped and is not given any more.") % {"name": medicine.name}
        return _refused(request, text, _way_back(request, medicine))
    if request.htmx:
        return _row(request, medicine.pk)
    words = {"name": medicine.name, "outcome": OUTCOME_LABELS[dose.outcome]}
    messages.success(request, _("%(name)s: %(outcome)s.") % words)
    return redirect(_way_back(request, medicine))


def _row(request: Asked, pk: int) -> HttpResponse:
    """The medicine's row as it stands after the tap."""
    medicine = seen_medicine(request, pk)
    context = {
        "card": card_of(request, medicine),
        "may_add": may_do(request.user, Action.ADD, Resource.OBSERVATION, medicine.subject_id),
        "back": request.POST.get("back", ""),
        "who": request.POST.get("back") == "today",
        "hue": hue_of(request.sight.subjects, medicine.subject_id),
    }
    return render(request, "twin/_medicine_row.html", context)


def _warning(request: Asked, medicine: Medicine, form: DoseForm, soon: DoseTooSoon) -> HttpResponse:
    """Nothing is saved yet: who gave the last one and when, and a button to give it nevertheless."""
    zone = medicine.subject.time_zone
    context = {
        "medicine": medicine,
        "amount": amount_of(medicine),
        "subject": medicine.subject,
        "given_at": clock_words(soon.last.at, zone=zone, now=request.now),
        "given_by": soon.last.author.name if soon.last.author else "",
        "allowed_at": clock_words(soon.allowed_at, zone=zone, now=request.now),
        "url": reverse("twin:dose-add", args=[medicine.pk]),
        "way_back": _way_back(request, medicine),
        "despite": soon.last.pk,
        "sent": [
            (name, value)
            for name, value in form.data.items()
            if name in {"client_id", "outcome", "when", "on", "clock", "back"}
        ],
        "back": request.POST.get("back", ""),
    }
    template = "twin/dose_warning.html" + ("#warning" if request.htmx else "")
    return render(request, template, context, status=409)


@for_members
def dose_correct(request: Asked, pk: int) -> HttpResponse:
    """Say when a dose really was, or how it went."""
    dose = _changeable(request, pk)
    form = DoseForm(
        request.POST or None,
        subject=dose.medicine.subject,
        now=request.now,
        at=dose.at,
        initial={**dose_initial(dose), "client_id": uuid.uuid4()},
    )
    if form.is_bound and form.is_valid():
        given = form.said()
        correct_dose(dose_id=dose.pk, at=given["at"], outcome=given["outcome"], now=request.now)
        messages.success(request, _("Corrected."))
        return redirect("twin:medicine-show", dose.medicine_id)
    url = reverse("twin:dose-correct", args=[pk])
    return _form_page(request, form, dose.medicine, url=url, dose=dose)


@require_POST
@for_members
def dose_remove(request: Asked, pk: int) -> HttpResponse:
    """Take out a dose that was not given: within its minute, or by a parent."""
    dose = _changeable(request, pk)
    try:
        by_parent = is_parent_of(request, dose.subject_id)
        held = held_back(request.POST)
        remove_dose(dose_id=dose.pk, by_parent=by_parent, now=request.now, held=held)
    except TooLate:
        text = _("The minute to undo is over. You can correct the dose, or ask a parent to take it out.")
        return _refused(request, text, reverse("twin:dose-correct", args=[pk]))
    if request.htmx:
        return _row(request, dose.medicine_id)
    messages.success(request, _("Taken out."))
    return redirect("twin:medicine-show", dose.medicine_id)


def _changeable(request: Asked, pk: int) -> Dose:
    """The dose, for who gave it or a parent. Raises Http404, Denied."""
    rows = Dose.objects.select_related("medicine__subject", "author")
    dose = visible(request.user, Resource.OBSERVATION, rows).filter(pk=pk).first()
    if dose is None:
        raise Http404
    may_add = may_do(request.user, Action.ADD, Resource.OBSERVATION, dose.subject_id)
    if not (is_parent_of(request, dose.subject_id) or (may_add and dose.author_id == request.user.pk)):
        raise Denied
    return dose


def _refused(request: Asked, text: str, url: str) -> HttpResponse:
    context: dict[str, Any] = {"text": text, "url": url, "status": 409}
    template = "twin/daily_refused.html" + ("#message" if request.htmx else "")
    return render(request, template, context, status=409)


def _form_page(
    request: Asked, form: DoseForm, medicine: Medicine, *, url: str, dose: Dose | None
) -> HttpResponse:
    context = {
        "form": form,
        "medicine": medicine,
        "amount": amount_of(medicine),
        "subject": medicine.subject,
        "hue": hue_of(request.sight.subjects, medicine.subject_id),
        "url": url,
        "dose": dose,
        "is_parent": is_parent_of(request, medicine.subject_id),
        "back": request.POST.get("back") or request.GET.get("back", ""),
        "way_back": _way_back(request, medicine),
    }
    note_professional_look(request, medicine.subject_id, Resource.OBSERVATION)
    return render(request, "twin/dose_form.html", context, status=422 if form.is_bound else 200)
