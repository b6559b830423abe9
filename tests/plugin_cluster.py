"""Loaded by pytest before Django reads its settings: the tests' own data folder and database addresses."""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests import shared_cluster, slices, turns

HOME = shared_cluster.CACHE / "home"
os.environ["HEARTHBOOK_HOME"] = str(HOME)
os.environ["DATABASE_URL"] = shared_cluster.url("web", shared_cluster.database_name())
os.environ["OWNER_DATABASE_URL"] = shared_cluster.url("owner", shared_cluster.database_name())
os.environ.pop("HEARTHBOOK_ROLE", None)


def pytest_report_header(config: pytest.Config) -> str:
    """Which slice of the long tests this run takes."""
    if slices.IS_LONG:
        return "slice: whole"
    day = f"slice: HEARTHBOOK_SLICE={slices.SLICE}"
    return day if turns.is_whole(config) else f"{day}; one day in {slices.DAYS} for what tests/turns.py names"


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Of the processes of one run each knows how many tests come on another day."""
    node.config.stash[turns.LEFT] = getattr(node, "workeroutput", {}).get("left", 0)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """How much comes on another day; and the slice once more beside what failed."""
    left = terminalreporter.config.stash.get(turns.LEFT, 0)
    if left:
        terminalreporter.line(f"{left:,} tests come on another day; `make test-long` runs them all")
    if terminalreporter.stats.get("failed") and not slices.IS_LONG:
        terminalreporter.line(f"the same slice again: HEARTHBOOK_SLICE={slices.SLICE}")
