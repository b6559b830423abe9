"""The companion's merge in a real Chromium makes byte for byte the documents that ours makes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.companion.vectors import OPERATIONS, cases

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parents[2]
SEED = 20270115
EACH, EACH_LONG = 60, 1_500


def _serve(route: Route) -> None:
    path = route.request.url.split(".test", 1)[1]
    if path == "/":
        route.fulfill(body="<!doctype html>", content_type="text/html")
    else:
        file = ROOT / ("tests/companion" + path if path == "/runner.js" else path.lstrip("/"))
        route.fulfill(body=file.read_text(), content_type="text/javascript")


@pytest.fixture
def page(chromium: Browser) -> Any:
    """A page that may load the modules; no server stands behind it."""
    context = chromium.new_context()
    found = context.new_page()
    found.route("http://companion.test/**", _serve)
    found.goto("http://companion.test/")
    yield found
    context.close()


def _wrong(page: Page, found: list[dict[str, Any]]) -> list[Any]:
    run = "async (text) => (await import('/runner.js')).run(JSON.parse(text))"
    wrong: list[Any] = page.evaluate(run, json.dumps(found))
    return wrong


@pytest.mark.parametrize("op", sorted(OPERATIONS))
def test_every_operation_has_its_cases(op: str) -> None:
    assert len([1 for case in cases(seed=SEED, each=3) if case["op"] == op]) == 3


def test_the_companion_merges_as_the_house_does(page: Page) -> None:
    each = EACH_LONG if os.environ.get("HEARTHBOOK_LONG") == "1" else EACH
    found = list(cases(seed=SEED, each=each))
    assert len({case["want"] for case in found}) > len(found) // 4
    assert _wrong(page, found) == []


def test_a_wrong_document_is_told(page: Page) -> None:
    case = next(cases(seed=SEED, each=1))
    assert len(_wrong(page, [{**case, "want": case["want"] + " "}])) == 1
