"""Several subjects in one message: by name, by kind, and carried on."""

from __future__ import annotations

from datetime import date

import pytest

from twin.reading.builtin import read
from twin.rules.entries import ReadingContext

NAMES = (("Luna", "cat"), ("Max", "dog"), ("Deniz", "person"))

MESSAGES = [
    ("en", "Luna vomited and Max is limping", [("upper_digestive", "Luna"), ("musculoskeletal", "Max")]),
    ("en", "the cat is fine but my son didn't sleep", [("whole_body", "the cat"), ("sleep", "my son")]),
    ("en", "max coughed. he has a fever too", [("respiratory", "Max"), ("whole_body", "Max")]),
    ("en", "coughing all day", [("respiratory", None)]),
    ("en", "luna's ear is red", [("ears", "Luna")]),
    ("tr", "Luna kustu Max topallıyor", [("upper_digestive", "Luna"), ("musculoskeletal", "Max")]),
    ("tr", "kedi iyi ama oğlum uyumadı", [("whole_body", "kedi"), ("sleep", "oğlum")]),
    ("tr", "Luna'nın kulağı kızarmış", [("ears", "Luna")]),
    ("tr", "öksürüyor", [("respiratory", None)]),
]


@pytest.mark.parametrize(("language", "text", "wanted"), MESSAGES)
def test_each_entry_names_whom_it_is_about(
    language: str, text: str, wanted: list[tuple[str, str | None]]
) -> None:
    context = ReadingContext(language, "dog", date(2026, 3, 12), names=NAMES)  # type: ignore[arg-type]
    assert [(e.category, e.subject) for e in read(text, context=context).entries] == wanted


def test_another_persons_ailment_is_nobodys_entry() -> None:
    context = ReadingContext("en", "dog", date(2026, 3, 12))
    assert not read("my husband has a cough", context=context).entries
    assert not read("i have a headache", context=context).entries
