"""Children that do not outlive us: how they are started, found again and stopped."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

PR_SET_PDEATHSIG = 1
POLL_S = 0.02
# Loaded before any fork: the child between fork and exec only calls it.
_prctl: Callable[..., int] | None = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def spawn(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    death_signal: signal.Signals = signal.SIGTERM,
    user: tuple[int, int] | None = None,
    output: IO[bytes] | None = None,
    cwd: Path | None = None,
) -> subprocess.Popen[bytes]:
    """Start a child in a session of its own that gets `death_signal` when we die, `user` being (uid, gid)."""

    def follow_parent() -> None:
        # Runs after the change of user, which would clear it.
        if _prctl is not None:
            _prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0)

    return subprocess.Popen(  # noqa: S603 - programs of ours only
        list(argv),
        env=dict(env),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT if output is not None else None,
        start_new_session=True,
        preexec_fn=follow_parent,  # noqa: PLW1509 - one system call, nothing that takes a lock
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


def stop(child: subprocess.Popen[bytes], steps: Sequence[tuple[signal.Signals, float]]) -> None:
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
