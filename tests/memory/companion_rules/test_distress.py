"""Words of distress are heard in both languages, and what only sounds like them is not."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.rules.companion.distress import KINDS, LANGUAGES, distress_in, lexicon, may_say
from memory.rules.companion.glance import glance
from memory.rules.companion.phrases import ENDS, LONGER, normalised, plain_words, spans
from twin.reading.tokens import tokenise

LINES = tomllib.loads(Path(__file__).with_name("distress_lines.toml").read_text("utf-8"))
SAID = [(kind, line) for one in LINES.values() for kind in KINDS for line in one[kind]]
WIDER = tomllib.loads(Path(__file__).with_name("distress_wider.toml").read_text("utf-8"))
HARMLESS = [line for one in LINES.values() for line in one["none"]]


@pytest.mark.parametrize("odd", ["ʼ", "ﾞ", "ͺ", "🐾", "я", "\u200d", "1", "''"])
def test_letters_of_other_keyboards_hide_nothing(odd):
    heard = distress_in("I want to die")
    assert heard is not None and distress_in(f"I {odd} want to die") == heard
    assert distress_in(odd) is None


@pytest.mark.parametrize("language", ["en", "tr"])
def test_there_are_enough_lines_of_each_language(language):
    assert sum(len(LINES[language][kind]) for kind in KINDS) >= 60
    assert len(LINES[language]["none"]) >= 60


@pytest.mark.parametrize(("kind", "line"), SAID)
def test_words_of_distress_are_heard(kind, line):
    assert distress_in(line) == kind


@pytest.mark.parametrize("line", HARMLESS)
def test_what_only_sounds_like_it_is_not(line):
    assert distress_in(line) is None


@pytest.mark.parametrize("line", [line for _kind, line in SAID[::3]])
def test_it_is_heard_in_the_middle_of_other_talk_and_in_capitals(line):
    assert distress_in(f"We had soup. {line}. And then I played.") is not None
    assert distress_in(line.replace("ı", "i").replace("İ", "i").upper()) is not None


@pytest.mark.parametrize("language", LANGUAGES)
def test_wider_wordings_are_heard_and_harmless_ones_are_left_alone(language):
    assert [line for line in WIDER[language]["heard"] if distress_in(line) is None] == []
    assert [line for line in WIDER[language]["harmless"] if distress_in(line) is not None] == []


@given(st.text(max_size=300))
def test_any_text_is_read_to_its_end(text):
    assert distress_in(text) in {None, *KINDS}


@pytest.mark.parametrize("language", ["en", "tr"])
def test_every_cue_can_be_said(language):
    words = lexicon(language)
    assert all(words.cues[kind] for kind in KINDS)
    assert len(set(words.calm)) == len(words.calm)


def by_every_phrase(text):
    """The same question answered the long way: every phrase looked for in every text."""
    found = set()
    for language in LANGUAGES:
        known = lexicon(language)
        line = normalised(text, forms=known.forms, slips=known.slips)
        calm = [span for phrase in known.calm for span in spans(phrase, line)]
        found |= {
            kind
            for kind, phrases in known.cues.items()
            for phrase in phrases
            for begin, end in spans(phrase, line)
            if not any(begin < other[1] and other[0] < end for other in calm)
        }
    return next((kind for kind in KINDS if kind in found), None)


def _vocabulary():
    phrases = [
        phrase
        for language in LANGUAGES
        for some in (*lexicon(language).cues.values(), lexicon(language).calm, lexicon(language).forms)
        for phrase in some
    ]
    words = {one.rstrip("-~") for phrase in phrases for word in phrase.split() for one in word.split("|")}
    return sorted(words - {""} | {"'", "mysself", "diiie", "çok", "İ", "!"})


WORDS = st.sampled_from(_vocabulary()) | st.sampled_from([word for _k, line in SAID for word in line.split()])


@settings(deadline=None)  # the first look reads every phrase
@given(st.lists(WORDS, max_size=30))
def test_leaving_out_what_cannot_stand_there_changes_no_answer(words):
    text = " ".join(words)
    assert distress_in(text) == by_every_phrase(text)


@pytest.mark.parametrize("line", [*(line for _kind, line in SAID), *HARMLESS])
def test_looking_for_every_phrase_answers_what_children_say_alike(line):
    assert distress_in(line) == by_every_phrase(line)


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=200))
def test_plain_letters_are_cut_as_all_others_are(text):
    read = LONGER.sub(r"\1", text)
    slow = [
        token.plain if token.is_word or token.is_number else "|"
        for token in tokenise(read)
        if token.is_word or token.is_number or token.raw in ENDS
    ]
    assert plain_words(text) == [word if word == "|" else word[:40] for word in slow]


# What stands between words, and in them, on any keyboard: runs, apostrophes, marks, other letters.
BETWEEN = st.sampled_from(
    [" ", "  ", "\n", "'", "''", "’", "`", "´", "ʼ", "...", "-", "_", "4", "👍", "\u200d", "я"]
)
LETTERS = st.characters(max_codepoint=0x24F) | st.sampled_from("ßﬁﾞͺΣя́")


def _spelled(word, at, odd, is_loud):
    at %= len(word) + 1
    said = word[:at] + odd + word[at:]
    return said.upper() if is_loud else said


SPELLED = st.builds(
    _spelled,
    WORDS,
    st.integers(0, 20),
    st.sampled_from(["", "eee", "'", "’", "''", "é", "ş", "1"]) | LETTERS,
    st.booleans(),
)


@settings(deadline=None)
@given(st.lists(st.tuples(SPELLED | WORDS, BETWEEN), max_size=20))
def test_a_glance_never_misses_what_the_whole_rule_finds(pieces):
    text = "".join(word + mark for word, mark in pieces)
    heard = by_every_phrase(text)
    assert heard is None or may_say(text)
    assert distress_in(text) == heard


@given(st.text(alphabet=LETTERS, max_size=120) | st.text(max_size=120))
def test_a_glance_sees_every_word_of_a_text_or_says_that_it_cannot(text):
    seen = glance(text)
    words = {word for word in plain_words(text) if word != "|" and not word[0].isdigit()}
    assert seen is None or {word for word in words if len(word) < 20} <= seen


@pytest.mark.parametrize("language", ["en", "tr"])
def test_no_phrase_needs_a_number_or_a_word_that_is_cut(language):
    known = lexicon(language)
    parts = [
        part
        for likely in (known.likely, known.likely_calm)
        for some in likely.parts.values()
        for part in some
    ]
    words = [*(word for one in parts for some in one for word in some), *known.slips]
    words += [word for pair in known.forms.items() for text in pair for word in text.split()]
    assert all(len(word) < 20 and not any(letter.isdigit() for letter in word) for word in words)


def test_nearly_no_harmless_line_needs_more_than_a_glance():
    assert sum(map(may_say, HARMLESS)) < len(HARMLESS) / 4
