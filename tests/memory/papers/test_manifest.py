"""Files of other people's making: each does what its line in the manifest says."""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from memory.papers.pages import PageText
from memory.papers.reading import Read, has_tesseract, read_letters, read_text, unlock
from memory.papers.refusing import Refused
from memory.rules.documents.sniffing import sniff
from memory.rules.documents.stages import is_readable
from tests.slices import IS_LONG

HERE = Path(__file__).resolve().parents[3]
FOLDER = Path(os.environ.get("HEARTHBOOK_DATA") or HERE.parent / "shared" / "data") / "documents"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the documents to measure with are not here")
with_ocr = pytest.mark.skipif(not has_tesseract(), reason="Tesseract is not installed")
only_long = pytest.mark.skipif(not IS_LONG, reason="read in the full form: HEARTHBOOK_LONG=1")


def content(name: str) -> bytes:
    return (FOLDER / name).read_bytes()


def pages(name: str, read: Read | None = None) -> list[PageText]:
    held = content(name)
    return list(read_text(held, sniff(held), read))


def letters(name: str) -> PageText:
    held = content(name)
    return read_letters(held, sniff(held), 1)


def words(text: str) -> Counter[str]:
    """The words of a text: what holds a letter, whatever its ligatures and case."""
    plain = unicodedata.normalize("NFKC", text).lower()
    return Counter(word for word in re.findall(r"\w+", plain) if any(map(str.isalpha, word)))


def recall(found: str) -> float:
    wanted = words(content("ocrmypdf-linn.txt").decode())
    missing = wanted - words(found)
    return 1 - missing.total() / wanted.total()


def test_tables_keep_their_rows() -> None:
    (page,) = pages("docling-word_tables.docx")
    assert "Header 0.0 | Header 0.1 | Header 0.2\nCell 1.0 | Cell 1.1 | Cell 1.2" in page.text


def test_check_boxes_survive() -> None:
    (page,) = pages("docling-docx_checkboxes.docx")
    assert "☑ Orange juice ☐ Tea ☑ Coffee ☐ Milk ☑ Water" in page.text
    assert "☑ Implementation\n☐ Documentation" in page.text


def test_form_fields_stand_beside_the_printed_words() -> None:
    (page,) = pages("pypdf-samples-libreoffice-form.pdf")
    assert "Agree to privacy policy" in page.text
    assert "First Name: Alice" in page.text
    assert "First Name_2: Bob" in page.text


def test_an_attachment_is_named() -> None:
    read = Read()
    (page,) = pages("pypdf-samples-with-attachment.pdf", read)
    assert read.attachments == ["image.png"]
    assert page.text.startswith("Lorem ipsum dolor sit amet")


def test_an_invisible_layer_is_marked_and_stays_out_of_the_text() -> None:
    (page,) = pages("docling-invisible_text_layer.pdf")
    assert page.text == "Visible heading line"
    assert page.hidden == "Invisible OCR text layer"


@pytest.mark.parametrize("name", ["ocrmypdf-trivial.pdf", "ocrmypdf-no_contents.pdf"])
def test_a_blank_page_says_nothing_and_asks_for_no_ocr(name: str) -> None:
    (page,) = pages(name)
    assert (page.text, page.needs_ocr) == ("", False)


@pytest.mark.parametrize(
    "name, code",
    [
        ("ocrmypdf-invalid.pdf", "not_readable"),
        ("ocrmypdf-hugemono.pdf", "too_many_pixels"),
        ("pypdf-samples-libreoffice-writer-password.pdf", "needs_password"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(name: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        pages(name)
    assert refused.value.code == code


def test_a_locked_file_opens_with_its_password_alone() -> None:
    held = content("pypdf-samples-libreoffice-writer-password.pdf")
    with pytest.raises(Refused) as refused:
        unlock(held, "wrong")
    assert refused.value.code == "wrong_password"
    (page,) = read_text(unlock(held, "openpassword"), "pdf")
    assert is_readable(page.text)


def test_a_text_layer_of_whole_pages_is_read() -> None:
    first, second = pages("ocrmypdf-tagged.pdf")
    assert "Cell 3  Cell 4" in first.text
    assert second.text == "Page 2 Heading\nBody text."
    (page,) = pages("pypdf-samples-google-doc-document.pdf")
    assert "Beautiful is better than ugly." in page.text
    assert len(page.text) > 1000


@with_ocr
def test_a_garbage_layer_falls_back_to_its_picture() -> None:
    (page,) = pages("ocrmypdf-truetype_font_nomapping.pdf")
    assert (page.text, page.needs_ocr) == ("", True)
    assert is_readable(letters("ocrmypdf-truetype_font_nomapping.pdf").text)


def test_a_form_without_words_or_marks_is_nothing_readable() -> None:
    (page,) = pages("ocrmypdf-acroform.pdf")
    assert page.needs_ocr
    assert not is_readable(page.text)


@with_ocr
def test_a_scan_is_read() -> None:
    (page,) = pages("docling-ocr_test.pdf")
    assert page.needs_ocr
    said = " ".join(letters("docling-ocr_test.pdf").text.split())
    assert said == (
        "Docling bundles PDF document conversion to JSON and Markdown in an easy self contained package"
    )


@with_ocr
def test_the_words_of_a_clean_scan_are_found() -> None:
    assert recall(letters("ocrmypdf-linn.pdf").text) >= 0.97


@with_ocr
@only_long
def test_the_words_of_a_skewed_scan_and_of_a_fax_are_found() -> None:
    assert recall(letters("ocrmypdf-skew.pdf").text) >= 0.93
    assert recall(letters("ocrmypdf-ccitt.pdf").text) >= 0.97


@with_ocr
@only_long
def test_old_type_is_marked_where_it_was_hard_to_read() -> None:
    page = letters("ocrmypdf-c02-22.pdf")
    assert "tip-toeing along a path" in page.text
    assert [page.text[first:last] for first, last in page.unsure]
