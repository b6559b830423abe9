"""The house's voices over the Wyoming protocol, so that Home Assistant can speak with them.

https://github.com/OHF-Voice/wyoming: a client asks what there is (describe), sends a text whole (synthesize)
or as it comes (synthesize-start, -chunk, -stop), and gets sound as raw samples.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.db import close_old_connections
from django.utils import timezone
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.error import Error
from wyoming.event import Event
from wyoming.info import Attribution, Describe, Info, TtsProgram, TtsVoice
from wyoming.server import AsyncEventHandler, AsyncServer
from wyoming.tts import Synthesize, SynthesizeChunk, SynthesizeStart, SynthesizeStop, SynthesizeStopped

from voice.clients.sound import SAMPLE_BYTES
from voice.rules.refusals import MOST_CHARACTERS, NotSpoken
from voice.services.choices import voices
from voice.services.speaking import Part, Speech, begin

log = logging.getLogger("hearthbook.voice")
CHUNK_SAMPLES = 2048
_HOME = Attribution(name="Hearthbook", url="https://github.com/OHF-Voice/piper1-gpl")


def info() -> Info:
    """What the house can do: one text-to-speech program with every usable voice."""
    found = [
        TtsVoice(
            name=voice.id,
            attribution=_HOME,
            installed=True,
            description=f"{voice.name or voice.id} ({voice.quality})" if voice.quality else voice.id,
            version=None,
            languages=[voice.language],
        )
        for voice in voices()
        if not voice.problem
    ]
    program = TtsProgram(
        name="hearthbook",
        attribution=_HOME,
        installed=True,
        description="The voices of this house",
        version=settings.VERSION,
        voices=found,
        supports_synthesize_streaming=True,
    )
    return Info(tts=[program])


class Handler(AsyncEventHandler):
    """One client's connection."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._coming: list[str] | None = None  # a text that comes in chunks
        self._voice: Any = None

    async def handle_event(self, event: Event) -> bool:
        """Answer one event; a client may send any number of them."""
        if Describe.is_type(event.type):
            await self.write_event((await _in_thread(info)).event())
        elif Synthesize.is_type(event.type):
            asked = Synthesize.from_event(event)
            if self._coming is None:  # else it repeats what came in chunks, for older servers
                await self._speak(asked.text, asked.voice)
        elif SynthesizeStart.is_type(event.type):
            self._coming, self._voice = [], SynthesizeStart.from_event(event).voice
        elif SynthesizeChunk.is_type(event.type) and self._coming is not None:
            if sum(map(len, self._coming)) <= MOST_CHARACTERS:  # what is longer is refused as a whole
                self._coming.append(SynthesizeChunk.from_event(event).text)
        elif SynthesizeStop.is_type(event.type):
            text, self._coming = "".join(self._coming or []), None
            await self._speak(text, self._voice)
            await self.write_event(SynthesizeStopped().event())
        return True

    async def _speak(self, text: str, wanted: Any) -> None:
        try:
            speech = await _in_thread(lambda: _begin(text, wanted))
        except NotSpoken as refused:
            await self.write_event(Error(text=str(refused) or refused.code, code=refused.code).event())
            return
        parts = speech.parts()
        rate = 0
        try:
            while (part := await _in_thread(lambda: next(parts, None))) is not None:
                if not rate:
                    rate = part.clip.rate
                    await self.write_event(AudioStart(rate=rate, width=SAMPLE_BYTES, channels=1).event())
                for event in _chunks(part):
                    await self.write_event(event)
        except NotSpoken as refused:
            await self.write_event(Error(text=str(refused), code=refused.code).event())
        finally:
            await _in_thread(lambda: (parts.close(), speech.close()))
        if rate:
            await self.write_event(AudioStop().event())


def _chunks(part: Part) -> Iterator[Event]:
    size = CHUNK_SAMPLES * SAMPLE_BYTES
    for at in range(0, len(part.clip.pcm), size):
        audio = part.clip.pcm[at : at + size]
        yield AudioChunk(rate=part.clip.rate, width=SAMPLE_BYTES, channels=1, audio=audio).event()


def _begin(text: str, wanted: Any) -> Speech:
    """The speech for a client's text; a voice it names decides the language, else it names the language."""
    name = (wanted.name if wanted else None) or ""
    known = next((voice for voice in voices() if voice.id == name), None)
    language = known.language if known else (wanted.language if wanted else None) or settings.LANGUAGE_CODE
    return begin(text, language=language, voice=name, now=timezone.now())


async def _in_thread(work: Callable[[], Any]) -> Any:
    """Work that waits for the database or a voice, away from the loop; its thread's connection is checked."""

    def run() -> Any:
        close_old_connections()
        try:
            return work()
        finally:
            close_old_connections()

    return await asyncio.to_thread(run)


async def serve(uri: str) -> None:
    """Serve until stopped. Raises ValueError on a bad address, OSError where it cannot be listened on."""
    await AsyncServer.from_uri(uri).run(Handler)
