"""How the house speaks: its voices, its base voice and speed, and a voice for each character."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from household.rules import registers as rules
from household.rules.settings import VOICE_PREFIX
from household.services.registers import change_settings, read_registers
from voice import clients
from voice.models import VoiceSettings
from voice.rules.choice import SPEED_USUAL, Choice, Voice, choose, is_speed
from voice.rules.refusals import NotSpoken

FIRST_CHARACTER = "cat"


class UnknownVoice(ValueError):
    """A voice was chosen that the house does not have."""


class BadSpeed(ValueError):
    """A speed was chosen that no voice can be set to."""


@dataclass(frozen=True)
class Manner:
    """The household's base voice (empty for the best there is) and its speed in percent."""

    base_voice: str = ""
    speed: int = SPEED_USUAL


def manner() -> Manner:
    """How the house speaks unless told otherwise."""
    row = VoiceSettings.objects.filter(id=1).first()
    return Manner(row.base_voice, row.speed) if row else Manner()


def voices() -> list[Voice]:
    """The voices there are now; none where a Wyoming server should have them and does not answer."""
    try:
        return clients.speaker().voices()
    except NotSpoken:
        return []


def chosen_voice(*, wanted: str = "", character: str = "", language: str) -> Choice:
    """The voice for a text: the one asked for, else the character's, else the base. Raises NoVoice."""
    if character and not wanted:
        wanted = rules.voice_of(read_registers(), character) or ""
    return choose(clients.speaker().voices(), wanted=wanted, base=manner().base_voice, language=language)


def character_voices() -> dict[str, str]:
    """Each character the house knows and its voice, empty for the base voice."""
    held = read_registers()
    shown = {
        str(register.value) for (_, key), register in held.items() if key == "character" and register.value
    }
    spoken = {key.removeprefix(VOICE_PREFIX) for _, key in held if key.startswith(VOICE_PREFIX)}
    names = {FIRST_CHARACTER} | shown | spoken
    return {name: rules.voice_of(held, name) or "" for name in sorted(names)}


@transaction.atomic
def change_manner(*, base_voice: str, speed: int, characters: Mapping[str, str], now: dt.datetime) -> Manner:
    """Choose base voice, speed and the characters' voices. Raises UnknownVoice, BadSpeed, InvalidSetting."""
    if not is_speed(speed):
        raise BadSpeed
    # A voice whose file is away for now may stay chosen, a new one must be there.
    held = {manner().base_voice, *character_voices().values()} | {voice.id for voice in voices()} | {""}
    if {base_voice, *characters.values()} - held:
        raise UnknownVoice
    change_settings({VOICE_PREFIX + name: voice or None for name, voice in characters.items()}, now=now)
    VoiceSettings.objects.update_or_create(id=1, defaults={"base_voice": base_voice, "speed": speed})
    return Manner(base_voice, speed)
