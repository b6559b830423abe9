"""The caseload: home of somebody who supports subjects of others by their work."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from household.rules.permissions import Resource
from household.views.pages import Asked, for_members
from twin.labels import CATEGORY_LABELS, icon_of, title_of
from twin.models import Record
from twin.rules.cursor import BadCursor, Cursor, parse_cursor
from twin.services.caseload import CaseSubject, gather_caseload
from twin.services.timeline import TimelineFilter, timeline_page
from twin.shown import grouped, shown, words_of
from twin.views.subject_nav import note_professional_look

SHOWS = [
    ("", _("All")),
    ("abnormal", _("Not as usual")),
    ("normal", _("Looks fine")),
    ("courses", _("Courses")),
]


@for_members
def caseload_show(request: Asked) -> HttpResponse:
    """The cards and the feed across the caseload, or only the feed's next rows when it is scrolled."""
    feed = _feed(request)
    records = [one.record for group in feed["groups"] for one in group.records]
    if request.htmx and feed["after"] and not request.htmx.history_restore_request:
        _note_looks(request, records, pks={one.subject_id for one in records})
        return render(request, "twin/caseload_show.html#rows", feed)
    cards = gather_caseload(request.user, request.sight, now=request.now)
    on_cards = [record for card in cards for record in (*card.noted, *card.courses)]
    _note_looks(request, [*on_cards, *records], pks=request.sight.subjects.keys())
    context = {
        **feed,
        "cards": [_card(card) for card in cards],
        "tellable": [card for card in cards if card.may_add],
        "shows": SHOWS,
        "categories": CATEGORY_LABELS.items(),
    }
    return render(request, "twin/caseload_show.html", context)


def _card(card: CaseSubject) -> dict[str, Any]:
    return {
        "one": card,
        "noted": [
            {"record": row, "title": title_of(row.kind, row.category, row.signs)} for row in card.noted
        ],
        "courses": [
            {
                "record": row,
                "title": title_of(row.kind, row.category, row.signs),
                "icon": icon_of(row.kind, row.category),
            }
            for row in card.courses
        ],
    }


def _feed(request: Asked) -> dict[str, Any]:
    wanted, after, about = _wanted(request), _after(request), _about(request)
    page, more = timeline_page(request.user, wanted, subject_id=about, after=after, today=request.now.date())
    for row in page:
        row.subject = request.sight.subjects[row.subject_id].subject
    groups = grouped(shown(row, words_of(row.said)) for row in page)  # type: ignore[attr-defined]
    query = {**vars(wanted), "about": about, "after": str(more)}
    more_url = f"{request.path}?{urlencode({k: v for k, v in query.items() if v})}" if more else ""
    return {"groups": groups, "more_url": more_url, "after": after, "wanted": wanted, "about": about}


def _wanted(request: Asked) -> TimelineFilter:
    """The filters asked for; what is no filter asks for nothing."""
    show, category = request.GET.get("show", ""), request.GET.get("category", "")
    return TimelineFilter(
        show=show if show in dict(SHOWS) else "", category=category if category in CATEGORY_LABELS else ""
    )


def _about(request: Asked) -> int | None:
    pk = request.GET.get("about", "")
    return next((one for one in request.sight.subjects if str(one) == pk), None)


def _after(request: Asked) -> Cursor | None:
    try:
        return parse_cursor(request.GET["after"]) if request.GET.get("after") else None
    except BadCursor:
        raise Http404 from None


def _note_looks(request: Asked, records: list[Record], *, pks: Any) -> None:
    """One look for each subject on the page, with the records of it that were shown."""
    for pk in pks:
        ids = dict.fromkeys(record.rec_id for record in records if record.subject_id == pk)
        note_professional_look(request, pk, Resource.OBSERVATION, *ids)
