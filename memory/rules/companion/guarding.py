"""What a model may say to a child: short, no advice, no medicine, no links, nothing nobody told. Pure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping

from memory.rules.companion.distress import distress_in
from memory.rules.companion.sameness import content

LONGEST_SENTENCE = 120
MOST_SENTENCES = 3
LONGEST = 240
# Words that tell a child what to do or speak as a doctor would.
ADVICE: Mapping[str, frozenset[str]] = {
    "en": frozenset(
        "should must need ought recommend advise advice try medicine medicines pill pills tablet dose doctor"
        " hospital symptom symptoms disease diagnosis treatment therapy vaccine calm breathe drink secret"
        " promise password address phone buy click website online".split()
    ),
    "tr": frozenset(
        "gerek gerekir gerekiyor lazım lâzım malısın melisin öneririm tavsiye dene denemelisin ilaç"
        " ilaçlar ilacı hap doktor doktora hastane hastaneye belirti hastalık teşhis tedavi terapi"
        " aşı nefes sakinleş"
        " iç sır söz şifre adres adresin telefon tıkla".split()
    ),
}
TOLD_TO = re.compile(r"\b\w+(?:malısın|melisin|malısınız|melisiniz|malıyız|meliyiz)\b")
LINK = re.compile(r"https?:|www\.|\w\.(?:com|org|net|io|tr)\b|@\w|[<>{}\[\]`*_#|\\]")
CLAIMS = re.compile(  # where a memory is spoken of
    r"\b(?:you (?:told|said|once|have told)|i remember|we talked|last time)\b"
    r"|hatırlıyorum|demiştin|anlatmıştın|söylemiştin|geçen sefer|konuşmuştuk"
)
FILLING = content(
    "remember told said me you about once time last story friend know think like happy nice good great fun"
    " wow oh hello hi tell more what happened then who with see best favorite hatırlıyorum demiştin"
    " anlatmıştın söylemiştin bana güzel harika mutlu arkadaş hikaye sevdin peki acaba biliyor musun"
    " aklımda geçen sefer konuşmuştuk"
)


def problem_with(text: str, *, language: str, known: Iterable[str], said: frozenset[str]) -> str:
    """Why these words may not be said, as a code; empty where they may.

    `known` are the words the child said and its memories; `said` digests of the sentences of the last week.
    """
    plain = text.lower()
    if not text.strip() or not any(c.isalpha() for c in text):
        return "empty"
    if len(text) > LONGEST or len(sentences(text)) > MOST_SENTENCES + 1:
        return "too_long"
    if any(len(one) > LONGEST_SENTENCE for one in sentences(text)):
        return "too_long"
    if LINK.search(plain) or "\n" in text.strip():
        return "link"
    if set(re.findall(r"\w+", plain)) & (ADVICE["en"] | ADVICE["tr"]) or TOLD_TO.search(plain):
        return "advice"
    if distress_in(text) is not None:
        return "distress"
    if any(digest(one) in said for one in sentences(text)):
        return "repeated"
    if CLAIMS.search(plain) and _invents(text, known):
        return "invented"
    return ""


def _invents(text: str, known: Iterable[str]) -> bool:
    """Whether words about what was told hold content that nobody told."""
    told = frozenset[str]().union(*(content(one) for one in known))
    claimed = [one for one in sentences(text) if CLAIMS.search(one.lower())]
    return any(content(one) - told - FILLING for one in claimed)


def sentences(text: str) -> list[str]:
    """The sentences of some words, each with its mark."""
    return [one.strip() for one in re.findall(r"[^.!?…]+[.!?…]*[”\"’)]*", text) if one.strip()]


def digest(sentence: str) -> str:
    """What a sentence is known by when it is not kept: short, and of its bare words."""
    bare = " ".join(re.findall(r"\w+", sentence.lower()))
    return hashlib.blake2b(bare.encode(), digest_size=8).hexdigest()


__all__ = ["ADVICE", "LONGEST", "digest", "problem_with", "sentences"]
