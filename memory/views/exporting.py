"""Carrying everything out as one file, and bringing such a file in. For parents."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from household.access import require_parent
from household.models import Export
from household.rules.permissions import Role
from household.views.pages import Asked, for_members
from memory.services.exporting.making import ask_export
from memory.services.exporting.receiving import ask_restore

SHOWN = 10


@for_members
def export_list(request: Asked) -> HttpResponse:
    """Ask for an export of one or of all, and fetch those that are made."""
    require_parent(request.user)
    mine = {pk: one.name for pk, one in request.sight.subjects.items() if Role.PARENT in one.roles}
    problem = ""
    if request.method == "POST":
        chosen = {int(one) for one in request.POST.getlist("subjects") if one.isascii() and one.isdigit()}
        if chosen and chosen <= mine.keys():
            return _ask(request, chosen)
        problem = _("Choose at least one.")
    exports = list(Export.objects.filter(author=request.user).order_by("-created_at")[:SHOWN])
    rows = [{"row": one, "names": [mine[pk] for pk in one.subjects if pk in mine]} for one in exports]
    context = {
        "subjects": sorted(mine.items(), key=lambda one: one[1]),
        "exports": rows,
        "is_waiting": any(one.state == "waiting" for one in exports),
        "problem": problem,
    }
    template = "memory/export_list.html#made" if request.htmx else "memory/export_list.html"
    return render(request, template, context, status=422 if problem else 200)


def _ask(request: Asked, chosen: set[int]) -> HttpResponse:
    from memory.tasks import carry_out_soon

    ask_export(person=request.user, subjects=chosen, now=request.now, wake=lambda _number: carry_out_soon())
    messages.success(request, _("The file is being made. It stands below when it is done."))
    return redirect("memory:export-list")


@for_members
def export_download(request: Asked, pk: int) -> HttpResponse:
    """The file of an export, for whoever asked for it and is still a parent of everybody in it."""
    require_parent(request.user)
    row = Export.objects.filter(pk=pk, author=request.user, state="done").first()
    if row is None or not default_storage.exists(row.stored):
        raise Http404
    for subject in row.subjects:
        require_parent(request.user, subject)
    name = f"hearthbook-{row.created_at:%Y-%m-%d}.zip"
    file = default_storage.open(row.stored, "rb")
    response = FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")
    response.headers["Cache-Control"] = "no-store"
    return cast(HttpResponse, response)


@require_POST
@for_members
def export_bring_in(request: Asked) -> HttpResponse:
    """Hand in an export of a Hearthbook."""
    from memory.tasks import carry_out_soon

    require_parent(request.user)
    file = request.FILES.get("file")
    if file is None or file.read(4) != b"PK\x03\x04":
        messages.error(request, _("This is no export of a Hearthbook."))
        return redirect("twin:import-list")
    file.seek(0)
    batch = ask_restore(
        person=request.user, file=file, now=request.now, wake=lambda _number: carry_out_soon()
    )
    return redirect("twin:import-show", batch.pk)
