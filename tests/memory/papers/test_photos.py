"""Photographs of paper, from the phone's own format to the book: from an angle, shaded, lying any way."""

from __future__ import annotations

import datetime as dt
import io

import pytest
from django.urls import reverse
from PIL import Image

from memory.papers.reading import has_tesseract
from tests.makers import a_child, a_person, signed_in
from tests.memory.papers.making import as_heic, photographed, printed, read_in
from tests.memory.papers.samples import SAMPLES, Sample
from tests.slices import IS_LONG

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not has_tesseract(), reason="Tesseract is not installed"),
]
RECEIVED = dt.datetime(2026, 7, 1, 9, tzinfo=dt.UTC)
SLICE = [one for one in SAMPLES if one.name == "lab_tr"]
TURNS = dict(zip((one.name for one in SAMPLES), (0, 90, 180, 270, 270, 180, 90, 0), strict=True))


@pytest.mark.parametrize("sample", SAMPLES if IS_LONG else SLICE, ids=lambda one: one.name)
def test_a_photo_in_the_phones_own_format_is_read_to_its_end(sample: Sample) -> None:
    ana = a_person("Ana")
    leo = a_child(ana)
    content = as_heic(photographed(printed(sample.text), turn=TURNS[sample.name]))
    document = read_in(content, leo, ana, name="IMG_0042.HEIC", at=RECEIVED)
    assert (document.state, document.format, document.kind) == ("ready", "heic", sample.kind)
    assert document.language == sample.language
    assert document.dated_on in (
        sample.dated_on,
        None,
    )  # a point read as a comma is no date, and never another
    texts = [one.text for one in document.proposals.all()]
    missing = [words for words in sample.finds if not any(words in text for text in texts)]
    assert len(missing) <= 1, (missing, texts)  # a letter may be read as its neighbour
    for words in sample.leaves:
        assert not any(words in text for text in texts), words
    client = signed_in(ana)
    small = client.get(reverse("memory:document-thumbnail", args=[document.doc_id]))
    assert small["Content-Type"] == "image/jpeg"
    assert max(Image.open(io.BytesIO(b"".join(small.streaming_content))).size) <= 360
    original = client.get(reverse("memory:document-original", args=[document.doc_id]))
    assert original["Content-Type"] == "image/heic"
    assert b"".join(original.streaming_content) == content


def test_photographed_pages_of_one_pdf_are_read_whichever_way_each_lies() -> None:
    lines = ["Ear drops twice daily for 10 days.", "She sleeps well and eats with joy."]
    lines += ["Weight: 4.6 kg today.", "Her fur is soft and her eyes are clear."] if IS_LONG else []
    text = "Harbour Lane Veterinary Clinic\nExamination of Mavi on 03.02.2026 by Dr. Ruth Okafor\n{}\n"
    pages = [
        photographed(printed(text.format(line)).crop((0, 0, 1400, 420)), turn=turn)
        for line, turn in zip(lines, (0, 90, 180, 270), strict=False)
    ]
    target = io.BytesIO()
    pages[0].save(target, format="PDF", save_all=True, append_images=pages[1:], resolution=200)
    document = read_in(target.getvalue(), a_child(a_person("Ana")), at=RECEIVED)
    read = list(document.texts.order_by("page").values_list("text", flat=True))
    assert (document.state, len(read)) == ("ready", len(lines))
    for line, page in zip(lines, read, strict=True):
        assert line.rstrip(".") in " ".join(page.split()), page
