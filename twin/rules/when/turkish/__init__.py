"""The Turkish grammar of time words."""
