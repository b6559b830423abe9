"""How much an episode weighs in a ranking: it ages there by recency and impact. Pure."""

from __future__ import annotations

HALF_LIFE_DAYS = 45.0
IMPACT_STRETCHES = 0.5  # each point of impact, good or bad, makes it age this much slower
LEAST = 0.05  # an old episode still answers where nothing else does


def weight(age_days: int, impact: int) -> float:
    """Between LEAST and 1: halved every 45 days, every 112 for the hardest and the best."""
    half_life = HALF_LIFE_DAYS * (1 + IMPACT_STRETCHES * min(abs(impact), 3))
    return max(LEAST, float(0.5 ** (max(age_days, 0) / half_life)))
