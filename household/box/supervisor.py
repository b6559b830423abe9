"""`up`: starts database, web server and worker as children, restarts one that dies, stops them all.

Signals end the work by raising Stopping wherever it stands; children die with us even on SIGKILL, and
whatever an earlier `up` left behind on this data folder is ended first.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from household.box import firstrun, healthcheck, network, places, process, restoring, tls
from household.box.children import Child, stop_all, tell
from household.box.cluster import Cluster
from household.box.forking import ForkServer
from household.box.machine import this_machine
from household.box.trouble import Trouble
from household.box.tuning import Threads, threads
from household.box.walls import VARIABLE as SECOND_WALL

# Every child carries this, so that the next `up` on the same folder finds what a killed one left.
MARK = "HEARTHBOOK_CHILD_OF"
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
READY_S = 90.0
ANSWER_POLL_S = 0.05
REFRESH_S = 60.0
LAST_PAGE_S = 2.0  # in which the page that says what happens, and its script, still reach the browser
RETRY_S = 2.0


class AlreadyRuns(Trouble):
    """Another `up`, or a command with a database of its own, has the data folder."""


class Stopping(BaseException):
    """Somebody asked the box to stop."""


def main() -> int:
    """Run the box until it is told to stop; 1 and one sentence where it cannot."""
    with suppress(AttributeError):
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    for number in STOP_SIGNALS:
        signal.signal(number, _raise_stopping)
    try:
        up()
    except Stopping:
        tell("Hearthbook has stopped.")
    except Trouble as trouble:
        print(f"hearthbook: {trouble}", file=sys.stderr)
        return 1
    return 0


def _raise_stopping(_number: int, _frame: FrameType | None) -> NoReturn:
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    raise Stopping


def up() -> NoReturn:
    """Start everything, greet, and keep it running. Ends by Stopping or Trouble only."""
    house = places.home()
    entrance = tls.read_entrance(os.environ)
    machine = this_machine(os.environ)
    places.open_home(house)
    with held(house):
        end_leftovers(house)
        entrance.require_free()
        uses_own = not (os.environ.get("DATABASE_URL", "").strip() or os.environ.get("OWNER_DATABASE_URL"))
        cluster = Cluster(house, machine=machine) if uses_own else None
        forks = ForkServer(house, child_environment(house))
        children: list[Child] = []
        try:
            forks.start()
            if cluster is not None:
                cluster.start()
            prepared = run_prepare(house)
            entrance.open(house)
            web, worker = make_children(house, entrance, prepared["addresses"], forks, threads(machine))
            children += [web, worker]
            web.start()
            await_answer(entrance, web)
            # Only now, so that the first page has the processor to itself.
            worker.start()
            code = firstrun.issue_code(house) if prepared["is_first_run"] else None
            tell(entrance.greeting(lan=network.lan_address(), code=code))
            keep_running(cluster, children, entrance, forks)
        finally:
            entrance.close()
            stop_all(children)
            forks.stop()
            if cluster is not None:
                cluster.stop()


@contextmanager
def held(house: Path) -> Iterator[None]:
    """Have the data folder to ourselves. Raises AlreadyRuns where somebody else has it."""
    with (house / "up.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            sentence = f"Hearthbook already runs on {house} (process {lock.read().strip()})."
            raise AlreadyRuns(sentence) from None
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        yield


def end_leftovers(house: Path) -> None:
    """Kill children of an `up` on this folder that was killed itself; the database sees to its own."""
    mark = f"{MARK}={house}".encode()

    def is_left(folder: Path) -> bool:
        return mark in (folder / "environ").read_bytes().split(b"\0")

    for number in process.running(is_left):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(number, signal.SIGKILL)
    process.wait_gone(lambda: bool(process.running(is_left)), seconds=5.0)


def run_prepare(house: Path) -> dict[str, Any]:
    """Run `prepare` to its end and take what it found. Raises Trouble with its sentence."""
    with places.log_file(house, "prepare").open("wb") as log:
        child = subprocess.Popen(
            [sys.executable, "-m", "household.box.prepare"],
            cwd=places.CHECKOUT,
            env=child_environment(house),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
        )
    try:
        output, _ = child.communicate()
    except BaseException:
        child.kill()
        child.wait()
        raise
    if child.returncode != 0:
        lines = places.log_file(house, "prepare").read_text(errors="replace").strip().splitlines()
        raise Trouble(lines[-1] if lines else f"Preparing the database ended with code {child.returncode}.")
    prepared: dict[str, Any] = json.loads(output.splitlines()[-1])
    if not prepared["addresses"]["second_wall"]:
        wanted = house / "operator.sql"
        wanted.write_text(prepared["addresses"]["wanted_sql"])
        tell(
            "The database lets this role make no login for the web, so row-level security is off.\n"
            f"The server's operator can turn it on with the following SQL, kept in {wanted};\n"
            "then set DATABASE_URL to the new login and OWNER_DATABASE_URL to the present one.\n\n"
            + wanted.read_text()
        )
    return prepared


def child_environment(house: Path) -> dict[str, str]:
    """The environment every child gets: ours, one thread for number work, and the mark of this folder."""
    return {
        **os.environ,
        MARK: str(house),
        "HEARTHBOOK_HOME": str(house),
        "DJANGO_SETTINGS_MODULE": "household.settings",
        "OMP_NUM_THREADS": "1",
        "PYTHONUNBUFFERED": "1",
    }


def make_children(
    house: Path, entrance: tls.Entrance, addresses: Mapping[str, Any], forks: ForkServer, threads: Threads
) -> tuple[Child, Child]:
    """The web server, which owns nothing, and the worker, which is the owner."""
    env = child_environment(house) | {
        "DATABASE_URL": addresses["web"],
        "OWNER_DATABASE_URL": addresses["owner"],
        SECOND_WALL: "on" if addresses["second_wall"] else "off",
    }
    door = entrance.door
    serve = {"host": door.host, "port": door.port, **entrance.server_options()}
    web = {"HEARTHBOOK_WEB_THREADS": str(threads.web)} | env | {"HEARTHBOOK_ROLE": "web"}
    work = {"door": asdict(door), "threads": threads.worker}
    return (
        Child("web", serve, web, house, forks=forks),
        Child("worker", work, env | {"HEARTHBOOK_ROLE": "owner"}, house, forks=forks),
    )


def await_answer(entrance: tls.Entrance, web: Child) -> None:
    """Wait until the box calls itself well. Raises Trouble where the web server ends or never does."""
    end = time.monotonic() + READY_S
    while not healthcheck.is_well(entrance):
        ended = web.running is None or web.running.poll() is not None
        if ended or time.monotonic() > end:
            lines = web.log.read_text(errors="replace").strip().splitlines()
            raise Trouble(f"The web server does not answer: {lines[-1] if lines else 'no reason given'}")
        time.sleep(ANSWER_POLL_S)


def keep_running(
    cluster: Cluster | None,
    children: list[Child],
    entrance: tls.Entrance,
    forks: ForkServer,
) -> NoReturn:
    """Wait for a child to die or a minute to pass, and set right what is wrong, for ever."""
    woken, waker = os.pipe()
    for end in (woken, waker):
        os.set_blocking(end, False)
    for number in (signal.SIGCHLD, signal.SIGUSR1):
        signal.signal(number, lambda _number, _frame: None)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    hindered = ""
    while True:
        hindered = "" if cluster is None else revive(cluster, said=hindered)
        if restoring.is_wanted(children[0].house):
            restore(children, forks)
        if entrance.renew():
            children[0].stop()
        due = [time.monotonic() + (RETRY_S if hindered else REFRESH_S)]
        for child in children:
            if not (child.look() or child.start_when_due()):
                due.append(child.due_at)
        if all(child.running is not None for child in children):
            # The book it holds would be held for nothing; it is read again when one of them dies.
            forks.stop()
        select.select([woken], [], [], max(0.0, min(due) - time.monotonic()))
        with suppress(BlockingIOError):
            os.read(woken, 4096)


def restore(children: list[Child], forks: ForkServer) -> None:
    """Carry out a restore that was asked for on the welcome page, with web and worker away meanwhile.

    The book is loaded anew for them: a backup may bring the key that secrets are sealed with.
    """
    house = children[0].house
    tell("Restoring a backup.")
    time.sleep(LAST_PAGE_S)
    stop_all(children)
    restoring.carry_out(house, children[1].env)
    forks.start()
    if (restoring.outcome(house) or {}).get("state") == "restored":
        firstrun.spend(house)
    for child in children:
        child.start_when_due()
    tell("The restore has ended; the pages are back.")


def revive(cluster: Cluster, *, said: str) -> str:
    """Start the database again if it died; what hinders it, told once, and nothing where it runs.

    Children find it again by themselves.
    """
    if cluster.child is not None and cluster.child.poll() is None:
        return ""
    if not said:
        tell("The database ended and is started again.")
    try:
        cluster.revive()
    except Trouble as trouble:
        if str(trouble) != said:
            tell(f"{trouble} Trying again.")
        return str(trouble)
    if said:
        tell("The database runs again.")
    return ""
