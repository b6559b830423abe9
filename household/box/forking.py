"""The side of `up`: a fork server kept running, and the programs it forked."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from household.box import places, process
from household.box.trouble import Trouble

# A slow card may take this long to read the book.
LOAD_S = 120.0
STOP_STEPS = ((signal.SIGTERM, 5.0),)
MOST_BYTES = 1 << 17
# What a program ended with where nobody was left to tell.
UNKNOWN = -int(signal.SIGKILL)


class ForkServer:
    """The process that has loaded the book; started again with the next program where it ended."""

    def __init__(self, house: Path, env: Mapping[str, str]) -> None:
        self.env = env
        self.log = places.log_file(house, "forkserver")
        self.running: subprocess.Popen[bytes] | None = None
        self.line: socket.socket | None = None
        self.codes: dict[int, int] = {}

    def start(self) -> None:
        """Let it begin to load, and do not wait for it."""
        self.stop()
        self.line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        argv = [sys.executable, "-m", "household.box.forkserver"]
        with theirs, self.log.open("wb") as log:
            self.running = process.spawn(
                argv, env=self.env, output=log, cwd=places.CHECKOUT, input=theirs.fileno()
            )

    def fork(self, name: str, argv: list[str], env: Mapping[str, str], log: Path) -> Forked:
        """Have a program forked. Raises Trouble where the book cannot be loaded."""
        self.hear()
        if self.line is None:
            self.start()
        assert self.line is not None
        order = {"name": name, "argv": argv, "env": dict(env), "log": str(log)}
        with suppress(OSError):
            self.line.send(json.dumps(order).encode())
        number = self.hear(wait_s=LOAD_S)
        if number is None:
            # It must not fork after all what nobody keeps.
            self.stop()
            lines = self.log.read_text(errors="replace").strip().splitlines()
            raise Trouble(f"The book cannot be loaded: {lines[-1] if lines else 'no reason given'}")
        return Forked(number, self, self.line)

    def hear(self, *, wait_s: float | None = None) -> int | None:
        """Take what it tells and keep the codes; gives the number of what it forked, if that came."""
        end = time.monotonic() + (wait_s or 0.0)
        while self.line is not None:
            left_s = max(0.0, end - time.monotonic())
            if not select.select([self.line], [], [], left_s)[0]:
                return None
            try:
                told: dict[str, Any] = json.loads(self.line.recv(MOST_BYTES) or "{}")
            except OSError:
                told = {}
            if not told:
                self.line.close()
                self.line = None
            elif "forked" in told:
                return int(told["forked"])
            else:
                self.codes[told["ended"]] = told["code"]
        return None

    def stop(self) -> None:
        """End it; what it forked ends with it."""
        if self.line is not None:
            self.line.close()
            self.line = None
        if self.running is not None:
            process.stop(self.running, STOP_STEPS)
            self.running = None


class Forked:
    """A program the fork server forked, as far as one keeps and ends it like any other child."""

    def __init__(self, pid: int, server: ForkServer, line: socket.socket | None) -> None:
        self.pid = pid
        self.server = server
        # On another line is another server, which knows nothing of it.
        self.line = line
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Its code once it ended, else None. Where its server died it dies too."""
        if self.returncode is None:
            self.server.hear()
            if self.pid in self.server.codes:
                self.returncode = self.server.codes.pop(self.pid)
            elif self.server.line is not self.line and not is_there(self.pid):
                self.returncode = UNKNOWN
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, where it still runs."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def wait(self, timeout: float | None = None) -> int:
        """Its code. Raises subprocess.TimeoutExpired after so many seconds."""
        end = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if end is not None and time.monotonic() > end:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0.0)
            time.sleep(process.POLL_S)
        return code


def is_there(number: int) -> bool:
    """Whether a process runs, whoever its parent is; one that ended as a child of ours is buried."""
    with suppress(ChildProcessError):
        # In a container `up` may be the first process, which every orphan becomes a child of.
        if os.waitpid(number, os.WNOHANG)[0]:
            return False
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True
