"""Folded words by position."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.rules.words import Words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("He can't breathe!", ("he", "cant", "breathe", "!")),
        ("He can’t, no.", ("he", "cant", ",", "no", ".")),
        ("IŞIK Ilık İĞNE", ("isik", "ilik", "igne")),
        ("yığıldı", ("yigildi",)),
        ("2 kez, 38.5", ("2", "kez", ",", "38", ".", "5")),
        ("  \n ", ()),
    ],
)
def test_words_are_folded_and_signs_stand_alone(text: str, words: tuple[str, ...]) -> None:
    assert Words(text).all == words


@given(st.text(max_size=80))
def test_composed_and_decomposed_letters_are_one(text: str) -> None:
    assert Words(unicodedata.normalize("NFD", text)).all == Words(unicodedata.normalize("NFC", text)).all


def test_beyond_either_end_every_word_is_empty() -> None:
    said = Words("one two")
    assert (said.at(-1), said.at(0), said.at(1), said.at(2)) == ("", "one", "two", "")
    assert len(said) == 2


def test_phrases_and_stems_are_found_where_they_stand() -> None:
    said = Words("bayıldı, sonra yine bayıldı")
    assert list(said.places("bayildi")) == list(said.places("bayil", is_stem=True)) == [0, 4]
    assert list(said.places("bayil")) == []
    assert said.stand(3, "yine", "bayildi")
    assert not said.stand(4, "bayildi", "yine")
