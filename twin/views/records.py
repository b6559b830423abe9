"""One record: its fields, what was said behind it, how it was read; and correcting it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from household.access import require_parent, seen
from household.prepared import prepared
from household.rules.permissions import Resource, Role
from household.services.looks import note_look
from household.views.pages import Asked, for_members
from household.views.refusals import unfit
from twin.correction_form import CorrectionForm
from twin.models import LedgerEntry, Record
from twin.rules.record_ids import parse
from twin.services.corrections import UnknownVerdict, correct_and_learn, judge_reading
from twin.services.days import day_of
from twin.services.records import AlreadyCorrected, DayTaken, NotCorrectable, is_correctable
from twin.shown import channels_of, hue_of, shown, source_of
from twin.views.courses import course_page

# What the page shows of an entry; the words of a family are long, and most columns serve the reading.
SOURCE_FIELDS = (
    *("record", "statement", "fill", "said_at", "category", "signs", "asserted", "today", "resolved"),
    *("phrase", "words", "why", "state"),
    *("statement__text", "statement__through", "statement__reader", "statement__author__name"),
    "fill__author__name",
)
SOURCES_SHOWN = 200


def _record(request: Asked, rec_id: str) -> Record:
    """The record of an id, if this person may see it. Raises Http404."""
    return _with_corrected(request, rec_id)[0]


def _with_corrected(request: Asked, rec_id: str) -> tuple[Record, list[Record]]:
    """The record of an id, and those it corrects, as far as this person may see them. Raises Http404."""
    number = parse(rec_id)
    rows = seen(request.user, Resource.OBSERVATION, _one, pk=number) if number else []
    found = next((row for row in rows if row.pk == number), None)
    if found is None:
        raise Http404
    found.subject = request.sight.subjects[found.subject_id].subject
    return found, [row for row in rows if row.pk != number]


@prepared()
def _one(*, pk: int) -> QuerySet[Record]:
    rows = Record.objects.select_related("author", "closed_by")  # every join is planned anew for each page
    return rows.filter(Q(pk=pk) | Q(superseded_by=pk)).order_by("pk")


@prepared(most=SOURCES_SHOWN)
def _said(*, records: Sequence[int]) -> QuerySet[LedgerEntry]:
    """Every entry that was ever filed into these records, in order, with who said it."""
    rows = LedgerEntry.objects.filter(record__among=records).order_by("said_at", "id")
    return rows.select_related("statement__author", "fill__author").only(*SOURCE_FIELDS)


@for_members
def record_show(request: Asked, rec_id: str) -> HttpResponse:
    """The page a citation opens."""
    record, corrects = _with_corrected(request, rec_id)
    if record.lifecycle != "day":
        return course_page(request, record)
    sight = request.sight.subjects[record.subject_id]
    if sight.is_logged:
        note_look(
            person=request.user,
            subject_id=record.subject_id,
            resource=Resource.OBSERVATION,
            now=request.now,
            row_ids=[record.rec_id],
        )
    zone = record.subject.time_zone
    entries = seen(request.user, Resource.OBSERVATION, _said, records=[row.pk for row in (record, *corrects)])
    context = {
        "one": shown(record),
        "record": record,
        "subject": record.subject,
        "hue": hue_of(request.sight.subjects, record.subject_id),
        "channels": channels_of(record),
        "sources": [source_of(entry, zone=zone) for entry in entries],
        "corrects": corrects,
        "may_correct": Role.PARENT in sight.roles and is_correctable(record),
        "may_forget": Role.PARENT in sight.roles,
    }
    return render(request, "twin/record_show.html", context)


@for_members
def record_correct(request: Asked, rec_id: str) -> HttpResponse:
    """Say what a record should have said: a new one takes its place. For parents."""
    record = _record(request, rec_id)
    require_parent(request.user, record.subject_id)
    if not is_correctable(record) and record.superseded_by_id is None:
        raise Http404
    form = CorrectionForm(
        request.POST or None,
        record=record,
        today=day_of(record.subject, request.now),
        client_id=str(uuid.uuid4()),
    )
    if form.is_bound and form.is_valid():
        try:
            new = correct_and_learn(
                record=record,
                person=request.user,
                correction=form.correction(),
                client_id=str(form.cleaned_data["client_id"]),
                note=form.cleaned_data["note"],
                now=request.now,
            )
        except DayTaken as taken:
            form.add_error("day", _("%(rec)s stands on that day already.") % {"rec": taken.by.rec_id})
        except AlreadyCorrected as earlier:
            messages.warning(request, _("It was corrected meanwhile. This is what counts now."))
            return redirect("twin:record-show", earlier.by.rec_id)
        else:
            messages.success(request, _("Corrected. The earlier record is kept and no longer counted."))
            return redirect("twin:record-show", new.rec_id)
    context = {
        "form": form,
        "record": record,
        "one": shown(record),
        "subject": record.subject,
        "hue": hue_of(request.sight.subjects, record.subject_id),
    }
    return render(request, "twin/record_correct.html", context, status=422 if form.is_bound else 200)


@require_POST
@for_members
def record_judge(request: Asked, rec_id: str) -> HttpResponse:
    """Say in one tap that a record was read wrongly: fine, not as usual, or nothing like it. For parents."""
    record = _record(request, rec_id)
    require_parent(request.user, record.subject_id)
    client_id = request.POST.get("client_id", "").strip()[:64] or f"judge-{record.pk}"
    try:
        new = judge_reading(
            record=record,
            person=request.user,
            verdict=request.POST.get("verdict", ""),
            client_id=client_id,
            now=request.now,
        )
    except UnknownVerdict:
        return unfit(request, _("Say by one of the buttons what the words meant."))
    except AlreadyCorrected as earlier:
        messages.warning(request, _("It was corrected meanwhile. This is what counts now."))
        return redirect("twin:record-show", earlier.by.rec_id)
    except NotCorrectable:
        raise Http404 from None
    messages.success(request, _("Thank you. Such words will be read like that from now on."))
    if new is None:
        return redirect("twin:subject-show", record.subject_id)
    return redirect("twin:record-show", new.rec_id)
