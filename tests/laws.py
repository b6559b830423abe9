"""How many examples a law is tried on: 300 in `make test`, 10,000 at night or with HEARTHBOOK_LONG=1."""

import os

from hypothesis import HealthCheck, settings

SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large]
IS_LONG = os.environ.get("HYPOTHESIS_PROFILE") == "nightly" or os.environ.get("HEARTHBOOK_LONG") == "1"

settings.register_profile(
    "laws", max_examples=300, deadline=None, derandomize=True, suppress_health_check=SLOW_IS_FINE
)
settings.register_profile(
    "nightly", max_examples=10_000, deadline=None, print_blob=True, suppress_health_check=SLOW_IS_FINE
)
# Of a test that names no settings: the same examples every time, and no limit a busy machine would break.
settings.register_profile(
    "plain", max_examples=100, deadline=None, derandomize=True, suppress_health_check=SLOW_IS_FINE
)
settings.load_profile("plain")
LAWS = settings.get_profile("nightly" if IS_LONG else "laws")
