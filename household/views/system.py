"""Pages of the box itself: health, refusals."""

from __future__ import annotations

import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _

from household.services.health import health_of
from household.views.refusals import unfit


def health(request: HttpRequest) -> HttpResponse:
    """Say whether the box is up: 200 when database, schema and worker are well, else 503."""
    report = health_of(now=timezone.now())
    return JsonResponse(report.public(), status=200 if report.is_well else 503)


def refused_csrf(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The 403 page for a form from another origin; it says which setting to set."""
    origin = request.headers.get("Origin", "")
    return render(request, "household/refused_origin.html", {"origin": origin}, status=403)


def styleguide(request: HttpRequest) -> HttpResponse:
    """Every part of the design system on one page, for developers: routed in debug only."""
    drawn = (settings.BASE_DIR / "static" / "icons.svg").read_text()
    icons = re.findall(r'<symbol id="([^"]+)"', drawn)
    reaches = ["1 memory", "12 lines", "2 pictures"]
    return render(request, "household/styleguide.html", {"icons": icons, "reaches": reaches})


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """The 404 page: absent and denied look the same."""
    return render(request, "404.html", status=404)


def unreadable(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """The 400 page: a request too large or broken on its way; the words are still with the sender."""
    return unfit(request, _("It was too large or broke on its way. Send less at once."), status=400)


def failed(request: HttpRequest) -> HttpResponse:
    """The 500 page, which asks neither the database nor the session for anything."""
    return HttpResponse(render_to_string("500.html"), status=500)
