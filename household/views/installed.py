"""What makes the pages an app on the home screen: manifest, service worker, the page without a house."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

STYLES = ("tokens", "base", "frame", "forms", "parts", "care", "voice")
# Everything the frame of a page is drawn with; nothing that carries a word of the family.
SHELL = (*(f"css/{name}.css" for name in STYLES), "icons.svg", "icon.svg", "js/app.js", "js/offline.js")
LANGUAGES = ("en", "tr")
SHORTCUTS: tuple[tuple[Callable[[], str], str, str], ...] = (
    (lambda: _("Write it down"), "twin:today-show", "#tell"),
    (lambda: _("Ask"), "memory:ask-show", ""),
    (lambda: _("Book"), "twin:subject-list", ""),
    (lambda: _("Search"), "memory:search-show", ""),
)


def manifest_show(request: HttpRequest) -> HttpResponse:
    """The manifest: name, icons, shortcuts and the share target, in the browser's language."""
    response = JsonResponse(manifest(), json_dumps_params={"ensure_ascii": False})
    response["Content-Type"] = "application/manifest+json"
    response["Cache-Control"] = "no-cache"
    return response


def manifest() -> dict[str, Any]:
    """What the manifest says, in the active language."""
    return {
        "id": "/",
        "name": "Hearthbook",
        "short_name": "Hearthbook",
        "description": _("The book of a household."),
        "lang": translation.get_language(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f6f0e4",
        "theme_color": "#1f3f47",
        "categories": ["lifestyle", "health"],
        "icons": [*_icons(), _icon("icon-maskable-512.png", "512x512", purpose="maskable")],
        "shortcuts": [
            {"name": name(), "url": reverse(url) + place, "icons": _icons()[1:2]}
            for name, url, place in SHORTCUTS
        ],
        "share_target": {
            "action": reverse("memory:share-show"),
            "method": "POST",
            "enctype": "multipart/form-data",
            "params": {
                "title": "title",
                "text": "text",
                "url": "url",
                "files": [{"name": "files", "accept": ["image/*", "application/pdf", "text/plain"]}],
            },
        },
    }


def _icons() -> list[dict[str, str]]:
    return [
        _icon("icon.svg", "any"),
        _icon("icon-192.png", "192x192"),
        _icon("icon-512.png", "512x512"),
    ]


def _icon(name: str, sizes: str, *, purpose: str = "any") -> dict[str, str]:
    kind = "image/svg+xml" if name.endswith(".svg") else "image/png"
    return {"src": static(name), "sizes": sizes, "type": kind, "purpose": purpose}


@cache
def _worker() -> str:
    """The worker's text; its cache's name changes with anything it keeps, which is what updates it."""
    code = (settings.BASE_DIR / "static" / "js" / "worker.js").read_text()
    page = (settings.BASE_DIR / "templates" / "household" / "offline_show.html").read_text()
    shell = [static(name) for name in SHELL]
    told = hashlib.sha256("\n".join((settings.VERSION, code, page, *shell)).encode()).hexdigest()
    head = {"NAME": f"hearthbook-shell-{told[:12]}", "SHELL": shell, "LANGUAGES": LANGUAGES}
    return "".join(f"const {name} = {json.dumps(value)};\n" for name, value in head.items()) + code


def worker_show(request: HttpRequest) -> HttpResponse:
    """The service worker of every page but the companion's; asked for anew each time it is looked for."""
    return HttpResponse(
        _worker(), content_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"}
    )


def offline_show(request: HttpRequest) -> HttpResponse:
    """The page shown when the house cannot be reached, in the language asked for; it knows of nobody."""
    asked = request.GET.get("lang", "")
    with translation.override(asked if asked in LANGUAGES else translation.get_language()):
        response = HttpResponse(render_to_string("household/offline_show.html"))
        response["Content-Language"] = translation.get_language() or "en"
    response["Cache-Control"] = "no-cache"
    return response
