"""What patterns are called in front of people."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from memory.level_names import pattern_title
from memory.models import Pattern
from twin.models import Trackable


def pattern_text(pattern: Pattern, names: Mapping[int, Trackable] = MappingProxyType({})) -> str:
    """A pattern as one line; `names` are the trackables it may speak of."""
    return pattern_title(pattern.antecedent, pattern.outcome, pattern.lag, names)
