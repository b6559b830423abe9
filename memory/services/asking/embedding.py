"""The vector of a question, where the house has an embedder."""

from __future__ import annotations

from dataclasses import dataclass

from memory.clients.embedder import EmbedderFailed, current_embedder


@dataclass(frozen=True)
class Vector:
    """A vector and the model that made it."""

    values: list[float]
    model: str


def vector_of(text: str, language: str) -> Vector | None:
    """The question's vector; None where there is no embedder."""
    del language  # every embedder of the house reads both
    maker = current_embedder()
    try:
        return Vector(maker.queries([text])[0], maker.name)
    except EmbedderFailed:
        return None
