"""Events of a subject: the list by day, adding, reading, correcting and undoing one."""

from __future__ import annotations

import uuid
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from household.access import Denied, may_do, require, visible
from household.rules.permissions import Action, Resource, Role
from household.views.pages import Asked, for_members
from twin.cards import held_back, seconds_to_undo
from twin.daily_forms import EventForm, event_initial
from twin.daily_shown import event_card, signed
from twin.models import Event
from twin.services.events import add_event, correct_event, events_page, undo_event
from twin.services.filing import TooLate
from twin.shown import day_heading, hue_of
from twin.views.subject_nav import note_professional_look, subject_page


def _event(request: Asked, pk: int) -> Event:
    """The event, if this person may see it. Raises Http404."""
    rows = Event.objects.select_related("subject", "author")
    found = visible(request.user, Resource.OBSERVATION, rows).filter(pk=pk).first()
    if found is None:
        raise Http404
    return found


def _may_change(request: Asked, event: Event) -> bool:
    is_parent = Role.PARENT in request.sight.subjects[event.subject_id].roles
    may_add = may_do(request.user, Action.ADD, Resource.OBSERVATION, event.subject_id)
    return is_parent or (may_add and event.author_id == request.user.pk)


def _opens(request: Asked, pk: int) -> bool:
    """Whether the subject's own page is there for this person: who may only add has none to be led to."""
    return any(may_do(request.user, Action.VIEW, one, pk) for one in (Resource.PROFILE, Resource.OBSERVATION))


@for_members
def event_list(request: Asked, pk: int) -> HttpResponse:
    """Everything that happened with one subject, latest day first; scrolled, only the next of it."""
    if pk not in request.sight.subjects:
        raise Denied
    rows = visible(request.user, Resource.OBSERVATION, Event.objects.filter(subject_id=pk))
    may_add = may_do(request.user, Action.ADD, Resource.OBSERVATION, pk)
    if not may_add:
        require(request.user, Action.VIEW, Resource.OBSERVATION, pk)
    asked = request.GET.get("after", "")
    after = rows.filter(pk=asked).first() if asked.isdecimal() and len(asked) < 18 else None
    if asked and after is None:
        raise Http404
    found, more = events_page(rows, after=after)
    note_professional_look(request, pk, Resource.OBSERVATION, *[f"event-{row.pk}" for row in found])
    subject = request.sight.subjects[pk].subject
    cards = [event_card(row, zone=subject.time_zone) for row in found]
    by_day = groupby(cards, key=lambda card: card.row.local_day)
    context = {
        **subject_page(request, pk, at="twin:event-list"),
        "days": [(day_heading(day), list(ones)) for day, ones in by_day],
        "more_url": f"{request.path}?after={more.pk}" if more else "",
        "may_add": may_add,
        "opens": _opens(request, pk),
    }
    is_next = request.htmx and after and not request.htmx.history_restore_request
    return render(request, "twin/event_list.html" + ("#rows" if is_next else ""), context)


@for_members
def event_add(request: Asked, pk: int) -> HttpResponse:
    """Say what happened: two taps are enough."""
    subject = require(request.user, Action.ADD, Resource.OBSERVATION, pk).subject
    form = EventForm(
        request.POST or None,
        subject=subject,
        now=request.now,
        initial={"client_id": uuid.uuid4(), "kind": request.GET.get("kind", "")},
    )
    if form.is_bound and form.is_valid():
        row = add_event(
            person=request.user,
            subject_id=pk,
            client_id=form.cleaned_data["client_id"],
            now=request.now,
            **form.said(),
        )
        if row.undone_at is not None:
            messages.info(request, _("This was taken back before, and stays so."))
            return redirect("twin:event-list", pk)
        messages.success(request, _("Kept."))
        return redirect(_after_adding(request, row), row.pk)
    return _form_page(request, form, subject, reverse("twin:event-add", args=[pk]), event=None)


def _after_adding(request: Asked, row: Event) -> str:
    """The page that comes next: after something hard, what was tried and how it went, a tap for each."""
    was_hard = row.kind == "meltdown" or row.impact < 0
    rights = [may_do(request.user, one, Resource.MEMORY, row.subject_id) for one in (Action.VIEW, Action.ADD)]
    return "memory:event-tried" if was_hard and all(rights) else "twin:event-show"


@for_members
def event_show(request: Asked, pk: int) -> HttpResponse:
    """One event, whole."""
    event = _event(request, pk)
    note_professional_look(request, event.subject_id, Resource.OBSERVATION, f"event-{event.pk}")
    may_change = _may_change(request, event)
    context = {
        "card": event_card(event, zone=event.subject.time_zone),
        "event": event,
        "day": day_heading(event.local_day),
        "subject": event.subject,
        "hue": hue_of(request.sight.subjects, event.subject_id),
        "may_change": may_change,
        "may_see_tried": may_do(request.user, Action.VIEW, Resource.MEMORY, event.subject_id),
        "may_forget": Role.PARENT in request.sight.subjects[event.subject_id].roles,
        "undo_left": seconds_to_undo(event.created_at, now=request.now) if may_change else 0,
    }
    return render(request, "twin/event_show.html", context)


@for_members
def event_correct(request: Asked, pk: int) -> HttpResponse:
    """Say what an event should have said."""
    event = _event(request, pk)
    if not _may_change(request, event):
        raise Denied
    form = EventForm(
        request.POST or None,
        subject=event.subject,
        now=request.now,
        at=event.at,
        initial={**event_initial(event), "client_id": uuid.uuid4()},
    )
    if form.is_bound and form.is_valid():
        correct_event(event_id=event.pk, **form.said())
        messages.success(request, _("Corrected."))
        return redirect("twin:event-show", event.pk)
    return _form_page(request, form, event.subject, reverse("twin:event-correct", args=[pk]), event=event)


@require_POST
@for_members
def event_undo(request: Asked, pk: int) -> HttpResponse:
    """Take an event back within its minute."""
    event = _event(request, pk)
    if not _may_change(request, event):
        raise Denied
    try:
        undo_event(event_id=event.pk, now=request.now, held=held_back(request.POST))
    except TooLate:
        text = _("The minute to undo is over. You can correct what it says.")
        context = {"text": text, "url": reverse("twin:event-show", args=[pk]), "status": 409}
        return render(request, "twin/daily_refused.html", context, status=409)
    messages.success(request, _("Taken back."))
    if request.htmx:
        response = HttpResponse(status=204)
        response["HX-Redirect"] = reverse("twin:event-list", args=[event.subject_id])
        return response
    return redirect("twin:event-list", event.subject_id)


def _form_page(
    request: Asked, form: EventForm, subject: Any, url: str, *, event: Event | None
) -> HttpResponse:
    kinds = [(option, form.icons[option.data["value"]]) for option in form["kind"]]
    context = {
        "form": form,
        "subject": subject,
        "opens": _opens(request, subject.pk),
        "hue": hue_of(request.sight.subjects, subject.pk),
        "url": url,
        "event": event,
        "kinds": kinds,
        "impacts": [(option, signed(int(option.data["value"]))) for option in form["impact"]],
    }
    return render(request, "twin/event_form.html", context, status=422 if form.is_bound else 200)
