"""A person's private calendar, asked for by a calendar program that knows only its address."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone, translation

from household.access import seen_by
from household.services.notices.channels import feed_of
from twin.services.feeds import feed, waiting


def feed_show(request: HttpRequest, token: str) -> HttpResponse:
    """The feed behind an address; a wrong one and an ended one look the same."""
    channel = feed_of(token)
    if channel is None:
        raise Http404
    now = timezone.now()
    with seen_by(channel.person, now=now), translation.override(channel.person.language):
        body = feed(channel, now=now)
    response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    response.headers["Cache-Control"] = "private, no-store"
    return response


def feed_sensor(request: HttpRequest, token: str) -> HttpResponse:
    """How much waits, in numbers, behind the same address."""
    channel = feed_of(token)
    if channel is None:
        raise Http404
    now = timezone.now()
    with seen_by(channel.person, now=now):
        said = waiting(channel, now=now)
    return JsonResponse(said, headers={"Cache-Control": "private, no-store"})
