"""Adding memories in batches, embedding left out: `python -m tests.bench adding`.

The house takes batches of 500 as a tablet sends them, as the web role; then its jobs fold the words and store
vectors that were made before, so that every row can be found by word and by meaning. In turn with it, mem0
adds rows with such vectors (`peers/mem0_peer.py` says how), which are found at once.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.bench.bases import cloned, spent_ms, web_role
from tests.bench.figures import Samples
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
    """Rows a second: taken in, taken in and made ready to be found, and mem0's."""
    rounds, theirs = (2, 30) if quick else (30, 100)
    ready = Ready()
    found: Samples = {"add.rows_s": [], "add.found.rows_s": [], "mem0.add.rows_s": []}
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
                wall, _cpu = spent_ms(lambda bulk=bulk, since=since: writer.memory(*bulk, since=since))  # type: ignore[misc]
            after = made_ready(ready)
            texts = [f"{number} {k} {TEXT}" for k in range(theirs)]
            other = mem0.add(texts, ready.vectors[:theirs]) if mem0 else None
            if number:
                found["add.rows_s"].append(BATCH * 1000 / wall)
                found["add.found.rows_s"].append(BATCH / (wall / 1000 + after))
                found["mem0.add.rows_s"] += [] if other is None else [other]
    return found


def made_ready(embedder: Any) -> float:
    """Seconds to fold the words of what is due and to store its vectors, as the jobs do."""
    from memory.services.finding.entries import embed_some, fill_due

    began = time.perf_counter()
    fill_due()
    while embed_some(embedder):
        pass
    return time.perf_counter() - began
