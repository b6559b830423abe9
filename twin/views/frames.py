"""What stands now: the frame of tonight's round in words, and every frame that ever stood, by day."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.dateparse import parse_date
from django.utils.translation import get_language

from household.access import require, visible
from household.rules.permissions import Action, Resource
from household.views.pages import Asked, for_members
from twin.labels import SEVERITY_LABELS, category_label, icon_of, sign_label, title_of
from twin.models import Frame, FrameLog
from twin.rules.categories import LOCATORS
from twin.rules.red_flags import bundled_flags
from twin.services.assessments import chronic_label
from twin.sign_names import TRI
from twin.views.subject_nav import note_professional_look, subject_page

LOG_SIZE = 30


@for_members
def frame_show(request: Asked, pk: int) -> HttpResponse:
    """The frame as it stands, or as it stood on a day, and its log."""
    require(request.user, Action.VIEW, Resource.OBSERVATION, pk)
    note_professional_look(request, pk, Resource.OBSERVATION)
    day = _day(request)
    rows = visible(request.user, Resource.OBSERVATION, FrameLog.objects.filter(subject_id=pk))
    log = Paginator(rows.order_by("-day", "-id"), LOG_SIZE).get_page(request.GET.get("page"))
    if day is None:
        frames = visible(request.user, Resource.OBSERVATION, Frame.objects.filter(subject_id=pk))
        body = frames.values_list("body", flat=True).first()
    else:
        body = rows.filter(day=day).order_by("-id").values_list("body", flat=True).first()
        if body is None:
            raise Http404
    context = {
        **subject_page(request, pk, at="twin:frame-show"),
        "frame": shown_frame(body) if body else None,
        "is_gone": body == {},
        "day": day,
        "log": [(row, _summary(row.body)) for row in log],
        "page_obj": log,
    }
    return render(request, "twin/frame_show.html", context)


def _day(request: Asked) -> dt.date | None:
    """The day asked for, None for now. Raises Http404 for what is no day."""
    text = request.GET.get("day", "")
    if not text:
        return None
    try:
        found = parse_date(text)
    except ValueError:
        found = None
    if found is None:
        raise Http404
    return found


def _summary(body: dict[str, Any]) -> dict[str, int]:
    return {"open": len(body.get("open", [])), "flags": len(body.get("red_flags", []))}


def shown_frame(body: dict[str, Any]) -> dict[str, Any]:
    """A stored frame in words."""
    return {
        "day": _date(body["day"]),
        "open": [_open(one) for one in body["open"]],
        "flags": _flags(body["red_flags"]),
        "negatives": _negatives(body["negatives"]),
        "chronic": [{**one, "text": chronic_label(one["text"])} for one in body["chronic"]],
        "ruled_out": body["ruled_out"],
        "look_at": [_look_at(one) for one in body["look_at"]],
        "considerations": body["considerations"],
    }


def _date(text: str | None) -> dt.date | None:
    return dt.date.fromisoformat(text) if text else None


def _open(one: dict[str, Any]) -> dict[str, Any]:
    signs = {LOCATORS[one["category"]]: one["site"]} if one["site"] and one["category"] in LOCATORS else {}
    return {
        **one,
        "title": title_of("symptom", one["category"], signs),
        "icon": icon_of("symptom", one["category"]),
        "severity_label": SEVERITY_LABELS[one["severity"]],
        "since": _date(one["since"]),
        "last_abnormal": _date(one["last_abnormal"]),
    }


def _flags(raised: list[dict[str, str]]) -> list[dict[str, str]]:
    language = get_language() or "en"
    known = {rule.flag.key: rule.flag for rule in bundled_flags()}
    return [
        {
            "record": one["record"],
            "title": known[one["key"]].title(language),
            "text": known[one["key"]].text(language),
        }
        for one in raised
        if one["key"] in known
    ]


def _negatives(absent: list[dict[str, str]]) -> list[dict[str, Any]]:
    """What was looked for and not there, by category."""
    found: dict[str, list[dict[str, str]]] = {}
    for one in absent:
        label = sign_label(one["category"], one["sign"], False)
        if label is not None:
            found.setdefault(one["category"], []).append({"text": label.text, "record": one["record"]})
    return [{"label": category_label(category), "signs": signs} for category, signs in found.items()]


def _look_at(one: dict[str, Any]) -> dict[str, Any]:
    category = one["category"]
    names = [str(TRI[category][name][0]) for name in one["signs"] if name in TRI[category]]
    return {"record": one["record"], "title": category_label(category), "signs": names}
