"""As whom this process works on the database: as it was told, or as the owner for a moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connections

from household.settings import read_databases


@contextmanager
def as_owner() -> Iterator[None]:
    """Let this thread's default connection be the owner's for a block; never inside a transaction.

    Jobs run as the owner, for whom row-level security is enabled but not forced. A process that is the
    owner already just goes on.
    """
    if settings.PROCESS_ROLE == "owner":
        yield
        return
    web = connections["default"]
    if web.in_atomic_block:
        raise RuntimeError("as_owner() inside a transaction would leave it half-way")
    connections["default"] = connections["owner"]
    try:
        yield
    finally:
        connections["default"].close()
        connections["default"] = web


def reconnect_as_told() -> None:
    """Take role and addresses from the environment again, in a process that has connected to nothing yet."""
    settings.PROCESS_ROLE, settings.DATABASES = read_databases()
    for alias, told in settings.DATABASES.items():
        wrapper = connections[alias]
        if wrapper.connection is not None:
            raise RuntimeError("reconnect_as_told() after a connection was made")
        # The one dictionary that every thread's connection is made from.
        wrapper.settings_dict.update(told)
