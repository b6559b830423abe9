"""The embedded server in odd circumstances: leftovers, foreign numbers, deep folders, crashes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from household.box import places, process, tuning
from household.box.account import server_account
from household.box.cluster import Cluster
from household.box.trouble import Trouble
from tests.household.box.running import a_roomy_folder, until


@pytest.fixture
def house() -> Iterator[Path]:
    with a_roomy_folder() as folder:
        yield folder / "home"


@pytest.fixture
def cluster(house: Path) -> Iterator[Cluster]:
    made = Cluster(house)
    yield made
    made.stop()


def ask(cluster: Cluster, question: str) -> list[tuple[object, ...]]:
    with psycopg.connect(cluster.url("postgres", "postgres"), autocommit=True) as server:
        cursor = server.execute(question)
        return cursor.fetchall() if cursor.description else []


def test_every_setting_is_in_force_before_the_first_word(cluster: Cluster) -> None:
    cluster.machine = tuning.Machine(3_000, 4)
    cluster.start()
    for name, wanted in tuning.settings(durable=True, machine=cluster.machine).items():
        plain = wanted.strip("'")
        ((found,),) = ask(cluster, f"SHOW {name}")
        assert found == plain, name


def test_it_keeps_what_was_committed_through_a_kill_of_everything(cluster: Cluster) -> None:
    cluster.start()
    ask(cluster, "CREATE TABLE kept AS SELECT 1 AS one")
    assert cluster.child is not None
    cluster.child.kill()
    cluster.child.wait()
    cluster.start()
    assert ask(cluster, "SELECT one FROM kept") == [(1,)]


def test_it_listens_on_its_private_socket_only(cluster: Cluster) -> None:
    cluster.start()
    assert ask(cluster, "SHOW listen_addresses") == [("",)]
    assert places.socket_folder(cluster.house).stat().st_mode & 0o777 == 0o700


def test_a_living_foreign_process_under_the_old_number_is_no_server(cluster: Cluster) -> None:
    cluster.start()
    cluster.stop()
    account = server_account(cluster.data)
    foreign = process.spawn(
        ["sleep", "600"], env=dict(os.environ), user=None if account is None else account.ids
    )
    try:
        note = f"{foreign.pid}\n{cluster.data}\n1\n{places.SOCKET_PORT}\n\n*\n  1 1\nready   \n"
        (cluster.data / "postmaster.pid").write_text(note)
        lock = places.socket_folder(cluster.house) / f"{places.SOCKET_NAME[1:]}.lock"
        lock.write_text(note)
        cluster.start()
        assert ask(cluster, "SELECT 1") == [(1,)]
        assert foreign.poll() is None
    finally:
        foreign.kill()
        foreign.wait()


def test_a_server_somebody_left_running_is_ended_and_replaced(cluster: Cluster) -> None:
    left = Cluster(cluster.house)
    left.start()
    assert left.child is not None
    cluster.start()
    assert left.child.wait(10) is not None
    assert ask(cluster, "SELECT 1") == [(1,)]


def test_a_half_made_cluster_is_made_again(cluster: Cluster) -> None:
    part = cluster.data.with_suffix(".part")
    part.mkdir(parents=True)
    (part / "PG_VERSION").write_text("18\n")
    cluster.start()
    assert ask(cluster, "SELECT 1") == [(1,)]
    assert not part.exists()


def test_a_folder_with_something_else_in_it_is_left_alone(cluster: Cluster) -> None:
    cluster.data.mkdir(parents=True)
    (cluster.data / "photos").write_text("ours")
    with pytest.raises(Trouble, match="holds something that is not a database"):
        cluster.start()
    assert (cluster.data / "photos").read_text() == "ours"


def test_a_data_folder_too_deep_for_a_socket_works_with_a_short_private_one(house: Path) -> None:
    deep = house.parent / ("d" * 60) / ("e" * 60)
    deep.parent.mkdir()
    deep.parent.chmod(0o755)
    cluster = Cluster(deep)
    try:
        cluster.start()
        assert ask(cluster, "SELECT 1") == [(1,)]
        folder = places.socket_folder(deep)
        assert not folder.is_relative_to(deep)
        assert folder.stat().st_mode & 0o777 == 0o700
    finally:
        cluster.stop()
        shutil.rmtree(places.socket_folder(deep), ignore_errors=True)


def test_a_server_whose_files_vanished_is_not_replaced_by_an_empty_one(cluster: Cluster) -> None:
    cluster.start()
    cluster.stop()
    shutil.rmtree(cluster.data)
    with pytest.raises(Trouble, match="are gone"):
        cluster.revive()
    assert not cluster.data.exists()


def test_a_broken_data_folder_ends_in_one_sentence(cluster: Cluster) -> None:
    cluster.start()
    cluster.stop()
    (cluster.data / "global" / "pg_control").write_bytes(b"")
    with pytest.raises(Trouble, match=r"^The database did not start: [^\n]+\.$"):
        cluster.start()


def test_the_server_ends_when_the_process_that_started_it_is_killed(cluster: Cluster) -> None:
    program = (
        "import signal, sys; from pathlib import Path; from household.box.cluster import Cluster\n"
        f"made = Cluster(Path({str(cluster.house)!r})); made.start()\n"
        "print(made.child.pid, flush=True); signal.pause()"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=places.CHECKOUT,
        stdout=subprocess.PIPE,
    )
    assert parent.stdout is not None
    server = int(parent.stdout.readline())
    assert Path(f"/proc/{server}").exists()
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    until(lambda: not Path(f"/proc/{server}/exe").exists(), "the server to end")
