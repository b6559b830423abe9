"""Documents of tests are stored in memory, and never reach the real queue."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memory.services.documents import queueing
from tests import makers


@pytest.fixture(autouse=True)
def stored_in_memory() -> Iterator[None]:
    """A storage without a disk: nothing may assume one."""
    with makers.stored_in_memory():
        yield


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers that would have gone to the worker."""
    numbers: list[int] = []
    monkeypatch.setattr(queueing, "enqueue", numbers.append)
    return numbers
