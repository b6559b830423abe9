"""Small layers around every request: private responses, the first run, and the reader's own language."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import translation
from django.utils.cache import add_never_cache_headers, patch_vary_headers

from household.services.people import is_set_up

Handler = Callable[[HttpRequest], HttpResponse]
BEFORE_THE_HOUSE = ("/welcome", "/healthz", "/static/", "/api/", "/app.webmanifest", "/worker.js", "/offline")


def private_responses(get_response: Handler) -> Handler:
    """Keep every page out of shared and disk caches unless it says otherwise."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        response.headers.setdefault(
            "Permissions-Policy", "camera=(self), microphone=(self), geolocation=(), payment=()"
        )
        return response

    return respond


def first_run(get_response: Handler) -> Handler:
    """Lead every visit to the first-run page until the household exists; then ask no more."""
    stands = False

    def respond(request: HttpRequest) -> HttpResponse:
        nonlocal stands
        if stands or request.path.startswith(BEFORE_THE_HOUSE):
            return get_response(request)
        stands = is_set_up()
        return get_response(request) if stands else redirect("household:firstrun-show")

    return respond


def chosen_language(get_response: Handler) -> Handler:
    """Speak the signed-in person's language; a guest gets the browser's."""

    def respond(request: HttpRequest) -> HttpResponse:
        person = request.user
        code = person.language if person.is_authenticated else translation.get_language_from_request(request)
        with translation.override(code):
            request.LANGUAGE_CODE = translation.get_language() or "en"
            response = get_response(request)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        response.headers.setdefault("Content-Language", code)
        return response

    return respond
