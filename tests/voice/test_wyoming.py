"""The Wyoming protocol over real TCP, with the `wyoming` package's own client and server."""

from __future__ import annotations

import asyncio
import io
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncClient
from wyoming.error import Error
from wyoming.event import Event
from wyoming.info import Describe, Info
from wyoming.server import AsyncEventHandler, AsyncServer
from wyoming.tts import (
    Synthesize,
    SynthesizeChunk,
    SynthesizeStart,
    SynthesizeStop,
    SynthesizeStopped,
    SynthesizeVoice,
)

from household.services.registers import change_settings
from tests.voice.conftest import Use
from tests.voice.sounds import envelope
from voice.clients.fake import ENGLISH, FakeSpeaker
from voice.clients.piper import Piper
from voice.clients.sound import Clip
from voice.clients.wyoming import WyomingSpeaker
from voice.models import VoiceSpend
from voice.rules.choice import Voice
from voice.rules.refusals import ServerSilent
from voice.services.speaking import speak
from voice.wyoming import Handler

pytestmark = pytest.mark.django_db(transaction=True)
JOE = "en_US-joe-medium"
ROOT = Path(__file__).resolve().parents[2]
TURKISH = Voice(id="tr_TR-fake-low", language="tr_TR", quality="low")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def served() -> Iterator[Callable[[Any], str]]:
    """Serves a handler over TCP in a thread of its own; gives the address."""
    running: list[tuple[asyncio.AbstractEventLoop, AsyncServer, threading.Thread]] = []

    def start(handler: Any) -> str:
        uri = f"tcp://127.0.0.1:{free_port()}"
        loop, server, ready = asyncio.new_event_loop(), AsyncServer.from_uri(uri), threading.Event()

        def serve() -> None:
            asyncio.set_event_loop(loop)
            loop.run_until_complete(server.start(handler))
            ready.set()
            loop.run_forever()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        assert ready.wait(10)
        running.append((loop, server, thread))
        return uri

    yield start
    for loop, server, thread in running:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)


def talk(uri: str, *events: Event, until: Callable[[str], bool]) -> list[Event]:
    """Send events and read the answers up to the last one wanted."""

    async def run() -> list[Event]:
        answers: list[Event] = []
        async with AsyncClient.from_uri(uri, connect_timeout=5, read_timeout=60) as client:
            for event in events:
                await client.write_event(event)
            while event := await client.read_event():
                answers.append(event)
                if until(event.type):
                    break
        return answers

    coroutine: Coroutine[Any, Any, list[Event]] = run()
    return asyncio.run(coroutine)


def sound(events: list[Event]) -> Clip:
    start = next(AudioStart.from_event(event) for event in events if AudioStart.is_type(event.type))
    chunks = [AudioChunk.from_event(event) for event in events if AudioChunk.is_type(event.type)]
    assert {(chunk.rate, chunk.width, chunk.channels) for chunk in chunks} == {(start.rate, 2, 1)}
    return Clip(b"".join(chunk.audio for chunk in chunks), start.rate)


def test_the_server_describes_its_voices(served: Callable[[Any], str], use: Use) -> None:
    use(FakeSpeaker([ENGLISH, TURKISH, Voice(id="x", language="en", problem="bad_model")]))
    [event] = talk(served(Handler), Describe().event(), until=Info.is_type)
    [program] = Info.from_event(event).tts
    assert {voice.name: voice.languages for voice in program.voices} == {
        ENGLISH.id: ["en_US"],
        TURKISH.id: ["tr_TR"],
    }
    assert program.supports_synthesize_streaming


def test_a_client_hears_the_real_voice(served: Callable[[Any], str], real: Piper) -> None:
    asked = Synthesize("The cat drank 20 ml.", voice=SynthesizeVoice(name=JOE)).event()
    clip = sound(talk(served(Handler), asked, until=AudioStop.is_type))
    assert clip.rate == 22_050
    assert 1000 < clip.duration_ms < 6000
    assert envelope(clip).max() > 0.05


def test_a_text_that_comes_in_chunks_is_spoken_once(served: Callable[[Any], str], use: Use) -> None:
    speaker = FakeSpeaker()
    use(speaker)
    answers = talk(
        served(Handler),
        SynthesizeStart(voice=SynthesizeVoice(name=ENGLISH.id)).event(),
        SynthesizeChunk("The cat ").event(),
        SynthesizeChunk("drank.").event(),
        Synthesize("The cat drank.").event(),  # repeated for servers that know no chunks
        SynthesizeStop().event(),
        until=SynthesizeStopped.is_type,
    )
    assert AudioStop.is_type(answers[-2].type)
    assert [words for _, words in speaker.said] == ["The cat drank."]


def test_the_voice_decides_the_language(served: Callable[[Any], str], use: Use) -> None:
    speaker = FakeSpeaker([ENGLISH, TURKISH])
    use(speaker)
    uri = served(Handler)
    talk(
        uri, Synthesize("saat 5'te", voice=SynthesizeVoice(name=TURKISH.id)).event(), until=AudioStop.is_type
    )
    talk(uri, Synthesize("3. gün", voice=SynthesizeVoice(language="tr")).event(), until=AudioStop.is_type)
    assert speaker.said == [(TURKISH.id, "saat beşte"), (TURKISH.id, "üçüncü gün")]


@pytest.mark.parametrize(
    ("text", "voice", "code"),
    [
        ("", None, "nothing_to_say"),
        ("漢字", None, "unknown_script"),
        ("a" * 20_000, None, "too_long"),
        ("Merhaba", SynthesizeVoice(language="tr"), "no_voice"),
        ("more than ten characters", None, "over_allowance"),
    ],
)
def test_what_cannot_be_spoken_is_an_error_with_a_code(
    served: Callable[[Any], str], fake: FakeSpeaker, text: str, voice: Any, code: str
) -> None:
    change_settings({"voice_daily_chars": 10}, now=timezone.now())
    uri = served(Handler)
    [event] = talk(uri, Synthesize(text, voice=voice).event(), until=Error.is_type)
    assert Error.from_event(event).code == code
    assert talk(uri, Describe().event(), until=Info.is_type)  # and the server goes on


def test_a_client_that_hangs_up_costs_no_more_than_was_made(
    served: Callable[[Any], str], fake: FakeSpeaker
) -> None:
    uri = served(Handler)
    talk(uri, Synthesize("One two three. " * 100).event(), until=AudioStart.is_type)
    talk(uri, Synthesize("Hello").event(), until=AudioStop.is_type)
    spend = VoiceSpend.objects.get()
    assert spend.chars <= len("One two three. " * 100) + len("Hello")


# --- the other way round: an existing Wyoming server speaks for the house


class Stereo(AsyncEventHandler):
    """A server of another make: two channels of the same tone."""

    async def handle_event(self, event: Event) -> bool:
        if Synthesize.is_type(event.type):
            await self.write_event(AudioStart(rate=16_000, width=2, channels=2).event())
            frame = (5000).to_bytes(2, "little", signed=True) * 2
            await self.write_event(AudioChunk(rate=16_000, width=2, channels=2, audio=frame * 8000).event())
            await self.write_event(AudioStop().event())
        return True


class Refusing(AsyncEventHandler):
    """A server that answers each text with an error."""

    async def handle_event(self, event: Event) -> bool:
        await self.write_event(Error(text="no").event())
        return True


def test_the_house_speaks_through_a_wyoming_server(
    served: Callable[[Any], str], use: Use, joe: Piper
) -> None:
    use(joe)
    there = WyomingSpeaker(served(Handler))
    assert [(voice.id, voice.language) for voice in there.voices()] == [(JOE, "en_US")]
    clip = there.say(JOE, "The cat drank a little water.")
    assert 800 < clip.duration_ms < 5000
    assert envelope(clip).max() > 0.05
    assert clip.groups == ()


def test_spans_are_shared_out_where_the_server_tells_no_times(served: Callable[[Any], str], use: Use) -> None:
    class Tone(FakeSpeaker):
        def say(self, voice: str, words: str, *, speed: int = 100) -> Clip:
            return WyomingSpeaker(uri).say(voice, words)

    uri = served(Stereo)
    use(Tone())
    said = speak("one two", language="en", now=timezone.now())
    assert said.duration_ms == 500
    assert len(said.spans) == 7
    assert said.spans[0][0] == 0 and said.spans[-1][1] == 500


@pytest.mark.parametrize("uri", ["tcp://127.0.0.1:9", None])
def test_a_server_that_is_away_or_refuses_is_one_clear_refusal(
    served: Callable[[Any], str], uri: str | None
) -> None:
    speaker = WyomingSpeaker(uri or served(Refusing))
    with pytest.raises(ServerSilent):
        speaker.say(JOE, "Hello")


# --- the command


def test_the_command_serves_and_stops_when_told_to(database_urls: dict[str, str]) -> None:
    uri = f"tcp://127.0.0.1:{free_port()}"
    env = {**os.environ, "DATABASE_URL": database_urls["owner"], "PYTHONUNBUFFERED": "1"}
    argv = [sys.executable, "manage.py", "wyoming", "--uri", uri]
    with subprocess.Popen(argv, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout is not None
            assert uri in child.stdout.readline()
            [event] = _until_it_answers(uri)
            assert [voice.name for voice in Info.from_event(event).tts[0].voices] == [JOE]
        finally:
            child.terminate()
        assert child.wait(20) == 0


def _until_it_answers(uri: str) -> list[Event]:
    end = time.monotonic() + 30
    while True:
        try:
            return talk(uri, Describe().event(), until=Info.is_type)
        except OSError:
            if time.monotonic() > end:
                raise


@pytest.mark.parametrize("uri", ["tcp://127.0.0.1", "http://127.0.0.1:1", "tcp://no.such.host.invalid:10200"])
def test_a_bad_address_ends_in_one_sentence(uri: str) -> None:
    with pytest.raises(CommandError, match="Cannot listen on"):
        call_command("wyoming", uri=uri, stdout=io.StringIO())
