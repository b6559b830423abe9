"""The speech cache's arithmetic: its key, its cap."""

from __future__ import annotations

import hashlib

CAP_BYTES = 64 * 1024 * 1024


def key_of(voice: str, text: str) -> str:
    """The SHA-256 of the voice's id and the exact text, as 64 hexadecimal digits."""
    return hashlib.sha256(f"{voice}\0{text}".encode()).hexdigest()


def variant(voice: str, speed: int) -> str:
    """A voice's id at a speed in percent: a slower voice is another voice to the cache."""
    return voice if speed == 100 else f"{voice}@{speed}"
