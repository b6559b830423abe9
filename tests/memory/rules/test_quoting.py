"""A document is quoted by the sentences that bear on the question, not by its letterhead."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.rules.asking.concepts import names_in
from memory.rules.asking.query import Query
from memory.rules.composing.choosing import quoted

PIECE = (
    "Hazel Lane Practice\nREPORT\nName: Deniz\nDate: 3.10.2026\n\n"
    "Background\nDeniz has three siblings and a dog.\n\n"
    "Advice\nEar defenders should be on before entering a shop. Bedtime begins with a bath and dim light."
)


def asked(**matters: float) -> Query:
    return Query(text="", language="en", matters=matters)


def test_only_the_sentence_asked_about_is_quoted() -> None:
    about = dict.fromkeys(names_in("entering a shop"), 1.0)
    assert about
    assert quoted(asked(**about), PIECE) == "Ear defenders should be on before entering a shop."


def test_a_question_about_nothing_in_it_quotes_its_first_sentences() -> None:
    assert quoted(asked(), PIECE).startswith("Deniz has three siblings and a dog.")


def test_a_piece_without_sentences_stays_as_it_is() -> None:
    assert quoted(asked(supermarket=1.0), "Weight: 4.2 kg\nPulse: 180") == "Weight: 4.2 kg\nPulse: 180"


@given(st.text(max_size=400))
def test_any_piece_gives_words_of_its_own(text: str) -> None:
    found = quoted(asked(supermarket=1.0), text)
    assert {*found.split()} <= {*text.split()} or found.replace(" ", "") in text.replace("-\n", "").replace(
        " ", ""
    )
