"""Calls made at the same moment, each with a connection of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from django.db import connections


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Every call in a thread with a connection of its own, started together; what each gave or raised."""
    gate, results = threading.Barrier(len(calls)), [None] * len(calls)

    def run(n: int) -> None:
        gate.wait()
        try:
            results[n] = calls[n]()
        except Exception as error:  # the test looks at it
            results[n] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
