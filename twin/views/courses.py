"""One course: how it went day by day, every word about it, how its life moved on; closing it by hand."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from household.access import require_parent, visible
from household.rules.permissions import Resource, Role
from household.views.pages import Asked, for_members
from twin.charts_course import course_chart
from twin.labels import SignLabel, sign_lines
from twin.models import CourseDay, CourseMove, CourseStatement, Record
from twin.rules.courses import recurrence
from twin.rules.lifecycle import RefusedClosing, clamp
from twin.rules.record_ids import parse
from twin.services.closing import LONG_TERM, NOT_LONG_TERM, close_course, mark_chronic
from twin.services.days import day_of
from twin.services.rounds.courses import horizons_of
from twin.shown import channels_of, hue_of, shown, shown_course
from twin.views.subject_nav import note_professional_look

STATEMENTS_SHOWN = 100
WITHDRAWN = "withdrawn"  # a re-run found that it never was a course

# Why a course moved, in human words; what a person wrote stands as it is.
REASONS: dict[str, Any] = {
    "two_of_three": gettext_lazy("seen on two days of three"),
    "old_onset": gettext_lazy("it had lasted for days already"),
    "severe": gettext_lazy("grave from the first day"),
    "quiet": gettext_lazy("looked at and fine for several days"),
    "recovered": gettext_lazy("looked at and fine for long enough"),
    "silent": gettext_lazy("nobody spoke of it for two weeks"),
    "woken": gettext_lazy("somebody spoke of it again"),
    "abnormal_again": gettext_lazy("not as usual again"),
    LONG_TERM: gettext_lazy("marked as there for long"),
    NOT_LONG_TERM: gettext_lazy("no longer marked as there for long"),
    WITHDRAWN: gettext_lazy("later words changed what it rested on"),
}
ORDINALS: dict[int, Any] = {
    2: gettext_lazy("second"),
    3: gettext_lazy("third"),
    4: gettext_lazy("fourth"),
    5: gettext_lazy("fifth"),
    6: gettext_lazy("sixth"),
    7: gettext_lazy("seventh"),
    8: gettext_lazy("eighth"),
    9: gettext_lazy("ninth"),
    10: gettext_lazy("tenth"),
}
REFUSALS: dict[str, Any] = {
    "closed_already": gettext_lazy("It is over already. Nothing was changed."),
    "not_a_course": gettext_lazy("This is a single day, no course."),
    "reason_missing": gettext_lazy("Say in a few words why it is over."),
}


@dataclass(frozen=True)
class Said:
    """One statement about a course: its words, who said them, and what was read."""

    words: str
    who: str
    at: str
    day: dt.date
    found: Sequence[SignLabel]
    checked: Sequence[SignLabel]
    unseen: Sequence[SignLabel]


def said_of(row: CourseStatement, category: str | None) -> Said:
    """A statement as pages show it, with its entry's statement or form and their authors loaded."""
    spoken = row.entry.statement or row.entry.fill
    author = spoken.author if spoken else None
    return Said(
        words=row.words,
        who=author.name if author else _("somebody who is no longer here"),
        at=date_format(row.day, "j F Y"),
        day=row.day,
        **sign_lines(category, row.signs),
    )


def reason_text(move: CourseMove) -> str:
    """Why a course moved, in human words."""
    return str(REASONS.get(move.reason, move.reason))


def recurrence_text(course: Record, earlier: Sequence[dt.date]) -> str:
    """ "Third course of this kind since March", empty for the first."""
    began = began_on(course)
    found = recurrence(began, earlier) if began else None
    if found is None:
        return ""
    ordinal = ORDINALS.get(found.number)
    since = date_format(found.since, "F Y")
    if ordinal is None:
        return _("course number %(number)d of this kind since %(month)s") % {
            "number": found.number,
            "month": since,
        }
    return _("%(ordinal)s course of this kind since %(month)s") % {"ordinal": ordinal, "month": since}


def began_on(course: Record) -> dt.date | None:
    """The day a course counts from."""
    return course.started_on or course.sort_on or course.opened_on


def course_page(request: Asked, record: Record) -> HttpResponse:
    """The page of a course, for whoever may see its record."""
    note_professional_look(request, record.subject_id, Resource.OBSERVATION, record.rec_id)
    return _render(request, record)


def _render(request: Asked, record: Record, *, status: int = 200, fault: str = "") -> HttpResponse:
    today = day_of(record.subject, request.now)
    days = list(
        _seen(request, CourseDay.objects.filter(course=record).select_related("record")).order_by("day")
    )
    moves = list(
        _seen(request, CourseMove.objects.filter(course=record).select_related("by")).order_by("day", "id")
    )
    moved = [move for move in moves if move.was != move.became]
    floors = clamp(horizons_of(record))
    context = {
        "one": shown(record),
        "record": record,
        "subject": record.subject,
        "hue": hue_of(request.sight.subjects, record.subject_id),
        "channels": channels_of(record),
        "course": shown_course(record, record.subject, days, today),
        "recurrence": recurrence_text(record, _earlier(request, record)),
        "chart": course_chart(days, moved, last=_last_day(record, moved, today)),
        "days": [(day, shown(day.record)) for day in reversed(days)],
        "moves": [(move, reason_text(move)) for move in moves],
        "horizons": floors,
        "is_proposed": bool(record.horizons),
        "is_withdrawn": record.closed_reason == WITHDRAWN,
        "is_parent": Role.PARENT in request.sight.subjects[record.subject_id].roles,
        "fault": fault,
        "reason": request.POST.get("reason", ""),
        **_statements(request, record),
    }
    return render(request, "twin/course_show.html", context, status=status)


def _seen(request: Asked, rows: Any) -> Any:
    return visible(request.user, Resource.OBSERVATION, rows)


def _last_day(record: Record, moves: Sequence[CourseMove], today: dt.date) -> dt.date:
    """The last day the chart shows: the one on which it closed, else today."""
    if record.lifecycle != "closed":
        return today
    return moves[-1].day if moves else record.ended_on or today


def _earlier(request: Asked, record: Record) -> list[dt.date]:
    """When the courses of the same kind and place began that are before this one."""
    rows = _seen(
        request,
        Record.objects.courses()
        .standing()
        .filter(subject_id=record.subject_id, category=record.category, site=record.site)
        .exclude(pk=record.pk)
        .exclude(closed_reason=WITHDRAWN),
    )
    return [began for began in map(began_on, rows) if began]


def _statements(request: Asked, record: Record) -> dict[str, Any]:
    """One page of everything that was said about a course, in order."""
    number = request.GET.get("page", "1")
    page = int(number) if number.isdigit() and 1 <= int(number) < 10_000 else 1
    rows = CourseStatement.objects.filter(course=record).select_related(
        "entry__statement__author", "entry__fill__author"
    )
    first = (page - 1) * STATEMENTS_SHOWN
    found = list(_seen(request, rows).order_by("said_at", "id")[first : first + STATEMENTS_SHOWN + 1])
    return {
        "statements": [said_of(row, record.category) for row in found[:STATEMENTS_SHOWN]],
        "earlier_page": page - 1,
        "later_page": page + 1 if len(found) > STATEMENTS_SHOWN else 0,
    }


def _course(request: Asked, rec_id: str) -> Record:
    """The course of an id, for a parent of its subject. Raises Http404."""
    rows = Record.objects.select_related("subject", "author", "course", "superseded_by", "closed_by")
    number = parse(rec_id)
    found: Record | None = _seen(request, rows.filter(pk=number)).first() if number else None
    if found is None:
        raise Http404
    require_parent(request.user, found.subject_id)
    if found.lifecycle == "day":
        raise Http404
    return found


@require_POST
@for_members
def course_close(request: Asked, rec_id: str) -> HttpResponse:
    """Close a course by hand, with a reason. For parents."""
    record = _course(request, rec_id)
    try:
        close_course(
            person=request.user, course_id=record.pk, reason=request.POST.get("reason", ""), now=request.now
        )
    except RefusedClosing as refusal:
        status = 422 if refusal.code == "reason_missing" else 409
        return _render(request, record, status=status, fault=str(REFUSALS[refusal.code]))
    messages.success(request, _("Closed. If it comes back, it is a new course."))
    return redirect("twin:record-show", record.rec_id)


@require_POST
@for_members
def course_mark(request: Asked, rec_id: str) -> HttpResponse:
    """Say that a course is long-term, or is not. For parents."""
    record = _course(request, rec_id)
    chronic = request.POST.get("chronic") == "yes"
    try:
        mark_chronic(course_id=record.pk, chronic=chronic, now=request.now, person=request.user)
    except RefusedClosing as refusal:
        return _render(request, record, status=409, fault=str(REFUSALS[refusal.code]))
    text = (
        _("Marked as long-term: it never closes by itself.")
        if chronic
        else _("No longer marked as long-term.")
    )
    messages.success(request, text)
    return redirect("twin:record-show", record.rec_id)
