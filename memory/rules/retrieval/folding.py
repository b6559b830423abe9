"""How words become search terms: one folding and one light stemmer a language, on both sides of a search.

Turkish is written with and without its dots and tails, so those are folded away; a Turkish word loses
its commonest endings and is known by five letters at most, which the others rarely reach (Can et al. 2008,
Information retrieval on Turkish texts).
English loses its endings. Every term is made of a-z and 0-9 alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

LANGUAGES = ("en", "tr")
STEM_LETTERS_TR = 5
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_FOLD = str.maketrans({"İ": "i", "I": "i", "ı": "i", "ß": "ss", "æ": "ae", "ø": "o", "œ": "oe", "ł": "l"})
_PLAIN = re.compile(r"[^a-z0-9]")
_APOSTROPHE = re.compile("['’]")

STOP_EN = frozenset(
    "a an the and or but if of to in on at for with by from as is are was were be been being am do does did"
    " done doing have has had having i me my mine we us our you your he him his she her hers it its they them"
    " their this that these those there here what which who whom whose when where why how so than then too"
    " very can could will would shall should may might must just about into over under again up down out off"
    " s t re ve ll d m not no any some".split()
)
STOP_TR = frozenset(
    "ve veya ya da de ile ama fakat icin gibi kadar bir bu su o ben sen biz siz onlar ne nasil neden nicin"
    " kim hangi mi mu var yok cok daha en her hic ki ise diye sonra once olan olarak oldu".split()
)
_DOUBLES = frozenset("bdfgkmnprt")


def fold(text: str) -> str:
    """The text in small letters without accents, the Turkish i and ı as one; as long as it takes."""
    if text.isascii():
        return text.lower()
    small = unicodedata.normalize("NFKD", text.translate(_FOLD)).casefold().translate(_FOLD)
    return "".join(letter for letter in small if not unicodedata.combining(letter))


_ENDINGS_TR = frozenset(
    "lar ler lari leri larin lerin dan den tan ten da de ta te nin nun in un ya ye yi yu na ne ni nu si su"
    " yla yle la le im um imiz umuz yor iyor uyor du di tu ti mis mus madi medi mak mek ma me"
    " dik duk tik tuk".split()
)
_LENGTHS_TR = sorted({len(ending) for ending in _ENDINGS_TR}, reverse=True)
_HARD = {"b": "p", "d": "t", "g": "k"}  # a last consonant as it was before its ending softened it
_VOWELS = frozenset("aeiou")


def stem(word: str, language: str) -> str:
    """The part of a folded word that its endings leave alone."""
    return _stem_turkish(word) if language == "tr" else _stem_english(word)


def _stem_turkish(word: str) -> str:
    for _time in range(4):
        for length in _LENGTHS_TR:
            if len(word) - length >= 3 and word[-length:] in _ENDINGS_TR:
                word = word[:-length]
                break
        else:
            break
    if len(word) > 4 and word[-1] in _VOWELS:
        word = word[:-1]
    if len(word) > 3:
        word = word[:-1] + _HARD.get(word[-1], word[-1])
    return word[:STEM_LETTERS_TR]


_ENDINGS_EN = ("ingly", "edly", "ing", "ed", "ies", "es", "s", "ly")


def _stem_english(word: str) -> str:
    for ending in _ENDINGS_EN if word.endswith(_ENDINGS_EN) else ():
        root = word[: len(word) - len(ending)]
        if not word.endswith(ending) or len(root) < 3:
            continue
        if ending == "s" and word.endswith("ss"):
            return word
        if ending == "ies":
            root += "y"
        elif ending in ("ing", "ed", "edly", "ingly") and root[-1] == root[-2] and root[-1] in _DOUBLES:
            root = root[:-1]
        return root[:-1] if root.endswith("e") and len(root) > 3 else root
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _pieces(text: str) -> Iterable[str]:
    for found in _WORD.finditer(text):
        if plain := _plain(_head(found[0])):
            yield plain


def _head(word: str) -> str:
    """What stands before an apostrophe: Leo's, Leo'nun."""
    return word if word.isalnum() else _APOSTROPHE.split(word)[0]


def _plain(word: str) -> str:
    folded = fold(word)
    return folded if folded.isascii() and folded.isalnum() else _PLAIN.sub("", folded)


def terms(text: str, language: str) -> list[str]:
    """The search terms of a text in one language, in order, without the words that say nothing."""
    stops = STOP_TR if language == "tr" else STOP_EN
    return [stem(word, language) for word in _pieces(text) if word not in stops]


def asked_words(question: str) -> list[tuple[str, ...]]:
    """The words of a question, each once, as its search terms in every language rows may be written in.

    A word that says nothing in either language is left out.
    """
    stops = STOP_EN | STOP_TR
    words = dict.fromkeys(word for word in _pieces(question) if word not in stops)
    return [tuple(dict.fromkeys(stem(word, language) for language in LANGUAGES)) for word in words]


def asked_terms(question: str) -> list[str]:
    """The search terms of a question, in every language, each once."""
    words = asked_words(question)
    return list(
        dict.fromkeys(stems[at] for at in range(len(LANGUAGES)) for stems in words if at < len(stems))
    )


def marked(text: str, wanted: frozenset[str]) -> list[tuple[str, bool]]:
    """The text cut into parts, each with whether it was asked for; joined they are the text."""
    parts: list[tuple[str, bool]] = []
    heads = tuple({term[:-1] for term in wanted})  # an ending changes no more than a stem's last letter
    end = 0
    for found in _WORD.finditer(text):
        head = _head(found[0])
        plain = _plain(head)
        if not plain.startswith(heads) or not any(stem(plain, language) in wanted for language in LANGUAGES):
            continue
        if found.start() > end:
            parts.append((text[end : found.start()], False))
        parts.append((text[found.start() : found.start() + len(head)], True))
        end = found.start() + len(head)
    if end < len(text):
        parts.append((text[end:], False))
    return parts


def excerpt(text: str, wanted: frozenset[str], *, length: int = 240) -> str:
    """The part of a long text in which the first word asked for stands, cut at spaces."""
    if len(text) <= length:
        return text
    start = 0
    for part, is_hit in marked(text, wanted):
        if is_hit:
            break
        start += len(part)
    else:
        start = 0
    low = max(0, min(start - length // 3, len(text) - length))
    cut = text[low : low + length]
    if low and " " in cut:
        cut = "… " + cut.split(" ", 1)[1]
    if low + length < len(text) and " " in cut:
        cut = cut.rsplit(" ", 1)[0] + " …"
    return cut
