"""What holds of every reading, whatever the text."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from twin.reading.builtin import BLOCK_TOKENS, TOO_LONG, read
from twin.reading.tokens import MAX_CHARS
from twin.rules.categories import CATEGORIES, validate_signs
from twin.rules.entries import KINDS, Reading, ReadingContext

SPOKEN_ON = date(2026, 3, 12)
WORDS = {
    "en": (
        "he she no not isn't and but , . ! ? since yesterday today monday vomited twice limping left ear eyes"
        " red 38.5 c kg drank 200 ml poo soft worried fine why is now because when the maybe 3 times a bit of"
        " blood on his paw 😟 last night"
    ),
    "tr": (
        "kustu yok değil ve ama , . ! ? dün bugün salıdan beri iki kere topallıyor sol kulağı gözleri kırmızı"
        " 38,5 derece kilo 200 ml içti kaka yumuşak endişeliyim iyi neden mi şimdi çünkü belki 3 kez biraz"
        " kan patisinde 😟 dün gece hiç"
    ),
}
LANGUAGES = st.sampled_from(["en", "tr"])
SPECIES = st.sampled_from(["person", "cat", "dog", "rabbit", "bird", "other"])
slow = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def context(language: str, species: str = "dog") -> ReadingContext:
    return ReadingContext(language, species, SPOKEN_ON, 19, date(2020, 1, 1), (("Milo", species),))  # type: ignore[arg-type]


def sound(reading: Reading, text: str) -> None:
    assert reading.kinds
    assert reading.kinds <= set(KINDS)
    assert ("observation" in reading.kinds) is bool(reading.entries)
    for entry in reading.entries:
        assert entry.category in CATEGORIES
        assert validate_signs(entry.category, entry.signs) == entry.signs
        assert entry.words in text
        assert entry.phrase is None or entry.phrase in text
        assert (
            entry.since is None or entry.since.on is None or entry.since.on <= SPOKEN_ON + timedelta(days=0)
        )


@slow
@given(st.text(max_size=400), LANGUAGES, SPECIES)
def test_any_text_is_read_soundly(text: str, language: str, species: str) -> None:
    sound(read(text, context=context(language, species)), text)


@slow
@given(st.data(), LANGUAGES, SPECIES)
def test_any_row_of_telling_words_is_read_soundly(data: st.DataObject, language: str, species: str) -> None:
    words = data.draw(st.lists(st.sampled_from(WORDS[language].split()), max_size=40))
    text = " ".join(words)
    sound(read(text, context=context(language, species)), text)


@slow
@given(st.data(), LANGUAGES)
def test_a_text_is_read_the_same_twice(data: st.DataObject, language: str) -> None:
    text = " ".join(data.draw(st.lists(st.sampled_from(WORDS[language].split()), max_size=25)))
    assert read(text, context=context(language)) == read(text, context=context(language))


@pytest.mark.parametrize("language", ["en", "tr"])
@pytest.mark.parametrize(
    "piece", ["no, ", "sick ", "not eat ", "kustu ", "mama yok ", "3 ", "a", "\n", "😟", "((", "'"]
)
def test_the_longest_text_of_one_word_is_read(language: str, piece: str) -> None:
    text = (piece * MAX_CHARS)[: MAX_CHARS // 4]
    sound(read(text, context=context(language)), text)


def test_a_text_past_the_limit_is_cut_and_said_so() -> None:
    reading = read("he vomited. " + "x" * MAX_CHARS, context=context("en"))
    assert reading.dropped == (TOO_LONG,)
    assert reading.entries[0].signs == {"vomiting": True}


def test_a_long_statement_is_read_to_its_end() -> None:
    text = "it rained all day long. " * BLOCK_TOKENS + "he vomited"
    (entry,) = read(text, context=context("en")).entries
    assert (entry.signs, entry.words) == ({"vomiting": True}, "he vomited")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("kulagi kizarmis", "kulağı kızarmış"),
        ("bugun hic bisey yemedi", "bugün hiç bir şey yemedi"),
        ("GOZU SISMIS", "gözü şişmiş"),
        ("karni agriyor", "karnı ağrıyor"),
        ("oksuruyor", "öksürüyor"),
        ("hapsirip duruyor", "hapşırıp duruyor"),
    ],
)
def test_turkish_without_its_letters_is_read_as_with_them(typed: str, meant: str) -> None:
    one, other = (read(t, context=context("tr")).entries for t in (typed, meant))
    assert [(e.category, e.signs, e.today) for e in one] == [(e.category, e.signs, e.today) for e in other]
    assert one


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("couhging all night", "coughing all night"),
        ("diarhea since monday", "diarrhea since monday"),
        ("cant stop sneezzing", "can't stop sneezing"),
        ("LIMPING", "limping"),
        ("vommited", "vomited"),
        ("soooo itchy", "so itchy"),
        ("wheezin a lot", "wheezing a lot"),
    ],
)
def test_slips_of_the_finger_are_read_as_meant(typed: str, meant: str) -> None:
    one, other = (read(t, context=context("en")).entries for t in (typed, meant))
    assert [(e.category, e.signs) for e in one] == [(e.category, e.signs) for e in other]
    assert one
