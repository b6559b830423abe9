"""What a forgetting costs: one memory among 5,000, of a journal with 300,000 lines, and who waits for it."""

from __future__ import annotations

import os
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path
from typing import Any

import psycopg

from tests.bench.figures import Samples
from tests.bench.filling import fill_embeddings, fill_journal, fill_memories

LINES, MEMORIES = 300_000, 5_000
QUICK = (30_000, 500)
PROBE_EVERY_S = 0.02


def samples(*, quick: bool) -> Samples:
    """Build the house, forget four memories in turn: seconds, and the longest waits in milliseconds."""
    folder = Path(tempfile.mkdtemp(prefix="hearthbook-bench-"))
    folder.chmod(0o755)
    os.environ |= {"HEARTHBOOK_HOME": str(folder / "house"), "HEARTHBOOK_ROLE": "owner"}
    os.environ.pop("DATABASE_URL", None)
    os.environ.pop("OWNER_DATABASE_URL", None)
    from household.box.cluster import Cluster
    from household.box.supervisor import run_prepare

    cluster = Cluster(folder / "house")
    try:
        cluster.start()
        run_prepare(folder / "house")
        os.environ["DJANGO_SETTINGS_MODULE"] = "household.settings"
        import django

        django.setup()
        return measured(cluster.url("owner"), *(QUICK if quick else (LINES, MEMORIES)))
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


def measured(url: str, lines: int, memories: int) -> Samples:
    """Each forgetting whole, its transaction alone, and how long others waited meanwhile."""
    from django.utils import timezone

    from household.services.erasing import owe_edited, sweep
    from memory.rules.forgetting import Target
    from memory.services.forgetting import forget

    ana = _people()
    _fill(url, lines, memories)
    owe_edited()  # a night passes, as over every house: months that ended are rewritten once
    sweep(now=timezone.now())
    found: Samples = {}
    for share in (0.1, 0.3, 0.5, 0.9):
        gid = f"m{int(memories * share)}"
        with Probe(url, READ) as reader, Probe(url, WRITE) as writer, Probe(url, OTHER) as other:
            began = time.perf_counter()
            forget(Target("memory", gid), person=ana, client_id=str(uuid.uuid4()), now=timezone.now())
            took = time.perf_counter()
            outcome = sweep(now=timezone.now())
            ended = time.perf_counter()
        assert outcome.is_done, outcome
        waits = {"reader": reader, "writer": writer, "other": other}
        values = {"forget.s": ended - began, "forget.transaction.s": took - began}
        values |= {f"forget.wait.{who}": probe.longest * 1000 for who, probe in waits.items()}
        for name, value in values.items():
            found.setdefault(name, []).append(value)
    return found


READ = (
    "SELECT count(*) FROM memory_journalline l JOIN memory_journalwords w ON w.position = l.position"
    " WHERE l.at_ms BETWEEN %(from)s AND %(to)s"
)
OTHER = "SELECT count(*) FROM memory_memory WHERE learned_at_ms >= %(from)s - %(to)s"
WRITE = (
    "INSERT INTO memory_journalline (device, seq, envelope) SELECT 'probe', coalesce(max(seq), -1) + 1,"
    ' \'{"event": "TurnEnded", "at_ms": 1, "turn": "", "how": "done"}\' FROM memory_journalline'
    " WHERE device = 'probe'"
)


class Probe:
    """Somebody who asks the same thing all the time, and how long the longest answer took."""

    def __init__(self, url: str, statement: str) -> None:
        self.url, self.statement, self.longest = url, statement, 0.0
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        dice = random.Random(7)
        with psycopg.connect(self.url, autocommit=True) as base:
            while not self.stopped.wait(PROBE_EVERY_S):
                start = (2021 + dice.randrange(5)) * 31_556_952_000 - 62_167_219_200_000
                began = time.perf_counter()
                base.execute(self.statement, {"from": start, "to": start + 86_400_000 * 30})
                self.longest = max(self.longest, time.perf_counter() - began)

    def __enter__(self) -> Probe:
        self.thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.stopped.set()
        self.thread.join()


def _people() -> Any:
    from tests.makers import a_child, a_person

    ana = a_person("Ana")
    a_child(ana)
    return ana


def _fill(url: str, lines: int, memories: int) -> None:
    """Memories with vectors, and five years of lines, by SQL."""
    with psycopg.connect(url, autocommit=True) as base:
        (child,) = base.execute("SELECT max(id) FROM twin_subject").fetchone() or (1,)
        fill_journal(base, child, device="home", lines=lines)
        fill_memories(base, child, memories=memories, lines=lines)
        fill_embeddings(base)
        base.execute("VACUUM ANALYZE")


def main() -> int:
    """Print each figure, one a line: the median and the worst of the forgettings."""
    for name, values in sorted(samples(quick="--quick" in sys.argv).items()):
        print(f"{name}\tmedian {statistics.median(values):.2f}\tworst {max(values):.2f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
