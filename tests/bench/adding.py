"""Adding memories in batches, embedding left out: `python -m tests.bench adding`.

The house takes batches of 500 as a tablet sends them, as the web role; then its jobs fold the words and store
vectors that were made before, so that every row can be found by word and by meaning. In turn with it, mem0
adds rows with such vectors (`peers/mem0_peer.py` says how), which are found at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.bench.bases import cloned, spent_ms, web_role
from tests.bench.figures import Samples, add
from tests.bench.filling import fill_memories
from tests.bench.peers.remembering import mem0_store
from tests.bench.sync import AT, BATCH, TEXT, a_family, raw, state_cursor

WIDTH, THERE = 384, 500  # numbers of a vector; memories there before


class Ready:
    """An embedder whose vectors were made before."""

    name = "ready"

    def __init__(self) -> None:
        made = np.random.default_rng(7).normal(0, 1, (BATCH, WIDTH))
        self.vectors = made / np.linalg.norm(made, axis=1, keepdims=True)
        self.lists: list[list[float]] = self.vectors.tolist()

    def queries(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text."""
        return self.passages(texts)

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text."""
        return self.lists[: len(texts)]


def samples(*, quick: bool) -> Samples:
    """Rows a second and CPU a row: taken in, taken in and made ready to be found, and mem0's."""
    rounds, theirs = (2, 30) if quick else (30, 100)
    ready = Ready()
    found: Samples = {}
    with cloned() as name, mem0_store(name) as mem0:
        from memory.rules.merge import Memory
        from tests.wire import a_device

        parent, child = a_family("Adder")
        with raw() as base:
            fill_memories(base, child.pk, memories=THERE, lines=2_000)
            base.commit()
        made_ready(ready)
        writer = a_device(parent, child, "writer")
        for number in range(rounds + 1):
            bulk = [Memory(f"bulk-{number}-{k}", f"{number} {k} {TEXT}", AT) for k in range(BATCH)]
            with web_role():
                since = state_cursor(writer)
                wall, cpu = spent_ms(lambda bulk=bulk, since=since: writer.memory(*bulk, since=since))  # type: ignore[misc]
            after, after_cpu = made_ready(ready)
            texts = [f"{number} {k} {TEXT}" for k in range(theirs)]
            other = mem0.add(texts, ready.vectors[:theirs]) if mem0 else None
            if number:
                add(found, as_samples("add", BATCH * 1000 / wall, cpu * 1000 / BATCH))
                wall, cpu = wall + after, cpu + after_cpu
                add(found, as_samples("add.found", BATCH * 1000 / wall, cpu * 1000 / BATCH))
                add(found, as_samples("mem0.add", *other) if other else {})
    return found


def as_samples(name: str, rows_s: float, cpu_us: float) -> Samples:
    """Rows a second and microseconds of CPU a row, by name."""
    return {f"{name}.rows_s": [rows_s], f"{name}.cpu_us": [cpu_us]}


def made_ready(embedder: Any) -> tuple[float, float]:
    """Wall and CPU ms to fold the words of what is due and to store its vectors, as the jobs do."""
    from memory.services.finding.entries import embed_some, fill_due

    def work() -> None:
        fill_due()
        while embed_some(embedder):
            pass

    return spent_ms(work)
