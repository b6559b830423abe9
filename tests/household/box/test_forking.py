"""The fork server: what it forks has its own name, log, environment and end; what hinders it is told."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from household.box import forking, places, supervisor
from household.box.forking import Forked, ForkServer
from household.box.trouble import Trouble
from tests.household.box.running import until

PR_SET_CHILD_SUBREAPER = 36


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A data folder without a database."""
    places.open_home(tmp_path)
    return tmp_path


@pytest.fixture
def forks(house: Path) -> Iterator[ForkServer]:
    """A fork server that has begun to load."""
    made = ForkServer(house, supervisor.child_environment(house))
    made.start()
    yield made
    made.stop()


@pytest.fixture
def endless() -> Iterator[dict[str, str]]:
    """The environment of a worker that waits for its database for ever."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        yield {"OWNER_DATABASE_URL": f"postgresql://nobody@127.0.0.1:{silent.getsockname()[1]}/nothing"}


def name_of(forked: Forked) -> str:
    """What it is called in lists of processes."""
    return Path(f"/proc/{forked.pid}/comm").read_text()


def test_what_it_forks_has_its_own_log_and_environment_and_tells_its_code(
    house: Path, forks: ForkServer
) -> None:
    log = places.log_file(house, "worker")
    nowhere = {"OWNER_DATABASE_URL": "postgresql://nobody@/nothing?host=/nowhere", "PATH": os.environ["PATH"]}
    forked = forks.fork("worker", [], nowhere, log)
    assert forked.wait(60) == 1
    assert '"/nowhere/.s.PGSQL.5432"' in log.read_text()
    assert forked.poll() == 1


def test_what_it_forks_has_its_own_name_and_session(
    house: Path, forks: ForkServer, endless: dict[str, str]
) -> None:
    forked = forks.fork("worker", [], endless, places.log_file(house, "worker"))
    until(lambda: name_of(forked) == "hearthbook-work\n", "its own name")
    assert os.getsid(forked.pid) == forked.pid
    forked.terminate()
    assert forked.wait(60) == -signal.SIGTERM


def test_one_that_is_killed_tells_the_signal_and_the_server_forks_on(house: Path, forks: ForkServer) -> None:
    for _again in range(2):
        forked = forks.fork("worker", [], {}, places.log_file(house, "worker"))
        forked.send_signal(signal.SIGKILL)
        assert forked.wait(60) == -signal.SIGKILL
        forked.send_signal(signal.SIGKILL)  # to nobody


def test_where_the_server_dies_what_it_forked_ends_too_and_the_next_is_forked_anew(
    house: Path, forks: ForkServer
) -> None:
    log = places.log_file(house, "web")
    argv = ["household.wsgi:application", "--interface", "wsgi", "--port", "0", "--no-such-option"]
    assert forks.fork("web", argv, {}, log).wait(60) == 2
    server = forks.running
    assert server is not None
    stopped = forks.fork("worker", [], {}, places.log_file(house, "worker"))
    os.kill(stopped.pid, signal.SIGSTOP)
    server.kill()
    os.kill(stopped.pid, signal.SIGCONT)
    until(lambda: stopped.poll() is not None, "what it forked ended too")
    assert forks.fork("web", argv, {}, log).wait(60) == 2


def test_one_that_ends_after_another_server_began_is_noticed(
    house: Path, forks: ForkServer, endless: dict[str, str]
) -> None:
    slow = forks.fork("worker", [], endless, places.log_file(house, "worker"))
    until(lambda: name_of(slow) == "hearthbook-work\n", "its own name")
    os.kill(slow.pid, signal.SIGSTOP)
    server = forks.running
    assert server is not None
    server.kill()
    server.wait()
    forks.fork("worker", [], {}, places.log_file(house, "worker"))
    os.kill(slow.pid, signal.SIGKILL)
    assert slow.wait(10) == forking.UNKNOWN


@pytest.fixture
def mother() -> Iterator[None]:
    """Every orphan below us becomes our child, as below the first process of a container."""
    prctl = ctypes.CDLL(None).prctl
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    yield
    prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


@pytest.mark.usefixtures("mother")
def test_one_that_is_left_to_us_by_its_server_is_noticed_too(house: Path, forks: ForkServer) -> None:
    left = forks.fork("worker", [], {}, places.log_file(house, "worker"))
    assert forks.running is not None
    forks.running.kill()
    assert left.wait(10) == forking.UNKNOWN


def test_one_that_is_silent_for_too_long_is_ended_before_it_forks_what_nobody_keeps(
    house: Path, forks: ForkServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forking, "LOAD_S", 0.01)
    silent = forks.running
    assert silent is not None
    with pytest.raises(Trouble, match="no reason given"):
        forks.fork("worker", [], {}, places.log_file(house, "worker"))
    assert silent.poll() is not None
    assert not places.log_file(house, "worker").exists()


def test_a_book_that_cannot_be_loaded_is_told_with_its_reason(house: Path) -> None:
    env = supervisor.child_environment(house) | {"HEARTHBOOK_ROLE": "guest"}
    forks = ForkServer(house, env)
    try:
        with pytest.raises(Trouble, match="HEARTHBOOK_ROLE must be owner or web"):
            forks.fork("worker", [], env, places.log_file(house, "worker"))
    finally:
        forks.stop()
