"""What a speaker gives: a piece of sound, when its words are heard, and files of it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from voice.rules.choice import Voice

SAMPLE_BYTES = 2
# Format: (container, encoding, media type); WAV joins without gaps, the others are small.
FORMATS = {
    "wav": ("WAV", "PCM_16", "audio/wav"),
    "opus": ("OGG", "OPUS", "audio/ogg"),
    "mp3": ("MP3", "MPEG_LAYER_III", "audio/mpeg"),
}
OPUS_RATES = (8000, 12_000, 16_000, 24_000, 48_000)


@dataclass(frozen=True)
class Group:
    """One word as the voice says it: how many phonemes it has, and when it is heard."""

    phonemes: int
    start_ms: float
    end_ms: float


@dataclass(frozen=True)
class Clip:
    """Mono sound as 16-bit little-endian samples; `groups` is empty where the voice tells no times."""

    pcm: bytes
    rate: int
    groups: tuple[Group, ...] = ()

    @property
    def duration_ms(self) -> float:
        """How long it sounds."""
        return len(self.pcm) / SAMPLE_BYTES / self.rate * 1000


class Speaker(Protocol):
    """Anything that speaks."""

    def voices(self) -> list[Voice]:
        """The voices there are now, by id."""
        ...

    def say(self, voice: str, words: str, *, speed: int = 100) -> Clip:
        """The words as sound, speed in percent. Raises VoiceGone, VoiceBroken, ServerSilent."""
        ...


def joined(clips: Sequence[Clip]) -> Clip:
    """Clips of one voice as one sound, their times moved along."""
    groups: list[Group] = []
    at = 0.0
    for clip in clips:
        groups += [Group(g.phonemes, g.start_ms + at, g.end_ms + at) for g in clip.groups]
        at += clip.duration_ms
    return Clip(b"".join(clip.pcm for clip in clips), clips[0].rate if clips else 22_050, tuple(groups))


def encoded(clip: Clip, form: str) -> bytes:
    """The sound as a whole file in one of FORMATS."""
    import numpy as np
    import soundfile

    container, encoding, _media = FORMATS[form]
    samples, rate = np.frombuffer(clip.pcm, dtype="<i2"), clip.rate
    if form == "opus" and rate not in OPUS_RATES:
        # Linear steps are enough between rates so near.
        wanted = 24_000 if rate > 16_000 else 16_000
        places = np.arange(round(len(samples) * wanted / rate)) * (rate / wanted)
        samples = np.interp(places, np.arange(len(samples)), samples).astype("<i2")
        rate = wanted
    out = io.BytesIO()
    soundfile.write(out, samples, rate, format=container, subtype=encoding)
    return out.getvalue()


def decoded(raw: bytes) -> Clip:
    """The sound in a file of any of FORMATS, without times. Raises ValueError where it is no sound."""
    import soundfile

    try:
        samples, rate = soundfile.read(io.BytesIO(raw), dtype="int16", always_2d=True)
    except soundfile.SoundFileError as error:
        raise ValueError("no sound") from error
    return Clip(samples[:, 0].astype("<i2").tobytes(), int(rate))
