"""Whom each clause is about: by name or kind word ("the cat", "oğlum"), carried on until another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from twin.reading.clauses import Clause
from twin.reading.lexicon import Lexicon
from twin.reading.tokens import Token, lower, plain
from twin.rules.entries import ReadingContext

KINDS = {
    "en": {
        "cat": "cat kitten kitty puss moggy tabby".split(),
        "dog": "dog puppy pup doggo pooch hound".split(),
        "rabbit": "rabbit bunny bun".split(),
        "bird": "bird budgie parrot canary cockatiel parakeet cockatoo".split(),
        "person": "son daughter child kid boy girl baby toddler brother sister".split(),
    },
    "tr": {
        "cat": "kedi pisi".split(),
        "dog": "kopek kopus".split(),
        "rabbit": "tavsan".split(),
        "bird": "kus muhabbet papagan kanarya".split(),
        "person": "oglum oglan oglumuz oglu kizim kizimiz cocuk cocugum cocugumuz bebek bebegim bebegimiz"
        " kizi".split(),
    },
}
OWNERS = frozenset("my our the his her".split())
_NAME_TAILS = tuple(
    "nin nun in un ya ye na ne a e da de ta te dan den tan ten yi yu ni nu i u la le yla yle min".split()
)


@dataclass(frozen=True)
class Mention:
    """One place where a subject is named: its words, the name or kind word, and the species."""

    first: int
    last: int
    label: str
    species: str | None


def unread_names(tokens: Sequence[Token], context: ReadingContext) -> None:
    """A subject's name is no word of the lexicon, nor a slip of one."""
    known = _known(context.names, context.language)
    for token in tokens:
        if token.is_word and _name(token.plain, known, context.language):
            token.keys = frozenset({"=" + token.plain})
            token.suffixes.clear()


def _known(names: Sequence[tuple[str, str]], language: str) -> dict[str, tuple[str, str]]:
    return {plain(lower(name, language)): (name, species) for name, species in names if name.strip()}


def find(
    tokens: Sequence[Token], lexicon: Lexicon, names: Sequence[tuple[str, str]], text: str
) -> list[Mention]:
    """Every naming of a subject, names first."""
    language = lexicon.language
    known = _known(names, language)
    found: list[Mention] = []
    for i, token in enumerate(tokens):
        if not token.is_word:
            continue
        named = _name(token.plain, known, language)
        if named:
            found.append(Mention(i, i + 1, *named))
            continue
        mention = _kind(tokens, i, language, text)
        if mention:
            found.append(mention)
    return found


def _name(word: str, known: dict[str, tuple[str, str]], language: str) -> tuple[str, str] | None:
    if word in known:
        return known[word]
    if language == "en" and word.endswith("s") and word[:-1] in known:
        return known[word[:-1]]
    if language == "tr":
        for tail in _NAME_TAILS:
            if word.endswith(tail) and word[: -len(tail)] in known:
                return known[word[: -len(tail)]]
    return None


def _kind(tokens: Sequence[Token], i: int, language: str, text: str) -> Mention | None:
    word = tokens[i].plain
    if language == "tr":
        for species, words in KINDS["tr"].items():
            for w in words:
                shapes = (w, w[:-1] + "g") if w.endswith("k") else (w,)
                if (
                    any(word.startswith(s) for s in shapes)
                    and len(word) <= len(w) + 6
                    and _turkish_kind(tokens[i], w)
                ):
                    return Mention(i, i + 1, tokens[i].raw, species)
        return None
    for species, words in KINDS["en"].items():
        bare = word[:-1] if word.endswith("s") and word[:-1] in words else word
        if bare in words and i and tokens[i - 1].plain in OWNERS:
            return Mention(i - 1, i + 1, text[tokens[i - 1].start : tokens[i].end], species)
    return None


def _turkish_kind(token: Token, word: str) -> bool:
    if word == "kus":
        return "ş" in token.proper and token.proper.startswith(("kuş",))
    if len(token.plain) == len(word):
        return True
    tail = token.plain[len(word) :]
    return tail in (
        "",
        "im",
        "imiz",
        "um",
        "umuz",
        "m",
        "miz",
        "nin",
        "in",
        "imin",
        "lar",
        "ler",
        "i",
        "yi",
        "a",
        "e",
        "ye",
        "in",
        "de",
        "imde",
        "un",
        "umun",
        "gim",
        "u",
        "lerim",
        "cik",
        "n",
        "gi",
        "mizin",
        "mın",
        "min",
        "ciğim",
        "cigim",
        "imi",
        "ime",
        "imizin",
        "den",
        "leri",
        "sim",
    )


def by_clause(
    clauses: Sequence[Clause], mentions: Sequence[Mention], names: Sequence[tuple[str, str]], species: str
) -> list[str | None]:
    """The subject of each clause: the last one named up to it; None where none has been."""
    result: list[str | None] = []
    current: str | None = None
    several = len({m.label for m in mentions}) > 1
    for clause in clauses:
        here = [m for m in mentions if m.first in clause]
        if here:
            current = here[0].label
        result.append(current)
    if several:
        return result
    named = next((m.label for m in mentions), None)
    return [named] * len(clauses)
