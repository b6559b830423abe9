"""Sentences with their reading, to read others by: corrections always, bundled ones where words fail.

Nearness is the cosine of the words' lookup keys, rarer words weighing more. No model, no network.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from twin.reading.lexicon import DATA, Language, load
from twin.reading.tokens import Token, tokenise
from twin.rules.categories import FIELDS
from twin.rules.entries import SignValue

# A correction speaks for every statement of nearly its words, a bundled sentence where nothing was found.
SAME_WORDS = 0.95
NEAR_WORDS = 0.72
STEM_LETTERS = 5


@dataclass(frozen=True)
class Exemplar:
    """One sentence and the body systems it speaks of, each with its signs."""

    text: str
    entries: tuple[tuple[str, Mapping[str, SignValue]], ...]


@cache
def bundled(language: Language) -> tuple[Exemplar, ...]:
    """The sentences that come with the product."""
    path = DATA / f"exemplars_{language}.jsonl"
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return tuple(parse(json.loads(line)) for line in lines if line.strip())


def parse(raw: Mapping[str, object]) -> Exemplar:
    """An exemplar from its line: {"text": ..., "entries": [{"category": ..., "signs": {...}}]}."""
    entries = raw["entries"]
    assert isinstance(entries, list)
    return Exemplar(str(raw["text"]), tuple((e["category"], e.get("signs") or {}) for e in entries))


def features(tokens: Iterable[Token]) -> frozenset[str]:
    """What a statement is compared by: its words' keys, or first letters where the lexicon knows none."""
    found = set()
    for token in tokens:
        if token.is_word:
            known = sorted(k for k in token.keys if not k.startswith(("=", "!")))
            negative = any(k.startswith("V:") or k == "!not" for k in token.keys)
            found.add(("-" if negative else "") + (known[0] if known else token.plain[:STEM_LETTERS]))
    return frozenset(found)


class Bank:
    """Exemplars of one language, ready to be compared with."""

    def __init__(self, language: Language, exemplars: Sequence[Exemplar]) -> None:
        self._lexicon = load(language)
        self._exemplars = [(e, self._features(e.text)) for e in exemplars]
        counts = Counter(f for _, features in self._exemplars for f in features)
        total = len(exemplars) + 1
        self._weights = {f: math.log(total / n) for f, n in counts.items()}
        self._unknown = math.log(total)

    def _features(self, text: str) -> frozenset[str]:
        tokens = tokenise(text)
        self._lexicon.mark(tokens)
        return features(tokens)

    def _norm(self, words: frozenset[str]) -> float:
        return math.sqrt(sum(self._weights.get(w, self._unknown) ** 2 for w in words))

    def nearest(self, words: frozenset[str], *, at_least: float) -> Exemplar | None:
        """The exemplar nearest to a statement's words, if it is near enough."""
        mine = self._norm(words)
        best, found = at_least, None
        for exemplar, theirs in self._exemplars:
            shared = sum(self._weights.get(w, 0.0) ** 2 for w in words & theirs)
            scale = mine * self._norm(theirs)
            if scale and shared / scale >= best:
                best, found = shared / scale, exemplar
        return found


def usable_signs(category: str, signs: Mapping[str, SignValue]) -> dict[str, SignValue]:
    """The signs another sentence may lend: what was seen, not its numbers and not its words."""
    fields = FIELDS.get(category, {})
    return {
        name: value
        for name, value in signs.items()
        if name in fields and fields[name].kind in ("tri", "enum")
    }
