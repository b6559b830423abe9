"""Speech comes from here: our own Piper, or the Wyoming server that WYOMING_TTS_URI names."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings

from household import env
from voice.clients.piper import Piper
from voice.clients.sound import Clip, Group, Speaker
from voice.clients.wyoming import WyomingSpeaker

IDLE_SECONDS = 300
__all__ = ["Clip", "Group", "Speaker", "server_uri", "speaker", "voices_folder"]


def voices_folder() -> Path:
    """The folder whose voices are picked up: `voices` in the data folder, or VOICES_FOLDER."""
    return Path(env.text("VOICES_FOLDER", str(Path(settings.HOME) / "voices"))).expanduser()


def server_uri() -> str:
    """The Wyoming server that speaks for the house, empty where it speaks by itself."""
    return env.text("WYOMING_TTS_URI")


@cache
def speaker() -> Speaker:
    """The one speaker of this process; nothing is loaded before its first word."""
    if uri := server_uri():
        return WyomingSpeaker(uri)
    return Piper(
        voices_folder(),
        idle_s=env.number("VOICE_IDLE_SECONDS", IDLE_SECONDS, low=1, high=86_400),
        threads=env.number("VOICE_THREADS", 0, low=0, high=64),
    )
