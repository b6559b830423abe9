"""Words that look like a sign and are none, or say it otherwise than they look, on sentences of our own."""

from __future__ import annotations

import pytest

from tests.twin.reading.test_rulings import entries, kinds, only

MEDICINES = [
    ("en", "gave him his flea treatment"),
    ("en", "put some itch cream on"),
    ("en", "cough syrup at 8"),
    ("en", "gave her some diarrhoea medicine"),
    ("tr", "parazit hapını verdim"),
    ("tr", "öksürük şurubu verdik"),
    ("tr", "ağrı kesici verdim"),
]


@pytest.mark.parametrize(("language", "text"), MEDICINES)
def test_what_a_medicine_is_for_is_no_sign(language: str, text: str) -> None:
    assert entries(text, language) == ()
    assert kinds(text, language) == {"other"}


def test_a_sign_beside_a_medicine_is_kept() -> None:
    assert only("flea treatment done and she is still itching").signs == {"itching": True}
    assert only("öksürüyor, öksürük şurubu verdim", "tr").signs == {"coughing": True}
