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
    """The question's vector; None where no embedder answers."""
    embedder = current_embedder()
    if embedder is None:
        return None
    try:
        return Vector(embedder.queries([text])[0], embedder.name)
    except (EmbedderFailed, IndexError):
        return None
