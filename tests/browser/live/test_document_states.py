"""The pages of documents in a real Chromium: handed in several at once, in every state, in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from household.models import Person
from memory.models import Document
from memory.services.documents import queueing
from memory.services.documents.pipeline import read_document
from tests.browser.conftest import shot
from tests.browser.walking import DESK, PHONE, breaks_rules, scrolls
from tests.makers import now, stored_in_memory
from tests.memory.papers.making import locked, printed, scanned
from tests.memory.papers.samples import SAMPLES
from tests.memory.papers.test_harm import a_text_pdf, line
from tests.memory.papers.test_states import STATES, put_into

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.django_db(transaction=True)]
THERAPY = next(one for one in SAMPLES if one.name == "therapy_en").text.encode()


@pytest.fixture(autouse=True)
def read_by_hand(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is read until the test says so, and files stay in memory."""
    monkeypatch.setattr(queueing, "enqueue", lambda number: None)
    with stored_in_memory():
        yield


def read_once_taken(page: Page) -> Document:
    """Hand in the one chosen file, wait until the house has it, and read it."""
    page.locator("form.upload button").click()
    expect(page.locator("#documents progress")).to_have_count(1)
    document = Document.objects.get()
    read_document(document.pk, clock=now)
    return document


def test_several_files_and_a_photo_are_handed_in_at_once_and_watched_until_they_are_read(
    windows: Any, tmp_path: Path
) -> None:
    window = windows()
    for name, content in (("a.txt", THERAPY), ("b.txt", b"A second letter about Leo.")):
        (tmp_path / name).write_bytes(content)
    (tmp_path / "photo.jpg").write_bytes(scanned(printed("Weight: 21 kg today").crop((0, 0, 700, 300))))
    page = window.go(f"/book/{window.leo.pk}/documents")
    page.set_input_files("#files", [tmp_path / "a.txt", tmp_path / "b.txt"])
    page.set_input_files("#photo", tmp_path / "photo.jpg")
    page.locator("form.upload button").click()
    expect(page.locator("#documents progress")).to_have_count(3)
    for document in Document.objects.all():
        read_document(document.pk, clock=now)
    expect(page.locator("#documents progress")).to_have_count(0)  # polled, nobody reloads
    expect(page.locator("#documents")).to_contain_text("OCCUPATIONAL THERAPY EVALUATION")
    expect(page.locator("#documents img")).to_have_count(1)
    assert window.watched.faults == []


@pytest.mark.parametrize(("language", "scheme"), [("tr", "light"), ("en", "dark")])
def test_every_state_is_read_by_axe_and_fits_every_screen(windows: Any, language: str, scheme: str) -> None:
    window = windows(color_scheme=scheme, reduced_motion="reduce")
    page = window.go(f"/book/{window.leo.pk}/documents")
    page.set_input_files("#files", {"name": "a.txt", "mimeType": "text/plain", "buffer": THERAPY})
    document = read_once_taken(page)
    Person.objects.update(language=language)
    found = []
    for state, error, _english, _turkish in STATES:
        put_into(document, state, error)
        for path in (f"/d/{document.doc_id}", f"/book/{window.leo.pk}/documents"):
            page = window.go(path)
            found += scrolls(page, f"{state} {path}")
            for width in (DESK, PHONE):
                page.set_viewport_size({"width": width, "height": 900})
                found += breaks_rules(page, f"{state} {path}")
            shot(page, f"document-{language}-{state}{path.replace('/', '-')}")
    assert found == [], "\n".join(map(str, found))
    assert window.watched.faults == []


def test_a_locked_paper_is_unlocked_in_its_page(windows: Any) -> None:
    window = windows()
    page = window.go(f"/book/{window.leo.pk}/documents")
    content = locked(a_text_pdf(line("Leo avoids sticky textures.", 60, 700)), "blue-umbrella-7")
    page.set_input_files("#files", {"name": "locked.pdf", "mimeType": "application/pdf", "buffer": content})
    document = read_once_taken(page)
    page = window.go(f"/d/{document.doc_id}")
    page.fill("#password", "wrong")
    page.locator("form:has(#password) button").click()
    expect(page.locator("[role=alert]")).to_contain_text("This was not its password.")
    page.fill("#password", "blue-umbrella-7")
    page.locator("form:has(#password) button").click()
    expect(page.locator("#progress")).to_be_visible()
    read_document(document.pk, clock=now)
    expect(page.locator("main")).to_contain_text("Leo avoids sticky textures.")
    assert window.watched.faults == []
