"""The decorator every page about subjects wears: signed in, one clock reading, one sight."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from household.access import seen_by
from household.models import Person

P = ParamSpec("P")


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
            return view(asked, *args, **kwargs)

    return cast(Callable[Concatenate[HttpRequest, P], HttpResponse], respond)
