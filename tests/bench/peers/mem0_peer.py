"""mem0 beside our memories and our search: `Memory` with its pgvector store, on the server of the benches.

Embedding is left out on both sides: the vectors are made ready by the bench and looked up here by the text.
Nothing is inferred, so no model is asked; mem0's reports home are off. All else is as mem0 comes: an HNSW
index kept with every row, its own full-text index, its history in SQLite. Without spaCy, which is not part
of the package, it lemmatises nothing, which is faster.
"""

from __future__ import annotations

import json
import logging
import os
import time
from pathlib import Path
from typing import Any

os.environ["MEM0_TELEMETRY"] = "False"

import numpy as np
from mem0 import Memory

from tests.bench.peers.answering import answer

WIDTH, USER = 384, "leo"


class Ready:
    """An embedder that hands out vectors made before: the last that were given, in turn."""

    def __init__(self) -> None:
        self.vectors: dict[str, list[float]] = {}

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """The vector of a text that is known."""
        return self.vectors[text]

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:
        """The vectors of many."""
        return [self.vectors.get(text, [0.0] * WIDTH) for text in texts]


class Mem0:
    """One `Memory`, opened by the first question."""

    def __init__(self) -> None:
        self.ready = Ready()
        self.memory: Any = None

    def open(self, url: str) -> None:
        """Open a memory in a database of its own; `url` is its address."""
        store = {"connection_string": url, "embedding_model_dims": WIDTH, "collection_name": "mem0"}
        self.memory = Memory.from_config(
            {
                "vector_store": {"provider": "pgvector", "config": store},
                "llm": {"provider": "openai", "config": {"api_key": "never asked"}},
                "embedder": {"provider": "openai", "config": {"api_key": "never asked"}},
                "history_db_path": str(Path(os.environ["HOME"]) / "history.db"),
            }
        )
        self.memory.embedding_model = self.ready

    def add(self, folder: str) -> tuple[float, float]:
        """Seconds, and of its own CPU, to add the texts of a folder with their vectors, one `add` each."""
        texts = self._texts(folder)
        cpu, began = time.process_time(), time.perf_counter()
        for text in texts:
            self.memory.add(text, user_id=USER, infer=False)
        return time.perf_counter() - began, time.process_time() - cpu

    def search(self, vector: list[float], words: str, take: int) -> dict[str, Any]:
        """Seconds of its vector search, of the same without a filter, and of its whole search; with the texts
        that the first two found."""
        self.ready.vectors[words] = vector
        near, store = {"query": words, "vectors": vector, "top_k": take}, self.memory.vector_store
        ways = {
            "near": lambda: store.search(**near, filters={"user_id": USER}),
            "unfiltered": lambda: store.search(**near),
            "whole": lambda: self.memory.search(words, top_k=20, filters={"user_id": USER}),
        }
        took, found = {}, {}
        for name, way in ways.items():
            began = time.perf_counter()
            found[name] = way()
            took[name] = time.perf_counter() - began
        texts = {name: [one.payload["data"] for one in found[name]] for name in ("near", "unfiltered")}
        return {"took": took, "texts": texts}

    def _texts(self, folder: str) -> list[str]:
        texts: list[str] = json.loads((Path(folder) / "texts.json").read_text())
        vectors = np.load(Path(folder) / "vectors.npy")
        self.ready.vectors |= {text: vector.tolist() for text, vector in zip(texts, vectors, strict=True)}
        return texts


def main() -> None:
    """Answer until the bench has enough."""
    logging.getLogger("mem0").setLevel(logging.ERROR)  # it would say at length that spaCy is not there
    mem0 = Mem0()
    answer({"open": mem0.open, "add": mem0.add, "search": mem0.search})


if __name__ == "__main__":
    main()
