"""The bench's end: a peer's program, started under its own Python and asked in lines of JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.bench.peers.install import PEERS, is_installed, python

CHECKOUT = Path(__file__).resolve().parents[3]
SHM = Path("/dev/shm")  # memory as a folder: as our server of the benches, a peer does not wait for a disk


class Peer:
    """A peer's program that waits for questions."""

    def __init__(self, running: subprocess.Popen[str]) -> None:
        self._running = running

    def ask(self, what: str, **arguments: Any) -> Any:
        """What it answers. Raises EOFError where it ended instead."""
        assert self._running.stdin and self._running.stdout
        self._running.stdin.write(json.dumps([what, arguments]) + "\n")
        self._running.stdin.flush()
        line = self._running.stdout.readline()
        if not line:
            raise EOFError(f"the peer ended when asked for {what}")
        return json.loads(line)


@contextmanager
def peer(name: str) -> Iterator[Peer | None]:
    """The program of a peer, with a folder in memory for what it keeps; None where it is not installed."""
    if not is_here(name):
        yield None
        return
    with tempfile.TemporaryDirectory(dir=SHM if SHM.is_dir() else None) as home:
        argv = [str(python(name)), "-m", f"tests.bench.peers.{name}_peer"]
        known = {**environment(), "HOME": home, "TMPDIR": home}
        with subprocess.Popen(
            argv, cwd=CHECKOUT, env=known, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as running:
            try:
                yield Peer(running)
            finally:
                assert running.stdin
                running.stdin.close()
                try:
                    running.wait(timeout=20)
                except subprocess.TimeoutExpired:
                    running.kill()


def is_here(name: str) -> bool:
    """Whether a peer is installed; where it is not, that is said."""
    found = is_installed(name)
    if not found:
        print(f"{PEERS[name]} is not measured: it is not installed (make peers).", file=sys.stderr)
    return found


def environment() -> dict[str, str]:
    """The environment of a peer: ours without what would lead its Python to our packages."""
    return {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
