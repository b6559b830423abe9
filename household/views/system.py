"""Pages of the box itself: health, refusals."""

from __future__ import annotations

from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone

from household.services.health import health_of


def health(request: HttpRequest) -> HttpResponse:
    """Say whether the box is up: 200 when database, schema and worker are well, else 503."""
    report = health_of(now=timezone.now())
    return JsonResponse(report.public(), status=200 if report.is_well else 503)


def refused_csrf(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The 403 page for a form from another origin; it says which setting to set."""
    return render(request, "403.html", {"is_csrf": True, "origin": request.headers.get("Origin", "")}, status=403)
