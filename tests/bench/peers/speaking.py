"""Two servers of the Wyoming protocol beside each other: wyoming-piper, and the house's own.

Both are processes of their own with the same voice file and as many threads as they take by themselves, one a
core; one client asks both over TCP and hears them out. The house's is `manage.py wyoming`, with its database,
its allowance and its times of every word.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from tests.bench.bases import backend_ns
from tests.bench.peers.asking import CHECKOUT, environment, is_here
from tests.bench.peers.install import python

START_S = 60.0


@dataclass(frozen=True)
class Server:
    """A server that listens."""

    pid: int
    port: int

    def speak(self, voice: str, text: str) -> dict[str, float]:
        """Have a text said: ms to the first sound, wall and its CPU seconds for each second of sound."""
        began, cpu = time.perf_counter(), backend_ns(self.pid)
        first, sound = asyncio.run(heard(self.port, voice, text))
        return {
            "first_ms": (first - began) * 1000,
            "rtf": (time.perf_counter() - began) / sound,
            "cpu_rtf": (backend_ns(self.pid) - cpu) / 1e9 / sound,
        }

    def pss_mb(self) -> float:
        """Its memory."""
        return float(psutil.Process(self.pid).memory_full_info().pss) / 1e6


async def heard(port: int, voice: str, text: str) -> tuple[float, float]:
    """When the first sound came, by the clock of `perf_counter`, and the seconds of sound."""
    from wyoming.audio import AudioChunk, AudioStop
    from wyoming.client import AsyncClient
    from wyoming.error import Error
    from wyoming.tts import Synthesize, SynthesizeVoice

    first, sound = 0.0, 0.0
    async with AsyncClient.from_uri(f"tcp://127.0.0.1:{port}") as client:
        await client.write_event(Synthesize(text=text, voice=SynthesizeVoice(name=voice)).event())
        while event := await client.read_event():
            if AudioChunk.is_type(event.type):
                chunk = AudioChunk.from_event(event)
                first = first or time.perf_counter()
                sound += len(chunk.audio) / chunk.width / chunk.channels / chunk.rate
            elif Error.is_type(event.type):
                raise RuntimeError(f"a server could not speak: {Error.from_event(event).text}")
            elif AudioStop.is_type(event.type):
                break
    assert sound, "a server said nothing"
    return first, sound


@contextmanager
def wyoming_piper(model: Path) -> Iterator[Server | None]:
    """wyoming-piper with a voice file; None where it is not installed."""
    if not is_here("wyoming_piper"):
        yield None
        return
    voice, folder = model.name.removesuffix(".onnx"), str(model.parent)
    argv = [str(python("wyoming_piper")), "-m", "wyoming_piper", "--voice", voice, "--data-dir", folder]
    with tempfile.TemporaryDirectory() as home:
        known = {**environment(), "HOME": home}
        with listening([*argv, "--download-dir", home], known, is_quiet=True) as server:
            yield server


@contextmanager
def our_wyoming(database: str) -> Iterator[Server]:
    """`manage.py wyoming` on a database of the shared server, as the web role."""
    from tests import shared_cluster

    urls = {
        name: shared_cluster.url(role, database)
        for name, role in (("DATABASE_URL", "web"), ("OWNER_DATABASE_URL", "owner"))
    }
    with listening([sys.executable, "manage.py", "wyoming"], {**os.environ, **urls}) as server:
        yield server


@contextmanager
def listening(argv: list[str], known: dict[str, Any], *, is_quiet: bool = False) -> Iterator[Server]:
    """A program that takes `--uri tcp://HOST:PORT`, once it answers. Raises TimeoutError."""
    errors = subprocess.DEVNULL if is_quiet else None
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    argv = [*argv, "--uri", f"tcp://127.0.0.1:{port}"]
    with subprocess.Popen(argv, cwd=CHECKOUT, env=known, stdout=subprocess.DEVNULL, stderr=errors) as running:
        try:
            _await(port, running)
            yield Server(running.pid, port)
        finally:
            running.terminate()
            try:
                running.wait(timeout=10)
            except subprocess.TimeoutExpired:
                running.kill()


def _await(port: int, running: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end and running.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"{running.args} does not listen")
