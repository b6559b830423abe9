"""Every page a test opens is served as the web role, as a running box serves it.

The tests' connection is the owner's, whom row-level security does not bind. Around each request of Django's
test client it becomes the web role, with nothing told yet of who is asking; `as_owner()` is the owner again.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
import pytest
from django.core.handlers.base import BaseHandler
from django.db import connection
from django.test.client import ClientHandler

from household import connections
from household.box import places
from household.rules.permissions import Resource

SETTINGS = [
    *(f"{what}_{resource.value}" for what in ("view", "add", "from") for resource in Resource),
    *("change", "member", "person"),
]
OURS = ("household", "twin", "memory", "voice", "tests")
FORGET = "SELECT " + ", ".join(f"set_config('hearthbook.{name}', '', true)" for name in SETTINGS)


def run(statement: str) -> None:
    """Run a statement below Django, so that no test counts it."""
    connection.ensure_connection()
    with suppress(psycopg.errors.InFailedSqlTransaction):
        connection.connection.execute(statement)


@contextmanager
def as_web() -> Iterator[None]:
    """The web role, asked by nobody yet."""
    run(f"SET ROLE {places.WEB}")
    run(FORGET)
    try:
        yield
    finally:
        run("RESET ROLE")


@contextmanager
def as_owner() -> Iterator[None]:
    """The owner again, inside a page."""
    (before,) = connection.connection.execute("SELECT current_user").fetchone()
    run("RESET ROLE")
    try:
        yield
    finally:
        run(f"SET ROLE {before}")


def serve_as_web(patch: pytest.MonkeyPatch) -> None:
    """Have Django's test client served behind the second wall."""

    def get_response(self: ClientHandler, request: Any) -> Any:
        with as_web():
            return BaseHandler.get_response(self, request)

    patch.setattr(ClientHandler, "get_response", get_response, raising=False)
    real = connections.as_owner
    for name, module in list(sys.modules.items()):
        if name.startswith(OURS) and getattr(module, "as_owner", None) is real:
            patch.setattr(module, "as_owner", as_owner)
