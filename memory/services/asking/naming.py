"""What patterns are called in front of people."""

from __future__ import annotations

from memory.models import Pattern


def pattern_text(pattern: Pattern) -> str:
    """A pattern as one line: what comes before, an arrow, what follows."""
    return f"{pattern.antecedent} → {pattern.outcome}".replace("_", " ")
