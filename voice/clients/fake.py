"""A speaker for tests of what stands above it: a tone for each word, and it counts."""

from __future__ import annotations

import math
import struct
import threading
from collections.abc import Sequence

from voice.clients.sound import Clip, Group
from voice.rules.choice import Voice
from voice.rules.refusals import VoiceBroken, VoiceGone

RATE = 8000
LETTER_MS = 10
ENGLISH = Voice(id="en_US-fake-low", language="en_US", quality="low", is_bundled=True)


class FakeSpeaker:
    """Says 10 ms of tone for each letter; refuses once `left` units are said, where that is set."""

    def __init__(self, voices: Sequence[Voice] = (ENGLISH,), *, left: int | None = None) -> None:
        self.known = list(voices)
        self.left = left
        self.said: list[tuple[str, str]] = []
        self._lock = threading.Lock()

    def voices(self) -> list[Voice]:
        """The voices it was made with."""
        return self.known

    def say(self, voice: str, words: str, *, speed: int = 100) -> Clip:
        """A tone as long as the words. Raises VoiceGone for an unknown voice, VoiceBroken when spent."""
        if voice not in {known.id for known in self.known}:
            raise VoiceGone(voice)
        with self._lock:
            if self.left is not None and len(self.said) >= self.left:
                raise VoiceBroken(voice, "bad_model")
            self.said.append((voice, words))
        groups, at = [], 0.0
        for word in words.split():
            length = len(word) * LETTER_MS * 100 / speed
            groups.append(Group(len(word), at, at + length))
            at += length
        count = round(at * RATE / 1000)
        tone = (round(9000 * math.sin(i * 0.3)) for i in range(count))
        return Clip(struct.pack(f"<{count}h", *tone), RATE, tuple(groups))
