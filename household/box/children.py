"""The programs `up` keeps running, and how it speaks of them."""

from __future__ import annotations

import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from household.box import places, process
from household.box.forking import ForkServer
from household.box.trouble import Trouble

STOP_STEPS = ((signal.SIGTERM, 8.0),)
LOG_BYTES = 5 * 2**20
FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 30.0
SETTLED_S = 60.0


def tell(sentence: str) -> None:
    """Say something to the person at the console, if the console is still there."""
    with suppress(OSError):
        print(sentence, flush=True)


class Child:
    """One program that is kept running: its options, its log, and when it may be started again."""

    def __init__(
        self, name: str, options: Mapping[str, Any], env: Mapping[str, str], house: Path, *, forks: ForkServer
    ) -> None:
        self.name = name
        self.options = options
        self.forks = forks
        self.env = env
        self.house = house
        self.log = places.log_file(house, name)
        self.running: process.Running | None = None
        self.started_at = 0.0
        self.pause_s = FIRST_PAUSE_S
        self.due_at = 0.0

    def start(self) -> None:
        """Start the program, its output going to its log. Raises Trouble."""
        with suppress(FileNotFoundError):
            if self.log.stat().st_size > LOG_BYTES:
                self.log.replace(self.log.with_suffix(".old.log"))
        self.running = self.forks.fork(self.name, self.options, self.env, self.log)
        self.started_at = time.monotonic()

    def start_when_due(self) -> bool:
        """Start it unless it is too early; whether it runs. What hinders it is told and tried again later."""
        if self.due_at > time.monotonic():
            return False
        try:
            self.start()
        except Trouble as trouble:
            self.due_at = time.monotonic() + LONGEST_PAUSE_S
            tell(f"{trouble}. Trying again.")
        return self.running is not None

    def look(self) -> bool:
        """Whether it runs; one that has just died is buried, and started again later each time."""
        if self.running is None or self.running.poll() is None:
            return self.running is not None
        process.kill_session(self.running.pid)
        lived_s = time.monotonic() - self.started_at
        self.pause_s = FIRST_PAUSE_S if lived_s > SETTLED_S else min(self.pause_s * 2, LONGEST_PAUSE_S)
        self.due_at = time.monotonic() + self.pause_s
        tell(f"The {self.name} ended (code {self.running.returncode}) and is started again; see {self.log}.")
        self.running = None
        return False

    def stop(self) -> None:
        """End the program and whatever it started."""
        if self.running is not None:
            process.stop(self.running, STOP_STEPS)
            self.running = None


def stop_all(children: Sequence[Child]) -> None:
    """Ask all children to end, then see that they do."""
    for child in children:
        if child.running is not None and child.running.poll() is None:
            child.running.terminate()
    for child in children:
        child.stop()
