"""The people of one subject: who belongs, what each may see and add, and until when. For its parents."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from household.access import grant_of, require_parent
from household.labels import member_table
from household.models import Membership
from household.people_forms import WindowForm, window_initial
from household.rules.invitations import last_day_of
from household.rules.permissions import PROFESSIONALS, Action, NotDecidable, Resource, Role
from household.services.memberships import (
    LastParent,
    decide,
    end_membership,
    has_ended,
    limit_membership,
    members_of,
    membership_of,
)
from household.views.invitations import home_zone
from household.views.pages import Asked, for_members
from household.views.refusals import unfit


@for_members
def membership_list(request: Asked, pk: int) -> HttpResponse:
    """Everybody who belongs to a subject, and who belonged."""
    require_parent(request.user, pk)
    zone = home_zone()
    rows = members_of(request.user, pk, now=request.now)
    context = {
        "subject": request.sight.subjects[pk].subject,
        "members": [_described(row, zone) for row in rows if not has_ended(row, request.now)],
        "gone": [_described(row, zone) for row in rows if has_ended(row, request.now)],
    }
    return render(request, "household/membership_list.html", context)


def _described(row: Membership, zone: str) -> dict[str, Any]:
    return {
        "row": row,
        "last_day": last_day_of(row.ends_at, zone) if row.ends_at else None,
        "is_logged": row.role in PROFESSIONALS,
    }


@for_members
def membership_show(request: Asked, pk: int) -> HttpResponse:
    """One member: the matrix to tap, the window and the end."""
    row = membership_of(request.user, pk, now=request.now)
    return _show(request, row, _window_form(request, row))


def _window_form(request: Asked, row: Membership, sent: Any = None) -> WindowForm:
    zone = home_zone()
    today = request.now.astimezone(ZoneInfo(zone)).date()
    initial = window_initial(data_from=row.data_from, ends_at=row.ends_at, today=today, zone=zone)
    return WindowForm(sent, today=today, zone=zone, initial=initial)


def _show(request: Asked, row: Membership, form: WindowForm) -> HttpResponse:
    context = {
        **_described(row, home_zone()),
        "subject": row.subject,
        "table": member_table(grant_of(row, request.now)),
        "form": None if row.role == Role.PARENT.value else form,
    }
    return render(request, "household/membership_show.html", context, status=422 if form.is_bound else 200)


@require_POST
@for_members
def membership_decide(request: Asked, pk: int) -> HttpResponse:
    """One tap: yes or no to one cell of the matrix."""
    row = membership_of(request.user, pk, now=request.now)
    resource, action, turn = [*request.POST.get("turn", "").split(":"), "", "", ""][:3]
    try:
        decide(
            person=request.user,
            membership_id=row.pk,
            resource=Resource(resource),
            action=Action(action),
            is_on={"on": True, "off": False}[turn],
            now=request.now,
        )
    except NotDecidable:
        text = {"text": _("That is not for a parent to decide.")}
        return render(request, "household/membership_refused.html", text, status=409)
    except (ValueError, KeyError):
        return unfit(request, _("That switch is not on this page. Open the page again and try once more."))
    return redirect("household:membership-show", pk)


@require_POST
@for_members
def membership_limit(request: Asked, pk: int) -> HttpResponse:
    """From which day a member sees, and their last day."""
    row = membership_of(request.user, pk, now=request.now)
    form = _window_form(request, row, request.POST)
    if row.role == Role.PARENT.value or not form.is_valid():
        return _show(request, row, form)
    limit_membership(person=request.user, membership_id=pk, now=request.now, **form.limits())
    messages.success(request, _("Saved for %(name)s.") % {"name": row.person.name})
    return redirect("household:membership-show", pk)


@for_members
def membership_end(request: Asked, pk: int) -> HttpResponse:
    """Ask once more, then end a membership at once."""
    row = membership_of(request.user, pk, now=request.now)
    if request.method != "POST":
        return render(request, "household/membership_end.html", {"row": row, "subject": row.subject})
    try:
        end_membership(person=request.user, membership_id=pk, now=request.now)
    except LastParent:
        text = {"text": _("This is the last parent. Invite another parent first.")}
        return render(request, "household/membership_refused.html", text, status=409)
    messages.success(request, _("%(name)s sees nothing here any more.") % {"name": row.person.name})
    if row.person_id == request.user.pk:
        return redirect("twin:subject-list")
    return redirect("household:membership-list", row.subject_id)
