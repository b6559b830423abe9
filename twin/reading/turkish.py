"""Takes Turkish words apart: which known stem, which suffixes, negative or not, and in which tense.

Works on plain ASCII, so that "gözü" and "gozu" meet; an accent that was typed is still meant ("kuş" is no
"kus-"). Suffix chains are walked position by position, in time linear in the word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from twin.reading.tokens import plain
from twin.reading.turkish_suffixes import noun_tail, verb_tail


@dataclass(frozen=True)
class Stem:
    """One lexicon stem: how it is spelled, plain and proper, and whether it is a verb."""

    plain: str
    proper: str
    is_verb: bool


@dataclass(frozen=True)
class Analysis:
    """One way to read a word: its stem, whether it is negative ("-me", "-siz"), and its tense, if any."""

    stem: str
    is_verb: bool
    is_negative: bool
    tense: str
    is_exact: bool = True


def _variants(stem: Stem) -> Iterator[tuple[str, str]]:
    """The shapes a stem takes, each with what must follow ("" anything, "v" a vowel, "y" -yor)."""
    base = stem.plain
    yield base, ""
    if stem.is_verb:
        if base[-1] in "ae" and len(base) > 1:
            yield base[:-1], "y"
            if len(base) == 2:
                yield base[:-1] + "i", "y"
        if base[-1] == "t":
            yield base[:-1] + "d", "v"
        return
    soft = {"k": "g", "p": "b", "t": "d"}.get(base[-1])
    if soft and len(base) > 2:
        yield base[:-1] + soft, "v"


class Analyser:
    """Looks words up among the lexicon's stems, longest first."""

    def __init__(self, stems: Iterable[Stem]) -> None:
        self._stems: dict[str, list[tuple[Stem, str]]] = {}
        for stem in stems:
            for shape, need in _variants(stem):
                self._stems.setdefault(shape, []).append((stem, need))
        self._longest = max((len(s) for s in self._stems), default=0)
        self._by_deletion: dict[str, tuple[str, ...]] = {}
        for shape in self._stems:
            if len(shape) >= 6:
                for i in range(len(shape)):
                    shorter = shape[:i] + shape[i + 1 :]
                    self._by_deletion[shorter] = (*self._by_deletion.get(shorter, ()), shape)

    def analyses(self, plain: str, proper: str) -> list[Analysis]:
        """Every reading of one word, the longest stem first."""
        found: list[Analysis] = []
        shapes: dict[str, int] = {}
        for length in range(min(len(plain), self._longest), 0, -1):
            for stem, need in self._stems.get(plain[:length], ()):
                reading = self._read(stem, need, plain[length:], proper.startswith(stem.proper[:-1]))
                if reading and _spelled_alike(stem, proper, plain, length):
                    found.append(reading)
                    shapes[reading.stem] = max(length, shapes.get(reading.stem, 0))
        near = [a for a in found if not any(_outdoes(b, a, shapes) for b in found)]
        exact = [a for a in near if a.is_exact]
        if exact and proper.isascii():
            return [a for a in near if a.is_exact or _is_longer(a, exact)]
        return exact or near

    def near(self, plain: str) -> list[Analysis]:
        """Readings of a word with one slip in its stem (six letters up, first letter right)."""
        for length in range(min(len(plain), self._longest + 1), 5, -1):
            head = plain[:length]
            shapes: list[str] = list(self._by_deletion.get(head, ()))
            for i in range(1, length):
                shorter = head[:i] + head[i + 1 :]
                if shorter in self._stems and len(shorter) >= 6:
                    shapes.append(shorter)
                shapes.extend(s for s in self._by_deletion.get(shorter, ()) if len(s) == length)
            for shape in shapes:
                if shape[0] != head[0]:
                    continue
                for stem, need in self._stems[shape]:
                    reading = self._read(stem, need, plain[length:])
                    if reading:
                        return [reading]
        return []

    @staticmethod
    def _read(stem: Stem, need: str, tail: str, is_exact: bool = True) -> Analysis | None:
        if need == "v" and (not tail or tail[0] not in "aeiu"):
            return None
        if need == "y" and not tail.startswith(("iyo", "uyo", "yo", "yec", "ye")):
            return None
        if stem.is_verb:
            ending = verb_tail(tail)
            return Analysis(stem.proper, True, ending[0], ending[1], is_exact) if ending else None
        is_noun, without = noun_tail(tail)
        return Analysis(stem.proper, False, without, "", is_exact) if is_noun else None


def _is_longer(one: Analysis, exact: Iterable[Analysis]) -> bool:
    """Whether a stem typed without accents names more of the word than any that needs none ("yatagin")."""
    return all(len(one.stem) > len(other.stem) + 1 for other in exact)


def _outdoes(one: Analysis, other: Analysis, shapes: dict[str, int]) -> bool:
    """Whether reading a word one way rules another way out."""
    if one.is_verb and not other.is_verb:
        # "Kusmadı" denies the verb; it is no "kusma" that was.
        return (
            one.is_negative
            and one.tense not in ("non", "noun", "imperative")
            and plain(other.stem) in (plain(one.stem) + "ma", plain(one.stem) + "me")
        )
    if one.is_verb and other.is_verb:
        able = plain(one.stem)[:-1] == plain(other.stem) and one.stem[-1] in "ae"
        return shapes[one.stem] > shapes[other.stem] and not able
    return not one.is_verb and not other.is_verb and _hides(one.stem, other.stem)


# The commonest endings of number, person and case.
_INFLECTION = re.compile(
    r"(?:l[ae]r)?(?:[sy]?[iu]|[iu]?m|[iu]?n)?(?:n?[iu]n|n?d[ae]n?|t[ae]n?|[yn]?[ae]|[yn]?[iu]|y?l[ae])?"
)


def _hides(longer: str, shorter: str) -> bool:
    """Whether a longer stem makes a shorter one another word ("acil", "acı"), being no inflection of it."""
    return len(longer) > len(shorter) and not _INFLECTION.fullmatch(plain(longer)[len(shorter) :])


def _spelled_alike(stem: Stem, proper: str, plain: str, length: int) -> bool:
    """Whether no typed accent contradicts the stem; an accent left out contradicts nothing."""
    if len(proper) != len(plain) or len(stem.proper) != len(stem.plain):
        return True
    for i in range(min(length, len(stem.plain)) - 1):
        typed, meant = proper[i], stem.proper[i]
        if typed != meant and not typed.isascii():
            return False
    i = min(length, len(stem.plain)) - 1
    typed, meant = proper[i], stem.proper[i]
    return typed == meant or typed.isascii() or typed == "ğ"


_FINITE = re.compile(
    r"[a-z]{1,}(?:[iu]yor?(?:d[iu]|m[iu]s|l[ae]r|[iu]m|[iu]z|s[iu]n)*|m[iu]s(?:t[iu])?(?:l[ae]r)?|m[ae]z(?:d[iu]|l[ae]r)?"
    r"|[pctkshf]t[iu](?:l[ae]r|k|m)?|[aeioulmnrvyzgb]d[iu](?:l[ae]r|k|m)?|[aeiu]rd[iu]|[ae]c[ae]k(?:l[ae]r)?)"
)
_NOT_FINITE = frozenset(
    [
        "simdi",
        "kendi",
        "hadi",
        "haydi",
        "yedi",
        "cumartesi",
        "pazartesi",
        "adi",
        "ad",
        "kedi",
        "kedi",
        "hindi",
        "ciddi",
        "ebedi",
        "maddi",
        "manevi",
        "yemis",
        "gumus",
        "gecmis",
        "cadi",
        "yardi",
        "iste",
        "idi",
        "imis",
        "dedi",
        "diyor",
        "diyo",
        "biliyor",
        "unutmus",
        "kadi",
        "odi",
        "hindi",
        "dadi",
        "gundi",
        "ustu",
        "kurdu",
        "yurdu",
        "derdi",
        "budu",
        "dordu",
        "kahvalti",
        "tadi",
        "udu",
        "durdu",
        "yaz",
        "kaz",
        "toz",
        "biz",
        "siz",
        "az",
        "cok",
    ]
)
PREDICATES = frozenset(
    [
        "yok",
        "yoktu",
        "yokmus",
        "var",
        "vardi",
        "varmis",
        "degil",
        "degildi",
        "degilmis",
        "iyi",
        "iyiydi",
        "normal",
        "guzel",
        "fena",
        "berbat",
        "kotu",
        "kotuydu",
    ]
)


def is_finite(plain: str) -> bool:
    """Whether a word looks like a finite verb, which ends a Turkish clause."""
    return plain not in _NOT_FINITE and len(plain) > 3 and _FINITE.fullmatch(plain) is not None
