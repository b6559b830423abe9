"""Search terms: one folding on both sides, whatever the case, the dots and the endings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.rules.retrieval.folding import asked_terms, excerpt, fold, marked, stem, terms
from memory.rules.retrieval.names import without_names

SAME = [
    ("en", "vacuum cleaners", "Vacuum-Cleaner"),
    ("en", "limping", "limped"),
    ("en", "Leo's meltdowns", "leo meltdown"),
    ("en", "allergies", "allergy"),
    ("en", "biting", "bites"),
    ("tr", "IŞIK", "ışığı"),
    ("tr", "İLAÇ", "ilaçları"),
    ("tr", "kulağı", "KULAK"),
    ("tr", "uyuyamadı"[:5], "uyuya"),
    ("tr", "Leo'nun", "leo"),
    ("tr", "topallıyor", "topalladı"),
    ("tr", "market", "markette"),
]


@pytest.mark.parametrize(("language", "one", "other"), SAME)
def test_a_word_and_its_forms_have_the_same_terms(language, one, other):
    assert terms(one, language) == terms(other, language)


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [("en", "meal", "metal"), ("tr", "kulak", "kuluçka"), ("en", "bed", "bad"), ("tr", "uyku", "uyarı")],
)
def test_different_words_stay_different(language, one, other):
    assert terms(one, language) != terms(other, language)


def test_words_that_say_nothing_are_left_out():
    assert asked_terms("what was it, and why?") == []
    assert asked_terms("ne oldu ve neden?") == []


@given(st.text(max_size=80), st.sampled_from(["en", "tr"]))
def test_terms_are_plain_letters_and_folding_twice_changes_nothing(text, language):
    assert all(
        term and term.isascii() and term.isalnum() and term == term.lower() for term in terms(text, language)
    )
    assert fold(fold(text)) == fold(text)


@given(st.text(max_size=80), st.text(max_size=20))
def test_marked_parts_joined_are_the_text(text, question):
    assert "".join(part for part, _is_hit in marked(text, frozenset(asked_terms(question)))) == text


WORDS = st.one_of(
    st.text(alphabet="abdeghiklmnprstuyzışğİ", min_size=1, max_size=12),
    st.builds(
        str.__add__,
        st.text(alphabet="abdeghikrst", min_size=1, max_size=6),
        st.sampled_from(["ing", "edly", "ies", "es", "s", "e", "lardan", "ları", "dık", "nin", "ggıng"]),
    ),
)


@given(WORDS, st.sampled_from(["en", "tr"]))
def test_whatever_its_ending_a_word_is_marked_for_its_own_terms(word, language):
    found = terms(word, language)
    marks = marked(word, frozenset(found))
    assert any(is_hit for _part, is_hit in marks) == bool(found)


@given(WORDS, WORDS)
def test_a_word_is_marked_just_where_one_of_its_terms_was_asked_for(word, asked):
    wanted = frozenset(asked_terms(asked))
    is_same = any(stem(fold(word), language) in wanted for language in ("en", "tr"))
    assert any(is_hit for _part, is_hit in marked(word, wanted)) is is_same


def test_hits_are_marked_without_their_endings_after_an_apostrophe():
    assert marked("Leo'nun kulağı", frozenset(asked_terms("leo kulak"))) == [
        ("Leo", True),
        ("'nun ", False),
        ("kulağı", True),
    ]


def test_an_excerpt_holds_the_first_hit():
    text = "nothing here " * 60 + "the blender was loud " + "and more " * 60
    cut = excerpt(text, frozenset(asked_terms("blender")))
    assert "blender" in cut
    assert len(cut) < 260
    assert excerpt("short", frozenset()) == "short"


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("MIRNAV slept and mırnav's ear", "en", "the cat slept and the cat's ear"),
        ("Mırnav'ın kulağı", "tr", "kedi'ın kulağı"),
        ("Mirnavia is a place", "en", "Mirnavia is a place"),
    ],
)
def test_a_subjects_name_is_swapped_for_what_it_is(text, language, expected):
    assert without_names(text, name="Mırnav", species="cat", language=language) == expected


def test_a_name_of_two_words_goes_wholly():
    assert without_names("Ada Su cried, Ada laughed", name="Ada Su", species="person", language="en") == (
        "the child cried, the child laughed"
    )
