"""Ten thousand households on one server, from one that is measured here: `python -m tests.scale.simulate`.

Makes a household of three subjects with a year of daily logs in a database of its own, measures its rows,
bytes, files, a night and a page, and says for one, a hundred and ten thousand what they take of a server and
what runs out first. What is assumed about use and about the server stands in ASSUMED and SERVER.
"""

from __future__ import annotations

import json
import statistics
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

from tests.bench.bases import cloned, spent_ms, web_role
from tests.bench.pages import furnished
from tests.scale.planning import YEAR_DAYS, Household, Server, most, needs

SUBJECTS, SAMPLES, YEARS = 3, 12, 3.0
COUNTS = (1, 100, 10_000)
# Use: an active family, a photo of 300 kB a day; eight threads of a web, two of a worker, and its queue.
ASSUMED = {
    "media_bytes_a_year": 365 * 300e3,
    "requests_a_day": 200.0,
    "busy_hour_share": 0.2,
    "connections_open": 11,
}
# Memory and idle CPU of one web and one worker, where no bench.json tells.
PROCESSES = {"web_mb": 90.0, "worker_mb": 70.0, "worker_idle_cpu": 0.004}
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
    with cloned() as name:
        one, rows = measured(name)
    print(f"one household: {json.dumps(rows)}")
    for count in COUNTS:
        print(f"\n{count:,} households after {YEARS:g} years")
        for need in needs(count, one, SERVER, years=YEARS):
            print(f"  {need.share:10.1%}  {need.what}: {need.wanted:,.4g} of {need.there:,.4g}")
    own = most(one, SERVER, years=YEARS)
    print(f"\nAt most {own:,} households with a web and a worker of its own for each.")
    shared = replace(SERVER, connections=10**9, memory_mb=inf)
    idle = replace(one, worker_idle_cpu=0.0)
    count = most(idle, shared, years=YEARS)
    first = needs(count, idle, shared, years=YEARS)[0]
    print(f"At most {count:,} where webs start when asked and nights run in turn; then ends: {first.what}.")


def measured(name: str) -> tuple[Household, dict[str, float]]:
    """One household's year, night and page, and the plain numbers behind them."""
    from django.test.utils import setup_test_environment

    from tests.makers import signed_in

    setup_test_environment()
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
        **ASSUMED,  # type: ignore[arg-type]
        **processes(),
    )
    said = {"rows a year": found.rows_a_year, "MB a year": found.bytes_a_year / 1e6}
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
    """Memory and idle CPU of a household's own processes, from the last bench where there is one."""
    path = Path("bench.json")
    figures = json.loads(path.read_text())["figures"] if path.exists() else {}
    if "memory.idle.mb" not in figures:
        return PROCESSES
    whole, idle = figures["memory.idle.mb"]["median"], figures["idle.cpu"]["median"]
    return {"web_mb": whole * 0.5, "worker_mb": whole * 0.35, "worker_idle_cpu": idle / 100}


if __name__ == "__main__":
    main()
