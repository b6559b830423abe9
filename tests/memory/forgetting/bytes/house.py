"""A house with a database cluster of its own, whose files can be searched byte by byte."""

from __future__ import annotations

import os
import random
import signal
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
from django.db import connections
from django.test import override_settings

from household.box import bootstrap, places
from household.box.cluster import Cluster, binary
from tests import shared_cluster
from tests.memory.forgetting.bytes.vectors import pieces

WORD = 16  # letters; long enough that nothing else spells it
DIMENSIONS = 384


class House:
    """One cluster, its media, and Django pointed at it."""

    def __init__(self, folder: Path) -> None:
        self.home = folder
        self.cluster = Cluster(folder)
        (folder / "media").mkdir(parents=True, exist_ok=True)

    def start(self) -> None:
        """Start the server, or start it again after whatever happened to it."""
        self.cluster.start()

    def stop(self) -> None:
        """Stop it cleanly."""
        self.forget_connections()
        self.cluster.stop()

    def kill(self) -> None:
        """Kill the server and all of its processes at once, as a power cut would."""
        child = self.cluster.child
        assert child is not None
        with psycopg.connect(self.url(places.SUPERUSER), autocommit=True) as base:
            backends = [pid for (pid,) in base.execute("SELECT pid FROM pg_stat_activity").fetchall()]
        child.send_signal(signal.SIGKILL)
        child.wait()
        for pid in backends:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.cluster.child = None
        self.forget_connections()

    def url(self, role: str) -> str:
        """The address under which a role reaches it."""
        return places.embedded_url(self.home, role)

    def connect(self, role: str = places.OWNER) -> psycopg.Connection[Any]:
        """An autocommit connection, which waits for no lock for ever."""
        return psycopg.connect(self.url(role), autocommit=True, options=shared_cluster.PATIENT)

    def fill_from_tests(self) -> None:
        """The migrated schema, copied from the tests' own database: settings of every column included."""

        def connect(database: str) -> psycopg.Connection[Any]:
            url = places.embedded_url(self.home, places.SUPERUSER, database)
            return psycopg.connect(url, autocommit=True)

        bootstrap.bootstrap_embedded(connect)
        dump = subprocess.run(
            [binary("pg_dump"), shared_cluster.url(places.SUPERUSER, shared_cluster.database_name())],
            check=True,
            capture_output=True,
        )
        subprocess.run(
            [binary("psql"), "-q", "-v", "ON_ERROR_STOP=0", self.url(places.SUPERUSER)],
            input=dump.stdout,
            check=True,
            capture_output=True,
        )

    @contextmanager
    def django(self) -> Iterator[None]:
        """Django works on this house as its owner, media folder included."""
        before = {alias: dict(connections[alias].settings_dict) for alias in connections}
        self.forget_connections()
        for alias in connections:
            connections[alias].settings_dict.update(
                NAME=places.DATABASE,
                USER=places.OWNER,
                HOST=str(places.socket_folder(self.home)),
                PORT=str(places.SOCKET_PORT),
            )
        storages = {
            "default": {
                "BACKEND": "django.core.files.storage.FileSystemStorage",
                "OPTIONS": {"location": self.home / "media"},
            },
            "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
        }
        try:
            with override_settings(HOME=self.home, STORAGES=storages, PROCESS_ROLE="owner"):
                yield
        finally:
            self.forget_connections()
            for alias, settings in before.items():
                connections[alias].settings_dict.update(settings)

    def forget_connections(self) -> None:
        """Let go of every connection Django holds."""
        for alias in connections:
            connections[alias].close()

    def checkpoint(self) -> None:
        """Write what is only in memory to the files, so that a search of them says something."""
        with self.connect(places.SUPERUSER) as base:
            base.execute("CHECKPOINT")

    def files(self) -> Iterator[Path]:
        """Every file below the house: tables, indexes, log, statistics, temporary files, media, logs.

        The server's own empty databases, to which nobody connects, are left out.
        """
        others = [self.home / "postgres" / "base" / name for name in ("1", "4", "5")]
        found = (path for path in sorted(self.home.rglob("*")) if path.is_file())
        return (path for path in found if path.parent not in others)

    def holding(self, canary: Canary) -> list[str]:
        """The files that hold any piece of a canary, with the piece."""
        return holding(canary, self.files(), below=self.home)

    def base_backup(self, folder: Path) -> None:
        """A copy of the whole cluster as its files are, holes of pages included."""
        subprocess.run(
            [
                binary("pg_basebackup"),
                *("-d", self.url(places.SUPERUSER), "-D", str(folder), "-X", "stream", "-c", "fast"),
            ],
            check=True,
            capture_output=True,
        )


def holding(canary: Canary, files: Iterable[Path], *, below: Path) -> list[str]:
    """The files that hold any piece of a canary, with the piece."""
    found = []
    patterns = canary.patterns()
    for path in files:
        try:
            content = path.read_bytes()
        except FileNotFoundError:  # a file of the log that was just removed
            continue
        held = [name for name, one in patterns if one in content] + pieces(content, canary.vector)
        found += [f"{path.relative_to(below)}: {name}" for name in held]
    return found


@dataclass(frozen=True)
class Canary:
    """Words nobody else says, in several spellings, and a vector nobody else has."""

    seed: int
    plain: str = field(init=False)
    turkish: str = field(init=False)
    older: str = field(init=False)  # what a text said before it was edited
    vector: tuple[float, ...] = field(init=False)

    def __post_init__(self) -> None:
        dice = random.Random(f"canary {self.seed}")
        letters = "bcdfghjklmnpqrstvwxz"
        object.__setattr__(self, "plain", "".join(dice.choices(letters, k=WORD)))
        object.__setattr__(self, "turkish", "".join(dice.choices("zqxğşçıöü", k=WORD)))
        object.__setattr__(self, "older", "".join(dice.choices(letters, k=WORD)))
        object.__setattr__(self, "vector", tuple(dice.uniform(-1, 1) for _n in range(DIMENSIONS)))

    def patterns(self) -> list[tuple[str, bytes]]:
        """Every spelling in which a file could hold its words, whole and in halves."""
        found: list[tuple[str, bytes]] = []
        for name in ("plain", "turkish", "older"):
            word = getattr(self, name)
            for how, text in {"": word, " upper": word.upper(), " capital": word.capitalize()}.items():
                found.append((name + how, text.encode()))
                found.append((f"{name}{how} head", text[: WORD // 2].encode()))
                found.append((f"{name}{how} tail", text[WORD // 2 :].encode()))
            found.append((f"{name} utf-16", word.encode("utf-16-le")))
            found.append((f"{name} utf-16 be", word.encode("utf-16-be")))
            found.append((f"{name} json", word.encode("ascii", "backslashreplace")))
        return found

    @property
    def sentence(self) -> str:
        """Something somebody could say that holds the words."""
        return (
            f"Mavi vomited twice, {self.plain} {self.plain.capitalize()} {self.turkish}, "
            f"and her left ear is red {self.plain} {self.turkish.upper()}"
        )
