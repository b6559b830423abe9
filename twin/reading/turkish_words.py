"""Turkish words for places, limbs, triggers and calming, brought back to their bare form."""

from __future__ import annotations

from collections.abc import Sequence

from twin.reading.findings import Finding, Scene
from twin.reading.lexicon import Lexicon
from twin.reading.tokens import Token


def bare(tokens: Sequence[Token], lexicon: Lexicon) -> str:
    """The words as written."""
    return " ".join(t.raw for t in tokens)


def attach(scene: Scene, found: Sequence[Finding]) -> dict[int, dict[str, str]]:
    """Places, triggers and calming by clause."""
    return {}
