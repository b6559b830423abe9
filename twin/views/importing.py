"""Bringing in what another program exported: files, choices, a preview, and taking it back. For parents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from household.access import require_parent
from household.models import Household
from household.rules.permissions import Role
from household.views.pages import Asked, for_members
from twin.import_forms import ChooseForm, ColumnsForm, child_words
from twin.import_labels import (
    FAILURES,
    REFUSALS,
    TABLE_LABELS,
    TROUBLES,
    clock_of,
    problem_words,
    row_words,
)
from twin.models import ImportBatch, ImportLine
from twin.rules.importing.babybuddy import Found
from twin.rules.importing.bundle import MOST_BYTES, Refused, Sheet, Upload
from twin.services.importing.staging import (
    AlreadyAsked,
    Contents,
    ask_import,
    begin_import,
    choose,
    contents_of,
    name_columns,
    remembered,
    sheets_of,
)
from twin.services.importing.undoing import undo_import

FIRST_ROWS = 5
PROBLEMS_SHOWN = 100
PAST_SHOWN = 20


def _mine(request: Asked, pk: int) -> ImportBatch:
    """An import of this parent's own. Raises Http404."""
    require_parent(request.user)
    batch = ImportBatch.objects.filter(pk=pk, author=request.user).first()
    if batch is None:
        raise Http404
    return batch


@for_members
def import_list(request: Asked) -> HttpResponse:
    """Hand in the files of an export, and see what was brought in before."""
    require_parent(request.user)
    problem = ""
    if request.method == "POST":
        files = request.FILES.getlist("files")
        try:
            if sum(one.size or 0 for one in files) > MOST_BYTES:
                raise Refused("too_large")
            uploads = [Upload(one.name or "", one.read()) for one in files]
            batch = begin_import(person=request.user, uploads=uploads, kind="babybuddy", now=request.now)
            return redirect("twin:import-show", batch.pk)
        except Refused as refused:
            problem = str(REFUSALS[refused.code])
    past = ImportBatch.objects.filter(author=request.user).order_by("-created_at")[:PAST_SHOWN]
    context = {"past": [_past(one) for one in past], "problem": problem}
    return render(request, "twin/import_list.html", context, status=422 if problem else 200)


def _past(batch: ImportBatch) -> dict[str, Any]:
    return {
        "batch": batch,
        "state": _state_words(batch.state),
        "counts": _count_words(batch.counts),
        "why": str(FAILURES.get(batch.error_code, batch.error_code)),
    }


def _state_words(state: str) -> str:
    return {
        "open": _("Waits for your choices"),
        "waiting": _("Is being brought in"),
        "done": _("Brought in"),
        "undone": _("Taken back"),
        "failed": _("Failed; nothing was changed"),
    }[state]


def _count_words(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    added = [(str(TABLE_LABELS[key[6:]]), n) for key, n in sorted(counts.items()) if key.startswith("added:")]
    others = (
        ("subjects", _("people and animals")),
        ("there", _("were there already")),
        ("left_out", _("left out")),
        ("refused", _("could not be read")),
    )
    return added + [(words, counts[key]) for key, words in others if counts.get(key)]


@for_members
def import_show(request: Asked, pk: int) -> HttpResponse:
    """One import: its choices and preview while it is open, else how it went."""
    batch = _mine(request, pk)
    if batch.state != "open":
        template = "twin/import_done.html#state" if request.htmx else "twin/import_done.html"
        return render(request, template, {**_past(batch), "is_waiting": batch.state == "waiting"})
    contents = contents_of(batch)
    form = _form(request, batch, contents)
    if form.is_bound and form.is_valid():
        choose(batch_id=batch.pk, choices=form.choices())
        return redirect("twin:import-show", pk)
    context = {
        "batch": batch,
        "form": form,
        "sheets": [_sheet(one, number) for number, one in enumerate(contents.sheets)],
        **(_preview(batch, contents) if "zone" in batch.choices else {}),
    }
    return render(request, "twin/import_show.html", context, status=422 if form.is_bound else 200)


def _form(request: Asked, batch: ImportBatch, contents: Contents) -> ChooseForm:
    subjects = [(pk, one.name) for pk, one in request.sight.subjects.items() if Role.PARENT in one.roles]
    chosen = (
        batch.choices
        if "zone" in batch.choices
        else {
            "children": {
                source: str(subject)
                for source, subject in remembered(request.user, contents.children).items()
            }
        }
    )
    zone = Household.objects.values_list("time_zone", flat=True).first() or "UTC"
    data = request.POST if request.method == "POST" else None
    return ChooseForm(children=contents.children, subjects=subjects, chosen=chosen, zone=zone, data=data)


def _sheet(sheet: Sheet, number: int) -> dict[str, Any]:
    return {
        "number": number,
        "can_map": sheet.trouble == "unknown_table",
        "file": sheet.file,
        "table": str(TABLE_LABELS[sheet.table.name]) if sheet.table else "",
        "rows": len(sheet.rows),
        "unknown": ", ".join(sheet.unknown),
        "trouble": str(TROUBLES[sheet.trouble]) if sheet.trouble else "",
    }


def _preview(batch: ImportBatch, contents: Contents) -> dict[str, Any]:
    who: Mapping[str, str] = batch.choices["children"]
    rows = [row for row in contents.found if who.get(row.child.source)]
    numbers = {int(one) for one in who.values() if one.isdigit()}
    lines = ImportLine.objects.filter(subject_id__in=numbers, digest__in=[row.digest for row in rows])
    held = {(str(subject), digest) for subject, digest in lines.values_list("subject_id", "digest")}
    fresh = [row for row in rows if (who[row.child.source], row.digest) not in held]
    counts = Counter((row.child, row.table) for row in fresh)
    return {
        "counts": [
            {"child": child_words(child), "table": str(TABLE_LABELS[table]), "count": count}
            for (child, table), count in sorted(counts.items(), key=lambda one: (one[0][0].name, one[0][1]))
        ],
        "fresh": len(fresh),
        "there": len(rows) - len(fresh),
        "left_out": len(contents.found) - len(rows),
        "samples": _samples(fresh, batch.choices["zone"]),
        "problems": [
            {"file": one.file, "line": one.line, "words": problem_words(one), "is_kept": one.is_kept}
            for one in contents.problems[:PROBLEMS_SHOWN]
        ],
        "problem_count": len(contents.problems),
        "is_chosen": True,
    }


def _samples(rows: Sequence[Found], zone: str) -> list[dict[str, Any]]:
    """The first rows of every table as they will read."""
    shown: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        group = shown.setdefault(row.table, [])
        if len(group) < FIRST_ROWS:
            group.append(
                {"row": row, "at": row.at, "clock": clock_of(row, zone), "words": row_words(row, zone)}
            )
    return [{"table": str(TABLE_LABELS[table]), "rows": group} for table, group in sorted(shown.items())]


@for_members
def import_columns(request: Asked, pk: int, number: int) -> HttpResponse:
    """Say what a table of another program is, and what its columns are."""
    batch = _mine(request, pk)
    sheets = sheets_of(batch) if batch.state == "open" else ()
    if number >= len(sheets) or sheets[number].trouble != "unknown_table":
        raise Http404
    sheet = sheets[number]
    form = ColumnsForm(header=sheet.header, data=request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        name_columns(batch_id=pk, sheet=sheet, said=form.column_map())
        return redirect("twin:import-show", pk)
    first = [[row.get(name) for name in sheet.header] for row in sheet.rows[:FIRST_ROWS]]
    context = {"batch": batch, "sheet": sheet, "number": number, "form": form, "first": first}
    return render(request, "twin/import_columns.html", context, status=422 if form.is_bound else 200)


@require_POST
@for_members
def import_run(request: Asked, pk: int) -> HttpResponse:
    """Let the worker bring it in."""
    from twin.tasks import bring_in_soon

    batch = _mine(request, pk)
    try:
        ask_import(batch_id=batch.pk, now=request.now, wake=lambda _number: bring_in_soon())
    except AlreadyAsked:
        messages.error(request, _("Choose the zone, the units and the children first."))
    return redirect("twin:import-show", pk)


@require_POST
@for_members
def import_undo(request: Asked, pk: int) -> HttpResponse:
    """Take a whole import back."""
    batch = _mine(request, pk)
    if batch.kind == "book":
        raise Http404
    stay = undo_import(batch_id=batch.pk, now=request.now)
    messages.success(request, _("The import is taken back. What was in the book before is as it was."))
    for subject in stay:
        told = _("%(name)s stays in the book: more is written there than the import brought.")
        messages.info(request, told % {"name": subject.name})
    return redirect("twin:import-show", pk)
