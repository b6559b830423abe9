"""The household of everybody and every canary, for the tests of both walls."""

from tests.security.conftest import planted, world

__all__ = ["planted", "world"]  # fixtures
