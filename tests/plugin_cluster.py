"""Loaded by pytest before Django reads its settings: the tests' own data folder and database addresses."""

from __future__ import annotations

import os
from typing import Any

from tests import shared_cluster, slices

HOME = shared_cluster.CACHE / "home"
os.environ["HEARTHBOOK_HOME"] = str(HOME)
os.environ["DATABASE_URL"] = shared_cluster.url("web", shared_cluster.database_name())
os.environ["OWNER_DATABASE_URL"] = shared_cluster.url("owner", shared_cluster.database_name())
os.environ.pop("HEARTHBOOK_ROLE", None)


def pytest_report_header() -> str:
    """Which slice of the long tests this run takes."""
    return f"slice: {'whole' if slices.IS_LONG else f'HEARTHBOOK_SLICE={slices.SLICE}'}"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The same once more beside what failed."""
    if terminalreporter.stats.get("failed") and not slices.IS_LONG:
        terminalreporter.line(f"the same slice again: HEARTHBOOK_SLICE={slices.SLICE}")
