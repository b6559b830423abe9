"""What the papers' own words say: kind, writer, date, findings; nothing denied, guessed or advised."""

from __future__ import annotations

import datetime as dt

import pytest

from memory.rules.documents.dates import own_date
from memory.rules.documents.findings import Found, findings_of
from memory.rules.documents.kinds import named
from memory.rules.documents.sentences import sentences
from tests.memory.papers.samples import SAMPLES, Sample

RECEIVED = dt.date(2026, 7, 1)


def found_in(text: str, **known: dt.date) -> list[Found]:
    return findings_of(sentences(text), until=known.pop("until", RECEIVED), **known)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.name)
def test_a_report_says_what_it_is_and_what_it_found(sample: Sample) -> None:
    said = named(sample.text)
    assert (said.kind, said.language, said.writer) == (sample.kind, sample.language, sample.writer)
    assert own_date(sample.text, received_on=RECEIVED) == sample.dated_on
    texts = [one.text for one in found_in(sample.text)]
    for words in sample.finds:
        assert any(words in text for text in texts), (words, texts)
    for words in sample.leaves:
        assert not any(words in text for text in texts), (words, texts)
