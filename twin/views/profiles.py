"""The steady state of a subject: its measurements, what drifted between two, and the wizard that measures."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from household.access import require, visible
from household.rules.permissions import Action, Resource
from household.views.pages import Asked, for_members
from twin.charts_profile import MARK_LABELS, change_text, drift_chart
from twin.models import ProfileVersion
from twin.profile_forms import KeepForm, Step, StepForm, shown_value, steps_for
from twin.rules.drift import FIELDS, Drift, Value, drift, fields_of
from twin.services.profiles import NothingMeasured, WrongDay, archive_profile
from twin.views.subject_nav import note_professional_look, subject_page

DRAFTS = "measuring"  # in the browser's session: what a wizard that is not finished holds
MOST_DRAFTS = 4


@for_members
def profile_show(request: Asked, pk: int) -> HttpResponse:
    """Every version of the steady state, and what drifted between two of them."""
    require(request.user, Action.VIEW, Resource.PROFILE, pk)
    note_professional_look(request, pk, Resource.PROFILE)
    page = subject_page(request, pk, at="twin:profile-show")
    versions = _versions(request, pk)
    context = {**page, "versions": versions, **_comparison(request, page["subject"].species, versions)}
    if versions:
        context["rows"] = [
            (_(field.label), shown_value(field.name, versions[0].values.get(field.name)))
            for field in fields_of(page["subject"].species)
            if field.name in versions[0].values
        ]
    return render(request, "twin/profile_show.html", context)


def _versions(request: Asked, pk: int) -> list[ProfileVersion]:
    rows = ProfileVersion.objects.filter(subject_id=pk).select_related("author").order_by("-version")
    return list(visible(request.user, Resource.PROFILE, rows))


def _comparison(request: Asked, species: str, versions: list[ProfileVersion]) -> dict[str, Any]:
    """The drift between the two versions asked for, the last two where none are."""
    if len(versions) < 2:
        return {}
    by_number = {str(row.version): row for row in versions}
    new = by_number.get(request.GET.get("new", ""), versions[0])
    old = by_number.get(request.GET.get("old", ""), versions[1])
    if old.version > new.version:
        old, new = new, old
    changes = drift(species, old.values, new.values)
    return {
        "old": old,
        "new": new,
        "chart": drift_chart(changes),
        "changes": [_change(change) for change in changes if change.mark != "missing"],
        "missing": [_(FIELDS[change.field].label) for change in changes if change.mark == "missing"],
    }


def _change(change: Drift) -> dict[str, Any]:
    return {
        "label": _(FIELDS[change.field].label),
        "old": shown_value(change.field, change.old),
        "new": shown_value(change.field, change.new),
        "text": change_text(change),
        "mark": change.mark,
        "mark_label": MARK_LABELS[change.mark],
    }


@dataclass
class Session:
    """One re-measurement in this browser: its id, its steps, and what was typed so far."""

    id: str
    pk: int
    species: str
    steps: tuple[Step, ...]
    values: dict[str, Value]


@for_members
def profile_measure(request: Asked, pk: int) -> HttpResponse:
    """Begin a re-measurement. Nothing is kept of it until its end."""
    require(request.user, Action.ADD, Resource.PROFILE, pk)
    return redirect("twin:profile-step", pk, uuid.uuid4(), 1)


@for_members
def profile_step(request: Asked, pk: int, session: uuid.UUID, step: int) -> HttpResponse:
    """One step of a re-measurement; the last one keeps it."""
    subject = require(request.user, Action.ADD, Resource.PROFILE, pk).subject
    steps = steps_for(subject.species)
    if not 1 <= step <= len(steps) + 1:
        raise Http404
    draft = request.session.get(DRAFTS, {}).get(str(session))
    if draft is None and _is_kept(request, pk, session):
        messages.info(request, _("This measurement is kept already."))
        return redirect("twin:profile-show", pk)
    if step > 1 and (draft is None or draft["subject"] != pk):
        messages.info(request, _("Let us start again: nothing was kept yet."))
        return redirect("twin:profile-step", pk, session, 1)
    values = draft["values"] if draft and draft["subject"] == pk else {}
    measuring = Session(str(session), pk, subject.species, steps, values)
    versions = _versions(request, pk)
    if step <= len(steps):
        return _ask(request, measuring, step, versions)
    return _keep(request, measuring, versions)


def _is_kept(request: Asked, pk: int, session: uuid.UUID) -> bool:
    rows = ProfileVersion.objects.filter(subject_id=pk, author=request.user, client_id=str(session))
    return bool(visible(request.user, Resource.PROFILE, rows).exists())


def _ask(request: Asked, measuring: Session, number: int, versions: list[ProfileVersion]) -> HttpResponse:
    step = measuring.steps[number - 1]
    last = versions[0].values if versions else {}
    form = StepForm(
        _posted(request), species=measuring.species, step=step, values=measuring.values, last=last
    )
    if form.is_bound and form.is_valid():
        kept = {name: value for name, value in measuring.values.items() if name not in step.names}
        _remember(request, measuring, {**kept, **form.measured()})
        onward = max(1, number - 1) if request.POST.get("go") == "back" else number + 1
        return redirect("twin:profile-step", measuring.pk, measuring.id, onward)
    context = {
        **_wizard_page(request, measuring, number),
        "step": step,
        "form": form,
        "fields": [(form[name], FIELDS[name].kind) for name in step.names],
    }
    return render(request, "twin/profile_step.html", context, status=422 if form.is_bound else 200)


def _posted(request: Asked) -> Any:
    """What was sent, also where every field was left out; None where the page is only opened."""
    return request.POST if request.method == "POST" else None


def _wizard_page(request: Asked, measuring: Session, number: int) -> dict[str, Any]:
    return {
        **subject_page(request, measuring.pk, at="twin:profile-show"),
        "session": measuring.id,
        "number": number,
        "back": number - 1,
        "steps": [(n, step.title) for n, step in enumerate(measuring.steps, start=1)],
        "count": len(measuring.steps) + 1,
    }


def _remember(request: Asked, measuring: Session, values: dict[str, Value]) -> None:
    """Hold what was typed in the browser's session: the newest few drafts, and no row of the book."""
    drafts = {key: held for key, held in request.session.get(DRAFTS, {}).items() if key != measuring.id}
    drafts[measuring.id] = {"subject": measuring.pk, "values": values}
    request.session[DRAFTS] = dict(list(drafts.items())[-MOST_DRAFTS:])


def _forget_draft(request: Asked, measuring: Session) -> None:
    drafts = request.session.get(DRAFTS, {})
    request.session[DRAFTS] = {key: held for key, held in drafts.items() if key != measuring.id}


def _keep(request: Asked, measuring: Session, versions: list[ProfileVersion]) -> HttpResponse:
    page = _wizard_page(request, measuring, len(measuring.steps) + 1)
    form = KeepForm(_posted(request), today=page["today"])
    if form.is_bound and form.is_valid() and _archive(request, measuring, form):
        _forget_draft(request, measuring)
        messages.success(request, _("Kept. This is the usual from now on."))
        return redirect("twin:profile-show", measuring.pk)
    last = versions[0].values if versions else {}
    changes = {change.field: change for change in drift(measuring.species, last, measuring.values)}
    fields = fields_of(measuring.species)
    page["rows"] = [
        {
            "label": _(field.label),
            "value": shown_value(field.name, measuring.values[field.name]),
            "text": change_text(changes[field.name]) if field.name in last else "",
        }
        for field in fields
        if field.name in measuring.values
    ]
    page["left_out"] = [_(field.label) for field in fields if field.name not in measuring.values]
    page |= {"form": form, "last": versions[0] if versions else None}
    return render(request, "twin/profile_keep.html", page, status=422 if form.is_bound else 200)


def _archive(request: Asked, measuring: Session, form: KeepForm) -> bool:
    """Keep the session as the next version; False, with the reason on the form, where it is refused."""
    try:
        archive_profile(
            person=request.user,
            subject_id=measuring.pk,
            client_id=measuring.id,
            values=measuring.values,
            measured_on=form.cleaned_data["measured_on"],
            now=request.now,
        )
    except NothingMeasured:
        form.add_error(None, _("Nothing is measured yet. One value is enough."))
    except WrongDay as fault:
        form.add_error("measured_on", _wrong_day(fault))
    return form.is_valid()


def _wrong_day(fault: WrongDay) -> str:
    if fault.last is None:
        return _("That day is still to come.")
    day = date_format(fault.last, "j F Y")
    return _("There is a later measurement already, of %(day)s.") % {"day": day}
