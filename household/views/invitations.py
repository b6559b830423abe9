"""Inviting somebody by a link, and the page such a link opens."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import segno
from allauth.account.internal.flows.login import record_authentication
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from household.access import require_parent
from household.labels import ROLE_LABELS
from household.models import Household, Invitation, Person
from household.people_forms import NAME_TAKEN, InvitationForm, JoinForm
from household.rules.invitations import NotForParents, NotForSubject, last_day_of
from household.rules.permissions import PROFESSIONALS, Role
from household.services.invitations import (
    AlreadyParent,
    MadeInvitation,
    NameTaken,
    Offer,
    SpentInvitation,
    UnknownInvitation,
    accept,
    accept_as_new,
    invite,
    open_invitations,
    read_offer,
    revoke_invitation,
)
from household.views.pages import Asked, for_members

BACKEND = "household.auth.NameBackend"


def home_zone() -> str:
    """The household's own time zone, by which memberships end."""
    return Household.objects.values_list("time_zone", flat=True).first() or "UTC"


@for_members
def invitation_list(request: Asked) -> HttpResponse:
    """The links that wait to be opened, and making another. For parents."""
    require_parent(request.user)
    names = _parents_of(request)
    zone = home_zone()
    form = InvitationForm(
        request.POST or None,
        subjects=list(names.items()),
        today=request.now.astimezone(ZoneInfo(zone)).date(),
        zone=zone,
        initial={"subjects": [pk for pk in names if str(pk) == request.GET.get("of")]},
    )
    if form.is_bound and form.is_valid():
        try:
            return _made(request, _invite(request, form), zone)
        except NotForSubject:
            form.add_error("subjects", _("A vet cares for animals only."))
        except NotForParents:
            form.add_error("window", _("A parent sees everything, without an end."))
        except SpentInvitation:
            form.add_error(None, _("This link was used or taken back meanwhile. Make a new one."))
    rows = open_invitations(request.user, list(names), now=request.now)
    context = {"form": form, "rows": [described(row, names, zone) for row in rows], "can_invite": names}
    return render(request, "household/invitation_list.html", context, status=422 if form.is_bound else 200)


def _parents_of(request: Asked) -> dict[int, str]:
    return {pk: one.name for pk, one in request.sight.subjects.items() if Role.PARENT in one.roles}


def _invite(request: Asked, form: InvitationForm) -> MadeInvitation:
    given = form.cleaned_data
    return invite(
        person=request.user,
        role=Role(given["role"]),
        subject_ids=given["subjects"],
        client_id=str(given["client_id"]),
        now=request.now,
        **form.limits(),
    )


def _made(request: Asked, made: MadeInvitation, zone: str) -> HttpResponse:
    url = request.build_absolute_uri(reverse("household:invitation-open", args=[made.token]))
    context = {"one": described(made.row, _parents_of(request), zone), "url": url, "qr": qr_of(url)}
    return render(request, "household/invitation_made.html", context)


def qr_of(url: str) -> SafeString:
    """An address as an inline SVG of a QR code."""
    code = segno.make(url, micro=False, error="m")
    return mark_safe(code.svg_inline(border=2, svgclass="qr", lineclass=None, omitsize=True))  # noqa: S308


def described(row: Invitation, names: dict[int, str], zone: str) -> dict[str, Any]:
    """An invitation in words; subjects that are not the reader's have no name."""
    return {
        "row": row,
        "role": ROLE_LABELS[row.role],
        "names": [names[pk] for pk in row.subject_ids if pk in names],
        "last_day": last_day_of(row.ends_at, zone) if row.ends_at else None,
    }


@require_POST
@for_members
def invitation_revoke(request: Asked, pk: int) -> HttpResponse:
    """Take a link back: from now on it opens nothing."""
    revoke_invitation(person=request.user, invitation_id=pk, now=request.now)
    messages.success(request, _("The link opens nothing any more."))
    return redirect("household:invitation-list")


@sensitive_post_parameters()
def invitation_open(request: HttpRequest, token: str) -> HttpResponse:
    """What a link offers, and accepting it: as oneself when signed in, or with a new account."""
    now = timezone.now()
    person = request.user if isinstance(request.user, Person) else None
    try:
        if request.method == "POST" and person is not None:
            return _join_as(request, token, person)
        offer = read_offer(token, now=now)
        form = None if person else JoinForm(request.POST or None, initial={"language": request.LANGUAGE_CODE})
        if form is not None and form.is_bound and form.is_valid():
            return _join_as_new(request, token, form)
    except UnknownInvitation:
        raise Http404 from None
    except SpentInvitation:
        return render(request, "household/invitation_spent.html", status=410)
    except AlreadyParent:
        return _page(request, offer=read_offer(token, now=now), form=None, is_parent=True)
    except NameTaken:
        assert form is not None
        form.add_error("parent_name", NAME_TAKEN)
    return _page(request, offer=offer, form=form)


def _page(
    request: HttpRequest, *, offer: Offer, form: JoinForm | None, is_parent: bool = False
) -> HttpResponse:
    zone = home_zone()
    context = {
        "one": described(offer.row, dict(zip(offer.row.subject_ids, offer.names, strict=True)), zone),
        "inviter": offer.inviter,
        "house": Household.objects.get(),
        "form": form,
        "is_parent": is_parent,
        "is_professional": offer.row.role in PROFESSIONALS,
        "sign_in_url": f"{reverse('account_login')}?next={request.path}",
    }
    is_refused = is_parent or (form is not None and form.is_bound)
    return render(request, "household/invitation_open.html", context, status=422 if is_refused else 200)


def _join_as(request: HttpRequest, token: str, person: Person) -> HttpResponse:
    accept(token=token, person=person, now=timezone.now())
    messages.success(request, _("Welcome. The pages you were invited to are open to you."))
    return redirect("/")


def _join_as_new(request: HttpRequest, token: str, form: JoinForm) -> HttpResponse:
    person = accept_as_new(token=token, now=timezone.now(), **form.account())
    enter(request, person)
    with translation.override(person.language):
        messages.success(request, _("Welcome, %(name)s.") % {"name": person.name})
    return redirect("/")


def enter(request: HttpRequest, person: Person) -> None:
    """Sign somebody in who has just chosen their passphrase, in a session of their own."""
    login(request, person, backend=BACKEND)
    record_authentication(request, person, method="password", username=person.name)
    UserSession.objects.create_from_request(request)
