"""Which of the two languages a statement is in: letters first, then the commonest small words."""

from __future__ import annotations

import re
from typing import Literal

Language = Literal["en", "tr"]

TURKISH_LETTERS = frozenset("ığşçöüİĞŞÇÖÜ")
TURKISH_WORDS = frozenset(
    "bir bu da de ve ile için icin çok cok yok var değil degil bugün bugun dün dun sabah akşam aksam gece "
    "hiç hic daha hala hâlâ gibi ama iki üç uc gündür gundur kez kere önce once sonra iyi kötü kotu mi mı "
    "mu mü evet hayır hayir kustu yedi içti icti uyudu ağladı agladi kedi köpek kopek kulağı kulagi gözü "
    "gozu ishal öksürük oksuruk biraz yine tekrar artık artik yemedi uyumadı uyumadi topalladı topalladi "
    "kaka çiş cis ateşi atesi kusuyor öksürüyor oksuruyor hapşırıyor hapsiriyor bakıcı bakici dedi diyor "
    "pazar pazartesi salı sali çarşamba carsamba perşembe persembe cuma cumartesi günü gunu".split()
)
ENGLISH_WORDS = frozenset(
    "the a an is was are were has have had he she it his her and but not no yes since this last today "
    "yesterday morning night again still for of to on in my with been very at all day days week ago now "
    "out up did didn't isn't wasn't looks fine good ok okay eating ate drank slept".split()
)
SAMPLE = 600  # characters that decide
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def guess_language(text: str, *, default: Language) -> Language:
    """The language of the first 600 characters, or `default` where nothing decides."""
    sample = text[:SAMPLE]
    words = [word.casefold() for word in _WORD.findall(sample)]
    turkish = sum(word in TURKISH_WORDS for word in words) + sum(
        2 for word in words if TURKISH_LETTERS & set(word)
    )
    english = sum(word in ENGLISH_WORDS for word in words)
    if turkish == english:
        return default
    return "tr" if turkish > english else "en"
