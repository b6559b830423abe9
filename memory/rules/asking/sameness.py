"""When two questions are the same question. Pure.

Similar words are not the same question: "is it safe" and "is it not safe" lie closer to each other than most
paraphrases do. So a similar one counts only where negation, numbers, time words and names are equal too, and
where it would rest on the same rows saying the same.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping

from memory.rules.asking.concepts import folded
from memory.rules.asking.query import DENIALS, Query
from twin.reading import lexicon
from twin.reading.tokens import tokenise

SIMILAR = 0.95
# A verb in a denying form; a word too many only makes two questions differ.
_TURKISH_NOT = re.compile(r"m[ae](?:m[ae]\w*|z\w{0,4}|d[iu]\w*|y[ae]n\w*|d[ae]n)$|m[iu]yor\w*$")
_TIMES = frozenset(
    "today tonight yesterday tomorrow now morning evening night noon week month year day before after ago"
    " last next first since until ever again bugun dun yarin simdi sabah aksam gece hafta ay yil gun once"
    " sonra son ilk beri tekrar yine hala artik".split()
)


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def question_hash(query: Query) -> str:
    """A hash of the question's words without case, accents and marks."""
    return _hash(query.language, *folded(query.text))


def guard_hash(query: Query, *, names: Iterable[str]) -> str:
    """A hash of what must be equal beside the words: negation, numbers, time words, names, days, intent."""
    words = folded(query.text)
    parts = (
        query.language,
        " ".join(sorted(_negations(query))),
        " ".join(sorted(word for word in words if any(letter.isdigit() for letter in word))),
        " ".join(sorted(word for word in words if word in _TIMES)),
        " ".join(f"{one.first}/{one.last}" for one in query.windows),
        " ".join(sorted(name for name in names if _is_named(name, words))),
        query.side,
        str(query.intent),
    )
    return _hash(*parts)


def _negations(query: Query) -> list[str]:
    """Denying words, and words in a denying form ("doesn't", "çalışmadı")."""
    lex = lexicon.load(query.language)
    tokens = tokenise(query.text)
    lex.mark(tokens)
    found = [token.plain for token in tokens if token.plain in DENIALS or token.plain.endswith("nt")]
    found += [token.plain for token in tokens if lexicon.NEGATOR in token.keys]
    found += [token.plain for token in tokens if any(key.startswith("V:") for key in token.keys)]
    found += [token.plain for token in tokens if "neg" in " ".join(token.suffixes.values())]
    if query.language == "tr":
        found += [token.plain for token in tokens if token.is_word and _TURKISH_NOT.search(token.plain)]
    return list(dict.fromkeys(found))


def _is_named(name: str, words: Iterable[str]) -> bool:
    first = "".join(folded(name.split(maxsplit=1)[0])) if name.strip() else ""
    return bool(first) and any(word.startswith(first) for word in words)


def evidence_hash(fingerprints: Mapping[str, str]) -> str:
    """A hash of which rows an answer rests on, and of what each says."""
    return _hash(*(f"{ref}={print_}" for ref, print_ in sorted(fingerprints.items())))


def fingerprint(text: str) -> str:
    """A short hash of a row as it was given."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
