"""Children that do not outlive us: how they are started, found again and stopped."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Protocol

PR_SET_PDEATHSIG, PR_SET_NAME, PR_SET_CHILD_SUBREAPER = 1, 15, 36
POLL_S = 0.02
IS_LINUX = sys.platform == "linux"
# Loaded before any fork: the child between fork and exec only calls it.
_prctl: Callable[..., int] | None = ctypes.CDLL(None).prctl if IS_LINUX else None


class Running(Protocol):
    """A child, whoever forked it: what is needed to keep it and to end it."""

    @property
    def pid(self) -> int:
        """Its number."""

    @property
    def returncode(self) -> int | None:
        """Its code once that is known."""

    def poll(self) -> int | None:
        """Its code once it ended."""

    def wait(self, timeout: float | None = None) -> int:
        """Its code. Raises subprocess.TimeoutExpired."""

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal."""

    def terminate(self) -> None:
        """Ask it to end."""


def follow_parent(death_signal: signal.Signals) -> None:
    """Get this signal when our parent dies (Linux)."""
    if _prctl is not None:
        _prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0)


@contextmanager
def adopting() -> Iterator[None]:
    """While in here, what is orphaned below us becomes a child of ours (Linux)."""
    if _prctl is None:
        yield
        return
    _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        _prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def rename(name: str) -> None:
    """Be called something else in lists of processes; fifteen letters count (Linux)."""
    if _prctl is not None:
        _prctl(PR_SET_NAME, name.encode(), 0, 0, 0)


def spawn(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    death_signal: signal.Signals = signal.SIGTERM,
    user: tuple[int, int] | None = None,
    output: IO[bytes] | None = None,
    input: int = subprocess.DEVNULL,
    cwd: Path | None = None,
) -> subprocess.Popen[bytes]:
    """Start a child in a session of its own that gets `death_signal` when we die, `user` being (uid, gid)."""

    return subprocess.Popen(  # noqa: S603 - programs of ours only
        list(argv),
        env=dict(env),
        cwd=cwd,
        stdin=input,
        stdout=output,
        stderr=subprocess.STDOUT if output is not None else None,
        start_new_session=True,
        # After the change of user, which would clear it.
        preexec_fn=lambda: follow_parent(death_signal),  # noqa: PLW1509 - one system call that takes no lock
        user=None if user is None else user[0],
        group=None if user is None else user[1],
        extra_groups=None if user is None else [],
    )


def wait_gone(is_there: Callable[[], bool], *, seconds: float) -> bool:
    """Whether the thing went away within so many seconds."""
    end = time.monotonic() + seconds
    while is_there():
        if time.monotonic() > end:
            return False
        time.sleep(POLL_S)
    return True


def stop(child: Running, steps: Sequence[tuple[signal.Signals, float]]) -> None:
    """Send each signal in turn, waiting so many seconds after it, then kill what is left of its session."""
    for number, seconds in steps:
        if child.poll() is not None:
            break
        child.send_signal(number)
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            continue
    kill_session(child.pid)
    child.wait()


def kill_session(leader: int) -> None:
    """Kill whatever is left in the process group a child of ours led."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def running(matches: Callable[[Path], bool]) -> list[int]:
    """Numbers of other running processes whose /proc folder matches; none where there is no /proc."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if int(folder.name) != os.getpid() and matches(folder) and _is_running(folder):
                found.append(int(folder.name))
        except OSError:
            continue  # it ended meanwhile, or is not ours to look at
    return found


def _is_running(folder: Path) -> bool:
    return (folder / "stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
