"""The nightly round: one subject's local day, closed once."""
