"""What a forgetting costs: one memory among 5,000, of a journal with 300,000 lines, and who waits for it."""

from __future__ import annotations

import json
import os
import random
import shutil
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path
from typing import Any

import psycopg

MEMORIES = 5_000
LINES = int(os.environ.get("BENCH_LINES", "300000"))
MONTHS = 60
TOUCHED = 12  # lines of the forgotten memory, in three months
PROBE_EVERY_S = 0.02


def main() -> int:
    """Build the house, forget four memories in turn, print the figures."""
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
        print(json.dumps(measure(cluster.url("owner")), indent=2))
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def measure(url: str) -> dict[str, float]:
    """Seconds and milliseconds by name."""
    from django.utils import timezone

    from household.services.erasing import sweep
    from memory.rules.forgetting import Target
    from memory.services.forgetting import forget

    ana = _people()
    _fill(url)
    takes, sweeps, reads, writes = [], [], [], []
    for number in (17, 1_234, 2_500, 4_900):
        with Probe(url, READ) as reader, Probe(url, WRITE) as writer:
            began = time.perf_counter()
            forget(
                Target("memory", f"m{number}"), person=ana, client_id=str(uuid.uuid4()), now=timezone.now()
            )
            took = time.perf_counter()
            outcome = sweep(now=timezone.now())
            ended = time.perf_counter()
        assert outcome.is_done, outcome
        takes.append(took - began)
        sweeps.append(ended - took)
        reads.append(reader.longest)
        writes.append(writer.longest)
    total = [one + other for one, other in zip(takes, sweeps, strict=True)]
    return {
        "lines": LINES,
        "memories": MEMORIES,
        "transaction, median s": round(sorted(takes)[len(takes) // 2], 2),
        "bytes, median s": round(sorted(sweeps)[len(sweeps) // 2], 2),
        "in all, worst s": round(max(total), 2),
        "longest wait of a journal reader, ms": round(max(reads) * 1000),
        "longest wait of a journal writer, ms": round(max(writes) * 1000),
    }


READ = (
    "SELECT count(*) FROM memory_journalline l JOIN memory_journalwords w ON w.position = l.position"
    " WHERE l.at_ms BETWEEN %(from)s AND %(to)s"
)
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


def _fill(url: str) -> None:
    """Memories with vectors, and five years of lines over sixty month partitions, by SQL."""
    with psycopg.connect(url, autocommit=True) as base:
        (child,) = base.execute("SELECT max(id) FROM twin_subject").fetchone() or (1,)
        for month in range(MONTHS + 1):
            base.execute(
                "SELECT memory_words_partition((DATE '2021-01-01' + make_interval(months => %s))::date)",
                [month],
            )
        base.execute(
            "INSERT INTO memory_journalline (device, seq, subject_id, envelope)"
            " SELECT 'home', n, %s, jsonb_build_object('event', 'Heard', 'turn', 't' || (n / 4),"
            " 'pictures', '[]'::jsonb, 'at_ms', 1609459200000 + (n::bigint * 5 * 31556952000 / %s))"
            " FROM generate_series(0, %s) n",
            [child, LINES, LINES - 1],
        )
        base.execute(
            "INSERT INTO memory_journalwords (position, arrived_on, body)"
            " SELECT position, (to_timestamp(at_ms / 1000.0) AT TIME ZONE 'UTC')::date,"
            " jsonb_build_object('text', repeat(md5(position::text) || ' ', 8))"
            " FROM memory_journalline"
        )
        base.execute("INSERT INTO memory_journalwriter (device, next_seq) VALUES ('home', %s)", [LINES])
        base.execute(
            "INSERT INTO memory_memory (gid, subject_id, text, text_at_ms, hidden, visibility_at_ms, kind,"
            " who, place, said_when, learned_at_ms, change)"
            " SELECT 'm' || n, %s, repeat(md5(n::text) || ' ', 20), 0, false, 0, '', '', '', '', 1, 0"
            " FROM generate_series(1, %s) n",
            [child, MEMORIES],
        )
        base.execute(
            "INSERT INTO memory_memorymention (memory_id, at_ms, device, turn)"
            " SELECT id, k, 'home', 't' || ((id * 13 + k * %s) %% %s)"
            " FROM memory_memory, generate_series(1, 3) k",
            [LINES // 15, LINES // 4],
        )
        base.execute(
            "INSERT INTO memory_memoryembedding (memory_id, model, embedding)"
            " SELECT id, 'bench', (SELECT array_agg(random() + n * 0 + id * 0)::vector"
            " FROM generate_series(1, 384) n)"
            " FROM memory_memory"
        )
        base.execute("VACUUM ANALYZE")


if __name__ == "__main__":
    sys.exit(main())
