"""The side of `up`: a fork server when something is to be forked, and the programs it forked."""

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
# What a program ended with that was never a child of ours.
UNKNOWN = -int(signal.SIGKILL)


class ForkServer:
    """The process that has loaded the book; started with the next program where it has ended."""

    def __init__(self, house: Path, env: Mapping[str, str]) -> None:
        self.env = env
        self.log = places.log_file(house, "forkserver")
        self.running: subprocess.Popen[bytes] | None = None
        self.line: socket.socket | None = None

    def start(self) -> None:
        """Let it begin to load, and do not wait for it."""
        self.stop()
        self.line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        argv = [sys.executable, "-m", "household.box.forkserver"]
        with theirs, self.log.open("wb") as log:
            self.running = process.spawn(
                argv, env=self.env, output=log, cwd=places.CHECKOUT, input=theirs.fileno()
            )

    def fork(self, name: str, options: Mapping[str, Any], env: Mapping[str, str], log: Path) -> Forked:
        """Have a program forked. Raises Trouble where the book cannot be loaded or nothing be forked."""
        if self.running is None or self.running.poll() is not None:
            self.start()
        order = {"name": name, "options": dict(options), "env": dict(env), "log": str(log)}
        with process.adopting():
            told = self._ask(order)
        if "forked" in told:
            return Forked(told["forked"])
        # It must not fork after all what nobody keeps.
        self.stop()
        if "refused" in told:
            raise Trouble(f"The {name} cannot be started: {told['refused']}")
        lines = self.log.read_text(errors="replace").strip().splitlines()
        raise Trouble(f"The book cannot be loaded: {lines[-1] if lines else 'no reason given'}")

    def _ask(self, order: Mapping[str, Any]) -> dict[str, Any]:
        """What it answers; nothing where it ended or is silent for too long."""
        assert self.line is not None
        with suppress(OSError):
            self.line.send(json.dumps(order).encode())
            if select.select([self.line], [], [], LOAD_S)[0]:
                return dict(json.loads(self.line.recv(MOST_BYTES) or "{}"))
        return {}

    def stop(self) -> None:
        """End it; what it forked goes on."""
        if self.line is not None:
            self.line.close()
            self.line = None
        if self.running is not None:
            process.stop(self.running, STOP_STEPS)
            self.running = None


class Forked:
    """A program that was forked for us, kept and ended like any other child."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Its code once it ended, else None."""
        if self.returncode is None:
            self.returncode = code_of(self.pid)
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


def code_of(number: int) -> int | None:
    """The code of a process that ended, a signal's below zero; None where it runs."""
    try:
        found, status = os.waitpid(number, os.WNOHANG)
    except ChildProcessError:
        # Where systems give us no orphans it is nobody's child, and its code nobody's to know.
        with suppress(ProcessLookupError):
            os.kill(number, 0)
            return None
        return UNKNOWN
    return os.waitstatus_to_exitcode(status) if found else None
