"""How much thought a question asks for: indicators in both languages, and what needs no looking up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.rules.complexity import complexity, needs_retrieval

NOTHING_TO_LOOK_UP = [
    "hi", "Hello there!", "thanks", "Thank you so much", "good morning", "12*3", "what is 15 percent of 80?",
    "3,5 + 4", "kaç eder 5 kere 6", "merhaba", "teşekkürler", "sağ ol", "iyi geceler", "günaydın", "👍", "",
    "hi Leo",
    "how much is twelve times three", "çok teşekkür ederim", "2+2=?",
]  # fmt: skip
TO_LOOK_UP = [
    "how is he", "Leo?", "how much does he weigh", "good night, is she asleep", "thanks, what about the ear",
    "kaç kilo", "merhaba, ateşi kaç", "is 39.2 a fever", "2 mg or 3 mg?",
]  # fmt: skip


@pytest.mark.parametrize("text", NOTHING_TO_LOOK_UP)
def test_politeness_and_sums_need_no_looking_up(text: str) -> None:
    assert not needs_retrieval(text)
    assert complexity(text).effort == "minimal"


@pytest.mark.parametrize("text", TO_LOOK_UP)
def test_everything_else_does(text: str) -> None:
    assert needs_retrieval(text)


@pytest.mark.parametrize(
    ("question", "indicator"),
    [
        ("is it worse than in March?", "comparison"),
        ("why is he sneezing?", "causation"),
        ("is there a trend in her weight?", "trend"),
        ("do both cats cough?", "subjects"),
        ("what if I skip a dose?", "conditional"),
        ("did she not eat?", "negation"),
        ("marttakinden daha mı kötü?", "comparison"),
        ("neden hapşırıyor?", "causation"),
        ("giderek artıyor mu?", "trend"),
        ("ikisi de mi öksürüyor?", "subjects"),
        ("bir dozu atlarsam ne olur?", "conditional"),
        ("su içmedi mi?", "negation"),
    ],
)
def test_an_indicator_is_seen_in_both_languages(question: str, indicator: str) -> None:
    assert indicator in complexity(question).indicators


def test_two_known_names_are_several_subjects() -> None:
    assert complexity("did Leo or Mavi sneeze", names=("Leo", "Mavi")).tier == "analytical"
    assert complexity("did Leo sneeze", names=("Leo", "Mavi")).tier == "routine"


def test_effort_is_minimal_where_nothing_was_looked_up() -> None:
    assert complexity("why is he worse than in March?", has_context=False).effort == "minimal"
    assert complexity("why is he worse than in March?").effort == "high"


@given(st.text(max_size=400))
def test_any_text_is_judged_and_case_makes_no_difference_in_ascii(text: str) -> None:
    found = complexity(text, language="en")
    assert (found.tier == "analytical") <= (found.effort in ("medium", "high", "minimal"))
    if text.isascii():
        assert complexity(text.upper(), language="en") == complexity(text.lower(), language="en")
