"""Turkish "ne ... ne ...": each of the pair denies what follows it ("ne kustu ne ishal oldu")."""

from __future__ import annotations

from collections.abc import Sequence

from twin.reading.tokens import Token

# "Ne kadar", "ne zaman", "ne yapayım": a "ne" that asks or exclaims.
ASKING = frozenset(
    "kadar zaman oldu olmus guzel yazik iyi kotu yapayim yapmaliyim yapmali var diye gibi".split()
)
REACH, PAIR_REACH = 3, 6
DENIED = "!neither"
# The one verb form that is a number too ("seven").
ATE = "yedi"


def places(tokens: Sequence[Token]) -> frozenset[int]:
    """Where "ne" stands of a pair that denies."""
    found: set[int] = set()
    before = -PAIR_REACH - 1
    for i, token in enumerate(tokens):
        if token.is_mark and token.raw != ",":
            before = -PAIR_REACH - 1
        after = tokens[i + 1].plain if i + 1 < len(tokens) else ""
        if token.plain == "ne" and after not in ASKING:
            if i - before <= PAIR_REACH:
                found |= {before, i}
            before = i
    return frozenset(found)


def deny_verbs(tokens: Sequence[Token]) -> None:
    """Give the verb after each denying "ne" the keys of its negative form: "ne yedi" as "yemedi"."""
    for place in places(tokens):
        for token in tokens[place + 1 : place + 1 + REACH]:
            verbs = {k for k in token.keys if k.startswith("v:")}
            if token.is_mark or token.plain == "ne":
                break
            if verbs and (token.is_end or token.plain == ATE):
                denied = {"V:" + k[2:]: token.suffixes.get(k, "") + " neg" for k in verbs}
                token.suffixes.update(denied)
                token.keys = (token.keys - verbs) | set(denied) | {DENIED}
                break
