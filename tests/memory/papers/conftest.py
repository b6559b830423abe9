"""Documents of tests are stored in memory, and never reach the real queue."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.files.storage import storages
from django.test import override_settings

from memory.services.documents import queueing


@pytest.fixture(autouse=True)
def stored_in_memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A storage without a disk: nothing may assume one."""
    from django.conf import settings

    memory = {**settings.STORAGES, "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"}}
    with override_settings(STORAGES=memory):
        yield
    storages._storages.pop("default", None)  # type: ignore[attr-defined]


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers that would have gone to the worker."""
    numbers: list[int] = []
    monkeypatch.setattr(queueing, "enqueue", numbers.append)
    return numbers
