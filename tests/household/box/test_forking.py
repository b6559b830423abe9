"""The fork server: what it forks has its own name, log, environment and end; what hinders it is told."""

from __future__ import annotations

import errno
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from household.box import forking, forkserver, places, supervisor
from household.box.forking import Forked, ForkServer
from household.box.trouble import Trouble
from tests.household.box.running import until


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


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkServer]:
    """A fork server for what does not hurt it."""
    house = tmp_path_factory.mktemp("house")
    places.open_home(house)
    made = ForkServer(house, supervisor.child_environment(house))
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


def parent_of(forked: Forked) -> int:
    """Whose child it is."""
    return int(Path(f"/proc/{forked.pid}/stat").read_text().rpartition(")")[2].split()[1])


def state_of(number: int) -> str:
    """The letter of its state, Z once it ended and nobody asked for its code."""
    return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]


def test_what_it_forks_has_its_own_log_and_environment_and_tells_its_code(
    house: Path, lasting: ForkServer
) -> None:
    log = places.log_file(house, "worker")
    nowhere = {"OWNER_DATABASE_URL": "postgresql://nobody@/nothing?host=/nowhere", "PATH": os.environ["PATH"]}
    forked = lasting.fork("worker", {}, nowhere, log)
    assert forked.wait(60) == 1
    assert '"/nowhere/.s.PGSQL.5432"' in log.read_text()
    assert forked.poll() == 1


def test_what_it_forks_has_its_own_name_and_session_and_is_our_child(
    house: Path, lasting: ForkServer, endless: dict[str, str]
) -> None:
    forked = lasting.fork("worker", {}, endless, places.log_file(house, "worker"))
    until(lambda: name_of(forked) == "hearthbook-work\n", "its own name")
    assert os.getsid(forked.pid) == forked.pid
    assert parent_of(forked) == os.getpid()
    forked.terminate()
    assert forked.wait(60) == -signal.SIGTERM


def test_one_that_is_killed_tells_the_signal_and_the_server_forks_on(
    house: Path, lasting: ForkServer
) -> None:
    for _again in range(2):
        forked = lasting.fork("worker", {}, {}, places.log_file(house, "worker"))
        forked.send_signal(signal.SIGKILL)
        assert forked.wait(60) == -signal.SIGKILL
        forked.send_signal(signal.SIGKILL)  # to nobody


def test_what_it_forked_outlives_it_and_the_next_is_forked_anew(
    house: Path, forks: ForkServer, endless: dict[str, str]
) -> None:
    first = forks.fork("worker", {}, endless, places.log_file(house, "worker"))
    until(lambda: name_of(first) == "hearthbook-work\n", "its own name")
    server = forks.running
    forks.stop()
    assert server is not None
    assert server.poll() is not None
    assert first.poll() is None
    second = forks.fork("worker", {}, endless, places.log_file(house, "worker"))
    assert second.pid != first.pid
    for one in (first, second):
        one.send_signal(signal.SIGKILL)
        assert one.wait(10) == -signal.SIGKILL


def test_a_server_that_was_killed_is_started_again_for_the_next(house: Path, forks: ForkServer) -> None:
    forks.fork("worker", {}, {}, places.log_file(house, "worker")).wait(60)
    assert forks.running is not None
    forks.running.kill()
    forks.running.wait()
    assert forks.fork("web", {"host": "127.0.0.1"}, {}, places.log_file(house, "web")).wait(60) == 1


def test_what_it_forked_ends_with_whoever_asked_for_it(house: Path, endless: dict[str, str]) -> None:
    """Also on SIGKILL, when nobody can tell it to end."""
    heard, told = os.pipe()
    between = os.fork()
    if between == 0:
        forks = ForkServer(house, supervisor.child_environment(house))
        os.write(told, str(forks.fork("worker", {}, endless, places.log_file(house, "worker")).pid).encode())
        os.kill(os.getpid(), signal.SIGKILL)
    number = int(os.read(heard, 20))
    os.waitpid(between, 0)
    until(lambda: not Path(f"/proc/{number}").exists() or state_of(number) == "Z", "it ended too")


def test_a_process_that_is_no_child_of_ours_is_looked_for_by_its_number() -> None:
    assert forking.code_of(1) is None
    between = os.fork()
    if between == 0:
        os._exit(3)
    os.waitpid(between, 0)
    assert forking.code_of(between) == forking.UNKNOWN


@pytest.mark.parametrize("given", [0, 1])
def test_where_nothing_can_be_forked_it_is_said_why_and_nobody_is_left(
    given: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine gives none, or one and not the second."""
    left = [os.fork] * given

    def scarce() -> int:
        if not left:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        return left.pop()()

    before = {one.pid for one in psutil.Process().children()}
    monkeypatch.setattr(os, "fork", scarce)
    with pytest.raises(OSError, match="temporarily unavailable"):
        forkserver.fork_away()
    assert {one.pid for one in psutil.Process().children()} == before


def test_what_could_not_be_forked_is_told_with_its_reason(house: Path, forks: ForkServer) -> None:
    forks.line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        theirs.send(b'{"refused": "Resource temporarily unavailable"}')
        with pytest.raises(Trouble, match="The worker cannot be started: Resource temporarily"):
            forks.fork("worker", {}, {}, places.log_file(house, "worker"))


def test_one_that_is_silent_for_too_long_is_ended_before_it_forks_what_nobody_keeps(
    house: Path, forks: ForkServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forking, "LOAD_S", 0.01)
    silent = forks.running
    assert silent is not None
    with pytest.raises(Trouble, match="no reason given"):
        forks.fork("worker", {}, {}, places.log_file(house, "worker"))
    assert silent.poll() is not None
    assert not places.log_file(house, "worker").exists()


def test_a_book_that_cannot_be_loaded_is_told_with_its_reason(house: Path) -> None:
    env = supervisor.child_environment(house) | {"HEARTHBOOK_ROLE": "guest"}
    forks = ForkServer(house, env)
    try:
        with pytest.raises(Trouble, match="HEARTHBOOK_ROLE must be owner or web"):
            forks.fork("worker", {}, env, places.log_file(house, "worker"))
    finally:
        forks.stop()
