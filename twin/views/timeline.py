"""One subject's own page: portrait, courses, profile, and the timeline that goes on as it is scrolled."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from household.access import may_do, require
from household.prepared import prepared
from household.rules.permissions import Action, Resource
from household.services.looks import note_look
from household.views.pages import Asked, for_members
from twin.forms import profile_initial
from twin.labels import CATEGORY_LABELS, KIND_LABELS
from twin.models import PersonProfile, Record
from twin.rules.cursor import BadCursor, Cursor, parse_cursor
from twin.services.days import day_of
from twin.services.timeline import TimelineFilter, courses_of, timeline_page
from twin.shown import description_of, grouped, hue_of, shown, shown_course, words_of
from twin.views.subject_nav import places_of

SHOWS = [
    ("", _("All")),
    ("abnormal", _("Not as usual")),
    ("normal", _("Looks fine")),
    ("courses", _("Courses")),
]


@for_members
def subject_show(request: Asked, pk: int) -> HttpResponse:
    """The page of a subject, or only its next rows when it is scrolled."""
    return show_subject(request, pk)


def show_subject(
    request: Asked, pk: int, *, template: str = "twin/subject_show.html", **instead: Any
) -> HttpResponse:
    """The same inside a sight that is open already; `instead` stands for parts of what is shown."""
    sees_profile = may_do(request.user, Action.VIEW, Resource.PROFILE, pk)
    if not sees_profile:
        require(request.user, Action.VIEW, Resource.OBSERVATION, pk)
    timeline = _timeline(request, pk)
    if request.htmx and timeline["after"] and not request.htmx.history_restore_request:
        return render(request, "twin/subject_show.html#rows", timeline)
    context = {**timeline, **_portrait(request, pk), **_courses(request, pk)}
    context["may_see_helps"] = may_do(request.user, Action.VIEW, Resource.MEMORY, pk)
    if sees_profile:
        profile = next(iter(_profile.rows(subject=pk)), None)
        context |= {
            "profile": profile,
            "knows_nothing": profile and not any(profile_initial(profile).values()),
        }
    return render(request, template, {**context, **instead})


@prepared()
def _profile(*, subject: int) -> QuerySet[PersonProfile]:
    return PersonProfile.objects.filter(subject=subject)


def _portrait(request: Asked, pk: int) -> dict[str, Any]:
    subject = request.sight.subjects[pk].subject
    return {
        "subject": subject,
        "hue": hue_of(request.sight.subjects, pk),
        "places": places_of(request, pk, at="twin:subject-show"),
        "described": description_of(subject, day_of(subject, request.now)),
        "may_change": may_do(request.user, Action.ADD, Resource.PROFILE, pk),
        "may_add": may_do(request.user, Action.ADD, Resource.OBSERVATION, pk),
        "shows": SHOWS,
        "categories": CATEGORY_LABELS.items(),
        "kinds": KIND_LABELS.items(),
    }


def _timeline(request: Asked, pk: int) -> dict[str, Any]:
    wanted, after = _wanted(request), _after(request)
    page, more = timeline_page(request.user, wanted, subject_id=pk, after=after)
    _note_look(request, pk, page)
    groups = grouped(shown(row, words_of(row.said)) for row in page)  # type: ignore[attr-defined]
    query = {**vars(wanted), "after": str(more)}
    more_url = f"{request.path}?{urlencode({k: v for k, v in query.items() if v})}" if more else ""
    return {"groups": groups, "more_url": more_url, "after": after, "wanted": wanted}


def _wanted(request: Asked) -> TimelineFilter:
    """The filters asked for; what is no filter asks for nothing."""
    show, category, kind = (request.GET.get(name, "") for name in ("show", "category", "kind"))
    return TimelineFilter(
        show=show if show in dict(SHOWS) else "",
        category=category if category in CATEGORY_LABELS else "",
        kind=kind if kind in KIND_LABELS else "",
    )


def _after(request: Asked) -> Cursor | None:
    try:
        return parse_cursor(request.GET["after"]) if request.GET.get("after") else None
    except BadCursor:
        raise Http404 from None


def _courses(request: Asked, pk: int) -> dict[str, Any]:
    subject = request.sight.subjects[pk].subject
    today = day_of(subject, request.now)
    found = courses_of(request.user, pk)
    courses = [shown_course(row, subject, row.seen_days, today) for row in found]  # type: ignore[attr-defined]
    return {
        "open_courses": [one for one in courses if one.record.lifecycle != "closed"],
        "closed_courses": [one for one in courses if one.record.lifecycle == "closed"],
    }


def _note_look(request: Asked, pk: int, page: list[Record]) -> None:
    if request.sight.subjects[pk].is_logged:
        ids = [row.rec_id for row in page]
        note_look(
            person=request.user, subject_id=pk, resource=Resource.OBSERVATION, now=request.now, row_ids=ids
        )
