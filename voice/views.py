"""Reading aloud, and the page on which parents choose how the house sounds."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from household.access import require_parent
from household.views.pages import Asked, for_members
from voice import labels, lines
from voice.clients import server_uri, voices_folder
from voice.clients.sound import FORMATS
from voice.forms import MannerForm, SpeakForm
from voice.rules.choice import KNOWN, Voice, usable
from voice.rules.refusals import NotSpoken
from voice.services.allowance import left
from voice.services.choices import change_manner, character_voices, manner, voices
from voice.services.speaking import begin, speak
from voice.stream import MEDIA_TYPE, Busy, SpeechStream

STATUS = {"nothing_to_say": 422, "unknown_script": 422, "too_long": 413, "server_silent": 503}


@login_required
@require_POST
def text_speak(request: HttpRequest) -> HttpResponseBase:
    """Read a text aloud: as a stream of parts, or as one file where a form of it is asked for.

    The words come in the body only. No transaction is open while they are spoken.
    """
    form = SpeakForm(request.POST)
    if not form.is_valid():
        return _refused("invalid", _("This could not be read aloud."), 422)
    try:
        return _spoken(request.POST.get("text", ""), form.cleaned_data)
    except NotSpoken as refused:
        return _refused(refused.code, labels.reason(refused), STATUS.get(refused.code, 409))
    except Busy:
        busy = _refused("busy", _("The house is reading to others just now. Try again in a moment."), 503)
        busy["Retry-After"] = "5"
        return busy


def _spoken(text: str, asked: dict[str, Any]) -> HttpResponseBase:
    how = {
        "voice": asked["voice"],
        "character": asked["character"],
        "fixed": asked["fixed"],
        "speed": asked["speed"],
        "language": asked["language"] or get_language() or "en",
        "now": timezone.now(),
    }
    if asked["sample"]:
        found = next((voice for voice in voices() if voice.id == asked["voice"]), None)
        how |= {"language": found.language if found else "en", "fixed": True}
        text = lines.sample(how["language"])
    if asked["form"]:
        said = speak(text, form=asked["form"], **how)
        return HttpResponse(said.audio, content_type=FORMATS[asked["form"]][2])
    stream = SpeechStream(begin(text, **how))
    return StreamingHttpResponse(stream, content_type=MEDIA_TYPE)


def _refused(code: str, detail: str, status: int) -> HttpResponse:
    return JsonResponse({"code": code, "detail": detail}, status=status)


@for_members
def settings_show(request: Asked) -> HttpResponse:
    """The voices there are, what is missing, and how the house should sound. For parents."""
    require_parent(request.user)
    held, known, now_used = manner(), voices(), character_voices()
    initial = {"base_voice": held.base_voice, "speed": held.speed}
    initial |= {f"character:{name}": voice for name, voice in now_used.items()}
    sent = request.POST if request.method == "POST" else None
    form = MannerForm(sent, voices=known, characters=now_used, base=held.base_voice, initial=initial)
    if sent is not None and form.is_valid():
        change_manner(
            base_voice=form.chosen_voice(),
            speed=form.cleaned_data["speed"],
            characters=form.characters(),
            now=request.now,
        )
        messages.success(request, _("Saved."))
        return redirect("voice:settings-show")
    context = {"form": form, "voices": _rows(known), "lacking": _lacking(known), **_allowance(request)}
    context |= {
        "folder": voices_folder(),
        "server": server_uri(),
        "gone": sorted(_gone(known, held.base_voice, now_used)),
    }
    return render(request, "voice/settings_show.html", context, status=200 if sent is None else 422)


def _rows(known: list[Voice]) -> list[dict[str, Any]]:
    return [
        {
            "voice": voice,
            "language": labels.language_name(voice.language),
            "problem": labels.problem(voice.problem),
        }
        for voice in known
    ]


def _lacking(known: list[Voice]) -> list[dict[str, Any]]:
    """The house's languages that no voice speaks, and the files that would."""
    return [
        {"language": labels.language_name(code), "files": files}
        for code, files in KNOWN.items()
        if not usable(known, code)
    ]


def _gone(known: list[Voice], base: str, characters: dict[str, str]) -> set[str]:
    able = {voice.id for voice in known if not voice.problem}
    return {voice for voice in (base, *characters.values()) if voice and voice not in able}


def _allowance(request: Asked) -> dict[str, Any]:
    characters, free_at_ms = left(now=request.now)
    return {"characters_left": characters, "free_at": labels.clock(free_at_ms)}
