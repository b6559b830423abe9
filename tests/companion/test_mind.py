"""The tablet listens and talks by itself as the house does: distress, moments, stems, icons, replies."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from memory.rules.companion.composing import Talk, compose
from memory.rules.companion.distress import LANGUAGES, distress_in, lexicon
from memory.rules.companion.icons import icon_for, icons
from memory.rules.companion.moments import moment_of
from memory.rules.companion.recalling import MOST_MEMORIES, Remembered
from memory.rules.companion.said_before import keys_in
from memory.rules.companion.sameness import content
from memory.rules.companion.sayings import sayings
from twin.rules.language import guess_language

pytestmark = pytest.mark.browser
LINES = Path(__file__).resolve().parents[1] / "memory" / "companion_rules"
NOW = 1_800_000_000_000
DAY_MS = 86_400_000
SEED = 20270115
MIXED, TALKS = 600, 400
LOOK = """async (texts) => {
  const hearing = await import("/static/companion/mind/hearing.js");
  const talking = await import("/static/companion/mind/talking.js");
  const {isHeavy, momentOf} = hearing;
  return texts.map((text) => [isHeavy(text), momentOf(text, "en"), momentOf(text, "tr"),
    [...talking.contentOf(text)].sort(), talking.iconFor(text), talking.languageOf(text, "en"),
    talking.languageOf(text, "tr")]);
}"""
ANSWER = """async (talks) => {
  const {compose, keysIn} = await import("/static/companion/mind/talking.js");
  return talks.map((talk) => {
    const found = compose({...talk, said: new Set(talk.said), recalled: new Set(talk.recalled)});
    return [found.moment, found.text, found.keys, found.recalled, keysIn(found.text).sort()];
  });
}"""


def said_lines() -> list[str]:
    """Everything that the tests of distress know to be said, by every spelling of it."""
    found: list[str] = []
    for name in ("distress_lines.toml", "distress_wider.toml"):
        held = tomllib.loads((LINES / name).read_text("utf-8"))
        found += [line for one in held.values() for lines in one.values() for line in lines]
    return [*found, *(line.upper() for line in found[::3]), *(f"We ate. {line}!! bye" for line in found[::4])]


def mixed_lines() -> list[str]:
    """Words of both languages and of the cues, thrown together."""
    dice = random.Random(SEED)
    words = sorted({word for line in said_lines() for word in line.split()})
    for language in LANGUAGES:
        phrases = [phrase for some in lexicon(language).cues.values() for phrase in some]
        words += sorted(
            {one.rstrip("-~") for phrase in phrases for word in phrase.split() for one in word.split("|")}
        )
    words += [
        word.rstrip("-~") for one in icons().values() for phrase in one.phrases for word in phrase.split()
    ]
    words += ["!", ".", "?", "\n", "3", "don\u2019t", "İ", "çok", "diiie", "mysself", "🐾", "café"]
    words += ["ʼ", "ﾞ", "ʼtis"]
    return [" ".join(dice.choices(words, k=dice.randint(0, 14))) for _ in range(MIXED)]


def looked_at(text: str) -> list[Any]:
    return [
        distress_in(text) is not None,
        moment_of(text, "en").value,
        moment_of(text, "tr").value,
        sorted(content(text)),
        icon_for(text),
        guess_language(text, default="en"),
        guess_language(text, default="tr"),
    ]


def test_a_tablet_hears_what_the_house_hears(modules: Page) -> None:
    texts = [*said_lines(), *mixed_lines()]
    found = modules.evaluate(LOOK, texts)
    wrong = [
        (text, one, looked_at(text)) for text, one in zip(texts, found, strict=True) if one != looked_at(text)
    ]
    assert wrong == []
    assert sum(one[0] for one in found) > 200


def talks() -> list[Talk]:
    """Turns of a child with memories, some of which were said or recalled this week."""
    dice = random.Random(SEED)
    told = ["I saw a big dinosaur", "my dog likes the beach", "büyük bir dinozor gördüm", "kedim süt içti",
            "we baked a cake with grandma", "I feel sad today", "parkta top oynadık", "see https://x.org",
            "I have a red boat", "my fish is dead and i want to die"]  # fmt: skip
    said = ["a dinosaur ate my cake", "hello", "look at my dog", "bugün parka gittik", "good night",
            "thank you", "why is the sky blue", "my tummy hurts", "I cried", "dinozor", "kedi resmi yaptım",
            "", "boat on the sea", "i want to die", "annem kek yaptı"]  # fmt: skip
    every = {one: [key.key for pool in sayings(one).said.values() for key in pool] for one in LANGUAGES}
    found = []
    for number in range(TALKS):
        language = dice.choice(LANGUAGES)
        memories = [
            Remembered(f"m{at}", text, None, NOW - dice.randint(0, 3 * DAY_MS))
            for at, text in enumerate(told)
        ]
        keys = every[language]
        found.append(
            Talk(
                turn=f"t{number}-{dice.random()}",
                text=dice.choice(said),
                language=language,
                character=dice.choice(["cat", "dog", "owl", "robot"]),
                now_ms=NOW,
                has_picture=dice.random() < 0.3,
                memories=tuple(dice.sample(memories, dice.randint(0, len(memories)))),
                said=frozenset(dice.sample(keys, dice.randint(0, len(keys)))),
                recalled=frozenset(dice.sample([one.gid for one in memories], dice.randint(0, 3))),
            )
        )
    return found


def as_sent(talk: Talk) -> dict[str, Any]:
    return {
        **{name: getattr(talk, name) for name in ("turn", "text", "language", "character", "now_ms")},
        "hasPicture": talk.has_picture,
        "memories": [vars(one) for one in talk.memories],
        "said": sorted(talk.said),
        "recalled": sorted(talk.recalled),
    }


def answered(talk: Talk) -> list[Any]:
    distress = distress_in(talk.text) is not None
    spoken = compose(Talk(**{**vars(talk), "is_distress": distress}))
    return [
        spoken.moment.value,
        spoken.text,
        list(spoken.keys),
        spoken.recalled,
        sorted(keys_in(spoken.text)),
    ]


def test_a_tablet_answers_as_the_house_does(modules: Page) -> None:
    all_talks = talks()
    found = modules.evaluate(ANSWER, [as_sent(talk) for talk in all_talks])
    wrong = [
        (talk.text, one, answered(talk))
        for talk, one in zip(all_talks, found, strict=True)
        if one != answered(talk)
    ]
    assert wrong == []
    assert sum(bool(one[3]) for one in found) > 20


def crowded() -> list[Talk]:
    """Turns of a child with more memories than are recalled from; those that fit lie at the border."""
    found = []
    for older in range(MOST_MEMORIES - 2, MOST_MEMORIES + 2):
        newer = [Remembered(f"n{at:03}", "we baked a cake", None, NOW - DAY_MS) for at in range(older)]
        dogs = {"b": "my dog Rex", "z": "my dog Tess", "\uff61": "my dog Max", "🐾": "my dog Bella"}
        fitting = [Remembered(gid, text, None, NOW - 2 * DAY_MS) for gid, text in dogs.items()]
        for recalled in ((), ("🐾",), ("🐾", "\uff61")):
            found.append(
                Talk(
                    turn=f"t{older}",
                    text="look at my dog",
                    now_ms=NOW,
                    memories=(*fitting, *newer),
                    recalled=frozenset(recalled),
                )
            )
    return found


def test_a_tablet_recalls_from_the_same_newest_memories_as_the_house(modules: Page) -> None:
    all_talks = crowded()
    found = modules.evaluate(ANSWER, [as_sent(talk) for talk in all_talks])
    assert found == [answered(talk) for talk in all_talks]
    assert {one[3] for one in found} >= {"", "🐾", "\uff61"}


OWN = """async (texts) => {
  const {ownSentences} = await import("/static/companion/face/kept_speech.js");
  return texts.map(ownSentences);
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_its_own_may_be_kept_as_sound(modules: Page, language: str) -> None:
    known = sayings(language)
    pools = (*known.said.values(), *known.asks.values())
    own = [known.fixed, known.nod, *(one.text for pool in pools for one in pool)]
    assert modules.evaluate(OWN, own) == [[one] for one in own]
    assert modules.evaluate(OWN, [f"{known.nod} Rex"]) == [None]


ASKED = """async (texts) => {
  const {readAloud} = await import("/static/companion/face/speech.js");
  const asked = [];
  const house = {open: (...one) => { asked.push(one[2].text); throw new Error("no house"); }};
  for (const text of texts) {
    const words = document.createElement("p");
    words.textContent = text;
    await readAloud(words, {house, character: "cat", language: "en", voice: ""});
  }
  return asked;
}"""


def test_a_nod_has_no_sound_so_nobody_is_asked_for_it(modules: Page) -> None:
    nods = [sayings(one).nod for one in LANGUAGES]
    assert modules.evaluate(ASKED, [*nods, "A dog.", "3"]) == ["A dog.", "3"]
