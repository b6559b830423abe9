"""One person's own account: how the book speaks and looks to them, and how they sign in."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _

from household.forms import PreferencesForm
from household.services.people import change_preferences
from household.views.pages import Asked, for_members, lacks_second_step

YEAR_S = 365 * 24 * 3600


@for_members
def account_show(request: Asked) -> HttpResponse:
    """Language, appearance, and the ways to what allauth keeps: passphrase, second step, sessions."""
    person = request.user
    form = PreferencesForm(request.POST or None, initial={"language": person.language, "theme": person.theme})
    if form.is_bound and form.is_valid():
        change_preferences(person=person, **form.cleaned_data)
        with translation.override(person.language):
            messages.success(request, _("Saved."))
        response = redirect("household:account-show")
        # The browser's own switch keeps its choice in this cookie, which would win over the account.
        response.set_cookie("theme", person.theme, max_age=YEAR_S, samesite="Lax")
        return response
    status = 422 if form.is_bound else 200
    return render(request, "household/account_show.html", {"form": form}, status=status)


@for_members
def secondstep_show(request: Asked) -> HttpResponse:
    """Why a professional sets up a second step first, and the ways to do it."""
    if not lacks_second_step(request.user, request.sight):
        return redirect("twin:today-show")
    return render(request, "household/secondstep_show.html")
