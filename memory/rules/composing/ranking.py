"""How far a few tries can be trusted: Wilson's lower bound, so that 1 of 1 does not beat 9 of 10. Pure."""

from __future__ import annotations

import math

Z = 1.96  # 95 %


def wilson(good: float, tries: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927); (0, 1) of no tries at all."""
    if tries <= 0:
        return 0.0, 1.0
    share = min(1.0, max(0.0, good / tries))
    centre = share + Z * Z / (2 * tries)
    spread = Z * math.sqrt(share * (1 - share) / tries + Z * Z / (4 * tries * tries))
    under = 1 + Z * Z / tries
    low, high = (centre - spread) / under, (centre + spread) / under
    return max(0.0, min(low, share)), min(1.0, max(high, share))


def worth(successes: int, partials: int, uses: int) -> float:
    """What a strategy is ranked by: the lower bound, half a partial counted as a success; 0 of no uses."""
    return wilson(successes + partials / 2, uses)[0] if uses else 0.0
