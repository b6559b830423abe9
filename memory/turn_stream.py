"""How the companion's answer travels while it is being made: lines of JSON.

    {"said": "Thank you ..."}\\n
    {"said": "What happened then?"}\\n
    {"end": "done", "recalled": ["m17..."]}\\n

`recalled` names the memories that were said back, where there are any. `end` is `done`, or `dropped` where
the turn was forgotten while it was answered, or `failed`. No line is written while the database is touched;
the exchange is kept in a new transaction before the last line.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from typing import Any

from django.http import StreamingHttpResponse
from django.utils import timezone

from household.models import Device
from household.wire import Problem, stamp
from memory.services import companion

MEDIA_TYPE = "application/x-ndjson"
MOST_STREAMS = 2  # half the web server's threads
log = logging.getLogger("hearthbook.companion")
_places = threading.BoundedSemaphore(MOST_STREAMS)


class TurnStream:
    """The bytes of one answer, for a streaming response, which closes it however it ends."""

    def __init__(self, reply: companion.Reply, device: Device) -> None:
        if not _places.acquire(blocking=False):
            reply.close()
            raise Problem(
                503, "rate_limited", "The companion is talking to others just now.", retry_after_s=5
            )
        self._lines = self._run(reply, device)
        self._reply = reply
        self._is_open = True

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        return next(self._lines)

    def close(self) -> None:
        """Make room for another stream."""
        if self._is_open:
            self._is_open = False
            _places.release()
            self._reply.close()  # what a model's call cost, where nobody listened to the end

    def _run(self, reply: companion.Reply, device: Device) -> Iterator[bytes]:
        try:
            for piece in reply.pieces():
                yield _line({"said": piece})
            is_kept = companion.keep(reply, device=device, now=timezone.now())
        except Exception as error:  # the answer has begun: its end says that it broke off
            log.error("an answer broke off: %s", type(error).__name__)
            yield _line({"end": "failed"})
            return
        recalled = {"recalled": reply.recalled} if is_kept and reply.recalled else {}
        yield _line({"end": "done" if is_kept else "dropped", **recalled})


def stream_turn(reply: companion.Reply, device: Device) -> StreamingHttpResponse:
    """The response that says an answer while it is made. Raises Problem where too many are being said."""
    response = StreamingHttpResponse(TurnStream(reply, device), content_type=MEDIA_TYPE)
    stamp(response)
    return response


def _line(values: dict[str, Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False).encode() + b"\n"
