"""Speech for devices: the same speaking service as the pages, under the household's allowance."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.utils import timezone
from ninja import Router

from household.rules.text import sanitise
from household.wire import Problem, invalid, only, read_json, stamp, text_of
from household.wire_docs import TEXT, described, record
from voice import labels
from voice.rules.refusals import NotSpoken
from voice.services.speaking import begin
from voice.stream import MEDIA_TYPE, Busy, SpeechStream

router = Router()
PROBLEMS: Mapping[type[Exception], tuple[int, str, str]] = {}  # refused speech says its own reason
MOST_TEXT = 20_000
CODES = {"too_long": (413, "too_large"), "server_silent": (503, "rate_limited"), "over_allowance": (429, "")}


@router.post(
    "speech",
    url_name="text-speak",
    summary="Read a text aloud, part by part",
    openapi_extra=described(
        body=record(
            {
                "text": {"type": "string", "minLength": 1, "maxLength": MOST_TEXT},
                "character": {"type": "string", "maxLength": 64},
                "language": {"type": "string", "enum": ["en", "tr"]},
            },
            ["text"],
        ),
        gives=TEXT,
        media=MEDIA_TYPE,
    ),
)
def text_speak(request: HttpRequest) -> HttpResponseBase:
    """The sound of a text in a character's voice; no words stand in any address."""
    sent = read_json(request)
    only(sent, "text", "character", "language")
    language = text_of(sent, "language", most=2, default="en")
    if language not in {"en", "tr"}:
        raise invalid("language", "en or tr is expected")
    text = sanitise(text_of(sent, "text", most=MOST_TEXT))
    character = sanitise(text_of(sent, "character", most=64, default=""))
    try:
        speech = begin(text, character=character, language=language, now=timezone.now())
        response = StreamingHttpResponse(SpeechStream(speech), content_type=MEDIA_TYPE)
    except NotSpoken as refused:
        raise _problem(refused) from None
    except Busy:
        raise Problem(
            503, "rate_limited", "The house is reading to others just now.", retry_after_s=5
        ) from None
    stamp(response)
    return response


def _problem(refused: NotSpoken) -> Problem:
    status, code = CODES.get(refused.code, (422, "invalid"))
    return Problem(status, code or "rate_limited", labels.reason(refused), why=refused.code)
