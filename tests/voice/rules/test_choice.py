"""Which voice speaks."""

from __future__ import annotations

import pytest

from voice.rules.cache import key_of, variant
from voice.rules.choice import Choice, Voice, choose, is_speed, usable
from voice.rules.refusals import (
    MOST_CHARACTERS,
    NothingToSay,
    NoVoice,
    TooLong,
    UnknownScript,
    check_length,
    check_sayable,
)

JOE = Voice("en_US-joe-medium", "en_US", "medium", is_bundled=True)
AMY = Voice("en_GB-amy-high", "en_GB", "high")
LOW = Voice("en_US-low", "en_US", "low")
DFKI = Voice("tr_TR-dfki-medium", "tr_TR", "medium")
TORN = Voice("en_US-torn-medium", "en_US", "medium", problem="bad_model")
ALL = [AMY, DFKI, JOE, LOW, TORN]


@pytest.mark.parametrize(
    ("voices", "wanted", "base", "language", "choice"),
    [
        (ALL, "", "", "en", Choice(AMY)),
        (ALL, "", JOE.id, "en", Choice(JOE)),
        (ALL, LOW.id, JOE.id, "en", Choice(LOW)),
        (ALL, "gone", JOE.id, "en", Choice(JOE, "gone")),
        (ALL, "gone", "gone too", "en", Choice(AMY, "gone")),
        (ALL, TORN.id, JOE.id, "en", Choice(JOE, TORN.id)),
        (ALL, JOE.id, JOE.id, "tr", Choice(DFKI)),
        (ALL, DFKI.id, JOE.id, "en", Choice(JOE)),
        (ALL, "", JOE.id, "tr-TR", Choice(DFKI)),
        ([JOE, LOW], "", "", "en", Choice(LOW)),
        ([JOE], "", DFKI.id, "en", Choice(JOE)),
    ],
)
def test_the_voice_asked_for_else_the_base_else_the_best(
    voices: list[Voice], wanted: str, base: str, language: str, choice: Choice
) -> None:
    assert choose(voices, wanted=wanted, base=base, language=language) == choice


@pytest.mark.parametrize("voices", [[], [JOE], [Voice("tr", "tr", problem="no_config")]])
def test_without_a_voice_of_the_language_nothing_is_said(voices: list[Voice]) -> None:
    with pytest.raises(NoVoice) as refused:
        choose(voices, wanted=JOE.id, language="tr")
    assert refused.value.language == "tr"


def test_a_voice_with_a_problem_is_never_usable() -> None:
    assert TORN not in usable(ALL, "en")


@pytest.mark.parametrize(
    ("percent", "is_one"), [(59, False), (60, True), (100, True), (160, True), (161, False)]
)
def test_a_speed_is_within_what_can_be_understood(percent: int, is_one: bool) -> None:
    assert is_speed(percent) is is_one


def test_the_key_is_of_the_voice_and_the_exact_text() -> None:
    keys = {key_of(v, t) for v in ("a", "ab", variant("a", 85)) for t in ("b", "B", "b ", "", "ab")}
    assert len(keys) == 15
    assert all(len(key) == 64 for key in keys)
    assert variant("a", 100) == "a"


@pytest.mark.parametrize(
    ("text", "words", "refusal"),
    [
        ("", "", NothingToSay),
        ("😀", "", NothingToSay),
        ("... !", "... !", NothingToSay),
        ("漢字", "", UnknownScript),
    ],
)
def test_what_has_no_sound_is_refused_with_its_reason(
    text: str, words: str, refusal: type[Exception]
) -> None:
    with pytest.raises(refusal):
        check_sayable(text, words)


def test_what_can_be_said_passes() -> None:
    check_sayable("a", "a")
    check_length("a" * MOST_CHARACTERS)


def test_a_text_past_the_limit_is_too_long() -> None:
    with pytest.raises(TooLong):
        check_length("a" * (MOST_CHARACTERS + 1))
