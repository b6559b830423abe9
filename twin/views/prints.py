"""A subject's summary over some days, for a vet's or a therapist's visit, made to be printed."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from household.access import Denied, visible
from household.rules.permissions import Resource
from household.views.pages import Asked, for_members
from twin.charts_course import course_chart
from twin.charts_profile import change_text
from twin.daily_shown import amount_of, impact_words, plan_of
from twin.forms import ProfileForm
from twin.labels import category_label
from twin.models import Medicine, ProfileVersion, Record
from twin.print_form import PrintForm
from twin.profile_forms import shown_value
from twin.rules.drift import FIELDS, drift, fields_of
from twin.rules.events import KINDS
from twin.services.reports import Report, gather_report
from twin.shown import description_of, shown, shown_course
from twin.views.courses import Said, said_of
from twin.views.subject_nav import note_professional_look, subject_page

MOST_TICKED = 14  # days of ticks printed line by line


@for_members
def print_show(request: Asked, pk: int) -> HttpResponse:
    """The print of the days asked for, each section as far as the reader may see it."""
    sight = request.sight.subjects.get(pk)
    if sight is None or not {Resource.OBSERVATION, Resource.PROFILE} & sight.views:
        raise Denied
    page = subject_page(request, pk, at="twin:print-show")
    form = PrintForm(request.GET, today=page["today"])
    page |= {"form": form, "described": description_of(page["subject"], page["today"])}
    if form.is_bound and not form.is_valid():
        return render(request, "twin/print_show.html", page, status=422)
    report = gather_report(pk, *form.span(), seen=lambda res, rows: visible(request.user, res, rows))
    if Resource.OBSERVATION in sight.views:
        note_professional_look(request, pk, Resource.OBSERVATION, *report.rec_ids)
    if Resource.PROFILE in sight.views:
        note_professional_look(request, pk, Resource.PROFILE)
    page |= {
        "report": report,
        "sees_observations": Resource.OBSERVATION in sight.views,
        "sees_profile": Resource.PROFILE in sight.views,
        **_sections(report, page["subject"]),
    }
    return render(request, "twin/print_show.html", page)


def _sections(report: Report, subject: Any) -> dict[str, Any]:
    """Every section of the print in words."""
    alone = [row for row in report.by_polarity("abnormal") if row.course_id is None]
    return {
        "person": _person(report.person),
        "open_courses": [_course(row, subject, report) for row in report.open_courses],
        "closed_courses": [_course(row, subject, report) for row in report.closed_courses],
        "chronic": [shown(row) for row in report.chronic],
        "medicines": [_medicine(row) for row in report.medicines],
        "abnormal": _by_category(alone),
        "normal": _checked(report.by_polarity("normal")),
        "others": [shown(row) for row in report.others],
        "weights": _weights(report),
        "sleep": _sleep(report.findings),
        "events": [_event(row) for row in report.events],
        **_measured(report.versions, subject.species),
    }


def _person(known: dict[str, Any] | None) -> list[tuple[Any, str]]:
    """What to know about a child, field by field."""
    if known is None:
        return []
    texts = {name: ", ".join(value) if isinstance(value, list) else value for name, value in known.items()}
    return [(field.label, texts[name]) for name, field in ProfileForm.base_fields.items() if texts[name]]


def _course(row: Any, subject: Any, report: Report) -> dict[str, Any]:
    last = min(row.ended_on or report.last, report.last)
    said, counted = told_and_counted([said_of(one, row.category) for one in row.said])
    return {
        "one": shown(row),
        "course": shown_course(row, subject, row.seen_days, report.last),
        "chart": course_chart(row.seen_days, [], last=last),
        "looked": len(row.seen_days),
        "said": said,
        "counted": counted,
    }


def told_and_counted(said: list[Said]) -> tuple[list[Said], list[tuple[str, int]]]:
    """What is printed line by line, and of many ticked days how often each thing was: a visit is short."""
    ticked = [one for one in said if not one.words]
    if len(ticked) <= MOST_TICKED:
        return said, []
    counts = Counter(sign.text for one in ticked for sign in one.found)
    counts += Counter(_("checked: %(what)s") % {"what": sign.text} for one in ticked for sign in one.checked)
    return [one for one in said if one.words], counts.most_common()


def _medicine(row: Medicine) -> dict[str, Any]:
    return {"medicine": row, "amount": amount_of(row), "plan": plan_of(row)}


def _by_category(rows: Sequence[Record]) -> list[dict[str, Any]]:
    ordered = sorted(rows, key=lambda row: (category_label(row.category), row.day or dt.date.min, row.pk))
    return [
        {"label": label, "rows": [shown(row) for row in ones]}
        for label, ones in groupby(ordered, key=lambda row: category_label(row.category))
    ]


def _checked(rows: Sequence[Record]) -> list[dict[str, Any]]:
    """How often each system was looked at and fine, and the last time, with its record."""
    lines = []
    for group in _by_category(rows):
        last = group["rows"][-1]
        lines.append({"label": group["label"], "count": len(group["rows"]), "last": last})
    return lines


def _weights(report: Report) -> list[dict[str, Any]]:
    """Every weight of these days, weighed or told, oldest first."""
    told = [
        {"day": row.day, "value": shown_value("weight_kg", row.signs["weight_kg"]), "rec": row.rec_id}
        for row in report.findings
        if row.category == "metabolic_weight" and "weight_kg" in row.signs
    ]
    measured = [
        {"day": row.measured_on, "value": shown_value("weight_kg", row.values["weight_kg"]), "rec": ""}
        for row in report.versions
        if "weight_kg" in row.values and row.measured_on >= report.first
    ]
    return sorted([*told, *measured], key=lambda one: one["day"])


def _sleep(findings: Sequence[Record]) -> dict[str, Any] | None:
    """Over how many days sleep was noted, and what the hours were."""
    rows = [row for row in findings if row.category == "sleep"]
    if not rows:
        return None
    hours = sorted(float(row.signs["hours"]) for row in rows if "hours" in row.signs)
    return {
        "days": len({row.day for row in rows}),
        "bad": len({row.day for row in rows if row.polarity == "abnormal"}),
        "hours": len(hours),
        "least": shown_value("sleep_hours", hours[0]) if hours else "",
        "most": shown_value("sleep_hours", hours[-1]) if hours else "",
        "mean": shown_value("sleep_hours", round(sum(hours) / len(hours), 1)) if hours else "",
    }


def _event(row: Any) -> dict[str, Any]:
    kind = KINDS.get(row.kind)
    parts = [
        (_("before"), row.antecedent),
        (_("tried"), row.tried),
        (_("how it ended"), row.outcome),
    ]
    return {
        "event": row,
        "title": _(kind.label) if kind else row.kind,
        "parts": [(label, text) for label, text in parts if text],
        "impact": impact_words(row.impact) if row.impact else "",
    }


def _measured(versions: Sequence[ProfileVersion], species: str) -> dict[str, Any]:
    """The usual as it stands at the end of these days, and what drifted since the version before it."""
    if not versions:
        return {}
    now, before = versions[0], versions[1] if len(versions) > 1 else None
    changes = drift(species, before.values, now.values) if before else ()
    return {
        "usual": now,
        "before": before,
        "usual_rows": [
            (_(field.label), shown_value(field.name, now.values[field.name]))
            for field in fields_of(species)
            if field.name in now.values
        ],
        "drifts": [
            (_(FIELDS[one.field].label), change_text(one), one.mark)
            for one in changes
            if one.mark in ("noted", "drift")
        ],
        "missing": [_(FIELDS[one.field].label) for one in changes if one.mark == "missing"],
    }
