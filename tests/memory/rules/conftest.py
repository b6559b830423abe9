"""How many examples the laws of merging are tried on: `HYPOTHESIS_PROFILE=nightly` for the long form."""

from hypothesis import HealthCheck, settings

SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile(
    "laws", max_examples=500, deadline=None, derandomize=True, suppress_health_check=SLOW_IS_FINE
)
settings.register_profile(
    "nightly", max_examples=10_000, deadline=None, print_blob=True, suppress_health_check=SLOW_IS_FINE
)
