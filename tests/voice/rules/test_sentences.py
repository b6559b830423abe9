"""Where a text is cut for streaming."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from voice.rules.sentences import FIRST_MOST, REST_MOST, units

WORDS = st.sampled_from(
    ["cat", "because", "Ayşe", "and", "ve", "drank,", "well.", "Why?", "–", "\n", "x" * 30, "(so)"]
)
TEXTS = st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=90).map(" ".join))


def parts(said: str) -> list[str]:
    return [said[start:end] for start, end in units(said)]


@given(TEXTS)
def test_the_parts_together_are_the_whole(said: str) -> None:
    assert "".join(parts(said)) == said


@given(TEXTS)
def test_no_part_is_longer_than_a_breath(said: str) -> None:
    assert all(len(part) <= 2 * REST_MOST for part in parts(said))


@given(st.lists(WORDS, min_size=40, max_size=90).map(" ".join))
def test_the_first_part_of_a_long_text_is_short(said: str) -> None:
    assert len(parts(said)[0]) <= 2 * FIRST_MOST + 12


def test_sentences_follow_one_another() -> None:
    assert parts("It went well today. She ate everything. Good night!") == [
        "It went well today.",
        " She ate everything.",
        " Good night!",
    ]


def test_a_long_first_sentence_is_cut_at_its_first_comma() -> None:
    said = "In the morning she drank a little, then she slept for hours beside the stove until it was dark."
    assert parts(said)[0] == "In the morning she drank a little,"


def test_a_long_sentence_without_a_comma_is_cut_before_a_joining_word() -> None:
    said = "She slept for hours beside the stove because it was cold outside and nobody else had come home"
    assert parts(said)[0].rstrip() == "She slept for hours beside the stove"


def test_a_turkish_sentence_is_cut_before_its_joining_word() -> None:
    said = (
        "Bütün gün sobanın yanında uyudu çünkü dışarısı çok soğuktu ve evde ondan başka hiç kimse kalmamıştı"
    )
    assert parts(said)[0].rstrip() == "Bütün gün sobanın yanında uyudu"


def test_a_short_sentence_takes_the_next_one_along() -> None:
    assert parts("No. Not today.")[0] == "No. Not today."


def test_nothing_has_no_parts() -> None:
    assert parts("") == []


def test_closing_marks_stay_with_the_last_words() -> None:
    assert parts("It went well today. (!)") == ["It went well today. (!)"]
