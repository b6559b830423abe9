"""`make bench`: every figure of the measures with its floor, as a table and as `bench.json`.

`python -m tests.bench [NAME ...] [--quick] [--json FILE]` runs all benches, or those named, each in a process
of its own; figures of benches left out stay as the file has them. `python -m tests.bench compare A B` says
what changed beyond noise, `python -m tests.bench table [FILE]` prints a run again, and
`python -m tests.bench docs [FILE]` puts it into docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from household.box.cluster import binary
from tests.bench.comparing import as_text, compare
from tests.bench.figures import Figure, figure, from_json, to_json
from tests.bench.measures import MEASURES, lines
from tests.bench.tables import markdown

BENCHES = tuple(dict.fromkeys(one.bench for one in MEASURES))
DOCS = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"
START, END = "<!-- figures -->", "<!-- end of figures -->"


def main(argv: list[str]) -> int:
    """Measure, compare or print; 1 where a bench failed."""
    match argv:
        case ["compare", before, after]:
            print(as_text(compare(held(Path(before)), held(Path(after)))))
            return 0
        case ["table" | "docs" as what, *rest]:
            path = Path(rest[0] if rest else "bench.json")
            (print if what == "table" else document)(shown(path))
            return 0
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*BENCHES, []], help="benches; all without any")
    parser.add_argument("--quick", action="store_true", help="smaller books and journals: under two minutes")
    parser.add_argument("--json", type=Path, default=Path("bench.json"), help="the file to write")
    asked = parser.parse_args(argv)
    return measure(asked.names or list(BENCHES), asked.json, quick=asked.quick)


def measure(names: list[str], path: Path, *, quick: bool) -> int:
    """Run benches, keep their figures in the file after each, and print the table."""
    found = held(path) if path.exists() and set(names) != set(BENCHES) else {}
    about, failed = machine(quick=quick), 0
    for name in names:
        print(f"measuring {name}", file=sys.stderr, flush=True)
        samples = run(name, quick=quick)
        failed |= samples is None
        found |= {key: figure(values) for key, values in (samples or {}).items() if values}
        path.write_text(json.dumps({"machine": about, "figures": to_json(found)}, indent=1) + "\n")
    print(shown(path))
    return failed


def run(name: str, *, quick: bool) -> dict[str, list[float]] | None:
    """The samples of one bench, or None where it failed; it says why itself."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "samples.json"
        argv = [sys.executable, "-m", "tests.bench.one", name, str(target), *(["--quick"] if quick else [])]
        if subprocess.run(argv, check=False).returncode:
            return None
        samples: dict[str, list[float]] = json.loads(target.read_text())
        return samples


def held(path: Path) -> dict[str, Figure]:
    """The figures of a file."""
    return from_json(json.loads(path.read_text())["figures"])


def shown(path: Path) -> str:
    """A file as a table."""
    return markdown(lines(held(path)), json.loads(path.read_text())["machine"])


def document(table: str) -> None:
    """Put a table between the marks of docs/benchmarks.md."""
    before, _, rest = DOCS.read_text().partition(START)
    after = rest.partition(END)[2]
    DOCS.write_text(f"{before}{START}\n{table}\n{END}{after}")


def machine(*, quick: bool) -> dict[str, Any]:
    """What these figures were measured on."""
    cores = os.cpu_count() or 1
    server = subprocess.run(
        [str(binary("postgres")), "--version"], capture_output=True, text=True, check=True
    )
    return {
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "processor": _processor(),
        "cores": cores,
        "memory_gb": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30,
        "load_per_core": os.getloadavg()[0] / cores,
        "python": platform.python_version(),
        "postgres": server.stdout.split()[-1],
        "quick": quick,
    }


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    for text in path.read_text().splitlines() if path.exists() else ():
        name, _, value = text.partition(":")
        if name.strip() in {"model name", "Model"}:
            return value.strip()
    return platform.machine()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
