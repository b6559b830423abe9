"""Defining what a family counts: adding, changing and putting away a trackable. For parents."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from household.access import Denied, require_parent
from household.rules.permissions import Role
from household.views.pages import Asked, for_members
from twin.models import Trackable, TrackableEntry, TrackableSubject
from twin.services.trackables import (
    FieldsInUse,
    bring_back,
    change_trackable,
    define_trackable,
    put_away,
    trackables_only_of,
)
from twin.trackable_forms import TrackableForm, trackable_initial


def _parents_of(request: Asked) -> list[tuple[int, str]]:
    """The subjects this person is a parent of."""
    sights = request.sight.subjects.items()
    return [(pk, one.name) for pk, one in sights if Role.PARENT in one.roles]


def may_define(request: Asked, trackable_id: int) -> bool:
    """Whether this person is a parent of everybody the trackable is counted for."""
    mine = [pk for pk, _name in _parents_of(request)]
    return trackables_only_of(mine).filter(pk=trackable_id).exists()


def _own(request: Asked, trackable_id: int) -> tuple[Trackable, list[int]]:
    """A definition and its subjects, for who is a parent of all of them. Raises Denied."""
    mine = [pk for pk, _name in _parents_of(request)]
    trackable = trackables_only_of(mine).filter(pk=trackable_id).first()
    if trackable is None:
        raise Denied
    links = TrackableSubject.objects.filter(trackable=trackable).order_by("subject_id")
    return trackable, list(links.values_list("subject_id", flat=True))


@for_members
def trackable_add(request: Asked) -> HttpResponse:
    """Define something to count. For parents."""
    require_parent(request.user)
    asked = request.GET.get("subject", "")
    choices = _parents_of(request)
    form = TrackableForm(
        request.POST or None,
        parents_of=choices,
        initial={
            "client_id": uuid.uuid4(),
            "subjects": [pk for pk, _name in choices if str(pk) == asked or len(choices) == 1],
        },
    )
    if form.is_bound and form.is_valid():
        given = form.cleaned_data
        row = define_trackable(
            person=request.user,
            subject_ids=given["subjects"],
            now=request.now,
            **{name: given[name] for name in ("client_id", "name", "icon", "fields")},
        )
        messages.success(request, _("%(name)s can be logged now.") % {"name": row.name})
        return redirect("twin:trackable-list", given["subjects"][0])
    return _form_page(request, form, url=reverse("twin:trackable-add"), trackable=None)


@for_members
def trackable_change(request: Asked, pk: int) -> HttpResponse:
    """Rename a trackable or log it for others; what it holds stays once it is in use. For parents."""
    trackable, subject_ids = _own(request, pk)
    has_entries = TrackableEntry.objects.filter(trackable=trackable).exists()
    form = TrackableForm(
        request.POST or None,
        parents_of=_parents_of(request),
        has_entries=has_entries,
        initial={**trackable_initial(trackable, subject_ids), "client_id": uuid.uuid4()},
    )
    if form.is_bound and form.is_valid():
        given = form.cleaned_data
        try:
            change_trackable(
                trackable_id=pk,
                name=given["name"],
                icon=given["icon"],
                subject_ids=given["subjects"],
                fields=given.get("fields", trackable.fields),
            )
        except FieldsInUse:
            text = _("Somebody logged it meanwhile, so what it holds cannot change any more.")
            return _refused(request, text, reverse("twin:trackable-change", args=[pk]))
        messages.success(request, _("Saved."))
        return redirect("twin:trackable-list", given["subjects"][0])
    return _form_page(request, form, url=reverse("twin:trackable-change", args=[pk]), trackable=trackable)


@require_POST
@for_members
def trackable_put_away(request: Asked, pk: int) -> HttpResponse:
    """Offer it no more, or again with `bring=back`; everything logged stays. For parents."""
    trackable, subject_ids = _own(request, pk)
    if request.POST.get("bring") == "back":
        bring_back(trackable_id=pk)
        messages.success(request, _("%(name)s is back.") % {"name": trackable.name})
    else:
        put_away(trackable_id=pk, now=request.now)
        messages.success(request, _("%(name)s is put away. Its history stays.") % {"name": trackable.name})
    return redirect("twin:trackable-list", subject_ids[0])


def _refused(request: Asked, text: str, url: str) -> HttpResponse:
    template = "twin/daily_refused.html" + ("#message" if request.htmx else "")
    return render(request, template, {"text": text, "url": url, "status": 409}, status=409)


def _form_page(request: Asked, form: TrackableForm, *, url: str, trackable: Trackable | None) -> HttpResponse:
    icons = [(option, option.data["value"]) for option in form["icon"]]
    context = {"form": form, "url": url, "trackable": trackable, "icons": icons}
    return render(request, "twin/trackable_form.html", context, status=422 if form.is_bound else 200)
