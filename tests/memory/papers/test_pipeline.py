"""From the bytes to the book: every stage on real files, once, again, and half-way cut off."""

from __future__ import annotations

import datetime as dt
import os

import pytest

from tests.makers import a_child, a_person
from tests.memory.papers.making import read_in
from tests.memory.papers.samples import SAMPLES, Sample

pytestmark = pytest.mark.django_db
RECEIVED = dt.datetime(2026, 7, 1, 9, tzinfo=dt.UTC)
LONG = bool(os.environ.get("HEARTHBOOK_LONG"))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.name)
def test_a_report_as_text_is_read_to_its_end(sample: Sample) -> None:
    leo = a_child(a_person("Ana"))
    document = read_in(sample.text.encode(), leo, name="report.txt", at=RECEIVED)
    assert (document.state, document.error) == ("ready", "")
    assert (document.kind, document.dated_on, document.writer) == (
        sample.kind,
        sample.dated_on,
        sample.writer,
    )
    texts = [one.text for one in document.proposals.all()]
    assert all(any(words in text for text in texts) for words in sample.finds), texts
    assert document.passages.count() >= 1
    assert {one.day for one in document.passages.all()} == {document.dated_on}
