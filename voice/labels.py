"""What people read: why a text is shown and not spoken, what is wrong with a voice, how fast it speaks."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from household.models import Household
from voice.rules.refusals import NotSpoken, NoVoice, OverAllowance, VoiceBroken

SPEEDS = [
    (70, _lazy("Much slower")),
    (85, _lazy("A little slower")),
    (100, _lazy("As usual")),
    (115, _lazy("A little faster")),
    (130, _lazy("Much faster")),
]
REASONS = {
    "nothing_to_say": _lazy("There is nothing here to read aloud."),
    "unknown_script": _lazy("The voice cannot read these letters."),
    "too_long": _lazy("This is too long to read aloud. Read it here."),
    "server_silent": _lazy("The voice server does not answer. Try again in a moment."),
    "not_spoken": _lazy("This could not be read aloud."),
}
PROBLEMS = {
    "no_config": _lazy("Its settings file is missing: put the .onnx.json file beside it."),
    "bad_config": _lazy("Its settings file cannot be read. Copy the .onnx.json file again."),
    "bad_model": _lazy("The file is damaged or is no Piper voice. Copy the .onnx file again."),
    "needs_download": _lazy("This voice would have to download more before it speaks, so it is left out."),
}
LANGUAGE_NAMES = {"en": _lazy("English"), "tr": _lazy("Turkish")}


def language_name(code: str) -> str:
    """A language as people call it; one the house does not know by its code."""
    return str(LANGUAGE_NAMES.get(code[:2].lower(), code))


def problem(code: str) -> str:
    """What is wrong with a voice file, and what to do; empty where nothing is."""
    return str(PROBLEMS.get(code, ""))


def clock(at_ms: int) -> str:
    """A moment as a time of day in the household's zone."""
    zone = Household.objects.values_list("time_zone", flat=True).first() or "UTC"
    at = dt.datetime.fromtimestamp(at_ms / 1000, tz=ZoneInfo(zone))
    return formats.time_format(at, "TIME_FORMAT")


def reason(refused: NotSpoken) -> str:
    """Why a text is shown and not spoken, and what would help."""
    match refused:
        case OverAllowance(free_at_ms=at_ms):
            return _(
                "Today’s reading aloud is used up. It begins again at %(time)s; until then, read it here."
            ) % {"time": clock(at_ms)}
        case NoVoice(language=language):
            return _("There is no voice for this language yet: %(language)s.") % {
                "language": language_name(language)
            }
        case VoiceBroken(voice=voice):
            return _("The voice %(voice)s could not be used. A parent can choose another one.") % {
                "voice": voice
            }
    return str(REASONS.get(refused.code, REASONS["not_spoken"]))


def fell_back(missing: str) -> str:
    """That another voice speaks than the one that was chosen."""
    return _("The voice %(voice)s is not there. The household’s own voice reads instead.") % {
        "voice": missing
    }
