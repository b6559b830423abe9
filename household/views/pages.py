"""The decorator every page about subjects wears: signed in, one clock reading, one sight."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast
from zoneinfo import ZoneInfo

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from household.access import Sight, seen_by
from household.models import Person
from household.rules.permissions import PROFESSIONALS

P = ParamSpec("P")
STEPS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]  # codes on paper alone are none
# Pages about oneself, which a professional without a second step may open.
BEFORE_SECOND_STEP = frozenset(
    {
        "household:account-show",
        "household:secondstep-show",
        "household:help-show",
        "household:keys-show",
    }
)


class Asked(HttpRequest):
    """A request of a signed-in person, with the moment it came."""

    user: Person
    now: Any
    sight: Any
    htmx: Any


def for_members(
    view: Callable[Concatenate[Asked, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Run a view inside `access.seen_by` of the signed-in person; guests go to the sign-in page."""

    @login_required
    @wraps(view)
    def respond(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        asked = cast(Asked, request)
        asked.now = timezone.now()
        with seen_by(asked.user, now=asked.now) as sight:
            asked.sight = sight
            if lacks_second_step(asked.user, sight) and not _is_before_it(asked):
                return _to_second_step(asked)
            with timezone.override(ZoneInfo(sight.zone)):
                return view(asked, *args, **kwargs)

    return cast(Callable[Concatenate[HttpRequest, P], HttpResponse], respond)


def lacks_second_step(person: Person, sight: Sight) -> bool:
    """Whether a professional has yet to set up an authenticator or a passkey; nobody else must."""
    return any(one.is_logged for one in sight.subjects.values()) and not is_mfa_enabled(person, STEPS)


def lives_by_caseload(sight: Sight) -> bool:
    """Whether the caseload is this person's home: they are there by their work alone, or for nobody yet."""
    roles = {role for one in sight.subjects.values() for role in one.roles}
    return roles <= PROFESSIONALS and not sight.is_parent()


def _is_before_it(request: Asked) -> bool:
    match = request.resolver_match
    return match is not None and match.view_name in BEFORE_SECOND_STEP


def _to_second_step(request: Asked) -> HttpResponse:
    if not request.htmx:
        return redirect("household:secondstep-show")
    return HttpResponse(headers={"HX-Redirect": reverse("household:secondstep-show")})
