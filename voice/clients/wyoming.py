"""Speech from an existing Wyoming server, as Home Assistant's wyoming-piper is one."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

from voice.clients.sound import Clip
from voice.rules.choice import Voice
from voice.rules.refusals import ServerSilent

CONNECT_S, READ_S = 3.0, 30.0
VOICES_FRESH_S = 60.0
T = TypeVar("T")


class WyomingSpeaker:
    """Speaks through the text-to-speech program of a Wyoming server; it tells no times of words."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self._lock = threading.Lock()
        self._voices: tuple[float, list[Voice]] | None = None

    def voices(self) -> list[Voice]:
        """The server's voices, asked at most once a minute. Raises ServerSilent."""
        with self._lock:
            if self._voices is None or time.monotonic() - self._voices[0] > VOICES_FRESH_S:
                self._voices = (time.monotonic(), _asked(self._describe()))
            return self._voices[1]

    def say(self, voice: str, words: str, *, speed: int = 100) -> Clip:
        """The words as sound; the protocol knows no speed. Raises ServerSilent."""
        return _asked(self._synthesize(voice, words))

    def _client(self) -> Any:
        from wyoming.client import AsyncClient

        return AsyncClient.from_uri(self.uri, connect_timeout=CONNECT_S, read_timeout=READ_S)

    async def _describe(self) -> list[Voice]:
        from wyoming.info import Describe, Info

        async with self._client() as client:
            await client.write_event(Describe().event())
            while event := await client.read_event():
                if Info.is_type(event.type):
                    return _voices(Info.from_event(event))
        raise ServerSilent

    async def _synthesize(self, voice: str, words: str) -> Clip:
        from wyoming.audio import AudioChunk, AudioStart, AudioStop
        from wyoming.error import Error
        from wyoming.tts import Synthesize, SynthesizeVoice

        pcm, rate = bytearray(), 22_050
        async with self._client() as client:
            await client.write_event(Synthesize(text=words, voice=SynthesizeVoice(name=voice)).event())
            while event := await client.read_event():
                if AudioStart.is_type(event.type):
                    rate = AudioStart.from_event(event).rate
                elif AudioChunk.is_type(event.type):
                    pcm += _mono(AudioChunk.from_event(event))
                elif AudioStop.is_type(event.type):
                    return Clip(bytes(pcm), rate)
                elif Error.is_type(event.type):
                    break
        raise ServerSilent


def _voices(info: Any) -> list[Voice]:
    found = [
        Voice(id=voice.name, language=language, quality=voice.name.rpartition("-")[2], name=program.name)
        for program in info.tts
        for voice in program.voices
        for language in voice.languages[:1]
        if voice.installed
    ]
    return sorted(found, key=lambda voice: voice.id)


def _mono(chunk: Any) -> bytes:
    """A chunk's samples as 16 bits of one channel."""
    from wyoming.audio import AudioChunkConverter

    if chunk.width == 2 and chunk.channels == 1:
        return bytes(chunk.audio)
    return bytes(AudioChunkConverter(width=2, channels=1).convert(chunk).audio)


def _asked(question: Coroutine[Any, Any, T]) -> T:
    """What the server answers. Raises ServerSilent where it does not."""
    try:
        return asyncio.run(question)
    except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
        raise ServerSilent from error
