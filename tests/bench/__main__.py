"""`make bench`: every figure, or those named, as in `python -m tests.bench house retrieval second_wall`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CASES = Path(os.environ.get("HEARTHBOOK_DATA", "../shared/data")).parent / "cases" / "reading.dev.jsonl"
BENCHES = {
    "forgetting": ["-m", "tests.bench.forgetting"],
    "house": ["-m", "tests.bench.house"],
    "second_wall": ["-m", "tests.bench.second_wall"],
    "retrieval": ["-m", "tests.bench.retrieval"],
    "voice": ["-m", "tests.bench.voice"],
    "reader": ["manage.py", "read_cases", str(CASES)],
}


def main(names: list[str]) -> int:
    """Run the benches named, or all; 1 where one failed."""
    failed = 0
    for name in names or BENCHES:
        print(f"\n## {name}", flush=True)
        if name == "reader" and not CASES.exists():
            print(f"skipped: {CASES} is not there")
            continue
        failed |= subprocess.run([sys.executable, *BENCHES[name]], check=False).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
