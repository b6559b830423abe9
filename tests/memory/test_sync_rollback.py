"""A refusal after a write leaves nothing behind: errors mapped by the API do not roll back by themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError
from django.http import Http404

from household import api as root
from household.access import DeviceEnded
from household.models import Register, TimeSpent
from household.services import exchange as registers
from household.services import timespent
from household.services.devices import Revoked
from household.wire import Problem
from memory import models
from memory.api import PROBLEMS
from memory.rules.merge import ChatSession, Memory, to_json
from memory.services import lines
from memory.services.store import chat, pushing
from tests.makers import a_child, a_person
from tests.wire import Wire, a_device

pytestmark = pytest.mark.django_db
AT = 1_700_000_000_000
MAPPED: list[Exception] = [
    *(kind() for kind in [*root.PROBLEMS, *PROBLEMS] if kind not in {Http404, OperationalError}),
    Http404("gone"),
    OperationalError("busy"),
    Problem(409, "conflict", "no"),
    Revoked("parent"),
    DeviceEnded(),
    RuntimeError("ours"),
]
LINE = {"event": "Heard", "at_ms": AT, "turn": "t", "text": "words", "pictures": []}
PUSHES: dict[str, tuple[Any, str, dict[str, Any], list[Any]]] = {
    "memory": (
        pushing,
        "write",
        {"memories": [to_json(Memory("m", "x", AT))]},
        [models.Memory, models.ChangeCounter],
    ),
    "chat": (chat, "write_sessions", {"sessions": [to_json(ChatSession("s", AT))]}, [models.ChatSession]),
    "journal": (
        lines,
        "_write",
        {"from_seq": 0, "lines": [LINE]},
        [models.JournalLine, models.JournalWords, models.JournalWriter],
    ),
    "household": (
        registers,
        "_write",
        {"registers": [{"key": "character", "value": "cat", "at_ms": 1}]},
        [Register],
    ),
    "time": (timespent, "_write", {"rows": []}, [TimeSpent]),
}


@pytest.fixture
def tablet() -> Wire:
    ana = a_person("Ana")
    return a_device(ana, a_child(ana))


def rows_of(tables: list[Any]) -> list[list[Any]]:
    return [list(table.objects.order_by("pk").values()) for table in tables]


@pytest.mark.parametrize("path", PUSHES)
def test_every_mapped_error_after_a_write_takes_it_back(
    tablet: Wire, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, name, body, tables = PUSHES[path]
    if path == "time":
        body = {"rows": [{"device": tablet.gid, "day": "2026-01-01", "used_ms": 5}]}
    write: Callable[..., Any] = getattr(module, name)
    before = rows_of(tables)
    written: list[bool] = []
    for error in MAPPED:

        def write_and_fail(*args: Any, error: Exception = error, **kwargs: Any) -> Any:
            write(*args, **kwargs)
            written.append(rows_of(tables) != before)
            raise error

        monkeypatch.setattr(module, name, write_and_fail)
        type(tablet.device).objects.update(revoked_at=None, revoked_why="")
        response = tablet.post(path, body)
        assert response["Content-Type"] == "application/problem+json", error
        assert response.json()["code"], error
        assert rows_of(tables) == before, error
    assert written == [True] * len(MAPPED)
