"""The suffixes of Turkish nouns and verbs, in plain ASCII: whether a tail is a chain of them."""

from __future__ import annotations

import re
from functools import lru_cache

_NOUN_MORPHEMES = [
    "lar",
    "ler",
    "i",
    "u",
    "si",
    "su",
    "im",
    "um",
    "in",
    "un",
    "imiz",
    "umuz",
    "iniz",
    "unuz",
    "miz",
    "muz",
    "niz",
    "nuz",
    "m",
    "n",
    "yi",
    "yu",
    "ni",
    "nu",
    "a",
    "e",
    "ya",
    "ye",
    "na",
    "ne",
    "da",
    "de",
    "ta",
    "te",
    "nda",
    "nde",
    "dan",
    "den",
    "tan",
    "ten",
    "ndan",
    "nden",
    "nin",
    "nun",
    "la",
    "le",
    "yla",
    "yle",
    "ki",
    "di",
    "du",
    "ti",
    "tu",
    "ydi",
    "ydu",
    "mis",
    "mus",
    "ymis",
    "ymus",
    "sa",
    "se",
    "ysa",
    "yse",
    "dir",
    "dur",
    "tir",
    "tur",
    "ken",
    "yken",
    "li",
    "lu",
    "siz",
    "suz",
    "lik",
    "luk",
    "lig",
    "lug",
    "ca",
    "ce",
    "cik",
    "cuk",
    "cig",
    "cug",
    "deki",
    "daki",
    "imsi",
    "umsu",
]
_BY_LETTER: dict[str, list[str]] = {}
for _morpheme in _NOUN_MORPHEMES:
    _BY_LETTER.setdefault(_morpheme[0], []).append(_morpheme)

_PERSON = re.compile(
    r"(?:y?[dt][iu]|y?m[iu]s|y?s[ae]|y?k[ae]n|l[ae]r|s[iu]n[iu]z|s[iu]n|[iu]m|[iu]z|n[iu]z|[dt][iu]r|[mknz]){0,3}"
)
_TENSES = (
    ("pres", r"[iu]?yor?|m[ae]kt[ae]"),
    ("past", r"[dt][iu](?![kg])"),
    ("evid", r"m[iu]s"),
    ("fut", r"y?[ae]?[iu]?c[ae][kg]?|y?[iu]c[ae]"),
    ("aor", r"[aeiu]?r|z"),
    (
        "non",
        r"y?[iu]p|y?[iu]nc[ae]|y?[ae]r[ae]k|y?k[ae]n|y?[ae]n|[dt][iu][kg]|s[ae]|m[ae]l[iu]|s[iu]n|d[ae]n|y?[ae]l[iu]",
    ),
)
_VERB = re.compile(
    r"(?P<abil>y?[ae]bil)?(?P<neg>(?:y?[ae])?m(?:[ae](?=[dmzysn]|yec|yac)|(?=[iu]yo)))?(?:"
    + "|".join(f"(?P<{name}>{pattern})" for name, pattern in _TENSES)
    + r")(?P<tail>[a-z]{0,10})"
)
_VERBAL_NOUN = re.compile(r"m[ae]k?(?P<tail>[a-z]{0,8})")


@lru_cache(maxsize=20_000)
def noun_tail(tail: str) -> tuple[bool, bool]:
    """Whether `tail` is a chain of noun suffixes, and whether one of them is "-siz"."""
    reached: dict[int, bool] = {0: False}
    for at in range(len(tail)):
        if at not in reached:
            continue
        for morpheme in _BY_LETTER.get(tail[at], ()):
            if tail.startswith(morpheme, at):
                end = at + len(morpheme)
                without = reached[at] or morpheme in ("siz", "suz")
                reached[end] = reached.get(end, without) and without
    return len(tail) in reached, reached.get(len(tail), False)


@lru_cache(maxsize=20_000)
def verb_tail(tail: str) -> tuple[bool, str] | None:
    """Whether a verb with this ending is negative, and its tense; None where it is no verb ending."""
    if not tail:
        return None
    match = _VERB.fullmatch(tail)
    if match:
        tense = next(name for name, _ in _TENSES if match.group(name))
        rest = match.group("tail") or ""
        if tense != "non" and not _PERSON.fullmatch(rest) and not (tense == "fut" and noun_tail(rest)[0]):
            return _verbal_noun(tail)
        if tense == "non" and rest and not noun_tail(rest)[0] and not _PERSON.fullmatch(rest):
            return _verbal_noun(tail)
        if tense == "non" and match.group("non") == "dan":
            return (True, "non") if match.group("neg") else None
        if tense == "non" and match.group("non") == "den" and not match.group("neg"):
            return None
        if rest[:2] in ("di", "du", "ti", "tu"):
            tense = {"aor": "habit", "pres": "imperfect", "evid": "pluperfect"}.get(tense, tense)
        mine = tense in ("past", "pres", "imperfect", "evid") and rest.endswith(("m", "k", "uz", "iz"))
        return match.group("neg") is not None, f"{tense} mine" if mine else tense
    return _verbal_noun(tail)


def _verbal_noun(tail: str) -> tuple[bool, str] | None:
    match = _VERBAL_NOUN.fullmatch(tail)
    if match and noun_tail(match.group("tail") or "")[0]:
        return False, "noun"
    return None
