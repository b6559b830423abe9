"""How a text's sound travels while it is being made: for each part a line of JSON, then its sound as a file.

    {"first": 0, "start_ms": 0, "spans": [0, 80, ...], "audio_bytes": 52432, "media": ...}\\n
    <52432 bytes>

`spans` are start and end in ms for each character (a Unicode code point) of the text from `first` on, counted
from the beginning of the whole. The first line also names the voice. An empty line only says that the house
is still at it. A line with `error` and `detail` is the last one.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Generator, Iterator
from typing import Any

from voice import labels
from voice.clients.sound import FORMATS, encoded
from voice.rules.refusals import NotSpoken
from voice.services.speaking import Part, Speech

MEDIA_TYPE = "application/vnd.hearthbook.speech"
MOST_STREAMS = 2  # half the web server's threads
BEAT_S = 0.9
_places = threading.BoundedSemaphore(MOST_STREAMS)


class Busy(RuntimeError):
    """As many texts are being read now as the house reads at once."""


class SpeechStream:
    """The bytes of a speech, for a streaming response, which closes it however it ends."""

    def __init__(self, speech: Speech) -> None:
        if not _places.acquire(blocking=False):
            speech.close()
            raise Busy
        self._speech = speech
        self._frames = self._run()
        self._is_open = True

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        return next(self._frames)

    def close(self) -> None:
        """Settle what was spoken, and make room for another stream."""
        if self._is_open:
            self._is_open = False
            self._frames.close()
            self._speech.close()
            _places.release()

    def _run(self) -> Generator[bytes, None, None]:
        head: dict[str, Any] | None = {}
        try:
            for part in self._speech.parts(beat_s=BEAT_S):
                if part is None:
                    yield b"\n"
                    continue
                head = None if head is None else self._head()
                yield frame(part, head)
                head = None
        except NotSpoken as refused:
            yield _line({"error": refused.code, "detail": labels.reason(refused)})

    def _head(self) -> dict[str, Any]:
        choice = self._speech.choice
        notice = labels.fell_back(choice.missing) if choice.missing else ""
        return {"voice": choice.voice.id, "missing": choice.missing, "notice": notice}


def frame(part: Part, head: dict[str, Any] | None, *, form: str = "wav") -> bytes:
    """One part as its line and its file."""
    audio = encoded(part.clip, form) if part.clip.pcm else b""
    line = {
        **(head or {}),
        "first": part.first,
        "start_ms": part.start_ms,
        "spans": [edge for span in part.spans for edge in span],
        "audio_bytes": len(audio),
        "media": FORMATS[form][2],
    }
    return _line(line) + audio


def _line(values: dict[str, Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False).encode() + b"\n"
