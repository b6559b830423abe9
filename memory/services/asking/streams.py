"""How many answers may be written at once: each holds a thread of the web server as long as it takes."""

from __future__ import annotations

from threading import BoundedSemaphore

MOST = 4  # half of the threads the web is started with: household.box.web.THREADS
RETRY_AFTER_S = 10
_places = BoundedSemaphore(MOST)


class TooManyStreams(Exception):
    """As many answers are being written as may be at once."""


class Place:
    """One of the places for a stream; it is given back once, however often it is asked to."""

    def __init__(self) -> None:
        if not _places.acquire(blocking=False):
            raise TooManyStreams
        self._is_held = True

    def leave(self) -> None:
        """Give the place back."""
        if self._is_held:
            self._is_held = False
            _places.release()
