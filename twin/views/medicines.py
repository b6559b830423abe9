"""Medicines of a subject: what is given now and was given, defining, changing and stopping one."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from household.access import may_do, require, require_parent, visible
from household.rules.permissions import Action, Resource, Role
from household.views.pages import Asked, for_members
from twin.charts_daily import dose_chart
from twin.daily_forms import MedicineForm, medicine_initial
from twin.daily_shown import MedicineCard, amount_of, dose_row, medicine_card, plan_of, urgency
from twin.models import Dose, Medicine, Subject
from twin.rules.tallies import days_until
from twin.services.days import day_of
from twin.services.doses import doses_by_day, standing, with_recent
from twin.services.medicines import change_medicine, define_medicine, is_current, stop_medicine
from twin.views.subject_nav import note_professional_look, subject_page

CHART_DAYS = 30
DOSES_SHOWN = 60


def seen_medicine(request: Asked, pk: int) -> Medicine:
    """The medicine with its latest doses, if this person may see it. Raises Http404."""
    rows = with_recent(Medicine.objects.select_related("subject"))
    found = visible(request.user, Resource.OBSERVATION, rows).filter(pk=pk).first()
    if found is None:
        raise Http404
    return found


def card_of(request: Asked, medicine: Medicine) -> MedicineCard:
    """A medicine's row as it stands now."""
    one = standing(medicine, medicine.subject, now=request.now)
    return medicine_card(one, person_id=request.user.pk, now=request.now)


def is_parent_of(request: Asked, subject_id: int) -> bool:
    """Whether the person is a parent of this subject."""
    return Role.PARENT in request.sight.subjects[subject_id].roles


def _frame(request: Asked, subject: Subject) -> dict[str, Any]:
    return {
        **subject_page(request, subject.pk, at="twin:medicine-list"),
        "may_add": may_do(request.user, Action.ADD, Resource.OBSERVATION, subject.pk),
        "is_parent": is_parent_of(request, subject.pk),
    }


@for_members
def medicine_list(request: Asked, pk: int) -> HttpResponse:
    """What is given now, and what was given once."""
    subject = require(request.user, Action.VIEW, Resource.OBSERVATION, pk).subject
    rows = with_recent(Medicine.objects.filter(subject_id=pk).order_by("name", "-pk"))
    found = list(visible(request.user, Resource.OBSERVATION, rows))
    for row in found:
        row.subject = subject
    note_professional_look(request, pk, Resource.OBSERVATION, *[f"medicine-{row.pk}" for row in found])
    today = day_of(subject, request.now)
    current = [card_of(request, row) for row in found if is_current(row, today)]
    context = {
        **_frame(request, subject),
        "current": sorted(current, key=urgency),
        "past": [card_of(request, row) for row in found if not is_current(row, today)],
        "back": "list",
    }
    return render(request, "twin/medicine_list.html", context)


@for_members
def medicine_show(request: Asked, pk: int) -> HttpResponse:
    """One medicine: how it stands, thirty days of it, every dose of them."""
    medicine = seen_medicine(request, pk)
    subject = medicine.subject
    note_professional_look(request, subject.pk, Resource.OBSERVATION, f"medicine-{medicine.pk}")
    days = days_until(day_of(subject, request.now), CHART_DAYS)
    doses = visible(request.user, Resource.OBSERVATION, Dose.objects.filter(medicine=medicine))
    latest = doses.filter(local_day__gte=days[0]).select_related("author").order_by("-at", "-pk")
    is_parent = is_parent_of(request, subject.pk)
    shown = [
        dose_row(
            row,
            zone=subject.time_zone,
            now=request.now,
            person_id=request.user.pk,
            is_parent=is_parent,
        )
        for row in latest[:DOSES_SHOWN]
    ]
    context = {
        **_frame(request, subject),
        "medicine": medicine,
        "amount": amount_of(medicine),
        "plan": plan_of(medicine),
        "card": card_of(request, medicine),
        "is_current": is_current(medicine, days[-1]),
        "doses": shown,
        "chart": dose_chart(days, doses_by_day(doses, first=days[0])) if shown else None,
        "back": "medicine",
    }
    return render(request, "twin/medicine_show.html", context)


@for_members
def medicine_add(request: Asked, pk: int) -> HttpResponse:
    """Write down a medicine and when it is due. For parents."""
    require_parent(request.user, pk)
    subject = request.sight.subjects[pk].subject
    form = MedicineForm(
        request.POST or None, subject=subject, now=request.now, initial={"client_id": uuid.uuid4()}
    )
    if form.is_bound and form.is_valid():
        row = define_medicine(
            person=request.user,
            subject_id=pk,
            client_id=form.cleaned_data["client_id"],
            now=request.now,
            **form.defined(),
        )
        messages.success(request, _("%(name)s is in the book.") % {"name": row.name})
        return redirect("twin:medicine-show", row.pk)
    url = reverse("twin:medicine-add", args=[pk])
    return _form_page(request, form, subject, url=url, medicine=None)


@for_members
def medicine_change(request: Asked, pk: int) -> HttpResponse:
    """Change a medicine; another dose begins a new line in the book. For parents."""
    medicine = seen_medicine(request, pk)
    require_parent(request.user, medicine.subject_id)
    if medicine.ended_at is not None:
        raise Http404
    form = MedicineForm(
        request.POST or None,
        subject=medicine.subject,
        now=request.now,
        initial={**medicine_initial(medicine), "client_id": uuid.uuid4()},
    )
    if form.is_bound and form.is_valid():
        row = change_medicine(
            person=request.user,
            medicine_id=pk,
            client_id=form.cleaned_data["client_id"],
            now=request.now,
            **form.defined(),
        )
        text = (
            _("Saved.") if row.pk == pk else _("Saved as a new line; what was given before stays as it was.")
        )
        messages.success(request, text)
        return redirect("twin:medicine-show", row.pk)
    url = reverse("twin:medicine-change", args=[pk])
    return _form_page(request, form, medicine.subject, url=url, medicine=medicine)


@for_members
def medicine_stop(request: Asked, pk: int) -> HttpResponse:
    """Stop a medicine: a question first, its history stays. For parents."""
    medicine = seen_medicine(request, pk)
    require_parent(request.user, medicine.subject_id)
    if request.method == "POST":
        stop_medicine(medicine_id=pk, now=request.now)
        messages.success(request, _("%(name)s is stopped. What was given stays.") % {"name": medicine.name})
        return redirect("twin:medicine-list", medicine.subject_id)
    context = {**_frame(request, medicine.subject), "medicine": medicine}
    return render(request, "twin/medicine_stop.html", context)


def _form_page(
    request: Asked, form: MedicineForm, subject: Subject, *, url: str, medicine: Medicine | None
) -> HttpResponse:
    context = {**_frame(request, subject), "form": form, "url": url, "medicine": medicine}
    return render(request, "twin/medicine_form.html", context, status=422 if form.is_bound else 200)
