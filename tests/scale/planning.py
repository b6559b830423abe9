"""What one server carries: from one household's measured use to ten thousand, and the first limit. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

YEAR_DAYS = 365


@dataclass(frozen=True)
class Household:
    """One household's use, as measured."""

    rows_a_year: float
    bytes_a_year: float  # tables and indexes
    media_bytes_a_year: float
    schema_bytes: float  # an empty database
    schema_files: int  # files of an empty database
    night_cpu_s: float  # all of its subjects' rounds
    request_cpu_s: float  # a page, web and database together
    requests_a_day: float
    busy_hour_share: float  # of a day's requests, in its busiest hour
    request_s: float  # a connection is held so long for a request
    processes_mb: float  # memory of its web and its worker, without a database
    processes_idle_cpu: float  # share of a core
    connections_open: int  # of a web and a worker at rest


@dataclass(frozen=True)
class Server:
    """The machines: one database server, and hosts for web and workers."""

    cores: int
    memory_mb: float
    disk_bytes: float
    connections: int
    night_hours: float  # the window in which the nights of all households may run
    files_in_folder: int


@dataclass(frozen=True)
class Need:
    """What a number of households takes of one thing, and what there is."""

    what: str
    wanted: float
    there: float

    @property
    def share(self) -> float:
        """How much of it is used; over 1 it does not fit."""
        return self.wanted / self.there if self.there else inf


def needs(count: int, one: Household, server: Server, *, years: float) -> list[Need]:
    """Everything that many households take after so many years, the scarcest first."""
    a_second = count * one.requests_a_day * one.busy_hour_share / 3_600
    stored = one.schema_bytes + years * (one.bytes_a_year + one.media_bytes_a_year)
    found = [
        Need("a web and a worker for each household, MB", count * one.processes_mb, server.memory_mb),
        Need("idle webs and workers, cores", count * one.processes_idle_cpu, server.cores),
        Need("connections held open by a web and a worker each", count * one.connections_open,
             server.connections),
        Need("connections at work in the busiest hour", a_second * one.request_s, server.connections),
        Need("pages in the busiest hour, cores", a_second * one.request_cpu_s, server.cores),
        Need("nights, cores over their window", count * one.night_cpu_s / (server.night_hours * 3_600),
             server.cores),
        Need("disk, bytes", count * stored, server.disk_bytes),
        Need("files of the databases", count * one.schema_files, server.files_in_folder),
    ]  # fmt: skip
    return sorted(found, key=lambda need: -need.share)


def fits(count: int, one: Household, server: Server, *, years: float) -> bool:
    """Whether so many households fit."""
    return all(need.share <= 1 for need in needs(count, one, server, years=years))


def most(one: Household, server: Server, *, years: float) -> int:
    """The greatest number of households that fits; every need grows in proportion to it."""
    worst = needs(1, one, server, years=years)[0]
    count = int(1 / worst.share)
    return count if fits(count, one, server, years=years) else count - 1
