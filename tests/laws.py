"""How many examples a law is tried on: 100 in `make test`, others each day; 10,000 in a long run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, seed, settings

from tests.slices import IS_LONG, SLICE

SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile(
    "laws", max_examples=100, deadline=None, print_blob=True, suppress_health_check=SLOW_IS_FINE
)
settings.register_profile(
    "nightly", max_examples=10_000, deadline=None, print_blob=True, suppress_health_check=SLOW_IS_FINE
)
# Of a test that names no settings: the same examples every time, and no limit a busy machine would break.
settings.register_profile(
    "plain", max_examples=100, deadline=None, derandomize=True, suppress_health_check=SLOW_IS_FINE
)
settings.load_profile("plain")


def _of_the_day(law: Callable[..., Any]) -> Callable[..., Any]:
    return seed(SLICE)(settings.get_profile("laws")(law))


LAWS = settings.get_profile("nightly") if IS_LONG else _of_the_day
