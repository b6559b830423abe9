"""A forgotten passphrase: a parent makes a one-time code, and its bearer chooses a new one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from household.access import Denied, require_parent
from household.models import Person
from household.people_forms import RecoveryForm
from household.services.recovery import WrongCode, issue_by_parent, may_recover, renew_passphrase
from household.views.pages import Asked, for_members


@sensitive_variables("code")
@for_members
def recovery_issue(request: Asked, pk: int) -> HttpResponse:
    """Ask once more, then show the code: once. For parents who share a subject with the person."""
    require_parent(request.user)
    person = Person.objects.filter(pk=pk, is_active=True).first()
    if person is None or not may_recover(request.user, person, now=request.now):
        raise Denied
    code = ""
    if request.method == "POST":
        code = issue_by_parent(parent=request.user, person_id=pk, now=request.now)
    return render(request, "household/recovery_issue.html", {"person": person, "code": code})


@sensitive_post_parameters()
def recovery_use(request: HttpRequest) -> HttpResponse:
    """Choose a new passphrase with a code; it says nothing of who lives here."""
    form = RecoveryForm(request.POST or None)
    if form.is_bound and form.is_valid():
        given = form.cleaned_data
        try:
            renew_passphrase(
                name=given["parent_name"],
                code=given["code"],
                passphrase=given["passphrase"],
                now=timezone.now(),
            )
        except WrongCode:
            form.add_error(None, _("Name and code do not fit, or the code is too old. Ask for a new one."))
        else:
            messages.success(request, _("The passphrase is new. Sign in with it."))
            return redirect("account_login")
    status = 422 if form.is_bound else 200
    return render(request, "household/recovery_use.html", {"form": form}, status=status)
