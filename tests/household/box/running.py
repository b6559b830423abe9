"""A real `up` in a folder of its own, for tests that start, hurt and stop it."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from household.box import places, process
from household.box.supervisor import MARK
from tests import shared_cluster

PATIENCE_S = 240.0
OURS = ("DATABASE_URL", "OWNER_DATABASE_URL", "HEARTHBOOK_ROLE", "HOST", "PORT", MARK)


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(
    is_so: Callable[[], bool],
    what: str,
    *,
    patience_s: float = PATIENCE_S,
    pause: Callable[[], None] | None = None,
) -> None:
    """Wait for something to become true, pausing between looks. Fails with its name where it does not."""
    end, pause_s = time.monotonic() + patience_s, 0.05
    while not is_so():
        assert time.monotonic() < end, f"waited in vain: {what}"
        if pause is not None:
            pause()
        else:
            time.sleep(pause_s)
            pause_s = min(pause_s * 1.2, 0.4)  # many looks cost what the others are waiting for


def furnish(house: Path) -> None:
    """Put the files of a box that was started and stopped once, and nobody lives in, into a new folder."""
    made = Path(tempfile.gettempdir()) / f"hearthbook-furnished-{os.getuid()}-{shared_cluster.schema_key()}"
    with made.with_suffix(".lock").open("ab") as lock:  # every process of this user, whatever its checkout
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            with a_running_box(from_scratch=True) as box:
                assert box.stop() == 0
                (box.house / "first-run.json").unlink(missing_ok=True)
                box.house.rename(made)
    subprocess.run(["cp", "-a", str(made), str(house)], check=True)
    (house / "secret.key").unlink(missing_ok=True)  # each box makes one of its own


class Box:
    """One `up`, its folder, its port and what it printed."""

    def __init__(
        self,
        house: Path,
        *,
        argv: Sequence[str] = (),
        user: int | None = None,
        env: Mapping[str, str] | None = None,
        from_scratch: bool = False,
    ) -> None:
        self.house = house
        self.port = free_port()
        self.output = house.parent / f"{house.name}.output"
        kept = {name: value for name, value in os.environ.items() if name not in OURS}
        self.env = kept | {"HOST": "127.0.0.1", "HEARTHBOOK_HOME": str(house), "PORT": str(self.port)}
        self.env |= env or {}
        self.argv = list(argv) or [sys.executable, "-m", "household.box"]
        self.user = user
        # A box of our own user on a database of its own may begin with files made once for this schema.
        self.is_furnished = not (from_scratch or user is not None or argv or "DATABASE_URL" in self.env)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Box:
        """Start it, and come back before it is ready."""
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                self.argv,
                cwd=places.CHECKOUT,
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                user=self.user,
                group=self.user,
                extra_groups=None if self.user is None else [],
            )
        return self

    def ready(self) -> Box:
        """Start it and wait until it has greeted."""
        if self.is_furnished and not self.house.exists():
            furnish(self.house)
        self.start()
        until(lambda: "Ctrl-C stops it" in self.printed() or self.has_ended(), "greeting")
        assert not self.has_ended(), self.printed()
        return self

    def printed(self) -> str:
        """All it has printed so far."""
        return self.output.read_text(errors="replace")

    def has_ended(self) -> bool:
        """Whether the process itself is gone."""
        return self.process is None or self.process.poll() is not None

    def health(self) -> dict[str, bool] | None:
        """What /healthz says, or None where nobody answers well."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5) as answer:
                found: dict[str, bool] = json.load(answer)
                return found
        except (urllib.error.URLError, OSError):
            return None

    def children(self, program: str = "") -> list[int]:
        """Numbers of its living children, database included, whose name or command holds a word."""

        def is_one(folder: Path) -> bool:
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            command += (folder / "comm").read_text()
            marked = f"{MARK}={self.house}".encode() in (folder / "environ").read_bytes().split(b"\0")
            return (marked or f"-D {places.data_folder(self.house)} " in command) and program in command

        return process.running(is_one)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send it a signal and wait for its end; its exit code."""
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_S)

    def database(self, *, autocommit: bool = False) -> psycopg.Connection[Any]:
        """A connection to its database as the owner, which waits for no lock for ever."""
        url = places.embedded_url(self.house, places.OWNER)
        return psycopg.connect(url, autocommit=autocommit, options=shared_cluster.PATIENT)

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """What stands in its database."""
        with self.database() as connection:
            return connection.execute(query, values or None).fetchall()

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run one management command on its folder."""
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(
            command,
            cwd=places.CHECKOUT,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def refusal(self) -> str:
        """The one sentence with which it refuses to start."""
        self.start()
        assert self.process is not None
        assert self.process.wait(PATIENCE_S) == 1
        lines = self.printed().strip().splitlines()
        assert len(lines) == 1, self.printed()
        return lines[0]

    def clear(self) -> None:
        """End it and all of its children, whatever state the test left them in."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for number in self.children():
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        until(lambda: not self.children(), "children gone")


@contextmanager
def a_roomy_folder() -> Iterator[Path]:
    """A folder every user may enter, the database's own account too, unlike pytest's; gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="hearthbook-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def a_small_disk(*, size: str) -> Iterator[Path]:
    """A disk of a size like "20m", in a folder every user may enter. Skips where none can be mounted."""
    with a_roomy_folder() as folder:
        disk = folder / "disk"
        disk.mkdir()
        small = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0755", "tmpfs", str(disk)]
        if subprocess.run(small, capture_output=True, check=False).returncode != 0:
            pytest.skip("this user may not mount a small disk")
        try:
            yield disk
        finally:
            subprocess.run(["umount", "-l", str(disk)], check=True)


@contextmanager
def a_running_box(*, env: Mapping[str, str] | None = None, from_scratch: bool = False) -> Iterator[Box]:
    """A running box with an empty book, in a folder of its own; gone afterwards."""
    with a_roomy_folder() as folder:
        box = Box(folder / "house", env=env, from_scratch=from_scratch)
        try:
            yield box.ready()
        finally:
            box.clear()
