"""What is less than before is still there: no absence, and nothing new either."""

from __future__ import annotations

from datetime import date

import pytest

from twin.reading.builtin import read
from twin.rules.entries import ReadingContext

LESS = [
    ("en", "his cough has eased but it's still there at night", "respiratory", "coughing"),
    ("en", "the limp is easing off a bit", "musculoskeletal", "limping"),
    ("en", "not scratching as much as before", "skin_coat", "itching"),
    ("en", "she isn't coughing as often", "respiratory", "coughing"),
    ("en", "he doesn't limp as badly", "musculoskeletal", "limping"),
    ("en", "the rash on his arm is fading", "skin_coat", "rash"),
    ("en", "the fever is coming down, 38.1 now", "whole_body", "fever"),
    ("en", "fewer meltdowns, only a short one today", "behaviour", "meltdown"),
    ("tr", "öksürüğü hafifledi", "respiratory", "coughing"),
    ("tr", "topallaması biraz düzeldi", "musculoskeletal", "limping"),
    ("tr", "eskisi kadar kaşınmıyor", "skin_coat", "itching"),
    ("tr", "dünkü kadar öksürmüyor", "respiratory", "coughing"),
    ("tr", "kulağındaki koku azaldı", "ears", "odour"),
    ("tr", "ateşi düşüyor, şimdi 38,1", "whole_body", "fever"),
    ("tr", "kolundaki döküntü soluyor", "skin_coat", "rash"),
    ("tr", "krizleri seyrekleşti, bugün kısa bir tane oldu", "behaviour", "meltdown"),
]
GONE = [
    ("en", "the limp is completely gone", "musculoskeletal", "limping"),
    ("en", "no more sneezing", "respiratory", "sneezing"),
    ("en", "she isn't scratching", "skin_coat", "itching"),
    ("tr", "topallama tamamen geçti", "musculoskeletal", "limping"),
    ("tr", "artık hapşırmıyor", "respiratory", "sneezing"),
    ("tr", "kaşınmıyor", "skin_coat", "itching"),
]


def seen(language: str, text: str) -> dict[str, dict[str, object]]:
    context = ReadingContext(language, "cat", date(2026, 3, 12), 19, date(2020, 1, 1))  # type: ignore[arg-type]
    return {entry.category: dict(entry.signs) for entry in read(text, context=context).entries}


@pytest.mark.parametrize(("language", "text", "category", "sign"), LESS)
def test_what_is_less_is_still_there(language: str, text: str, category: str, sign: str) -> None:
    found = seen(language, text)
    assert found[category][sign] is True
    assert found.keys() == {category}


@pytest.mark.parametrize(("language", "text", "category", "sign"), GONE)
def test_what_is_gone_is_absent(language: str, text: str, category: str, sign: str) -> None:
    assert seen(language, text)[category][sign] is False
