"""Words of distress are heard in both languages, and what only sounds like them is not."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.rules.companion.distress import KINDS, distress_in, lexicon

LINES = tomllib.loads(Path(__file__).with_name("distress_lines.toml").read_text("utf-8"))
SAID = [(kind, line) for one in LINES.values() for kind in KINDS for line in one[kind]]
HARMLESS = [line for one in LINES.values() for line in one["none"]]


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


@pytest.mark.parametrize(("kind", "line"), SAID[::3])
def test_it_is_heard_in_the_middle_of_other_talk_and_in_capitals(kind, line):
    assert distress_in(f"We had soup. {line}. And then I played.") is not None
    assert distress_in(line.replace("ı", "i").replace("İ", "i").upper()) is not None


@given(st.text(max_size=300))
def test_any_text_is_read_to_its_end(text):
    assert distress_in(text) in {None, *KINDS}


@pytest.mark.parametrize("language", ["en", "tr"])
def test_every_cue_can_be_said(language):
    words = lexicon(language)
    assert all(words.cues[kind] for kind in KINDS)
    assert len(set(words.calm)) == len(words.calm)
