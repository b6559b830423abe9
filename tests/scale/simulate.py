"""Ten thousand households on one server, from one that is measured here: `python -m tests.scale.simulate`.

Makes a household of three subjects with a year of daily logs in a database of its own and measures its rows,
bytes, files, a night and a page; starts a box and measures memory, idle CPU and connections of its web and
worker; and says for one, a hundred and ten thousand what they take of a server and what runs out first. What
is assumed about use and about the server stands in ASSUMED and SERVER, and nothing else is assumed.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import inf
from typing import Any

import psycopg
import requests

from household.box import places
from tests.bench.bases import cloned, spent_ms, web_role
from tests.bench.house import is_quiet, programs_mb, programs_ns
from tests.bench.pages import furnished
from tests.household.box.running import Box, a_running_box, until
from tests.scale.planning import YEAR_DAYS, Household, Server, most, needs

SUBJECTS, SAMPLES, YEARS = 3, 12, 3.0
COUNTS = (1, 100, 10_000)
# Use: an active family, a photo of 300 kB a day.
ASSUMED = {"media_bytes_a_year": 365 * 300e3, "requests_a_day": 200.0, "busy_hour_share": 0.2}
AT_ONCE, REQUESTS, IDLE_S = 32, 640, 120
SERVER = Server(
    cores=32,
    memory_mb=128_000,
    disk_bytes=8e12,
    connections=500,
    night_hours=4,
    files_in_folder=20_000_000,
)


def main() -> None:
    """Measure one household and print what many of them take."""
    standing = processes()
    with cloned() as name:
        one, rows = measured(name, standing)
    print(f"one household: {json.dumps(rows)}")
    print(f"assumed: {json.dumps(ASSUMED)}, {SERVER}")
    for count in COUNTS:
        print(f"\n{count:,} households after {YEARS:g} years")
        for need in needs(count, one, SERVER, years=YEARS):
            print(f"  {need.share:10.1%}  {need.what}: {need.wanted:,.4g} of {need.there:,.4g}")
    own = most(one, SERVER, years=YEARS)
    print(f"\nAt most {own:,} households with a web and a worker of its own for each.")
    shared = replace(SERVER, connections=10**9, memory_mb=inf)
    idle = replace(one, processes_idle_cpu=0.0)
    count = most(idle, shared, years=YEARS)
    first = needs(count, idle, shared, years=YEARS)[0]
    print(f"At most {count:,} where webs start when asked and nights run in turn; then ends: {first.what}.")


def measured(name: str, standing: Mapping[str, float]) -> tuple[Household, dict[str, float]]:
    """One household's year, night and page beside what stands idle, and the plain numbers behind them."""
    from tests.makers import signed_in

    empty = size(name)
    parent, subjects = furnished("Ana", [YEAR_DAYS] * SUBJECTS)
    full = size(name)
    page = signed_in(parent)
    with web_role():
        page.get("/")
        pages = [spent_ms(lambda: page.get("/")) for _ in range(SAMPLES)]
    night = sum(night_ms(subject) for subject in subjects)
    wall, cpu = (statistics.median(side) for side in zip(*pages, strict=True))
    found = Household(
        rows_a_year=full["rows"] - empty["rows"],
        bytes_a_year=full["bytes"] - empty["bytes"],
        schema_bytes=empty["bytes"],
        schema_files=int(empty["files"]),
        night_cpu_s=night / 1000,
        request_cpu_s=cpu / 1000,
        request_s=wall / 1000,
        processes_mb=standing["processes, MB"],
        processes_idle_cpu=standing["processes idle, % of a core"] / 100,
        connections_open=int(standing["connections at rest"]),
        **ASSUMED,
    )
    said = {**standing, "rows a year": found.rows_a_year, "MB a year": found.bytes_a_year / 1e6}
    said |= {
        "MB empty": empty["bytes"] / 1e6,
        "files": empty["files"],
        "night, CPU ms": night,
        "page, CPU ms": cpu,
    }
    return found, {what: round(value, 1) for what, value in said.items()}


def size(name: str) -> dict[str, float]:
    """Bytes, rows and files of a database."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        cursor.execute("SELECT pg_database_size(%s)", [name])
        bytes_of = float(cursor.fetchone()[0])
        cursor.execute("SELECT sum(greatest(reltuples, 0)) FROM pg_class WHERE relkind = 'r'")
        rows = float(cursor.fetchone()[0])
        cursor.execute("SELECT count(*) FROM pg_class WHERE pg_relation_filenode(oid) IS NOT NULL")
        files = float(cursor.fetchone()[0])
    return {"bytes": bytes_of, "rows": rows, "files": files}


def night_ms(subject: Any) -> float:
    """CPU milliseconds of closing the next day of one subject, taken back afterwards."""
    import datetime as dt

    from tests.bench.rounds import close
    from twin.services.days import last_closed_day

    last = last_closed_day(subject)
    assert last is not None
    day = last + dt.timedelta(days=1)
    now = dt.datetime.combine(day, dt.time(12), dt.UTC) + dt.timedelta(days=1)
    return statistics.median(spent_ms(lambda: close(subject, day, now))[1] for _ in range(SAMPLES))


def processes() -> dict[str, float]:
    """A box's own web and worker: connections with all threads at work and at rest, memory, idle CPU."""
    with a_running_box() as box:
        address = f"http://127.0.0.1:{box.port}/healthz"
        with ThreadPoolExecutor(AT_ONCE) as people:
            answers = list(people.map(lambda _one: requests.get(address, timeout=60).ok, range(REQUESTS)))
            at_work = connections(box)
        assert all(answers)
        until(lambda: connections(box) < at_work, "the web's connections ended", patience_s=1_200)
        until(lambda: is_quiet(box), "quiet")
        before = programs_ns(box)
        time.sleep(IDLE_S)
        return {
            "connections at work": float(at_work),
            "connections at rest": float(connections(box)),
            "processes, MB": programs_mb(box),
            "processes idle, % of a core": (programs_ns(box) - before) / IDLE_S / 1e7,
        }


def connections(box: Box) -> int:
    """Connections of the web and the worker to the database."""
    with psycopg.connect(places.embedded_url(box.house, places.SUPERUSER)) as base:
        row = base.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        ).fetchone()
    assert row is not None
    return int(row[0])


if __name__ == "__main__":
    main()
