"""Loads the lexicon files and compiles their phrases into patterns, once for each language."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from twin.reading import english, neither, turkish
from twin.reading.tokens import Token, lower, plain

DATA = Path(__file__).resolve().parent.parent / "data"
Kind = Literal["word", "gap", "not", "number"]
Language = Literal["en", "tr"]

NEGATOR = "!not"
NUMBER = "!number"


@dataclass(frozen=True, slots=True)
class Element:
    """One place of a pattern: the keys that fill it, or a gap, a negation, a number."""

    kind: Kind
    keys: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pattern:
    """One phrase of the lexicon: where it belongs and the elements that make it."""

    group: str
    name: str
    phrase: str
    elements: tuple[Element, ...]

    @property
    def weight(self) -> int:
        """How much a match says: the number of words it names, negations included."""
        return sum(2 for e in self.elements if e.kind in ("word", "number")) + sum(
            1 for e in self.elements if e.kind == "not"
        )


@dataclass
class Lexicon:
    """The patterns of one language, found by the first word's key, and how its words become keys."""

    language: Language
    patterns: dict[str, list[Pattern]] = field(default_factory=dict)
    open_patterns: list[Pattern] = field(default_factory=list)
    forms: dict[str, str] = field(default_factory=dict)
    negators: frozenset[str] = frozenset()
    stoppers: frozenset[str] = frozenset()
    combinations: dict[str, dict[str, str]] = field(default_factory=dict)
    numbers: dict[str, float] = field(default_factory=dict)
    speller: english.Speller | None = None
    analyser: turkish.Analyser | None = None
    ordinary: frozenset[str] = frozenset()
    elements: set[Element] = field(default_factory=set)
    known_keys: frozenset[str] = frozenset()
    slots: dict[str, tuple[str, ...]] = field(default_factory=dict)

    _slot_words: dict[str, frozenset[str]] = field(default_factory=dict)
    _slot_keys: dict[str, frozenset[str]] = field(default_factory=dict)

    def slot_words(self, name: str) -> frozenset[str]:
        """The words of a slot list as written."""
        if name not in self._slot_words:
            words = self.slots.get(name, ())
            self._slot_words[name] = frozenset(plain(lower(w, self.language)) for w in words)
        return self._slot_words[name]

    def slot_keys(self, name: str) -> frozenset[str]:
        """The lookup keys of a slot list's words."""
        if name not in self._slot_keys:
            keys: set[str] = set()
            for word in self.slots.get(name, ()):
                keys |= _compile_word(word.split()[0], self.language, self.forms).keys
            self._slot_keys[name] = frozenset(keys)
        return self._slot_keys[name]

    def mark(self, tokens: Iterable[Token]) -> None:
        """Give every token its lookup keys."""
        words = list(tokens)
        for at, token in enumerate(words):
            if token.is_number:
                token.keys = frozenset({NUMBER, "=" + token.raw})
            elif token.is_word and self.language == "tr":
                self._mark_turkish(token)
            elif token.is_word:
                self._mark_english(token)
                if token.plain == "bit" and not _is_bite(words, at):
                    token.keys = frozenset({"=bit"})
                if token.plain == "no" and _is_reply(words, at):
                    token.keys -= {NEGATOR}

        if self.language == "tr":
            neither.deny_verbs(words)

    def _mark_english(self, token: Token) -> None:
        word = token.plain
        if word in CONTRACTED and token.proper != word:
            token.keys = frozenset({"=" + token.proper})
            return
        keys = {"=" + word, english.canonical(word, self.forms)}
        if (
            self.speller
            and word not in self.speller.known
            and word not in self.forms
            and not keys & self.known_keys
        ):
            other = self._respelled(word)
            if other:
                keys |= {"=" + other, english.canonical(other, self.forms)}
        if word in self.negators or (
            word.endswith("nt") and token.proper != word and word[:-2] + "nt" in self.negators
        ):
            keys.add(NEGATOR)
        if word in self.numbers:
            keys.add(NUMBER)
        token.keys = frozenset(keys)

    def _respelled(self, word: str) -> str | None:
        assert self.speller
        for shorter in english.squeezed(word):
            if shorter != word and (shorter in self.speller.known or shorter in self.forms):
                return shorter
        if word.endswith("in") and word + "g" in self.speller.known:
            return word + "g"
        return self.speller.correct(word)

    def _mark_turkish(self, token: Token) -> None:
        assert self.analyser
        readings = self.analyser.analyses(token.plain, token.proper)
        if not readings and len(token.plain) >= 6 and token.plain not in self.ordinary:
            for shorter in english.squeezed(token.plain):
                readings = readings or self.analyser.analyses(shorter, shorter)
            readings = readings or self.analyser.near(token.plain)
        keys = {"=" + token.plain}
        for reading in readings:
            kind = ("V:" if reading.is_negative else "v:") if reading.is_verb else "n:"
            keys.add(kind + reading.stem)
            token.suffixes.setdefault(
                kind + reading.stem, f"{reading.tense}{' neg' if reading.is_negative else ''}"
            )
        if token.plain in self.negators:
            keys.add(NEGATOR)
        if token.plain in self.numbers and token.proper != "ön":
            keys.add(NUMBER)
        token.keys = frozenset(keys)
        token.is_end = token.plain in ENDING or turkish.is_finite(token.plain)


ENDING = frozenset("yok yoktu var vardi varmis degil degildi".split())


# "I'll", "we'll", "she'd": words that would be others without their apostrophe.
CONTRACTED = frozenset({"ill", "well", "shell", "hell", "shed", "wed"})

BITTEN = frozenset(
    {
        "me",
        "him",
        "her",
        "his",
        "my",
        "the",
        "us",
        "our",
        "their",
        "them",
        "it",
        "its",
        "another",
        "someone",
        "a",
        "an",
        "at",
    }
    | {
        "himself",
        "herself",
        "everyone",
        "people",
        "mum",
        "mom",
        "dad",
        "down",
        "through",
        "into",
        "other",
        "hard",
        "both",
    }
)
LITTLE = frozenset({"a", "wee", "little", "tiny", "every", "quite", "the", "last", "lil", "this", "that"})


def _is_bite(words: list[Token], at: int) -> bool:
    """Whether "bit" is the verb ("bit his hand"), not an amount ("a bit sore")."""
    before = words[at - 1].plain if at else ""
    after = words[at + 1].plain if at + 1 < len(words) else ""
    return before not in LITTLE and after in BITTEN


REPLIED = frozenset("he she it they we hes shes its theyre all everything everythings".split())


def _is_reply(words: list[Token], at: int) -> bool:
    """Whether "no" answers and denies nothing of its own clause ("no he's fine", "no all normal")."""
    opens = at == 0 or words[at - 1].is_mark
    return opens and at + 1 < len(words) and words[at + 1].plain in REPLIED


def _compile_word(word: str, language: Language, forms: dict[str, str]) -> Element:
    if word == "~":
        return Element("gap")
    if word == "not":
        return Element("not", frozenset({NEGATOR}))
    if word == "#":
        return Element("number", frozenset({NUMBER}))
    keys: set[str] = set()
    prefixes: list[str] = []
    for part in word.split("|"):
        if part.endswith("*"):
            prefixes.append(plain(lower(part[:-1], language)))
        elif part.startswith("=") or part.isdigit():
            keys.add("=" + plain(lower(part.lstrip("="), language)))
        elif language == "tr":
            keys |= turkish_keys(part)
        else:
            keys.add(english.canonical(plain(part.lower()), forms))
    return Element("word", frozenset(keys), tuple(prefixes))


def turkish_keys(word: str) -> set[str]:
    """The keys of a Turkish lexicon word: "kusmak" any form, "kusmamak" negative ones, "kulak" a noun."""
    stem, kind = turkish_stem(word)
    return {"v:" + stem.proper, "V:" + stem.proper} if kind == "any" else {kind + stem.proper}


def turkish_stem(word: str) -> tuple[turkish.Stem, str]:
    """The stem of a Turkish lexicon word and its key kind ("any" for a verb in either polarity)."""
    proper = lower(word.rstrip("!"), "tr")
    bare = plain(proper)
    if not word.endswith("!") and bare.endswith(("mak", "mek")) and len(bare) > 4:
        stem, proper = bare[:-3], proper[:-3]
        if stem.endswith(("ma", "me")) and len(stem) > 3:
            return turkish.Stem(stem[:-2], proper[:-2], True), "V:"
        return turkish.Stem(stem, proper, True), "any"
    return turkish.Stem(bare, proper, False), "n:"


def _sections(raw: dict[str, Any]) -> Iterable[tuple[str, str, str]]:
    """(group, name, phrase) of every phrase in a lexicon file."""
    for group in ("parts", "properties", "signs", "judgement", "talk", "slots", "topics"):
        for name, phrases in raw.get(group, {}).items():
            for phrase in phrases:
                for plain_phrase in spread(phrase):
                    yield group, name, plain_phrase


def spread(phrase: str) -> list[str]:
    """The phrase once for each alternative of several words ("a_few"), and once for all the single ones."""
    words = phrase.split()
    for at, word in enumerate(words):
        if "_" not in word:
            continue
        options = word.split("|")
        single = "|".join(o for o in options if "_" not in o)
        choices = [*([single] if single else []), *[o.replace("_", " ") for o in options if "_" in o]]
        return [p for c in choices for p in spread(" ".join((*words[:at], c, *words[at + 1 :])))]
    return [phrase]


def _words_of(raw: dict[str, Any], part: str) -> str:
    return "|".join(p for p in raw["parts"].get(part, ()) if " " not in p)


def _named_parts(phrase: str, raw: dict[str, Any]) -> str:
    """The phrase with each <part> replaced by that part's words."""
    for part in raw["parts"]:
        phrase = phrase.replace(f"<{part}>", _words_of(raw, part)) if f"<{part}>" in phrase else phrase
    return phrase


@cache
def load(language: Language) -> Lexicon:
    """The compiled lexicon of one language; read from disk the first time only."""
    raw = tomllib.loads((DATA / f"lexicon_{language}.toml").read_text("utf-8"))
    forms = {
        plain(lower(form, language)): head for head, group in raw.get("forms", {}).items() for form in group
    }
    lexicon = Lexicon(language, forms=forms)
    lexicon.slots = {k: tuple(v) for k, v in {**raw.get("slots", {}), **raw.get("talk", {})}.items()}
    lexicon.combinations = tomllib.loads((DATA / "combinations.toml").read_text("utf-8"))
    lexicon.numbers = {plain(lower(w, language)): v for w, v in raw.get("numbers", {}).items()}
    lexicon.negators = frozenset(plain(lower(w, language)) for w in raw["negators"]["plain"])
    ordinary = DATA / f"ordinary_{language}.txt"
    lexicon.ordinary = frozenset(ordinary.read_text("utf-8").split()) if ordinary.exists() else frozenset()
    vocabulary: set[str] = set()
    stems: dict[tuple[str, bool], turkish.Stem] = {}
    compiled: dict[str, Element] = {}  # a word of the lexicon stands in three phrases on average
    for group, name, phrase in _sections(raw):
        words = _named_parts(phrase, raw).split()
        for word in words:
            if word not in compiled:
                compiled[word] = _compile_word(word, language, forms)
                _learn(word, language, vocabulary, stems)
        _add(lexicon, Pattern(group, name, phrase, tuple(compiled[word] for word in words)))
    lexicon.elements.update(compiled.values())
    lexicon.known_keys = frozenset(lexicon.patterns) | {k for e in lexicon.elements for k in e.keys}
    if language == "en":
        lexicon.speller = english.Speller(vocabulary | set(forms), lexicon.ordinary)
    else:
        lexicon.analyser = turkish.Analyser(stems.values())
    return lexicon


def _learn(
    word: str, language: Language, vocabulary: set[str], stems: dict[tuple[str, bool], turkish.Stem]
) -> None:
    """Add what a word of the lexicon gives to the English vocabulary or to the Turkish stems."""
    for alternative in word.split("|"):
        if alternative in ("~", "not", "#") or alternative.endswith("*"):
            continue
        if language == "en":
            vocabulary.add(plain(alternative.lstrip("=").lower()))
        elif not alternative.startswith("="):
            stem, _ = turkish_stem(alternative)
            stems.setdefault((stem.plain, stem.is_verb), stem)


def _add(lexicon: Lexicon, pattern: Pattern) -> None:
    first = pattern.elements[0]
    if first.prefixes:
        lexicon.open_patterns.append(pattern)
    for key in first.keys:
        lexicon.patterns.setdefault(key, []).append(pattern)
