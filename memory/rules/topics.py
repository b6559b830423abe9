"""What a turn is about, as a set of intents of a closed vocabulary: words differ, the set is the same. Pure.

The vocabulary is the 19 categories with the reader's own lexicon behind them, and the topics of
`memory/data/topics.toml`, read once. English is compared by stems, Turkish by its suffixes taken apart.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from twin.reading import english, lexicon, matching, turkish
from twin.reading.tokens import Token, lower, plain, tokenise
from twin.rules.categories import CATEGORIES
from twin.rules.language import guess_language

Language = Literal["en", "tr"]
DATA = Path(__file__).resolve().parent.parent / "data" / "topics.toml"
LONGEST = 2_000
SLIP_FROM = 6  # letters a word must have before one slip in it is forgiven

# What a body part of the reader's lexicon speaks of, where no sign says it.
PARTS: Mapping[str, str] = {
    **dict.fromkeys(("eye", "sight"), "eyes"),
    **dict.fromkeys(("ear", "hearing"), "ears"),
    **dict.fromkeys(("gum", "tooth", "mouth", "breath"), "oral_dental"),
    **dict.fromkeys(("nose", "throat", "breathing"), "respiratory"),
    **dict.fromkeys(("heart", "pulse"), "cardiovascular"),
    **dict.fromkeys(("limb", "joint", "walk"), "musculoskeletal"),
    **dict.fromkeys(("stool",), "lower_digestive"),
    **dict.fromkeys(("urine",), "urinary"),
    **dict.fromkeys(("genital",), "reproductive"),
    **dict.fromkeys(("vomit",), "upper_digestive"),
    **dict.fromkeys(("temperature",), "whole_body"),
    **dict.fromkeys(("appetite",), "appetite_intake"),
    **dict.fromkeys(("drinking",), "thirst_hydration"),
    **dict.fromkeys(("weight",), "metabolic_weight"),
    **dict.fromkeys(("skin",), "skin_coat"),
    **dict.fromkeys(("balance",), "neurological"),
    "sleep": "sleep",
    "gland": "blood_immune",
}


@dataclass(frozen=True)
class Phrase:
    """One phrase of an intent: for each of its words the keys that fit it."""

    intent: str
    words: tuple[frozenset[str], ...]


@dataclass(frozen=True)
class Vocabulary:
    """The phrases of one language by their first word's keys, and how its words become keys."""

    by_first: Mapping[str, tuple[Phrase, ...]]
    analyser: turkish.Analyser | None
    forms: Mapping[str, str]
    speller: english.Speller | None


@cache
def _raw() -> Mapping[str, Mapping[str, object]]:
    return tomllib.loads(DATA.read_text("utf-8"))


@cache
def topics() -> frozenset[str]:
    """The intents that open a drawer by themselves."""
    named = {name for name, one in _raw().items() if one["kind"] == "topic"}
    return frozenset(named | set(CATEGORIES))


@cache
def circumstances() -> frozenset[str]:
    """The intents that colour a topic, and stand alone only where there is none."""
    return frozenset(name for name, one in _raw().items() if one["kind"] == "circumstance")


def known_intents() -> frozenset[str]:
    """The whole closed vocabulary."""
    return topics() | circumstances()


def intents_of(text: str, *, language: Language | None = None) -> frozenset[str]:
    """What a text is about; empty where no word of the vocabulary stands in it."""
    text = text[:LONGEST]
    tongue = language or guess_language(text, default="en")
    tokens = tokenise(text)
    lex = lexicon.load(tongue)
    lex.mark(tokens)
    phrased = _phrases(tokens, tongue)
    found = {intent for intent, _span in phrased}
    covered = {i for _intent, span in phrased for i in span}
    matches = matching.find(tokens, lex)
    signs = matching.select([one for one in matches if one.pattern.group == "signs"])
    spoken = {
        one.name.partition(".")[0] for one in signs if not covered >= set(one.core) or len(one.core) > 1
    }
    parts = {
        PARTS[one.name]
        for one in matches
        if one.pattern.group == "parts" and one.name in PARTS and not covered & set(one.core)
    }
    found |= spoken
    if not found & topics():
        found |= parts
    return frozenset(_without_overlaps(found & known_intents()))


# Where both are named, the first is the topic and the second only how it shows.
_OVERSHADOWS: tuple[tuple[str, str], ...] = (
    ("ears", "skin_coat"),
    ("eyes", "skin_coat"),
    ("oral_dental", "skin_coat"),
    ("neurological", "behaviour"),
    ("urinary", "sleep"),
    ("vaccination", "whole_body"),
    ("vaccination", "medicine"),
    ("upper_digestive", "whole_body"),
    ("ears", "whole_body"),
    ("oral_dental", "whole_body"),
    ("neurological", "whole_body"),
    ("musculoskeletal", "whole_body"),
    ("eyes", "whole_body"),
    ("lower_digestive", "urinary"),
    ("upper_digestive", "appetite_intake"),
    ("thirst_hydration", "appetite_intake"),
    ("money", "*"),
)


def _without_overlaps(found: Iterable[str]) -> set[str]:
    kept = set(found)
    for stronger, weaker in _OVERSHADOWS:
        if stronger in kept:
            kept -= kept - {stronger} if weaker == "*" else {weaker}
    return kept


def _phrases(tokens: Sequence[Token], language: Language) -> list[tuple[str, range]]:
    """The intents named by phrases, the longest phrase winning its words."""
    vocabulary = _vocabulary(language)
    keys = [_keys(token, vocabulary) for token in tokens]
    found: list[tuple[str, range]] = []
    for i, mine in enumerate(keys):
        for key in mine:
            for phrase in vocabulary.by_first.get(key, ()):
                last = i + len(phrase.words)
                if last <= len(keys) and all(keys[i + n] & wanted for n, wanted in enumerate(phrase.words)):
                    found.append((phrase.intent, range(i, last)))
    longest = sorted(found, key=lambda one: (-len(one[1]), one[1].start, one[0]))
    kept: list[tuple[str, range]] = []
    taken: dict[int, int] = {}
    for intent, span in longest:
        if all(taken.get(i, len(span)) <= len(span) for i in span):
            kept.append((intent, span))
            for i in span:
                taken.setdefault(i, len(span))
    return kept


def _keys(token: Token, vocabulary: Vocabulary) -> frozenset[str]:
    if not token.is_word:
        return frozenset()
    exact = "=" + token.plain
    if vocabulary.analyser is None:
        key = english.canonical(token.plain, vocabulary.forms)
        assert vocabulary.speller
        slip = None if token.plain in vocabulary.speller.known else vocabulary.speller.correct(token.plain)
        return frozenset({exact, key} | ({english.canonical(slip, vocabulary.forms)} if slip else set()))
    readings = vocabulary.analyser.analyses(token.plain, token.proper)
    if not readings and len(token.plain) >= SLIP_FROM:
        readings = vocabulary.analyser.near(token.plain)
    return frozenset({exact} | {("v:" if one.is_verb else "n:") + plain(one.stem) for one in readings})


@cache
def _vocabulary(language: Language) -> Vocabulary:
    """The phrases of one language; read from disk the first time only."""
    forms = lexicon.load(language).forms if language == "en" else {}
    by_first: dict[str, list[Phrase]] = {}
    stems: dict[tuple[str, bool], turkish.Stem] = {}
    spelled: set[str] = set()
    for intent, one in _raw().items():
        for written in one[language]:  # type: ignore[attr-defined]
            words = written.split()
            phrase = Phrase(intent, tuple(_wanted(word, language, forms, stems) for word in words))
            spelled.update(word for word in words if not word.startswith("="))
            for key in phrase.words[0]:
                by_first.setdefault(key, []).append(phrase)
    return Vocabulary(
        {key: tuple(group) for key, group in by_first.items()},
        turkish.Analyser(stems.values()) if language == "tr" else None,
        forms,
        english.Speller(spelled, lexicon.load("en").ordinary) if language == "en" else None,
    )


def _wanted(
    word: str, language: Language, forms: Mapping[str, str], stems: dict[tuple[str, bool], turkish.Stem]
) -> frozenset[str]:
    """The keys one word of a phrase may be found by."""
    if word.startswith("="):
        return frozenset({"=" + plain(lower(word[1:], language))})
    if language == "en":
        return frozenset({english.canonical(plain(word.lower()), forms)})
    stem, kind = lexicon.turkish_stem(word if _is_verb(word) else word + "!")
    stems.setdefault((stem.plain, stem.is_verb), stem)
    keys = {("v:" if stem.is_verb else "n:") + stem.plain}
    return frozenset(keys if kind else set())


_NOUNS_LIKE_VERBS = frozenset({"yemek", "çakmak", "ekmek", "parmak", "tırnak"})


def _is_verb(word: str) -> bool:
    return word.endswith(("mak", "mek")) and word not in _NOUNS_LIKE_VERBS
