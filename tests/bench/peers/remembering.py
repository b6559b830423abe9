"""mem0 beside our memories, in a database of its own on the server of the benches."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from tests.bench.bases import backend_ns
from tests.bench.peers.asking import Peer, peer


class Store:
    """An open mem0 and the folder through which rows are handed to it."""

    def __init__(self, mem0: Peer, database: str, folder: Path) -> None:
        self.mem0, self.database, self.folder = mem0, database, folder

    def add(self, texts: Sequence[str], vectors: Any) -> tuple[float, float]:
        """Add texts with their vectors (rows x 384), one `add` each: rows a second, us of CPU a row."""
        np.save(self.folder / "vectors.npy", np.asarray(vectors, dtype=np.float32))
        (self.folder / "texts.json").write_text(json.dumps(list(texts)))
        backends = self._backends()
        before = sum(map(backend_ns, backends))
        took, own = self.mem0.ask("add", folder=str(self.folder))
        cpu = own + (sum(map(backend_ns, backends)) - before) / 1e9
        return len(texts) / took, cpu * 1e6 / len(texts)

    def _backends(self) -> list[int]:
        """The processes of the server that work for it."""
        from tests import shared_cluster

        asked = "SELECT pid FROM pg_stat_activity WHERE datname = %s AND backend_type = 'client backend'"
        with shared_cluster.connect() as server:
            return [pid for (pid,) in server.execute(asked, [self.database])]

    def settled(self) -> None:
        """Let the server know its rows, as it would by itself after a while."""
        from tests import shared_cluster

        with shared_cluster.connect(self.database) as server:
            server.execute("VACUUM ANALYZE mem0")

    def search(self, vector: Any, words: str, *, take: int) -> dict[str, Any]:
        """Seconds by way (`near`, `unfiltered`, `whole`) under `took`, and under `texts` what was found."""
        found: dict[str, Any] = self.mem0.ask(
            "search", vector=[float(x) for x in vector], words=words, take=take
        )
        return found


@contextmanager
def mem0_store(beside: str, *, wanted: bool = True) -> Iterator[Store | None]:
    """A mem0 with a fresh database beside ours, dropped afterwards; None where unwanted or not installed."""
    from household.box import places
    from tests import shared_cluster

    name = f"{beside}_mem0"
    with peer("mem0") if wanted else nullcontext() as mem0:
        if mem0 is None:
            yield None
            return
        with tempfile.TemporaryDirectory() as folder:
            shared_cluster.drop(name)
            with shared_cluster.connect() as server:
                server.execute(f'CREATE DATABASE "{name}"')
            try:
                mem0.ask("open", url=shared_cluster.url(places.SUPERUSER, name))
                yield Store(mem0, name, Path(folder))
            finally:
                shared_cluster.drop(name)
