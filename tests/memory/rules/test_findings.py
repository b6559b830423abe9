"""What the papers' own words say: kind, writer, date, findings; nothing denied, guessed or advised."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.rules.documents.dates import flat, own_date, time_said
from memory.rules.documents.findings import Found, findings_of
from memory.rules.documents.kinds import named
from memory.rules.documents.passages import LONGEST, pieces_of
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


@pytest.mark.parametrize(
    "text, kinds",
    [
        ("Diagnosed with chronic otitis, 2023.", ["history"]),
        ("She was not diagnosed with asthma.", []),
        ("No evidence of otitis.", []),
        ("Asthma was ruled out.", []),
        ("Possible delay in speech.", []),
        ("He has difficulty with changes that were not announced.", ["history"]),
        ("He is not anxious at school.", []),
        ("Headphones are recommended for difficulty with noise.", []),
        ("Rabies vaccination given on 03.02.2026.", ["vaccination"]),
        ("She was never vaccinated.", []),
        ("Neutered in 2021.", ["procedure"]),
        ("Amoxicillin 250 mg three times daily.", ["medication"]),
        ("Kronik böbrek hastalığı tanısı 2022 yılında konuldu.", ["history"]),
        ("Alerjisi yoktur.", []),
        ("Astım tanısı düşünülmektedir.", []),
        ("Amoksisilin 250 mg günde 3 kez.", ["medication"]),
        ("2021 yılında kısırlaştırıldı.", ["procedure"]),
        ("Potassium  3.2  mmol/L  3.5 - 5.1", ["measurement"]),
        ("Potassium  4.2  mmol/L  3.5 - 5.1", []),
        ("Potasyum | 5,9 | mmol/L | 3,5 - 5,1", ["measurement"]),
    ],
)
def test_a_sentence_is_a_finding_only_where_it_says_so(text: str, kinds: list[str]) -> None:
    assert [one.kind for one in found_in(text)] == kinds


@pytest.mark.parametrize(
    "text, on",
    [
        ("80101911/26.06.2025", dt.date(2025, 6, 26)),
        ("80101911/26.06. 2025", dt.date(2025, 6, 26)),
        ("1234526.06. 2025", None),
        ("1234526.06.2025", None),
        ("26.06.20251", None),
        ("Tarih: 26 Haziran 2025", dt.date(2025, 6, 26)),
        ("Date: June 26th, 2025", dt.date(2025, 6, 26)),
        ("2025-06-26", dt.date(2025, 6, 26)),
        ("Date: 31.02.2025", None),
        ("Date: 05/06/2025", None),
        ("Date: 05/06/2025. Seen again 25/05/2025.", dt.date(2025, 6, 5)),
        ("Date of birth: 01.05.2019", None),
        ("Report date: 27.06.2027", None),
        ("Report date: 27.06.2017", None),
        ("Doğum tarihi: 01.05.2019  Rapor tarihi: 26.06.2025", dt.date(2025, 6, 26)),
        ("Next visit: 01.07.2025. Date: 26.06.2025", dt.date(2025, 6, 26)),
        ("26.06.2025 tarihinde görüldü, 20.06.2025 tarihinde kan alındı", dt.date(2025, 6, 26)),
    ],
)
def test_a_papers_own_date(text: str, on: dt.date | None) -> None:
    assert own_date(text, received_on=RECEIVED, born_on=dt.date(2019, 5, 1)) == on


@pytest.mark.parametrize(
    "text, on, precision",
    [
        ("diagnosed with chronic otitis, 2023", dt.date(2023, 1, 1), "year"),
        ("since March 2023", dt.date(2023, 3, 1), "month"),
        ("Mart 2023'ten beri", dt.date(2023, 3, 1), "month"),
        ("on 04.03.2023", dt.date(2023, 3, 4), "day"),
        ("in 2031", None, None),
        ("in 2012", None, None),
        ("room 2023/4", None, None),
    ],
)
def test_the_time_of_a_finding_is_printed_in_it(text: str, on: dt.date | None, precision: str | None) -> None:
    when = time_said(text, until=RECEIVED, born_on=dt.date(2019, 5, 1))
    assert (when.on if when else None, when.precision if when else None) == (on, precision)


@given(st.text(alphabet="ab .\n", max_size=3000))
def test_passages_cover_every_word_once_and_in_order(text: str) -> None:
    pieces = pieces_of(text)
    assert "".join("".join(text[one.start : one.end].split()) for one in pieces) == "".join(text.split())
    assert all(one.end - one.start <= LONGEST for one in pieces)
    assert all(left.end <= right.start for left, right in pairwise(pieces))


@given(st.text(max_size=400))
def test_no_text_is_too_odd_to_be_looked_at(text: str) -> None:
    assert len(flat(text)) == len(text)
    found_in(text)
    named(text)
    assert own_date(text, received_on=RECEIVED) is None or own_date(text, received_on=RECEIVED) <= RECEIVED
