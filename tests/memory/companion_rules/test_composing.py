"""The built-in companion: kind, short, never the same twice, and silent about what it may not know."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.rules.companion.composing import Spoken, Talk, compose
from memory.rules.companion.guarding import ADVICE, problem_with
from memory.rules.companion.moments import Moment, moment_of
from memory.rules.companion.recalling import Remembered
from memory.rules.companion.said_before import keys_in
from memory.rules.companion.sayings import in_voice, sayings

LANGUAGES = ("en", "tr")
DAY_MS = 86_400_000
NOW = 1_800_000_000_000
BIG = Remembered("m-1", "I saw a big dinosaur", "dinosaur", NOW - DAY_MS)
BUYUK = Remembered("m-2", "Büyük bir dinozor gördüm", "dinosaur", NOW - DAY_MS)


def a_talk(text: str = "we went to the park", **fields: object) -> Talk:
    return Talk(**{"turn": "turn-1", "text": text, "now_ms": NOW, **fields})  # type: ignore[arg-type]


def every_sentence(language: str) -> list[tuple[str, str]]:
    known = sayings(language)
    plain = [one for pool in (*known.said.values(), *known.asks.values()) for one in pool]
    voiced = [
        in_voice(one, voice, number)
        for voices in known.voices.values()
        for number, voice in enumerate(voices)
        for one in plain
    ]
    return [(one.key, one.text) for one in (*plain, *voiced)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_has_one_key_and_every_key_one_sentence(language):
    found = every_sentence(language)
    assert len(dict(found)) == len(set(found))
    assert len({text for _key, text in found}) == len(set(found))
    assert all(len(key) <= 40 for key, _text in found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_is_long_or_advises(language):
    for _key, text in every_sentence(language):
        assert len(text) <= 90 and not set(re.findall(r"\w+", text.lower())) & ADVICE[language], text


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_languages_say_the_same_kinds_of_things(language):
    mine, english = sayings(language), sayings("en")
    assert {name: len(pool) for name, pool in mine.asks.items()} == {
        name: len(pool) for name, pool in english.asks.items()
    }
    assert mine.said.keys() == english.said.keys() and mine.voices.keys() == english.voices.keys()


@pytest.mark.parametrize(
    ("text", "language", "moment"),
    [
        ("hello", "en", Moment.GREETING),
        ("Hi cat!", "en", Moment.GREETING),
        ("good night", "en", Moment.GOODNIGHT),
        ("thank you", "en", Moment.THANKS),
        ("i am sad today", "en", Moment.SAD),
        ("i miss my grandma", "en", Moment.SAD),
        ("my fish died", "en", Moment.SAD),
        ("my tummy hurts", "en", Moment.HEALTH),
        ("i threw up at school", "en", Moment.HEALTH),
        ("why is the sky blue?", "en", Moment.QUESTION),
        ("we built a tower", "en", Moment.PLAIN),
        ("i saw a dinosaur and said hello to it", "en", Moment.PLAIN),
        ("merhaba", "tr", Moment.GREETING),
        ("iyi geceler", "tr", Moment.GOODNIGHT),
        ("teşekkür ederim", "tr", Moment.THANKS),
        ("bugün çok üzgünüm", "tr", Moment.SAD),
        ("dedemi özledim", "tr", Moment.SAD),
        ("karnım ağrıyor", "tr", Moment.HEALTH),
        ("okulda kustum", "tr", Moment.HEALTH),
        ("gökyüzü neden mavi", "tr", Moment.PLAIN),
        ("neden gökyüzü mavi", "tr", Moment.QUESTION),
        ("köpekler uçar mı?", "tr", Moment.QUESTION),
        ("kule yaptık", "tr", Moment.PLAIN),
    ],
)
def test_it_takes_words_as_they_are_meant(text, language, moment):
    assert moment_of(text, language) == moment


def test_a_picture_without_other_meaning_is_about_the_picture():
    assert compose(a_talk("look", has_picture=True)).moment == Moment.PICTURE


@pytest.mark.parametrize(
    ("language", "text", "memory", "word"),
    [("en", "i like dinosaurs", BIG, "dinosaur"), ("tr", "dinozorları çok seviyorum", BUYUK, "dinozor")],
)
def test_it_recalls_a_fitting_memory_once_a_week(language, text, memory, word):
    talk = a_talk(text, language=language, memories=[memory])
    first = compose(talk)
    assert first.recalled == memory.gid and word in first.text
    again = compose(replace(talk, turn="turn-2", recalled=frozenset({memory.gid})))
    assert again.recalled == "" and memory.text not in again.text


def test_it_says_what_it_is_about_in_the_childs_place():
    talk = a_talk("i drew a dinosaur", memories=[BIG])
    assert "the big dinosaur" in compose(talk).text
    mine = Remembered("m-3", "I love my dinosaur teddy", "dinosaur", NOW - DAY_MS)
    assert "your dinosaur teddy" in compose(replace(talk, memories=[mine])).text


@pytest.mark.parametrize(
    "memory",
    [
        Remembered("m-1", "my tummy hurts when I see a dinosaur", "dinosaur", 0),
        Remembered("m-1", "the dinosaur made me cry", "dinosaur", 0),
        Remembered("m-1", "see http://dinosaur.example", "dinosaur", 0),
        Remembered("m-1", "dinosaur " * 30, "dinosaur", 0),
        Remembered("m-1", "I saw a dinosaur", "dinosaur", NOW - 60_000),
        Remembered("m-1", "a red boat", "boat", 0),
        Remembered("m-1", "", None, 0),
    ],
)
def test_it_recalls_nothing_that_hurts_is_long_is_new_or_does_not_fit(memory):
    assert compose(a_talk("i like dinosaurs", memories=[memory])).recalled == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_sadness_is_met_with_a_grown_up_and_no_question(language):
    text = {"en": "i am sad", "tr": "üzgünüm"}[language]
    said = compose(a_talk(text, language=language)).text
    assert {"en": "rown-up", "tr": "üyü"}[language] in said or "body big" in said
    assert "?" not in said


def test_the_characters_sound_different():
    sounds = set()
    for character in ("cat", "dog", "owl", "robot"):
        for number in range(40):
            first = compose(a_talk(turn=f"t-{number}", character=character)).sentences[0]
            if "! " in first:
                sounds.add((character, first.split("!")[0]))
    assert {name for name, _sound in sounds} == {"cat", "dog", "owl", "robot"}


def test_an_unknown_character_is_the_cat():
    assert compose(a_talk(character="dragon")) == compose(a_talk(character="cat"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_a_thousand_turns_of_a_week_no_sentence_comes_twice(language):
    said: set[str] = set()
    heard: list[str] = []
    lines = {"en": "we saw a dog", "tr": "bir köpek gördük"}
    for number in range(1_000):
        spoken = compose(a_talk(lines[language], turn=f"t-{number}", language=language, said=frozenset(said)))
        said |= set(spoken.keys)
        heard += [one for one in spoken.sentences if any(c.isalpha() for c in one)]
    assert len(heard) == len(set(heard))
    assert len(heard) > 150


words = st.sampled_from(
    "hello why dog dinosaur sad hurts night thanks we saw big üzgünüm köpek neden merhaba ? ! . 😀".split()
)
texts = st.one_of(st.text(max_size=200), st.lists(words, max_size=12).map(" ".join))
memories = st.lists(
    st.builds(
        Remembered,
        gid=st.sampled_from(["m-1", "m-2", "m-3"]),
        text=st.one_of(st.text(max_size=60), st.sampled_from(["I saw a big dog", "büyük bir köpek gördüm"])),
        icon=st.sampled_from([None, "dog", "dinosaur"]),
        learned_at_ms=st.integers(0, NOW),
    ),
    max_size=4,
    unique_by=lambda one: one.gid,
)
talks = st.builds(
    Talk,
    turn=st.text("abc123-", min_size=1, max_size=8),
    text=texts,
    language=st.sampled_from(LANGUAGES),
    character=st.sampled_from(["cat", "dog", "owl", "robot", "??"]),
    now_ms=st.just(NOW),
    is_over=st.booleans(),
    has_picture=st.booleans(),
    memories=memories,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(talks, min_size=1, max_size=12))
def test_whatever_is_said_no_sentence_and_no_memory_comes_twice(week):
    said: frozenset[str] = frozenset()
    recalled: frozenset[str] = frozenset()
    heard: list[str] = []
    for talk in week:
        spoken: Spoken = compose(replace(talk, said=said, recalled=recalled))
        assert spoken.sentences and len(spoken.text) <= 320
        assert spoken.recalled not in recalled
        assert spoken.recalled in {"", *(one.gid for one in talk.memories)}
        said |= set(spoken.keys)
        recalled |= {spoken.recalled} - {""}
        own = zip(spoken.sentences, spoken.keys, strict=False)
        heard += [text for text, key in own if ".recall." not in key]
    assert len(heard) == len(set(heard))


@settings(max_examples=60, deadline=None)
@given(talks)
def test_a_memory_that_is_not_handed_in_is_never_said(talk):
    secret = Remembered("m-9", "I saw a big zqdog", "dog", 0)
    assert "zqdog" not in compose(talk).text
    assert "zqdog" not in compose(replace(talk, memories=[secret], recalled=frozenset({"m-9"}))).text


@settings(max_examples=40, deadline=None)
@given(talks)
def test_what_it_says_passes_its_own_guard(talk):
    spoken = compose(replace(talk, memories=()))
    if any(c.isalpha() for c in spoken.text):
        assert problem_with(spoken.text, language=talk.language, known=[talk.text], said=frozenset()) in (
            "",
            "too_long",
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_said_is_known_by_its_words(language: str) -> None:
    known = sayings(language)
    for pool in (*known.said.values(), *known.asks.values()):
        for one in pool:
            assert one.key in keys_in(f"{one.text} {known.asks['any'][0].text}")
    assert keys_in(known.nod) == keys_in("nobody said this") == []
