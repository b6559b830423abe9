"""How many answers may be written at once: each holds a thread of the web server as long as it takes."""

from __future__ import annotations

from threading import Lock

from household import env

RETRY_AFTER_S = 10
_lock = Lock()
_held: set[Place] = set()


def most() -> int:
    """Half of the threads that answer requests here."""
    return env.web_threads() // 2


class TooManyStreams(Exception):
    """As many answers are being written as may be at once."""


class Place:
    """One of the places for a stream; it is given back once, however often it is asked to."""

    def __init__(self) -> None:
        with _lock:
            if len(_held) >= most():
                raise TooManyStreams
            _held.add(self)

    def leave(self) -> None:
        """Give the place back."""
        with _lock:
            _held.discard(self)
