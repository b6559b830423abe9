"""The companion's shell: a page without a word of anybody's, its worker and its manifest. For everybody."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory.companion_sense import sense
from memory.companion_words import words

FOLDER = settings.BASE_DIR / "static" / "companion"
SHELL = settings.BASE_DIR / "templates" / "memory" / "companion_show.html"
WORKER = "worker.js"
TYPES = {".js", ".css", ".svg", ".png"}


@cache
def shell_files() -> tuple[str, ...]:
    """Addresses of all the page is made of."""
    found = (path.relative_to(FOLDER).as_posix() for path in _parts() if path.name != WORKER)
    return tuple(f"{settings.STATIC_URL}companion/{name}" for name in found)


def _parts() -> list[Path]:
    return sorted(path for path in FOLDER.rglob("*") if path.suffix in TYPES)


@cache
def version() -> str:
    """A name of this shell: another as soon as any part of it is another."""
    digest = hashlib.sha256(json.dumps([words(), sense()], sort_keys=True).encode())
    for path in (*_parts(), SHELL):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@require_safe
def companion_show(request: HttpRequest) -> HttpResponse:
    """The shell; whose companion it is, the device itself knows."""
    base = f"{settings.STATIC_URL}companion"
    context = {"words": words(), "sense": sense(), "version": version(), "base": base}
    response = render(request, "memory/companion_show.html", context)
    response.headers["Cache-Control"] = "no-cache"
    return response


@require_safe
def companion_worker(request: HttpRequest) -> HttpResponse:
    """The service worker with the names of what it keeps."""
    head = {"version": version(), "page": reverse("memory:companion-show"), "files": shell_files()}
    text = f"const SHELL = {json.dumps(head)};\n{(FOLDER / WORKER).read_text(encoding='utf-8')}"
    response = HttpResponse(text, content_type="text/javascript; charset=utf-8")
    response.headers["Cache-Control"] = "no-cache"
    return response


@require_safe
def companion_manifest(request: HttpRequest) -> JsonResponse:
    """What a tablet installs."""
    page = reverse("memory:companion-show")
    icons = [
        {"src": static(f"companion/icons/{name}.png"), "sizes": f"{size}x{size}", "type": "image/png", **more}
        for name, size, more in (
            ("icon-192", 192, {}),
            ("icon-512", 512, {}),
            ("icon-maskable-512", 512, {"purpose": "maskable"}),
        )
    ]
    body = {
        "name": _("My companion"),
        "short_name": _("Companion"),
        "id": page,
        "start_url": page,
        "scope": page,
        "display": "standalone",
        "background_color": "#fdf6e3",
        "theme_color": "#2f7d5b",
        "icons": icons,
    }
    return JsonResponse(body, content_type="application/manifest+json")
