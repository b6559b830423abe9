"""The very first visit: make the household and its first parent with the code from the console."""

from __future__ import annotations

from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from household.box.firstrun import spend
from household.forms import FirstRunForm
from household.services.people import AlreadySetUp, is_set_up, set_up_household

BACKEND = "household.auth.NameBackend"


@sensitive_post_parameters()
def firstrun_show(request: HttpRequest) -> HttpResponse:
    """The first-run page; gone once the household exists."""
    if is_set_up():
        raise Http404
    form = FirstRunForm(request.POST or None, initial={"language": request.LANGUAGE_CODE, "time_zone": "UTC"})
    if form.is_bound and form.is_valid():
        return _move_in(request, form)
    status = 422 if form.is_bound else 200
    return render(request, "household/firstrun_show.html", {"form": form}, status=status)


def _move_in(request: HttpRequest, form: FirstRunForm) -> HttpResponse:
    try:
        parent = set_up_household(**form.household(), now=timezone.now())
    except AlreadySetUp:  # the same form posted twice at once
        return redirect("account_login")
    spend()
    login(request, parent, backend=BACKEND)
    UserSession.objects.create_from_request(request)
    messages.success(request, _("The house is yours. Who is the first page of its book about?"))
    return redirect("twin:subject-add")
