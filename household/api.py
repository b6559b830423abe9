"""The root of the API: every app's endpoints, who may ask, and every refusal as problem JSON, once."""

from __future__ import annotations

import logging
from typing import Any, cast

from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.module_loading import import_string
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from household.access import DeviceEnded
from household.device_api import router as device_router
from household.services import devices
from household.services.exchange import WrongPin
from household.wire import Asked, DeviceToken, Problem, problem_answer

log = logging.getLogger("hearthbook.api")
# The apps with endpoints of their own; each says in `PROBLEMS` how its refusals read.
APPS = ("memory", "voice")
api = NinjaAPI(
    title="Hearthbook",
    version="1",
    description="How tablets, phones and second boxes keep the book with the house. Refusals are problem"
    " JSON (RFC 9457) with a stable `code`.",
    urls_namespace="api",
    docs_url=None,
    auth=DeviceToken(),
)
api.add_router("", device_router, tags=["household"])
for _app in APPS:
    api.add_router("", f"{_app}.api.router", tags=[_app])

# Refusals that always read the same: status, code, sentence.
PROBLEMS: dict[type[Exception], tuple[int, str, str]] = {
    devices.Unauthorized: (401, "unauthorized", "No device has this token."),
    AuthenticationError: (401, "unauthorized", "A device's token is expected as Bearer."),
    devices.WrongCode: (422, "invalid", "No open code has these digits."),
    devices.TooManyTries: (429, "rate_limited", "Too many codes were tried: wait a minute."),
    WrongPin: (403, "forbidden", "The PIN is not the household's, or too many wrong ones were sent."),
    Http404: (404, "not_found", "There is nothing here."),
    OperationalError: (503, "rate_limited", "The house is busy: send it again."),
}


def _known(status: int, code: str, detail: str) -> Any:
    def respond(request: HttpRequest, error: Any) -> HttpResponse:
        return problem_answer(request, Problem(status, code, detail))

    return respond


for _table in (PROBLEMS, *(import_string(f"{app}.api.PROBLEMS") for app in APPS)):
    for _kind, _said in _table.items():
        api.add_exception_handler(_kind, _known(*_said))


@api.exception_handler(Problem)
def refused(request: HttpRequest, error: Problem) -> HttpResponse:
    """What an endpoint refused by itself."""
    return problem_answer(request, error)


@api.exception_handler(devices.Revoked)
def revoked(request: HttpRequest, error: devices.Revoked) -> HttpResponse:
    """A device that must stop, and keep nothing it may not keep."""
    return problem_answer(request, Problem(401, "revoked", "This device was revoked.", reason=error.why))


@api.exception_handler(DeviceEnded)
def ended(request: HttpRequest, error: DeviceEnded) -> HttpResponse:
    """Whoever paired it is no parent of its child any more: the device ends here and now."""
    device = cast(Asked, request).auth
    devices.end(device, why="membership", now=timezone.now())
    return problem_answer(request, Problem(401, "revoked", "This device was revoked.", reason="membership"))


@api.exception_handler(ValidationError)
def malformed(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """A parameter in the address that is none."""
    first: dict[str, Any] = error.errors[0] if error.errors else {}
    path = ".".join(str(part) for part in first.get("loc", ())[1:])
    return problem_answer(request, Problem(422, "invalid", "another value is expected", path=path))


@api.exception_handler(HttpError)
def http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    """What ninja itself refuses."""
    return problem_answer(request, Problem(error.status_code, "invalid", "the request cannot be read"))


@api.exception_handler(Exception)
def failed(request: HttpRequest, error: Exception) -> HttpResponse:
    """A fault of ours: its kind is logged, none of its words."""
    log.error("the API failed: %s", type(error).__name__)
    return problem_answer(request, Problem(500, "failed", "Something went wrong in the house."))


def nowhere(request: HttpRequest, rest: str = "") -> HttpResponse:
    """An address below the API that is none."""
    return problem_answer(request, Problem(404, "not_found", "There is nothing here."))
