"""Files dragged from a desk and let go on the page of documents, on their place and beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from memory.models import Document
from memory.services.documents import queueing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def left_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read."""
    monkeypatch.setattr(queueing, "enqueue", lambda number: None)


def let_go(page: Page, selector: str, *files: Path) -> None:
    """Drag files over an element and let them go there, as a mouse does."""
    box = page.locator(selector).bounding_box()
    assert box
    control = page.context.new_cdp_session(page)
    carried = {"items": [], "files": [str(one) for one in files], "dragOperationsMask": 1}
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "data": carried}
    for kind in ("dragEnter", "dragOver", "drop"):
        control.send("Input.dispatchDragEvent", {"type": kind, **at})
    control.detach()


@pytest.mark.parametrize("where", ["#files", "h1"])
def test_files_let_go_on_the_page_are_handed_in(windows: Any, tmp_path: Path, where: str) -> None:
    letters = [tmp_path / "first.txt", tmp_path / "second.txt"]
    for letter in letters:
        letter.write_text(f"A letter about Leo: {letter.stem}.")
    window = windows(viewport={"width": 1280, "height": 900}, has_touch=False)
    page = window.go(f"/book/{window.leo.pk}/documents")
    let_go(page, where, *letters)
    chosen = page.locator("#files")
    expect(chosen).to_have_js_property("files.length", 2)
    expect(page.locator("#said")).to_have_text("first.txt, second.txt")
    page.locator("form.upload button").click()
    expect(page.locator("#documents progress")).to_have_count(2)
    assert set(Document.objects.values_list("file_name", flat=True)) == {"first.txt", "second.txt"}
    assert window.watched.faults == []


def test_words_let_go_on_the_page_stay_words(windows: Any) -> None:
    window = windows(viewport={"width": 1280, "height": 900}, has_touch=False)
    page = window.go(f"/book/{window.leo.pk}/documents")
    page.evaluate(
        """() => { const carried = new DataTransfer(); carried.setData('text/plain', 'a sentence');
          window.taken = !document.querySelector('h1').dispatchEvent(
            new DragEvent('dragover', {dataTransfer: carried, bubbles: true, cancelable: true})); }"""
    )
    assert page.evaluate("window.taken") is False
