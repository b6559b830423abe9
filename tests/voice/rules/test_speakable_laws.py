"""What holds of every text in every language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice.rules.speakable import LANGUAGES, speakable

LANGS = pytest.mark.parametrize("language", sorted(LANGUAGES))
# Texts of the kind that rules look for, so that they meet more often than by chance.
SNIPPETS = st.sampled_from(
    ["5", "12", "2025", "38,5", "38.9", " ", ".", ",", "-", "/", ":", "'te", "kg", "mg/kg", "C", "Dr. ",
     "[E1]", "rec_000001", "😀", "%", "$", "½", "x", "am", "May", "Mart", "st", "th", "\n", "a", "Ş", "(",
     ")", "III", "漢"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=80), st.lists(SNIPPETS, max_size=14).map("".join))


@LANGS
@given(text=TEXTS)
def test_the_pieces_cover_every_character_once_and_in_order(language: str, text: str) -> None:
    spoken = speakable(text, language)
    at = 0
    for piece in spoken.pieces:
        assert piece.start == at
        assert piece.end > piece.start
        assert not piece.is_same or piece.spoken == text[piece.start : piece.end]
        at = piece.end
    assert at == len(text)


@LANGS
@given(text=TEXTS)
def test_no_digit_is_left_to_the_voice(language: str, text: str) -> None:
    said = speakable(text, language).words
    assert not [letter for letter in said if letter in "0123456789"]


@LANGS
@given(text=st.text(alphabet="abcçdefgğhıijklmnoöprsştuüvyz ABCÇ,?!", max_size=60))
def test_plain_words_are_left_alone(language: str, text: str) -> None:
    kept = {"I", "V", "X", "C", "L", "Mart"}
    if not any(word.strip(",?!") in kept for word in text.split()):
        assert speakable(text, language).words == text


@LANGS
def test_saying_twice_is_saying_once(language: str) -> None:
    for text in ("On 3/5/2021 she had 38.9 C, twice (rec_000001) [E1].", "3-4 gün %20, 1. gün 5'te."):
        once = speakable(text, language).words
        assert speakable(once, language).words == once


def test_another_language_keeps_its_numbers_and_loses_the_marks() -> None:
    assert speakable("12 Uhr [E1] 😀", "de").words == "12 Uhr"


@pytest.mark.parametrize("text", ["漢字", "Привет", "مرحبا", "สวัสดี"])
def test_letters_of_another_script_are_not_said(text: str) -> None:
    spoken = speakable(text, "en")
    assert spoken.words.strip() == ""
    assert not spoken.has_words


@LANGS
@pytest.mark.parametrize(
    "run", ["1", "a", " ", "1.", "1,", "a-", "1/", "$1 ", "I", "[E1,", "https://", "\n", "- "]
)
def test_a_text_of_one_thing_over_and_over_is_read_too(language: str, run: str) -> None:
    text = run * (10_000 // len(run))
    pieces = speakable(text, language).pieces
    assert sum(piece.end - piece.start for piece in pieces) == len(text)


def test_a_number_longer_than_any_name_is_said_digit_by_digit() -> None:
    assert speakable("0" * 29 + "1", "en").words == "zero " * 29 + "one"
    assert speakable("12" * 20 + " kg", "tr").words.startswith("bir iki bir iki")


def test_a_long_text_is_read_in_one_pass() -> None:
    text = "She had 38.9 C on 2025-03-01 [E1]. " * 300
    spoken = speakable(text, "en")
    assert spoken.words.count("thirty eight point nine degrees Celsius") == 300
