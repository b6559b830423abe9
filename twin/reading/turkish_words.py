"""Turkish words for places, triggers and calming, brought back towards their bare form."""

from __future__ import annotations

import re
from collections.abc import Sequence

from twin.reading.clauses import Clause
from twin.reading.findings import Finding, Scene
from twin.reading.matching import Match
from twin.reading.tokens import Token

# Stems that lose a vowel before a suffix, as a lexicon lists them beside the whole word.
WHOLE = dict(
    pair.split("=")
    for pair in "burn=burun karn=karın boyn=boyun ağz=ağız göğs=göğüs aln=alın omz=omuz kalb=kalp"
    " bileğ=bilek kanad=kanat nabz=nabız vücud=vücut avuc=avuç".split()
)
# Words that stand before a verb and are no part of what the verb is about.
PASSING = frozenset(
    "cok hic asiri biraz yine gene tekrar sonunda hemen da de bile bayagi fazla iyice feci hala"
    " daha ise onu onun ona bunu buna beni bizi cocugu tamamen resmen anca ancak sadece bi bir"
    " bu o su cunku ve ama sonra artik hep surekli en neyse bugun dun sabah aksam gece ogle"
    " oglen kendisini kendini olarak galiba sanirim bence iste ben biz sen siz onlar benim".split()
)
CASES = re.compile(r"(?:l[ae]r)?(?:n?d[ae]n|t[ae]n|[yn]?[iu]|y?[ae]|n[ae]|n?d[ae]|t[ae]|yl[ae]|l[ae])$")
BY_TIME = re.compile(
    r"[a-z]{2,}(?:[iu]nc[ae]|ync[ae]|[iu]rken|[ae]rken|rken|yken|d[iu]g[iu]nd[ae]|t[iu]g[iu]nd[ae])"
)
MAX_WORDS = 3
SHORTEST = 3
# A final consonant that softened before a vowel is hard again without it ("kulaklığı", "kulaklık").
HARD = {"ğ": "k", "b": "p", "c": "ç"}


def lemma(phrase: str) -> str:
    """A lexicon entry's phrase as one would say it bare."""
    words = [w.rstrip("!") for w in phrase.split()]
    return " ".join(WHOLE.get(w, w) for w in words)


def attach(scene: Scene, found: Sequence[Finding]) -> dict[int, dict[str, str]]:
    """For each behaviour clause's number: place, trigger and what calmed."""
    owners = sorted({f.clause for f in found if f.category == "behaviour"})
    busy = {f.clause for f in found if f.category != "behaviour"}
    slots: dict[int, dict[str, str]] = {}
    if not owners:
        return slots
    for number, clause in enumerate(scene.clauses):
        owner = _owner(number, owners, busy)
        if owner is None or clause.is_question:
            continue
        for name, value in _of_clause(scene, clause, number, found):
            if value:
                slots.setdefault(owner, {}).setdefault(name, value)
    for mine in slots.values():
        if (
            "place" in mine
            and "trigger" in mine
            and (mine["place"] in mine["trigger"] or mine["trigger"] in mine["place"])
        ):
            del mine["place"]
    return slots


def _owner(number: int, owners: Sequence[int], busy: set[int]) -> int | None:
    if number in owners:
        return number
    before = [o for o in owners if o < number and number - o <= 3]
    if before and number not in busy:
        return before[-1]
    after = [o for o in owners if 0 < o - number <= 2]
    return after[0] if after and number not in busy else None


def _of_clause(
    scene: Scene, clause: Clause, number: int, found: Sequence[Finding]
) -> list[tuple[str, str | None]]:
    calm = [
        m
        for m in scene.slots
        if m.name in ("calmed_before", "calmed_by_verb") and m.first in clause and not m.is_negated
    ]
    pairs: list[tuple[str, str | None]] = [("place", _place(scene, clause))]
    for match in scene.slots:
        if match.first not in clause or (
            match.is_negated and match.name not in ("trigger_from", "trigger_at")
        ):
            continue
        if match.name == "calmed_before":
            pairs.append(("calmed_by", _phrase_before(scene, clause, match.first)))
        elif match.name == "calmed_by_verb":
            pairs.append(("calmed_by", _means(scene, clause, match.first)))
        elif match.name == "trigger_before":
            pairs.append(("trigger", _phrase_before(scene, clause, match.first)))
        elif match.name in ("trigger_from", "trigger_at"):
            pairs.append(("trigger", _cased_before(scene, clause, match)))
    if not calm:
        pairs.insert(1, ("trigger", _when(scene, clause)))
    return pairs


def _place(scene: Scene, clause: Clause) -> str | None:
    options = [m for m in scene.slots if m.name == "places" and m.first in clause]
    feared = {i for m in scene.signs if m.name == "behaviour.anxiety" for i in m.core}
    for match in sorted(options, key=lambda m: -(m.last - m.first)):
        if feared & set(match.core):
            continue
        if match.last < clause.last and scene.tokens[match.last].plain in ("sonra", "once", "beri"):
            continue
        word, stem = scene.tokens[match.last - 1].plain, match.pattern.phrase.split()[-1]
        if len(word) > len(stem.rstrip("!")) and re.search(
            r"(?:[dt][ae]n?(?:ki|yken)?|n[ae]|y[ae]|[ae])$", word
        ):
            before = [t.raw for t in scene.tokens[match.first : match.last - 1]]
            return " ".join([*before, lemma(stem)])
    return None


def bare(token: Token) -> str:
    """A word without its case ending; what is left may be shorter than the word, never another."""
    raw, plain, goes_on = token.raw, token.plain, True
    while goes_on:
        match = CASES.search(plain)
        if match is None or match.start() < SHORTEST:
            break
        raw, plain = raw[: match.start()], plain[: match.start()]
        # An "n" before the case says that a possessive stands before it ("kulaklığı-nı").
        goes_on = match.group().startswith("n")
    return raw[:-1] + HARD.get(raw[-1], raw[-1])


def _phrase_before(scene: Scene, clause: Clause, at: int) -> str | None:
    """Up to three words before `at`: "anons sesi tetikledi"."""
    tokens, first, last = scene.tokens, at, at
    while last > clause.first and tokens[last - 1].plain in PASSING:
        last -= 1
    first = last
    while first > clause.first and last - first < MAX_WORDS and _is_plain(scene, first - 1):
        first -= 1
    if first == last:
        return None
    words = [t.raw for t in tokens[first : last - 1]]
    return " ".join([*words, tokens[last - 1].raw if words else bare(tokens[last - 1])])


def _is_plain(scene: Scene, i: int) -> bool:
    token = scene.tokens[i]
    return (
        token.is_word
        and token.plain not in PASSING
        and i not in scene.timed
        and not token.is_end
        and not BY_TIME.fullmatch(token.plain)
    )


def _cased_before(scene: Scene, clause: Clause, match: Match) -> str | None:
    """The word in the case the verb asks for: "havuzdan korkar", "misafire hırladı"."""
    ending = re.compile(r"[dt][ae]n$" if match.name == "trigger_from" else r"[ae]$")
    for i in range(match.first - 1, max(clause.first, match.first - 5) - 1, -1):
        token = scene.tokens[i]
        if not token.is_word or i in scene.timed or token.plain in PASSING:
            continue
        fled = match.pattern.phrase == "kaçmak"
        if fled and any(m.name == "places" and i in range(m.first, m.last) for m in scene.slots):
            return None
        if ending.search(token.plain) and len(token.plain) > 3 and not BY_TIME.fullmatch(token.plain):
            head = bare(token)
            if POSSESSED.search(token.plain):
                return _compound(scene, clause, i, head)
            before = scene.tokens[i - 1] if i > clause.first else None
            joined = before is not None and before.plain in scene.lexicon.slot_words("trigger_modifiers")
            return f"{before.raw} {head}" if joined and before else head
        return None
    return None


# "Sesinden", "makinesine": the second half of a compound.
POSSESSED = re.compile(r"s?[iu]n(?:d[ae]n|[ae])$")


def _compound(scene: Scene, clause: Clause, at: int, head: str) -> str:
    """The head with the nouns it is compounded with: "havai fişek sesi"."""
    first = at
    while first > clause.first and at - first < MAX_WORDS - 1 and _is_plain(scene, first - 1):
        if CASED.search(scene.tokens[first - 1].plain):
            break
        first -= 1
    return " ".join([*(t.raw for t in scene.tokens[first:at]), head])


CASED = re.compile(r"(?:d[ae]n|t[ae]n|d[ae]|iyor|uyor)$")


def _means(scene: Scene, clause: Clause, at: int) -> str | None:
    """ "Kulaklığını takınca sakinleşti", "masajla sakinleşti": the thing before the converb, or in "-la"."""
    tokens = scene.tokens
    for i in range(at - 1, clause.first - 1, -1):
        word = tokens[i].plain
        if BY_TIME.fullmatch(word) or word.endswith(("ip", "up")) or word in ("sonra", "ile"):
            return _phrase_before(scene, clause, i)
        if re.search(r"(?:yla|yle|la|le)$", word) and len(word) > 4:
            return bare(tokens[i])
    return None


def _when(scene: Scene, clause: Clause) -> str | None:
    """ "Zil çalınca", "süpürgeyi açınca": what did something, or had something done to it, just then."""
    for i in range(clause.first + 1, clause.last):
        if BY_TIME.fullmatch(scene.tokens[i].plain) and not scene.tokens[i].plain.startswith(
            ("yok", "uyu", "evde", "kres", "okul", "tatil")
        ):
            return _phrase_before(scene, clause, i)
    return None
