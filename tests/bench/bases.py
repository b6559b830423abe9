"""A throwaway database for one bench, and CPU of processes read from the kernel."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# Rounds after which every query is prepared, as on a connection of the web that has served for a while.
WARM = 6


@contextmanager
def cloned() -> Iterator[str]:
    """Django on a fresh copy of the schema, on the shared server; gives the database's name."""
    from tests import plugin_cluster, shared_cluster

    assert plugin_cluster.HOME
    os.environ["DJANGO_SETTINGS_MODULE"] = "household.settings"
    import django

    django.setup()
    from django.conf import settings

    settings.ALLOWED_HOSTS = ["*"]
    with shared_cluster.server_running():
        name = f"{shared_cluster.database_name()}_bench"
        shared_cluster.clone(name, shared_cluster.template())
        try:
            shared_cluster.point_django_at(name)
            yield name
        finally:
            from django.db import connections

            connections.close_all()
            shared_cluster.drop(name)


@contextmanager
def web_role() -> Iterator[None]:
    """The web role on this process's connection, outside any transaction.

    What is timed again and again stays in here, as a connection of the web has one role for life: a change of
    role lets the database plan everything anew.
    """
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SET ROLE web")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET ROLE")


def backend_ns(pid: int) -> int:
    """Nanoseconds a process has been on a CPU, threads that ended included. Raises OSError where it is gone.

    Reads the process's CPU clock, whose number Linux makes of its own (clock_getcpuclockid(3)).
    """
    return time.clock_gettime_ns((~pid << 3) | 2)


def spent_ms(work: Callable[[], object]) -> tuple[float, float]:
    """Wall and CPU milliseconds of one call; CPU is this process's and its database backend's."""
    from django.db import connection

    connection.ensure_connection()
    backend = connection.connection.info.backend_pid
    wall, cpu = time.perf_counter_ns(), time.process_time_ns() + backend_ns(backend)
    work()
    wall_ns = time.perf_counter_ns() - wall
    return wall_ns / 1e6, (time.process_time_ns() + backend_ns(backend) - cpu) / 1e6
