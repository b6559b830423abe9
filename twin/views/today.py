"""Today: one box, what waits, what was noted; and the tap form of each subject."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from household.access import Denied, require, visible
from household.rules.permissions import Action, Resource
from household.views.pages import Asked, for_members, lives_by_caseload
from household.views.refusals import unfit
from twin.cards import agenda_card, note_card, question_card
from twin.charts import sparkline
from twin.daily_shown import MedicineCard, event_card, medicine_card, urgency
from twin.glance_shown import glance_of
from twin.labels import icon_of, title_of
from twin.models import AgendaItem, FormFill, Subject
from twin.rules.form_fields import fields_for
from twin.rules.red_flags import red_flags
from twin.rules.routing import AT_MOST_ASKED
from twin.services.above import above
from twin.services.agenda import UnknownChoice, answer_item, with_tried
from twin.services.forms import UnknownTap, note, open_fill, tap
from twin.services.rounds.degraded import run_without_worker
from twin.services.today import CourseToday, SubjectToday, Today, gather_today
from twin.tiles import TrackableTile, tile_of
from twin.views.subject_nav import note_professional_look

NEW_FOR = dt.timedelta(days=7)


@login_required
def today_show(request: HttpRequest) -> HttpResponse:
    """The page a family lives on; where no worker lives, opening it closes the days that are overdue."""
    run_without_worker(now=timezone.now())
    return _today_show(request)


@for_members
def _today_show(request: Asked) -> HttpResponse:
    if lives_by_caseload(request.sight):
        return redirect("twin:caseload-show")
    for pk in request.sight.subjects:
        note_professional_look(request, pk, Resource.OBSERVATION)
    page = today_page(request, gather_today(request.user, request.sight, now=request.now))
    template = "twin/today_page.html" + ("#day" if request.GET.get("part") == "day" else "")
    return render(request, template, page)


def today_page(request: Asked, today: Today) -> dict[str, Any]:
    """What the page shows, ready for its template."""
    shown = _today_rows(request, today)
    glance = glance_of(
        today.subjects,
        [*shown["medicines"], *shown["needed"]],
        questions=len(shown["questions"]),
        agenda=sum(item.state == "open" for item in shown["agenda"]),
        opens={pk for pk, one in request.sight.subjects.items() if one.views},
        now=request.now,
    )
    return {**shown, "glance": glance}


def _today_rows(request: Asked, today: Today) -> dict[str, Any]:
    return {
        "now": request.now,
        "greeting": _greeting(request),
        "is_new": request.now - request.user.created_at < NEW_FOR,
        "crises": above.crises(request.user, today.crises),
        "subjects": [_subject_row(one, request) for one in today.subjects],
        "tellable": [one for one in today.subjects if one.may_add],
        "chosen": request.GET.get("subject", ""),
        **_medicines(request, today),
        "questions": [question_card(row, row.entry) for row in today.questions[:AT_MOST_ASKED]],
        "agenda": [
            agenda_card(item, may_measure=_may_measure(request, item))
            for item in capped(today.agenda, taken=len(today.questions))
        ],
        "courses": [_course_card(course, one) for one in today.subjects for course in one.courses],
    }


def capped(agenda: Sequence[AgendaItem], *, taken: int) -> list[AgendaItem]:
    """The agenda with no more open questions of the memory than two together with `taken` others."""
    left, shown = max(0, AT_MOST_ASKED - taken), []
    for item in agenda:
        is_asked = item.key.startswith("question:") and item.state == "open"
        if not is_asked or left:
            shown.append(item)
        left -= is_asked and left > 0
    return shown


def _may_measure(request: Asked, item: AgendaItem) -> bool:
    return Resource.PROFILE in request.sight.subjects[item.subject_id].adds


def _greeting(request: Asked) -> str:
    name = {"name": request.user.name}
    hour = timezone.localtime(request.now).hour
    if 5 <= hour < 12:
        return _("Good morning, %(name)s") % name
    if 12 <= hour < 18:
        return _("Good afternoon, %(name)s") % name
    return _("Good evening, %(name)s") % name


def _medicines(request: Asked, today: Today) -> dict[str, Any]:
    """The medicines of the next day, most urgent first; then those given when needed or later."""
    cards = [
        (medicine_card(standing, person_id=request.user.pk, now=request.now), one.may_add)
        for one in today.subjects
        for standing in one.medicines
    ]
    cards.sort(key=lambda pair: urgency(pair[0]))
    soon = [pair for pair in cards if pair[0].undo_pk or _is_soon(pair[0], request.now)]
    return {"medicines": soon, "needed": [pair for pair in cards if pair not in soon]}


def _is_soon(card: MedicineCard, now: dt.datetime) -> bool:
    return card.sort_at is not None and card.sort_at <= now + dt.timedelta(days=1)


def _tiles(one: SubjectToday, request: Asked) -> list[TrackableTile]:
    return [
        tile_of(
            row,
            one.subject,
            hue=one.hue,
            entries=[entry for entry in one.entries if entry.trackable_id == row.pk],
            person_id=request.user.pk,
            now=request.now,
        )
        for row in one.trackables
    ]


def _subject_row(one: SubjectToday, request: Asked) -> dict[str, Any]:
    return {
        "subject": one.subject,
        "opens": bool(request.sight.subjects[one.subject.pk].views),
        "hue": one.hue,
        "day": one.day,
        "may_add": one.may_add,
        "events": [event_card(event, zone=one.subject.time_zone) for event in one.events],
        "tiles": _tiles(one, request),
        "noted": [note_card(record) for record in one.noted],
        "filled": len({field for fill in one.fills for field in fill.levels}),
        "fields": len(fields_for(one.subject.kind)),
    }


def _course_card(course: CourseToday, one: SubjectToday) -> dict[str, Any]:
    record = course.record
    return {
        "record": record,
        "subject": one.subject,
        "hue": one.hue,
        "title": title_of(record.kind, record.category, record.signs),
        "icon": icon_of(record.kind, record.category),
        "day_number": course.day_number,
        "trajectory": course.last_trajectory,
        "spark": sparkline(course.points),
    }


@require_POST
@for_members
def agenda_answer(request: Asked, pk: int) -> HttpResponse:
    """Answer one follow-up question by a tap."""
    item = AgendaItem.objects.select_related("subject", "course")
    found = with_tried(request.user, visible(request.user, Resource.OBSERVATION, item.filter(pk=pk)))
    if not found:
        raise Denied
    card = agenda_card(found[0])
    choice = request.POST.get("answer", "")
    typed = request.POST.get("words", "").strip()[:500]
    words = f"{card.text} {dict(card.taps).get(choice, typed)}"
    client_id = request.POST.get("client_id", "").strip()[:64] or f"agenda-{pk}"
    try:
        answer_item(
            person=request.user,
            item_id=pk,
            choice=choice,
            words=words,
            typed=typed,
            client_id=client_id,
            now=request.now,
        )
    except UnknownChoice:
        return unfit(request, _("Answer by one of the taps, or in a few words."))
    if not request.htmx:
        return redirect("twin:today-show")
    done = agenda_card(with_tried(request.user, [item.get(pk=pk)])[0])
    response = render(request, "twin/_agenda_item.html", {"item": done})
    response["HX-Trigger"] = "told"
    return response


@for_members
def form_show(request: Asked, pk: int) -> HttpResponse:
    """The tap form of one subject."""
    sight = require(request.user, Action.ADD, Resource.OBSERVATION, pk)
    wants_new = "again" in request.GET
    fill = None if wants_new else open_fill(request.user, sight.subject, now=request.now)
    client_id = fill.client_id if fill else str(uuid.uuid4())
    return render(
        request,
        "twin/form_page.html",
        form_page(sight.subject, fill, client_id, language=request.user.language),
    )


def _note_flags(subject: Subject, fill: FormFill | None, language: str) -> list[dict[str, str]]:
    """What red-flag words in the free text say; the text itself is never read into entries."""
    raised = red_flags(subject.species, subject.sex, None, {}, fill.note) if fill and fill.note else ()
    return [{"title": flag.title(language), "text": flag.text(language)} for flag in raised]


def form_page(subject: Subject, fill: FormFill | None, client_id: str, *, language: str) -> dict[str, Any]:
    """A form's fields with what this fill tapped so far."""
    levels = fill.levels if fill else {}
    fields = [
        {
            "key": field.key,
            "label": _(field.label),
            "icon": field.icon,
            "is_saved": field.key in levels,
            "levels": [
                {
                    "key": level.key,
                    "label": _(level.label),
                    "icon": level.icon,
                    "is_chosen": levels.get(field.key) == level.key,
                    "is_unseen": level.rank < 0,
                }
                for level in field.levels
            ],
        }
        for field in fields_for(subject.kind).values()
    ]
    return {
        "subject": subject,
        "fields": fields,
        "client_id": client_id,
        "filled": len(levels),
        "note": fill.note if fill else "",
        "flags": _note_flags(subject, fill, language),
    }


@require_POST
@for_members
def form_tap(request: Asked, pk: int) -> HttpResponse:
    """Keep every tapped field of a post: one with scripts, all of them without."""
    sight = require(request.user, Action.ADD, Resource.OBSERVATION, pk)
    client_id = request.POST.get("client_id", "").strip()[:64]
    if not client_id:
        raise Denied
    fill: FormFill | None = None
    try:
        for field in fields_for(sight.subject.kind):
            level = request.POST.get(field)
            if level:
                fill = tap(
                    person=request.user,
                    subject_id=pk,
                    client_id=client_id,
                    field=field,
                    level=level,
                    now=request.now,
                )
    except UnknownTap:
        return unfit(request, _("That tap is in no form. Reload the page and try again."))
    if request.POST.get("note") or ("note" in request.POST and (fill or request.htmx)):
        fill = note(
            person=request.user,
            subject_id=pk,
            client_id=client_id,
            text=request.POST["note"],
            now=request.now,
        )
    if request.htmx:
        return render(
            request,
            "twin/form_page.html#state",
            form_page(sight.subject, fill, client_id, language=request.user.language),
        )
    return redirect("twin:today-show")
