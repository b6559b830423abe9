"""What the box costs: start, pages, telling, memory. A real box with the demo household, over HTTP."""

from __future__ import annotations

import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from household.box import places
from tests.household.box.running import Box, until
from tests.housemate import Housemate

PASSPHRASE = "warm bread and honey"
REQUESTS = 40
PAGES = {"Today": "/", "subject": "/book/1", "what stands": "/book/1/now"}


def main() -> None:
    """Measure one box and print its figures."""
    folder = Path(tempfile.mkdtemp(prefix="hearthbook-bench-"))
    folder.chmod(0o755)
    box = Box(folder / "house")
    try:
        figures = measure(box)
    finally:
        box.clear()
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(figures, indent=2))


def measure(box: Box) -> dict[str, float]:
    """Seconds, milliseconds and megabytes by name."""
    figures = {"first start, s": timed(box.ready)}
    manage(box, "demo", "--passphrase", PASSPHRASE)
    box.stop()
    figures["second start, s"] = timed(box.ready)
    mate = signed_in(box)
    for name, path in PAGES.items():
        figures[f"{name}, ms"] = median_ms(lambda path=path: mate.get(path).raise_for_status())  # type: ignore[misc]
    numbers = iter(range(REQUESTS * 2))
    figures["tell, ms"] = median_ms(
        lambda: mate.tell("threw up twice, ears look fine", f"bench-{next(numbers)}")
    )
    figures["memory, MB (PSS)"] = round(sum(pss_mb(number) for number in [box_pid(box), *box.children()]), 1)
    return figures


def box_pid(box: Box) -> int:
    """The supervisor's own number."""
    assert box.process is not None
    return box.process.pid


def timed(work: Callable[[], object]) -> float:
    """Seconds of one call."""
    began = time.perf_counter()
    work()
    return round(time.perf_counter() - began, 2)


def median_ms(work: Callable[[], object]) -> float:
    """Median of forty calls after three to warm up."""
    for _ in range(3):
        work()
    return round(statistics.median(timed_ms(work) for _ in range(REQUESTS)), 1)


def timed_ms(work: Callable[[], object]) -> float:
    """Milliseconds of one call."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def manage(box: Box, *arguments: str) -> None:
    """Run one management command on the box's database."""
    subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=places.CHECKOUT,
        env=box.env,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def signed_in(box: Box) -> Housemate:
    """Ana of the demo, signed in."""
    mate = Housemate(box)
    until(lambda: mate.get("/accounts/login/").ok, "the sign-in page")
    mate.post("/accounts/login/", login="Ana", password=PASSPHRASE)
    return mate


def pss_mb(number: int) -> float:
    """A process's proportional share of memory."""
    found = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{number}/smaps_rollup").read_text(), re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


if __name__ == "__main__":
    main()
