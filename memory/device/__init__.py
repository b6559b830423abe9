"""The reference device: a tablet's whole part of the sync protocol, with its own copy in SQLite.

It stands on the pure rules alone, speaks to a house over HTTP as any other client would, and is what
docs/sync.md describes. `manage.py device` lets a person play it from a terminal; tests/device/ hurts it.
"""
