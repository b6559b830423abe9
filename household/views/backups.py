"""How the box is doing, and its backups. For parents."""

from __future__ import annotations

from typing import cast

import segno
from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from household.access import require_parent
from household.models import Backup
from household.rules.backups import made_at_of
from household.services.backups.keys import make_passphrase
from household.services.backups.making import delete_backup, folder
from household.services.backups.nightly import KIND
from household.services.jobs import ask_job
from household.services.system import system_of
from household.views.pages import Asked, for_members


@for_members
def system_show(request: Asked) -> HttpResponse:
    """The health of the box, its storage, rounds, queue and backups."""
    require_parent(request.user)
    context = {"system": system_of(request.user, now=request.now), "folder": str(folder())}
    return render(request, "household/system_show.html", context)


@require_POST
@for_members
def backup_make(request: Asked) -> HttpResponse:
    """Ask the worker for a backup now; asked twice it is one."""
    from household.tasks import wake_jobs

    require_parent(request.user)
    ask_job(kind=KIND, target="kept", now=request.now, wake=lambda _number: wake_jobs())
    messages.success(request, _("The backup is being made. It stands below when it is done and proved."))
    return redirect("household:system-show")


@require_POST
@for_members
def backup_seal(request: Asked) -> HttpResponse:
    """Seal the backups from here on, and show the recovery sheet this once."""
    require_parent(request.user)
    passphrase = make_passphrase()
    context = {"passphrase": passphrase, "drawing": _drawn(passphrase), "made_at": request.now}
    return render(request, "household/recovery_sheet.html", context)


def _drawn(passphrase: str) -> SafeString:
    """The passphrase as a drawing a camera reads."""
    code = segno.make(passphrase, error="m")
    return mark_safe(code.svg_inline(border=2, svgclass="qr", lineclass=None, omitsize=True))  # noqa: S308


@require_POST
@for_members
def backup_delete(request: Asked, name: str) -> HttpResponse:
    """Delete one kept backup."""
    require_parent(request.user)
    if not Backup.objects.filter(name=name).exists():
        raise Http404
    delete_backup(name)
    messages.success(request, _("The backup is deleted."))
    return redirect("household:system-show")


@for_members
def backup_download(request: Asked, name: str) -> HttpResponse:
    """One kept backup as a file, to be carried out of the house."""
    require_parent(request.user)
    path = folder() / name
    if made_at_of(name) is None or not path.exists():
        raise Http404
    kind = "application/octet-stream"
    response = FileResponse(path.open("rb"), as_attachment=True, filename=name, content_type=kind)
    response.headers["Cache-Control"] = "no-store"
    return cast(HttpResponse, response)
