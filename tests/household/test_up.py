"""The whole box, really started: it answers, survives what happens to it, refuses clearly, stops cleanly."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from household.box import firstrun, places
from household.box.supervisor import MARK
from tests import shared_cluster
from tests.household.box.running import Box, a_roomy_folder, a_running_box, a_small_disk, furnish, until
from tests.slices import is_turn

PROGRAMS = ["hearthbook-web", "hearthbook-work", "postgres"]
NOBODY = 65534


@pytest.fixture
def roomy() -> Iterator[Path]:
    """A folder every user may enter, unlike pytest's own."""
    with a_roomy_folder() as folder:
        yield folder


@pytest.fixture
def fresh(roomy: Path) -> Iterator[Box]:
    """A box that was never started."""
    made = Box(roomy / "home", from_scratch=True)
    yield made
    made.clear()


@pytest.fixture(scope="module")
def running() -> Iterator[Box]:
    """A box that runs, for what does not hurt it but at the very end."""
    with a_running_box() as made:
        yield made


@pytest.fixture
def box(fresh: Box) -> Box:
    """A box that was started and stopped before."""
    furnish(fresh.house)
    return fresh


def test_up_reaches_its_first_page_and_sigterm_leaves_no_process(fresh: Box) -> None:
    box = fresh.ready()
    assert box.health() is not None
    assert all(box.children(program) for program in PROGRAMS)
    assert box.stop() == 0
    assert box.children() == []
    assert "Traceback" not in box.printed()


def test_it_prints_its_addresses_and_a_code_that_opens_the_first_run(running: Box) -> None:
    assert f"http://localhost:{running.port}/" in running.printed()
    found = re.search(r"enter the code  (\w{4}-\w{4})", running.printed())
    assert found is not None
    assert firstrun.check_code(found[1], running.house)
    assert not firstrun.check_code("AAAA-AAAA", running.house)


def test_after_a_killed_up_the_next_one_starts_makes_no_second_database_and_ctrl_c_stops_it(box: Box) -> None:
    first = (places.data_folder(box.house) / "PG_VERSION").stat().st_mtime_ns
    left = a_stubborn_child(box)
    box.ready()
    assert left.wait(0) == -signal.SIGKILL
    assert (places.data_folder(box.house) / "PG_VERSION").stat().st_mtime_ns == first
    assert "up to date" not in places.log_file(box.house, "prepare").read_text()
    box.stop(signal.SIGKILL)
    until(lambda: not box.children(), "children gone")
    box.ready()
    assert box.health() is not None
    assert box.stop(signal.SIGINT) == 0
    assert box.children() == []


def a_stubborn_child(box: Box) -> subprocess.Popen[bytes]:
    """What an earlier start left behind, and what does not end when it is told to."""
    stubborn = (
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); signal.pause()"
    )
    left = subprocess.Popen(
        [sys.executable, "-c", stubborn], env={**box.env, MARK: str(box.house)}, stdout=subprocess.PIPE
    )
    assert left.stdout is not None
    with left.stdout as said:
        said.readline()
    left.terminate()
    return left


def test_a_second_up_on_the_same_folder_says_so_and_leaves_the_first_alone(running: Box) -> None:
    second = Box(running.house)
    second.output = running.output.with_suffix(".second")
    assert "already runs" in second.refusal()
    assert running.health() is not None


def test_a_command_finds_the_database_of_a_running_up_and_has_one_of_its_own_without(fresh: Box) -> None:
    if not is_turn(0, one_in=2):
        furnish(fresh.house)
    question = "from household.models import Person; print('people', Person.objects.count())"
    alone = fresh.manage("shell", "-v", "0", "-c", question)
    assert (alone.returncode, alone.stdout) == (0, "people 0\n"), alone.stderr
    assert fresh.children() == []
    fresh.ready()
    beside = fresh.manage("shell", "-v", "0", "-c", question)
    assert (beside.returncode, beside.stdout) == (0, "people 0\n"), beside.stderr
    assert fresh.health() is not None
    assert fresh.stop() == 0


def test_a_busy_port_ends_in_one_sentence(roomy: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen(1)
        port = taken.getsockname()[1]
        assert f"Port {port} is in use" in Box(roomy / "home", env={"PORT": str(port)}).refusal()


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"PORT": "http"}, "PORT and HTTPS_PORT must be whole numbers"),
        ({"PORT": "70000"}, "PORT and HTTPS_PORT must be whole numbers"),
        ({"HOST": "no.such.host.invalid"}, "HOST no.such.host.invalid cannot be listened on"),
        ({"DATABASE_URL": "postgresql://someone:secret@127.0.0.1:1/home"}, "DATABASE_URL cannot be reached"),
        ({"DATABASE_URL": "mysql://127.0.0.1/home"}, "DATABASE_URL must look like postgresql://"),
        ({"OWNER_DATABASE_URL": "postgresql://127.0.0.1:1/home"}, "cannot be reached"),
        ({"HEARTHBOOK_MEMORY_MB": "2 GB"}, "HEARTHBOOK_MEMORY_MB must be a whole number"),
    ],
)
def test_a_setting_that_cannot_work_ends_in_one_sentence(
    roomy: Path, variables: dict[str, str], sentence: str
) -> None:
    refused = Box(roomy / "home", env=variables)
    assert sentence in refused.refusal()
    assert "secret" not in refused.printed()


def test_a_folder_that_cannot_be_made_ends_in_one_sentence(roomy: Path) -> None:
    (roomy / "file").touch()
    box = Box(roomy / "file" / "home")
    box.output = roomy / "output"
    assert "cannot be written" in box.refusal()


def test_a_full_disk_ends_in_one_sentence() -> None:
    with a_small_disk(size="20m") as disk:
        box = Box(disk / "home")
        box.output = disk.parent / "output"
        assert "The disk under" in box.refusal()


def test_a_database_without_pgvector_ends_in_one_sentence(roomy: Path, running_server: None) -> None:
    name = f"{shared_cluster.database_name()}_bare"
    with shared_cluster.connect() as server:
        server.execute(f"DROP ROLE IF EXISTS {name}")
        server.execute(f"CREATE ROLE {name} LOGIN")
        server.execute(f"CREATE DATABASE {name} OWNER {name}")
    try:
        box = Box(roomy / "home", env={"DATABASE_URL": shared_cluster.url(name, name)})
        assert "CREATE EXTENSION vector" in box.refusal()
    finally:
        shared_cluster.drop(name)
        with shared_cluster.connect() as server:
            server.execute(f"DROP ROLE {name}")


def test_on_a_foreign_server_that_allows_no_roles_it_serves_and_says_what_is_missing(
    fresh: Box, running_server: None
) -> None:
    name = f"{shared_cluster.database_name()}_lodger"
    with shared_cluster.connect() as server:
        server.execute(f"CREATE ROLE {name} LOGIN")
        server.execute(f"CREATE DATABASE {name} OWNER {name}")
    with shared_cluster.connect(name) as base:
        base.execute("CREATE EXTENSION vector")
    try:
        fresh.env["DATABASE_URL"] = shared_cluster.url(name, name)
        fresh.ready()
        assert fresh.health() is not None
        assert f'CREATE ROLE "{name}_web"' in fresh.printed()
        assert "row-level security is off" in fresh.printed()
        assert (fresh.house / "operator.sql").exists()
        assert not places.data_folder(fresh.house).exists()
        assert fresh.stop() == 0
    finally:
        fresh.clear()
        shared_cluster.drop(name)
        with shared_cluster.connect() as server:
            server.execute(f"DROP ROLE {name}")


def test_root_without_a_reachable_folder_is_told_and_no_folder_is_opened(roomy: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root has this trouble")
    closed = roomy / "closed"
    closed.mkdir(mode=0o700)
    box = Box(closed / "home")
    box.output = roomy / "output"
    assert f"may not enter {closed}" in box.refusal()
    assert closed.stat().st_mode & 0o777 == 0o700


def test_an_ordinary_user_can_run_it(roomy: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("every other test here has shown it")
    python = next((p for p in (sys.executable, "/usr/bin/python3") if _works_for_nobody(p)), None)
    if python is None:
        pytest.skip("no Python that an ordinary user may start")
    os.chown(roomy, NOBODY, NOBODY)
    packages = [str(Path(pytest.__file__).parents[1]), str(places.CHECKOUT)]
    box = Box(
        roomy / "home",
        argv=[python, "-m", "household.box"],
        user=NOBODY,
        env={
            "PYTHONPATH": os.pathsep.join(packages),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": str(roomy),
        },
    )
    if not is_turn(1, one_in=2):
        furnish(box.house)
        subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", str(box.house)], check=True)
    try:
        box.ready()
        assert box.health() is not None
        assert {Path(f"/proc/{number}").stat().st_uid for number in box.children()} == {NOBODY}
        assert box.stop() == 0
        assert box.children() == []
    finally:
        box.clear()


def _works_for_nobody(python: str) -> bool:
    packages = str(Path(pytest.__file__).parents[1])
    try:
        return (
            subprocess.run(
                [python, "-c", "import sys, psycopg, django; sys.exit(sys.version_info < (3, 11))"],
                env={"PYTHONPATH": packages},
                user=NOBODY,
                group=NOBODY,
                extra_groups=[],
                capture_output=True,
                check=False,
            ).returncode
            == 0
        )
    except OSError:
        return False


def test_root_gives_the_database_an_account_of_its_own(running: Box) -> None:
    if os.geteuid() != 0:
        pytest.skip("an ordinary user's database runs as that user")
    (server,) = running.children("postgres")
    assert Path(f"/proc/{server}").stat().st_uid not in {0, NOBODY}
    assert places.data_folder(running.house).stat().st_mode & 0o777 == 0o700
    assert places.socket_folder(running.house).stat().st_mode & 0o777 == 0o700


# The last test: it hurts the box that the others look at.
def test_a_killed_child_of_any_kind_comes_back(running: Box) -> None:
    for program in PROGRAMS:
        killed = min(running.children(program))
        os.kill(killed, signal.SIGKILL)
        until(lambda: has_another(running, program, killed), f"a new {program}")  # noqa: B023
        until(lambda: running.health() is not None, "health")


def has_another(box: Box, program: str, killed: int) -> bool:
    return killed not in box.children() and bool(box.children(program))
