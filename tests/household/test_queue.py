"""The queue on the household's own database."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection

from household.queue import queue
from tests.shared_cluster import connect
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@queue.task(name="tests.nothing")  # type: ignore[untyped-decorator]
def nothing(number: int) -> None:
    """Does nothing."""


@queue.task(name="tests.asks")  # type: ignore[untyped-decorator]
def asks() -> None:
    """Asks the database for something."""
    connection.ensure_connection()


@pytest.fixture(autouse=True)
def empty_queue() -> Iterator[None]:
    queue.flush()
    yield
    queue.flush()


def test_a_task_is_handed_in_though_the_database_was_away_meanwhile() -> None:
    nothing(1)
    with connect() as server:
        pid = queue.storage.conn.info.backend_pid
        assert server.execute("SELECT pg_terminate_backend(%s, 5000)", [pid]).fetchone() == (True,)
    nothing(2)
    assert [queue.dequeue().args for _ in range(2)] == [(1,), (2,)]


def test_a_worker_keeps_its_connection_only_while_a_task_waits() -> None:
    asks()
    asks()

    def work() -> list[bool]:
        kept = []
        for _ in range(2):
            queue.execute(queue.dequeue())
            kept.append(connection.connection is not None)
        return kept

    assert at_once(work) == [[True, False]]
