"""What a sound looks like, for tests that listen."""

from __future__ import annotations

import numpy as np

from voice.clients.sound import Clip


def samples(clip: Clip) -> np.ndarray:
    """The sound between -1 and 1."""
    return np.frombuffer(clip.pcm, dtype="<i2").astype(np.float64) / 32768


def envelope(clip: Clip, *, window_ms: float = 20) -> np.ndarray:
    """The loudness (RMS) of each window."""
    sound = samples(clip)
    size = int(clip.rate * window_ms / 1000)
    whole = sound[: len(sound) // size * size].reshape(-1, size)
    return np.sqrt((whole**2).mean(axis=1))


def clipped(clip: Clip) -> int:
    """How many samples touch the ceiling."""
    return int((np.abs(samples(clip)) >= 0.999).sum())


def loudness(clip: Clip, start_ms: float, end_ms: float) -> float:
    """The loudness of a stretch."""
    part = samples(clip)[int(start_ms * clip.rate / 1000) : int(end_ms * clip.rate / 1000)]
    return float(np.sqrt((part**2).mean())) if len(part) else 0.0


def syllables(clip: Clip) -> int:
    """How many humps the loudness has: about one for each syllable of speech."""
    level = np.convolve(envelope(clip, window_ms=10), np.hanning(9) / 4, mode="same")
    floor = level.max() * 0.12
    peaks = (level[1:-1] > level[:-2]) & (level[1:-1] >= level[2:]) & (level[1:-1] > floor)
    return int(peaks.sum())
