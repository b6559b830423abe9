"""The companion's merge in a real Chromium makes byte for byte the documents that ours makes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page

from memory.rules.merge import UNDO_WINDOW_MS
from tests.companion.vectors import OPERATIONS, cases
from tests.slices import IS_LONG

pytestmark = pytest.mark.browser
SEED = 20270115
EACH, EACH_LONG = 60, 1_500


def _wrong(modules: Page, found: list[dict[str, Any]]) -> list[Any]:
    run = "async (text) => (await import('/runner.js')).run(JSON.parse(text))"
    wrong: list[Any] = modules.evaluate(run, json.dumps(found))
    return wrong


@pytest.mark.parametrize("op", sorted(OPERATIONS))
def test_every_operation_has_its_cases(op: str) -> None:
    assert len([1 for case in cases(seed=SEED, each=3) if case["op"] == op]) == 3


def test_the_companion_merges_as_the_house_does(modules: Page) -> None:
    each = EACH_LONG if IS_LONG else EACH
    found = list(cases(seed=SEED, each=each))
    assert len({case["want"] for case in found}) > len(found) // 4
    assert _wrong(modules, found) == []


def test_the_companion_undoes_for_as_long_as_the_house(modules: Page) -> None:
    ask = "import('/static/companion/merge/operations.js').then((rules) => rules.UNDO_WINDOW_MS)"
    assert modules.evaluate(ask) == UNDO_WINDOW_MS


def test_a_wrong_document_is_told(modules: Page) -> None:
    case = next(cases(seed=SEED, each=1))
    assert len(_wrong(modules, [{**case, "want": case["want"] + " "}])) == 1
