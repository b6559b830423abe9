"""Restoring a household onto a new box, from its welcome page."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from django.conf import settings
from django.core.files.base import File
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from household.box import restoring
from household.box.trouble import Trouble
from household.box.vault import Damaged, WrongPassphrase
from household.forms import RestoreForm
from household.services.backups.reading import MadeByNewer, Source, check
from household.services.people import is_set_up


@sensitive_post_parameters()
def restore_show(request: HttpRequest) -> HttpResponse:
    """The page that takes a backup; gone once the household exists."""
    if is_set_up():
        raise Http404
    form = RestoreForm(request.POST or None, request.FILES or None)
    if form.is_bound and form.is_valid() and _take(form):
        return render(request, "household/restore_wait.html")  # a redirect might find the house away already
    context = {"form": form, "outcome": None if form.is_bound else restoring.outcome(settings.HOME)}
    status = 422 if form.is_bound else 200
    return render(request, "household/restore_show.html", context, status=status)


def restore_wait(request: HttpRequest) -> HttpResponse:
    """What is seen while the restore runs; it leads on by itself."""
    if is_set_up():
        return redirect("account_login")
    if not restoring.is_wanted(settings.HOME):
        return redirect("household:restore-show")
    return render(request, "household/restore_wait.html")


def _take(form: RestoreForm) -> bool:
    """Check the whole file and wish for its restore; False with an error on the form where it will not do."""
    passphrase = form.cleaned_data["passphrase"] or None
    try:
        path = _written(form.cleaned_data["backup"])
    except OSError:
        form.add_error("backup", _("The disk of this box has no room for the file."))
        return False
    try:
        check(Source(path, passphrase))
        restoring.take_upload(settings.HOME, path)
    except Trouble as trouble:
        form.add_error(*_told(trouble))
        return False
    finally:
        path.unlink(missing_ok=True)
    restoring.wish(settings.HOME, passphrase=passphrase)
    return True


def _told(trouble: Trouble) -> tuple[str, str]:
    """The field a trouble belongs to, and what to say of it."""
    if isinstance(trouble, WrongPassphrase):
        return "passphrase", _("This passphrase does not open the backup.")
    if isinstance(trouble, MadeByNewer):
        return "backup", _("A newer Hearthbook made this backup: update this box first.")
    if isinstance(trouble, Damaged):
        return "backup", _("This file is not a whole Hearthbook backup.")
    return "backup", _("This file cannot be read.")


def _written(upload: File[bytes]) -> Path:
    """The upload as a file of its own in the data folder."""
    settings.HOME.mkdir(mode=0o700, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=".restore-", dir=settings.HOME)
    try:
        with os.fdopen(descriptor, "wb") as file:
            shutil.copyfileobj(upload, file)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)
