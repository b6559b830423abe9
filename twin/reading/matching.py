"""Finds the lexicon's phrases in a statement's words. Gaps are short and bounded, so the work is linear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from twin.reading.lexicon import NEGATOR, Element, Lexicon, Pattern
from twin.reading.tokens import Token

GAP = 4
NOT_GAP = 2
_GAP_STOPS = frozenset({"but", "and", "ama", "fakat", "although", "because", "cos", "while"})


@dataclass(frozen=True)
class Match:
    """One phrase found: tokens `first` to `last` (exclusive), the ones its words fill, how it was negated."""

    pattern: Pattern
    first: int
    last: int
    core: tuple[int, ...]
    is_negated: bool = False
    has_not: bool = False

    @property
    def keys(self) -> frozenset[str]:
        """Every key its phrase may be found by."""
        return frozenset(k for e in self.pattern.elements for k in e.keys)

    @property
    def name(self) -> str:
        """The lexicon entry's name."""
        return self.pattern.name


def find(tokens: Sequence[Token], lexicon: Lexicon) -> list[Match]:
    """Every phrase of the lexicon in `tokens`, in order of where it begins."""
    found: list[Match] = []
    for i, token in enumerate(tokens):
        seen: set[int] = set()
        ahead = _keys_ahead(tokens, i) if NEGATOR in token.keys else frozenset()
        for key in token.keys:
            for pattern in lexicon.patterns.get(key, ()):
                if id(pattern) not in seen and not (key == NEGATOR and _is_hopeless(pattern, ahead)):
                    seen.add(id(pattern))
                    match = _match(pattern, tokens, i)
                    if match:
                        found.append(match)
        if token.is_word:
            for pattern in lexicon.open_patterns:
                if token.plain.startswith(pattern.elements[0].prefixes):
                    match = _match(pattern, tokens, i)
                    if match:
                        found.append(match)
    return found


def _keys_ahead(tokens: Sequence[Token], i: int) -> frozenset[str]:
    """Every key within reach of a negation."""
    return frozenset(k for token in tokens[i + 1 : i + GAP + 3] for k in token.keys)


def _is_hopeless(pattern: Pattern, ahead: frozenset[str]) -> bool:
    """Whether the first word a denied phrase needs is nowhere near."""
    needed = next((e for e in pattern.elements[1:] if e.kind in ("word", "number")), None)
    return needed is not None and not needed.prefixes and ahead.isdisjoint(needed.keys)


def _match(pattern: Pattern, tokens: Sequence[Token], i: int) -> Match | None:
    filled = _fill(pattern.elements, tokens, i)
    if filled is None:
        return None
    core = tuple(
        at for at, element in zip(filled, pattern.elements, strict=True) if at >= 0 and element.kind != "not"
    )
    nots = any(e.kind == "not" for e in pattern.elements)
    if not core:
        return None
    places = [at for at in filled if at >= 0]
    return Match(pattern, min(places), max(places) + 1, core, _negative_verb(pattern, tokens, filled), nots)


def _negative_verb(pattern: Pattern, tokens: Sequence[Token], filled: tuple[int, ...]) -> bool:
    """Whether a verb that may be either was found in its negative form."""
    for at, element in zip(filled, pattern.elements, strict=True):
        if at < 0 or element.kind != "word":
            continue
        hits = tokens[at].keys & element.keys
        if hits and all(key.startswith("V:") and "v:" + key[2:] in element.keys for key in hits):
            return True
        if hits and all(key.startswith("n:") and "neg" in tokens[at].suffixes.get(key, "") for key in hits):
            return True
    return False


def _fits(element: Element, token: Token) -> bool:
    if element.keys & token.keys:
        return True
    return bool(element.prefixes) and token.is_word and token.plain.startswith(element.prefixes)


def _stops(token: Token) -> bool:
    return token.is_mark or token.is_end or token.plain in _GAP_STOPS


def _fill(elements: tuple[Element, ...], tokens: Sequence[Token], start: int) -> tuple[int, ...] | None:
    """The token each element takes (-1 for a gap), the tightest way; None where the phrase is not there."""
    if not _fits(elements[0], tokens[start]):
        return None
    slack = GAP if elements[0].kind == "not" else 0
    rest = _fill_rest(elements, 1, tokens, start + 1, slack)
    return None if rest is None else (start, *rest)


def _fill_rest(
    elements: tuple[Element, ...], n: int, tokens: Sequence[Token], at: int, slack: int
) -> tuple[int, ...] | None:
    if n == len(elements):
        return ()
    element = elements[n]
    if element.kind == "gap":
        rest = _fill_rest(elements, n + 1, tokens, at, GAP)
        return None if rest is None else (-1, *rest)
    if element.kind == "not" and slack == 0:
        slack = NOT_GAP
    for here in range(at, min(at + slack + 1, len(tokens))):
        if _fits(element, tokens[here]):
            rest = _fill_rest(elements, n + 1, tokens, here + 1, GAP if element.kind == "not" else 0)
            if rest is not None:
                return (here, *rest)
        if _stops(tokens[here]):
            return None
    return None


def select(matches: Sequence[Match]) -> list[Match]:
    """The matches that stand: what says most wins its words; two readings of one phrase both stand."""
    taken: dict[int, Match] = {}
    kept: list[Match] = []
    for match in sorted(matches, key=lambda m: (-m.pattern.weight, m.last - m.first, m.first)):
        rivals = {id(taken[i]): taken[i] for i in match.core if i in taken}
        if all(_twins(match, rival) for rival in rivals.values()):
            if any(rival.name == match.name for rival in rivals.values()):
                continue
            kept.append(match)
            for i in match.core:
                taken.setdefault(i, match)
    return sorted(kept, key=lambda m: (m.first, m.last))


def select_each(matches: Sequence[Match]) -> list[Match]:
    """The longest match of each name at each place; one word may mean several things to different parts."""
    kept: list[Match] = []
    taken: set[tuple[str, int]] = set()
    for match in sorted(matches, key=lambda m: (-m.pattern.weight, m.last - m.first, m.first)):
        if not any((match.name, i) in taken for i in match.core):
            kept.append(match)
            taken.update((match.name, i) for i in match.core)
    return sorted(kept, key=lambda m: (m.first, m.last))


def _twins(one: Match, other: Match) -> bool:
    return one.core == other.core and one.pattern.weight == other.pattern.weight


def is_negator(token: Token) -> bool:
    """Whether the word negates."""
    return NEGATOR in token.keys
