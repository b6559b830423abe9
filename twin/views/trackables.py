"""A family's own trackables: the list, one with its counts and charts, logging, defining, putting away."""

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
from household.rules.permissions import Action, Resource, Role
from household.views.pages import Asked, for_members
from twin.charts_daily import BarChart, value_chart
from twin.daily_shown import clock_words, entry_words, tally_words
from twin.models import TrackableEntry, TrackableSubject
from twin.rules.tallies import daily_values, days_until, tally
from twin.rules.trackables import TrackedField, one_tap_values, parse_fields
from twin.services.days import day_of
from twin.services.trackables import (
    PutAway,
    log_entry,
    take_back_entry,
    values_by_day,
)
from twin.shown import hue_of
from twin.tiles import tile_of
from twin.trackable_forms import EntryForm
from twin.views.definitions import may_define
from twin.views.subject_nav import note_professional_look, subject_page

CHART_DAYS = 30
ENTRIES_SHOWN = 60


def _link(request: Asked, pk: int, trackable_id: int) -> TrackableSubject:
    """The trackable as logged for this subject, if this person may see it. Raises Http404."""
    rows = TrackableSubject.objects.select_related("trackable", "subject")
    seen = visible(request.user, Resource.OBSERVATION, rows)
    found = seen.filter(subject_id=pk, trackable_id=trackable_id).first()
    if found is None:
        raise Http404
    return found


def _entries(request: Asked, pk: int) -> Any:
    rows = TrackableEntry.objects.filter(subject_id=pk, undone_at=None)
    return visible(request.user, Resource.OBSERVATION, rows)


@for_members
def trackable_list(request: Asked, pk: int) -> HttpResponse:
    """What is counted for one subject, each a button, and what was put away."""
    subject = require(request.user, Action.VIEW, Resource.OBSERVATION, pk).subject
    rows = TrackableSubject.objects.filter(subject_id=pk).select_related("trackable")
    links = list(visible(request.user, Resource.OBSERVATION, rows).order_by("trackable__name", "pk"))
    today = day_of(subject, request.now)
    entries = list(_entries(request, pk).filter(local_day=today))
    tiles = [
        tile_of(
            link.trackable,
            subject,
            hue=hue_of(request.sight.subjects, pk),
            entries=[one for one in entries if one.trackable_id == link.trackable_id],
            person_id=request.user.pk,
            now=request.now,
        )
        for link in links
        if link.trackable.put_away_at is None
    ]
    context = {
        **subject_page(request, pk, at="twin:trackable-list"),
        "tiles": tiles,
        "add_url": f"{reverse('twin:trackable-add')}?subject={pk}",
        "put_away": [link.trackable for link in links if link.trackable.put_away_at is not None],
        "may_add": may_do(request.user, Action.ADD, Resource.OBSERVATION, pk),
        "is_parent": Role.PARENT in request.sight.subjects[pk].roles,
        "back": "list",
    }
    note_professional_look(request, pk, Resource.OBSERVATION)
    return render(request, "twin/trackable_list.html", context)


@for_members
def trackable_show(request: Asked, pk: int, trackable_id: int) -> HttpResponse:
    """One trackable of one subject: counted, charted, and every entry of thirty days."""
    link = _link(request, pk, trackable_id)
    note_professional_look(request, pk, Resource.OBSERVATION, f"trackable-{trackable_id}")
    fields = parse_fields(link.trackable.fields)
    days = days_until(day_of(link.subject, request.now), CHART_DAYS)
    rows = _entries(request, pk).filter(trackable_id=trackable_id, local_day__gte=days[0])
    entries = list(rows.select_related("author").order_by("-at", "-pk"))
    logged = values_by_day(entries)
    is_parent = Role.PARENT in request.sight.subjects[pk].roles
    zone = link.subject.time_zone
    context = {
        **subject_page(request, pk, at="twin:trackable-list"),
        "trackable": link.trackable,
        "counts": tally_words(tally(fields, logged, today=days[-1])),
        "charts": [(field.name, _chart(field, logged, days)) for field in fields] if entries else [],
        "entries": [
            {
                "row": row,
                "when": clock_words(row.at, zone=zone, now=request.now),
                "words": entry_words(fields, row),
                "may_change": is_parent or row.author_id == request.user.pk,
            }
            for row in entries[:ENTRIES_SHOWN]
        ],
        "may_add": may_do(request.user, Action.ADD, Resource.OBSERVATION, pk),
        "may_define": is_parent and may_define(request, trackable_id),
    }
    return render(request, "twin/trackable_show.html", context)


def _chart(field: TrackedField, logged: Any, days: Any) -> BarChart:
    unit = {"duration": _("minutes"), "number": field.unit}.get(field.kind, "")
    values = daily_values(field, logged, days)
    return value_chart(days, values, name=field.name, unit=unit, most=5.0 if field.kind == "scale" else None)


@for_members
def trackable_log(request: Asked, pk: int, trackable_id: int) -> HttpResponse:
    """Log an entry: one tap where one tap says all, a form otherwise."""
    link = _link(request, pk, trackable_id)
    require(request.user, Action.ADD, Resource.OBSERVATION, pk)
    fields = parse_fields(link.trackable.fields)
    sent = request.POST.dict() if request.method == "POST" else None
    if sent is not None and "tap" in sent:
        one_tap = one_tap_values(fields) or {}
        sent |= {"when": "now"} | {
            f"value_{key}": "yes" if v is True else str(v) for key, v in one_tap.items()
        }
    initial = {"client_id": uuid.uuid4()}
    form = EntryForm(sent, fields=fields, subject=link.subject, now=request.now, initial=initial)
    if not (form.is_bound and form.is_valid()):
        return _entry_page(request, link, form)
    try:
        log_entry(
            person=request.user,
            trackable_id=trackable_id,
            subject_id=pk,
            client_id=form.cleaned_data["client_id"],
            **{name: form.cleaned_data[name] for name in ("values", "at")},
        )
    except PutAway:
        text = _("%(name)s was put away. Bring it back to log it again.") % {"name": link.trackable.name}
        url = reverse("twin:trackable-show", args=[pk, trackable_id])
        return _refused(request, text, url)
    if request.htmx:
        return _tile(request, link)
    messages.success(request, _("%(name)s: logged.") % {"name": link.trackable.name})
    return redirect(_way_back(request, pk, trackable_id))


def _way_back(request: Asked, pk: int, trackable_id: int) -> str:
    match request.POST.get("back"):
        case "today":
            return reverse("twin:today-show")
        case "list":
            return reverse("twin:trackable-list", args=[pk])
        case _:
            return reverse("twin:trackable-show", args=[pk, trackable_id])


def _tile(request: Asked, link: TrackableSubject) -> HttpResponse:
    today = day_of(link.subject, request.now)
    rows = _entries(request, link.subject_id).filter(trackable_id=link.trackable_id, local_day=today)
    tile = tile_of(
        link.trackable,
        link.subject,
        hue=hue_of(request.sight.subjects, link.subject_id),
        entries=list(rows),
        person_id=request.user.pk,
        now=request.now,
    )
    context = {"tile": tile, "back": request.POST.get("back", ""), "may_add": True}
    return render(request, "twin/_trackable_tile.html", context)


def _entry_page(request: Asked, link: TrackableSubject, form: EntryForm) -> HttpResponse:
    context = {
        "form": form,
        "subject": link.subject,
        "hue": hue_of(request.sight.subjects, link.subject_id),
        "trackable": link.trackable,
    }
    note_professional_look(request, link.subject_id, Resource.OBSERVATION)
    return render(request, "twin/trackable_log.html", context, status=422 if form.is_bound else 200)


@require_POST
@for_members
def entry_take_back(request: Asked, pk: int) -> HttpResponse:
    """Count an entry no more: for who logged it, and for parents."""
    rows = TrackableEntry.objects.select_related("trackable", "subject")
    entry = visible(request.user, Resource.OBSERVATION, rows).filter(pk=pk).first()
    if entry is None:
        raise Http404
    is_parent = Role.PARENT in request.sight.subjects[entry.subject_id].roles
    if not is_parent and entry.author_id != request.user.pk:
        raise Denied
    take_back_entry(entry_id=entry.pk, now=request.now)
    link = TrackableSubject(trackable=entry.trackable, subject=entry.subject)
    if request.htmx:
        return _tile(request, link)
    messages.success(request, _("Taken back."))
    return redirect(_way_back(request, entry.subject_id, entry.trackable_id))


def _refused(request: Asked, text: str, url: str) -> HttpResponse:
    template = "twin/daily_refused.html" + ("#message" if request.htmx else "")
    return render(request, template, {"text": text, "url": url, "status": 409}, status=409)
