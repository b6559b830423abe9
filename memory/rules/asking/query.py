"""A question as a value: what it wants, about which matters, of which days. Pure."""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Literal

from memory.rules.asking.concepts import Found, concepts, concepts_in, folded
from memory.rules.asking.intents import Intent, intents_of
from memory.rules.asking.windows import Window, mentions_of, windows_of
from twin.reading import lexicon, matching
from twin.reading.tokens import tokenise
from twin.rules.entries import ReadingContext

Language = Literal["en", "tr"]
AUDIENCES = ("vet", "doctor", "therapist", "school", "grandparents")
# What a part of the body, as the reader's lexicon calls it, belongs to.
PARTS: Mapping[str, str] = {
    "appetite": "appetite_intake",
    "balance": "neurological",
    "breath": "oral_dental",
    "breathing": "respiratory",
    "drinking": "thirst_hydration",
    "ear": "ears",
    "hearing": "ears",
    "eye": "eyes",
    "sight": "eyes",
    "gum": "oral_dental",
    "mouth": "oral_dental",
    "tooth": "oral_dental",
    "heart": "cardiovascular",
    "pulse": "cardiovascular",
    "joint": "musculoskeletal",
    "limb": "musculoskeletal",
    "walk": "musculoskeletal",
    "nose": "respiratory",
    "throat": "respiratory",
    "skin": "skin_coat",
    "sleep": "sleep",
    "stool": "lower_digestive",
    "temperature": "whole_body",
    "urine": "urinary",
    "vomit": "upper_digestive",
    "weight": "metabolic_weight",
    "genital": "reproductive",
}
SIDES: Mapping[str, str] = {"left": "left", "right": "right", "sol": "left", "sag": "right"}
DENIALS = frozenset("not no never dont doesnt didnt isnt wasnt hasnt havent cant wont without".split()) | {
    "degil",
    "yok",
    "hic",
    "olmadan",
    "asla",
}
LONG_BEGINNING = 5
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)?")


@dataclass(frozen=True)
class Query:
    """What a question asks.

    `matters` weighs each concept that is asked about (1 for one that is named), `places` are those of them
    that narrow it; `signs` are (category, sign); `words` are matters that no table knows, as beginnings.
    """

    text: str
    language: Language
    intents: tuple[Intent, ...] = ()
    matters: Mapping[str, float] = field(default_factory=dict)
    places: frozenset[str] = frozenset()
    categories: frozenset[str] = frozenset()
    signs: frozenset[tuple[str, str]] = frozenset()
    words: tuple[str, ...] = ()
    audience: str = ""
    side: str = ""
    windows: tuple[Window, ...] = ()
    people: tuple[str, ...] = ()  # members of the household it names
    other_subject: str = ""  # another subject's name, where it names only that

    @property
    def intent(self) -> Intent | None:
        """The primary intent."""
        return self.intents[0] if self.intents else None

    @property
    def window(self) -> Window | None:
        """The days it names first."""
        return self.windows[0] if self.windows else None

    @property
    def has_target(self) -> bool:
        """Whether it is about a matter, and not about the subject as a whole."""
        return bool(self.matters or self.categories or self.words)

    def wants(self, *intents: Intent) -> bool:
        """Whether any of these is among its intents."""
        return any(one in self.intents for one in intents)


@cache
def _function_words() -> tuple[frozenset[str], tuple[str, ...], int]:
    raw = tomllib.loads(files("memory.data").joinpath("question_words.toml").read_text("utf-8"))
    return frozenset(raw["en"].split()), tuple(dict.fromkeys(raw["tr"].split())), int(raw["tail"])


def is_function_word(word: str, language: str) -> bool:
    """Whether a folded word of a question names no matter."""
    english, turkish, tail = _function_words()
    if len(word) < 3 or word in english:
        return True
    if language != "tr":
        return False
    return any(
        word.startswith(one) and len(word) - len(one) <= (tail if len(one) > 3 else 3) for one in turkish
    )


def _puts_the_question(word: str, language: str) -> bool:
    """Whether a Turkish word begins with a long word of the questions' own; short ones begin too many."""
    return language == "tr" and any(
        word == one or (len(one) >= LONG_BEGINNING and word.startswith(one)) for one in _function_words()[1]
    )


def parse(
    text: str,
    *,
    context: ReadingContext,
    name: str,
    others: Sequence[str] = (),
    people: Sequence[str] = (),
) -> Query:
    """What a question asks about `name`; `others` are the household's other subjects."""
    mentions = mentions_of(text, context=context)
    named = _named(text, (name, *others))
    persons = tuple(one for one in people if _named(text, (one,)))
    found = list(concepts_in(text, is_question=True))
    intents = _intents(text)
    audience = _audience(found, intents)
    about = [one for one in found if one.name != audience]
    categories, signs = _body(text, context.language, about)
    weights = _weights(about)
    categories |= {concepts()[one.name].category for one in about if concepts()[one.name].category}
    return Query(
        text=text,
        language=context.language,
        intents=intents,
        matters=weights,
        places=frozenset(one.name for one in about if concepts()[one.name].is_place),
        categories=frozenset(categories),
        signs=frozenset(signs),
        words=_unknown(text, context.language, found, mentions, (name, *others, *persons)),
        audience=audience,
        side=next((SIDES[word] for word in folded(text) if word in SIDES), ""),
        windows=windows_of(mentions, today=context.spoken_on),
        people=persons,
        other_subject=next((one for one in others if one in named), "") if name not in named else "",
    )


def _intents(text: str) -> tuple[Intent, ...]:
    intents = intents_of(text)
    words = folded(text)
    if words and words[0] in {"how", "hows"} and Intent.HOW in intents:
        intents = tuple(one for one in intents if one is not Intent.EVER)
    return intents


def _named(text: str, names: Iterable[str]) -> frozenset[str]:
    words = folded(text)
    return frozenset(
        name
        for name in names
        if any(_is_name(word, "".join(folded(name.split()[0]))) for word in words if name.strip())
    )


def _is_name(word: str, name: str) -> bool:
    return bool(name) and word.startswith(name) and len(word) - len(name) <= (4 if len(name) > 3 else 3)


def _audience(found: Sequence[Found], intents: tuple[Intent, ...]) -> str:
    """To whom something is told, or who said or asks something."""
    names = [one.name for one in found if one.name in AUDIENCES]
    if not names or (intents and intents[0] not in {Intent.TELL, Intent.SAID, Intent.SINCE, Intent.TRIED}):
        return ""
    return names[0]


def _weights(found: Sequence[Found]) -> dict[str, float]:
    weights = {one.name: 1.0 for one in found}
    for name in list(weights):
        for near, weight in concepts()[name].near.items():
            weights.setdefault(near, weight)
    return weights


def _body(text: str, language: Language, about: Sequence[Found]) -> tuple[set[str], set[tuple[str, str]]]:
    """The body systems and signs that the reader's lexicon hears in a question.

    A word that only puts the question, or that names a matter of no body system, is no cue ("kelime" holds
    "kel", "yaramış" holds "yara").
    """
    lex = lexicon.load(language)
    words = folded(text)
    other = {
        words[at]
        for one in about
        if not concepts()[one.name].category and not concepts()[one.name].near
        for at in range(one.first, one.last)
    }
    tokens = tokenise(text)
    lex.mark(tokens)
    categories: set[str] = set()
    signs: set[tuple[str, str]] = set()
    for match in matching.find(tokens, lex):
        core = [tokens[at].plain for at in match.core if tokens[at].is_word]
        if core and all(word in other or _puts_the_question(word, language) for word in core):
            continue
        if match.pattern.group == "parts" and match.name in PARTS:
            categories.add(PARTS[match.name])
        elif match.pattern.group == "signs" and "." in match.name:
            category, _, sign = match.name.partition(".")
            categories.add(category)
            signs.add((category, re.split("=", sign)[0]))
    return categories, signs


def _unknown(
    text: str,
    language: str,
    found: Sequence[Found],
    mentions: Sequence[object],
    names: Sequence[str],
) -> tuple[str, ...]:
    """The matters of a question that no table knows, as the beginnings of their words."""
    taken = {at for one in found for at in range(one.first, one.last)}
    when = set(folded(" ".join(str(getattr(one, "words", "")) for one in mentions)))
    unknown = []
    for at, word in enumerate(folded(text)):
        if at in taken or word in when or _NUMBER.fullmatch(word) or is_function_word(word, language):
            continue
        if any(_is_name(word, "".join(folded(one))) for one in names if one):
            continue
        unknown.append(beginning(word))
    return tuple(dict.fromkeys(unknown))


def beginning(word: str) -> str:
    """What of a word two of its forms share: English endings and Turkish tails fall away."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word[: -len(ending)]
            break
    return word[: max(5, len(word) - 3)] if len(word) > 6 else word


def context_of(language: Language, species: str, today: dt.date, hour: int = 12) -> ReadingContext:
    """What the time words of a question are read by."""
    return ReadingContext(language=language, species=species, spoken_on=today, spoken_hour=hour)
