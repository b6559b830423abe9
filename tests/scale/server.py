"""A PostgreSQL that listens on a network, as the operator of several hosts would run one."""

from __future__ import annotations

import signal
from pathlib import Path

import psycopg

from household.box import places, process
from household.box.account import Account
from household.box.cluster import Cluster, _environment, binary

PASSWORD = "only-for-this-test"
NAME = "book"


class NetworkCluster(Cluster):
    """The embedded server's files, listening on one address as well, for logins with a password."""

    def __init__(self, house: Path, *, address: str) -> None:
        super().__init__(house)
        self.address = address

    def _launch(self, account: Account | None) -> None:
        rules = self.data / "pg_hba.conf"
        kept = [line for line in rules.read_text().splitlines() if line.startswith("local")]
        rules.write_text("\n".join([*kept, "host all all samenet scram-sha-256", ""]))
        argv = [str(binary("postgres")), "-D", str(self.data), "-h", self.address]
        argv += ["-p", str(places.SOCKET_PORT), "-k", str(places.socket_folder(self.house))]
        argv += ["-c", "max_connections=120"]
        with self.log.open("wb") as log:
            self.child = process.spawn(
                argv,
                env=_environment(),
                death_signal=signal.SIGINT,
                user=None if account is None else account.ids,
                output=log,
                cwd=Path("/"),
            )

    def adopted(self) -> str:
        """Make an empty database with an owner that may make roles; its address on the network."""
        with psycopg.connect(self.url(places.SUPERUSER, "postgres"), autocommit=True) as base:
            base.execute(f"CREATE ROLE {NAME} LOGIN CREATEROLE PASSWORD '{PASSWORD}'")
            base.execute(f"CREATE DATABASE {NAME} OWNER {NAME}")
        with psycopg.connect(self.url(places.SUPERUSER, NAME), autocommit=True) as base:
            base.execute("CREATE EXTENSION vector")
        return f"postgresql://{NAME}:{PASSWORD}@{self.address}:{places.SOCKET_PORT}/{NAME}"
