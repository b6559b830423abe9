"""Splits a statement into clauses, each knowing how it hangs on the one before."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from typing import Literal

from twin.reading import turkish
from twin.reading.lexicon import Lexicon
from twin.reading.matching import Match
from twin.reading.tokens import Token

Link = Literal["sentence", "colon", "comma", "and", "but", "run_on"]

ENDS = frozenset(".!?;…\n")
COMMAS = frozenset(',()[]"“”')
SILENT = frozenset("-_'’/\\&+%°*#@~^=<>|$€£`")
BUT = {
    "en": frozenset(
        [
            "but",
            "although",
            "though",
            "however",
            "except",
            "yet",
            "then",
            "while",
            "whilst",
            "because",
            "cos",
            "cuz",
            "coz",
            "so",
            "whereas",
            "tho",
        ]
    ),
    "tr": frozenset(["ama", "fakat", "ancak", "lakin", "oysa", "sonra", "cunku", "yalniz", "halbuki"]),
}
KEPT = frozenset("while whilst because cos cuz coz although whereas cunku then".split())
AND = {"en": frozenset(["and", "n", "plus", "&", "+"]), "tr": frozenset(["ve", "hem", "ayrica", "birde"])}
SUBJECTS = frozenset(
    [
        "he",
        "she",
        "it",
        "they",
        "i",
        "we",
        "his",
        "her",
        "its",
        "their",
        "my",
        "the",
        "this",
        "that",
        "theres",
        "there",
        "hes",
        "shes",
        "its",
        "theyre",
        "im",
        "today",
        "now",
        "yesterday",
        "tonight",
        "still",
        "no",
        "not",
        "has",
        "had",
        "is",
        "was",
        "isnt",
        "wasnt",
        "hasnt",
        "havent",
        "doesnt",
        "didnt",
        "wont",
        "cant",
        "last",
        "then",
        "also",
        "both",
        "one",
        "some",
        "nothing",
        "none",
    ]
)
POST_VERB = frozenset(
    [
        "mi",
        "mu",
        "miyim",
        "misin",
        "miyiz",
        "diyor",
        "diyo",
        "dedi",
        "dediler",
        "demis",
        "gibi",
        "galiba",
        "sanirim",
        "sanki",
        "durdu",
        "duruyor",
        "durmus",
        "kaldi",
        "oldu",
        "olmus",
        "icin",
        "diye",
        "kadar",
        "ya",
        "da",
        "de",
        "ise",
        "yani",
        "ki",
        "beri",
        "once",
        "sonra",
        "maalesef",
        "neyse",
        "hala",
        "bile",
        "acaba",
        "sizce",
        "herhalde",
        "vardi",
        "idi",
    ]
)


@dataclass
class Clause:
    """Tokens `first` to `last` (exclusive) of one sentence, and what they say."""

    first: int
    last: int
    sentence: int
    link: Link
    is_bare: bool = False
    is_question: bool = False
    is_doubt: bool = False
    facts: set[str] = field(default_factory=set)

    def __contains__(self, token: int) -> bool:
        return self.first <= token < self.last


def split(
    tokens: Sequence[Token], matches: Sequence[Match], content: Set[int], lexicon: Lexicon
) -> list[Clause]:
    """The clauses of a statement in order; words of one phrase are never torn apart.

    "And" joins rather than parts while nothing has been said yet (no token of `content`): "eyes and nose".
    """
    held = {i for m in matches for i in range(m.first + 1, m.last)}
    clauses: list[Clause] = []
    sentence, first, link = 0, 0, "sentence"
    is_bare = False

    def close(at: int) -> None:
        if any(not t.is_mark for t in tokens[first:at]):
            clauses.append(Clause(first, at, sentence, link, is_bare))  # type: ignore[arg-type]

    for i, token in enumerate(tokens):
        found = _break(tokens, i, lexicon.language, first)
        if found is None or (i in held and token.is_word):
            continue
        kind, start = found
        if kind == "and" and not _parts_here(tokens, content, first, i, start):
            continue
        close(i if start > i or token.is_mark else start)
        if kind == "sentence":
            sentence += any(not t.is_mark for t in tokens[first:i])
            link = "sentence"
        elif not (link == "sentence" and not any(not t.is_mark for t in tokens[first:i])):
            link = kind
        is_bare = kind == "and" and lexicon.language == "en" and not _begins_subject(tokens, start)
        first = start
    close(len(tokens))
    return clauses


PRONOUNS = frozenset(
    {"he", "she", "it", "they", "hes", "shes", "its", "theyre", "theres", "i", "we", "ive", "im"}
)


def _parts_here(tokens: Sequence[Token], content: Set[int], first: int, i: int, start: int) -> bool:
    """Whether "and" at `i` parts: something was said before it, or somebody does something after it."""
    if start < len(tokens) and tokens[start].plain in PRONOUNS and i > first:
        return True
    return any(j in content for j in range(first, i))


def _break(tokens: Sequence[Token], i: int, language: str, first: int) -> tuple[Link, int] | None:
    """How the words part at token `i` and where the next clause begins."""
    token = tokens[i]
    if token.is_mark:
        return _mark_break(tokens, i)
    if not token.is_word:
        return None
    word = token.plain
    if word in BUT[language] and _splits(tokens, i, language):
        return "but", i if word in KEPT else i + 1
    if word in ("now", "simdi") and _is_measured_again(tokens, i, first):
        return "comma", i
    if word in AND[language]:
        return "and", i + 1
    if language == "tr" and i > first and _ends_turkish(tokens, i - 1, first):
        return "run_on", i
    if (
        language == "tr"
        and word in ("sadece", "yalniz")
        and i > first
        and tokens[i - 1].plain in turkish.PREDICATES
    ):
        return "but", i
    return None


def _splits(tokens: Sequence[Token], i: int, language: str) -> bool:
    word = tokens[i].plain
    if language == "en" and word == "so":
        return i + 1 < len(tokens) and tokens[i + 1].plain in SUBJECTS and tokens[i + 1].plain != "not"
    if language == "en" and word in ("though", "tho", "then", "yet"):
        return (
            i + 1 < len(tokens)
            and not tokens[i + 1].is_mark
            and (i == 0 or tokens[i - 1].plain not in ("since", "by", "not"))
        )
    if language == "tr" and word == "sonra":
        return i > 0 and not tokens[i - 1].plain.endswith(
            ("dan", "den", "tan", "ten", "gun", "hafta", "saat")
        )
    return True


def _mark_break(tokens: Sequence[Token], i: int) -> tuple[Link, int] | None:
    mark = tokens[i].raw
    if mark in COMMAS:
        return "comma", i + 1
    if mark == ":":
        return "colon", i + 1
    if mark in "-–—" and _spaced(tokens, i):
        return "comma", i + 1
    if mark in SILENT or mark in "-–—":
        return ("and", i + 1) if mark in "&+" else None
    return "sentence", i + 1


def _spaced(tokens: Sequence[Token], i: int) -> bool:
    before = i == 0 or tokens[i - 1].end < tokens[i].start
    after = i + 1 == len(tokens) or tokens[i].end < tokens[i + 1].start
    return before or after


def _begins_subject(tokens: Sequence[Token], i: int) -> bool:
    return i < len(tokens) and tokens[i].plain in SUBJECTS


def _ends_turkish(tokens: Sequence[Token], i: int, first: int) -> bool:
    """Whether the Turkish word at `i` closes its clause and what follows begins another."""
    word, after = tokens[i].plain, tokens[i + 1].plain
    if after in POST_VERB or (not tokens[i + 1].is_word and not tokens[i + 1].is_number):
        return False
    if any(m.startswith("non") for m in tokens[i].suffixes.values()) or _is_adjective(tokens, i, first):
        return False
    return word in ("yok", "yoktu", "var", "vardi", "degil", "degildi") or turkish.is_finite(word)


def _is_adjective(tokens: Sequence[Token], i: int, first: int) -> bool:
    """ "Kurumuş kaka", "verir vermez": a participle before its noun, or half of "as soon as"."""
    word, before = tokens[i].plain, tokens[i - 1].plain if i else ""
    if word.endswith(("maz", "mez")) and before.endswith("r") and before[:2] == word[:2]:
        return True
    is_participle = word.endswith(("mis", "mus")) and i - first <= 1
    return is_participle and any(key.startswith("n:") for key in tokens[i + 1].keys)


def _is_measured_again(tokens: Sequence[Token], i: int, first: int) -> bool:
    """ "Was 39.1 now 37.6": a second number stands for another time."""
    before = any(t.is_number for t in tokens[first:i])
    return before and i + 1 < len(tokens) and tokens[i + 1].is_number
