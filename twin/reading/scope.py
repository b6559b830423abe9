"""Says whether a phrase is denied, uncertain or only imagined, from the words around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from twin.reading import neither, turkish
from twin.reading.clauses import Clause
from twin.reading.lexicon import Lexicon
from twin.reading.matching import Match, is_negator
from twin.reading.tokens import Token

REACH = 7
STOP_REACH = 3
FIRST_PERSON = frozenset("i im ive id".split())
AUXILIARIES = frozenset("have had am was been got get feel felt just also always really so do did a".split())
TURKISH_DENIALS = frozenset(
    "yok yoktu yokmus degil degildi degilmis kalmadi olmadi olmuyor gorulmedi gormedim gormedik"
    " gorunmuyor bulamadim bulamadik yapmadi yapmiyor olmamis gormemis rastlamadim rastlamadik"
    " kesildi gecti bitti durdu dindi kayboldu gecmis kesilmis bitmis gitti sifir kalmamis"
    " yasamadi yasamadik gecirmedi cikmadi gelmiyor gelmedi var_mi duymadim duymadik"
    " fark_etmedim yasamiyor gostermedi saptanmadi rastlanmadi cikmamis dusmus dustu indi".split()
)
TURKISH_FALLS = frozenset("dustu dusmus indi".split())


JOINING = frozenset({"ve", "veya", "ya", "da", "de", "ile", "hem", "ne"})


@dataclass(frozen=True)
class Surroundings:
    """The statement's helper phrases by name, as sets of tokens, shared by all scope questions."""

    tokens: Sequence[Token]
    lexicon: Lexicon
    pseudo: frozenset[int]
    possibly: frozenset[int]
    imagined: frozenset[int]
    resolved: tuple[Match, ...]
    nearly: frozenset[int]
    cores: frozenset[int]
    neither: frozenset[int] = frozenset()


def surroundings(
    tokens: Sequence[Token],
    matches: Iterable[Match],
    signs: Iterable[Match],
    timed: frozenset[int],
    lexicon: Lexicon,
) -> Surroundings:
    """What scope needs to know of a statement; words of time ("in may") make nothing uncertain."""
    talk = [m for m in matches if m.pattern.group == "talk"]

    def spread(name: str) -> frozenset[int]:
        return frozenset(i for m in talk if m.name == name for i in range(m.first, m.last))

    return Surroundings(
        tokens,
        lexicon,
        spread("pseudo_negation"),
        spread("possibly") - timed,
        spread("hypothetical"),
        tuple(m for m in talk if m.name == "resolved_after"),
        spread("nearly"),
        frozenset(i for m in signs for i in m.core),
        neither.places(tokens) if lexicon.language == "tr" else frozenset(),
    )


def is_denied(
    around: Surroundings, clause: Clause, first: int, last: int, *, is_negative: bool, others: frozenset[int]
) -> bool:
    """Whether what stands at tokens `first` to `last` is said not to be; two denials make an assertion."""
    if around.neither & set(range(max(clause.first, first - neither.REACH), first)):
        return is_negative or not any(neither.DENIED in t.keys for t in around.tokens[first:last])
    if around.lexicon.language == "tr":
        return is_negative or _denied_turkish(around, clause, first, last, others)
    within = [i for i in range(first, last) if i not in around.pseudo and i not in around.cores]
    inside = any(is_negator(around.tokens[i]) for i in within)
    count = int(inside) or _negators_before(around, clause, first)
    count += any(_is_stopper(around.tokens, i) for i in within)
    count += _stops_near(around, clause, first, last, others)
    if count:
        return count % 2 == 1
    if last < clause.last and around.tokens[last].plain == "free":
        return True
    return _is_resolved(around, clause, last)


# What a denial is measured by: "not scratching as much as before" is less, not none.
MEASURES_AFTER = frozenset("much often bad badly many hard loud loudly long frequent frequently".split())
MEASURES_TR = frozenset("kadar gibi".split())
FORMER_TR = frozenset("eskisi onceki dunku gecenki sabahki geceki eski oncesi haftaki baslangictaki".split())


def is_only_less(around: Surroundings, clause: Clause, first: int, last: int) -> bool:
    """Whether a denied phrase is only less than before: still there, and better."""
    words = [t.plain for t in around.tokens[clause.first : clause.last]]
    if around.lexicon.language == "tr":
        before = words[: max(0, first - clause.first)]
        return any(one in FORMER_TR and other in MEASURES_TR for one, other in pairwise(before))
    after = words[last - clause.first : last - clause.first + 3]
    return any(one in ("as", "so", "that") and other in MEASURES_AFTER for one, other in pairwise(after))


def _negators_before(around: Surroundings, clause: Clause, first: int) -> int:
    for i in range(first - 1, max(clause.first, first - REACH) - 1, -1):
        if is_negator(around.tokens[i]) and i not in around.pseudo and i not in around.cores:
            return 1
    return 0


def _is_stopper(tokens: Sequence[Token], i: int) -> bool:
    """Whether the word ends what it is said of; "non stop" does not."""
    return bool(tokens[i].keys & {"stop", "quit", "ceas"}) and not (i and tokens[i - 1].plain == "non")


def _stops_near(around: Surroundings, clause: Clause, first: int, last: int, others: frozenset[int]) -> int:
    tokens = around.tokens
    for i in range(first - 1, max(clause.first, first - STOP_REACH) - 1, -1):
        if _is_stopper(tokens, i) and i not in around.cores and i not in around.pseudo:
            return 1
    for i in range(last, clause.last):
        if i in others:
            return 0
        if _is_stopper(tokens, i) and i not in around.cores:
            between = any(is_negator(tokens[j]) for j in range(last, i))
            return 2 if between else 1
    return 0


def _is_resolved(around: Surroundings, clause: Clause, last: int) -> bool:
    for match in around.resolved:
        if last <= match.first < clause.last and around.tokens[match.first - 1].plain not in (
            "till",
            "until",
            "til",
        ):
            window = range(max(clause.first, match.first - 3), match.first)
            return not any(
                i in around.nearly or i in around.pseudo or is_negator(around.tokens[i]) for i in window
            )
    return False


def _denied_turkish(
    around: Surroundings, clause: Clause, first: int, last: int, others: frozenset[int]
) -> bool:
    """A denial after the phrase, before another verb has taken the sentence."""
    tokens, end = around.tokens, last
    for i in range(last, clause.last):
        word = tokens[i].plain
        if word in TURKISH_FALLS:
            return False
        if word in TURKISH_DENIALS and not _goes_on(word, tokens[i - 1].plain):
            return True
        if i in others:
            if (i > end or last - first > 1) and tokens[i - 1].plain not in JOINING:
                return False
            end = i + 1
            continue
        if word in ("var", "vardi", "varmis"):
            return False
        if turkish.is_finite(word):
            return _DENYING.match(word) is not None
    return False


def _goes_on(word: str, before: str) -> bool:
    """ "Miyavlayıp durdu", "miyavladı durdu": kept on, no end of it; nor is "beş kere gitti" a going away."""
    if word == "gitti":
        return before in ("kere", "kez", "defa", "sefer")
    return word == "durdu" and (before.endswith(("ip", "up")) or turkish.is_finite(before))


# "Yaşamadı", "görmedim", "geçirmiyor": verbs that say of a thing that it was not there.
_DENYING = re.compile(
    r"(?:ol|yasa|gecir|gor|gorul|duy|rastla|rastlan|cik|gel|kal|yap|et|goster|bul|farket|cek|bulun|saptan|hisset|ver)"
    r"(?:[ae]?m[ae]d|m[iu]yo|[ae]?m[ae]m|m[ae]z)"
)


def is_uncertain(around: Surroundings, clause: Clause, first: int, last: int) -> bool:
    """Whether the phrase is only possible: the word for it stands before it (Turkish: around it)."""
    span = range(max(clause.first, first - REACH), first)
    if around.lexicon.language == "tr":
        span = range(clause.first, min(clause.last, last + 4))
    for i in span:
        if i in around.possibly:
            after = i + 1
            while after in around.possibly:
                after += 1
            return not (after < len(around.tokens) and "!number" in around.tokens[after].keys)
    return False


# What happens or does not: of these alone "nearly" says that it did not ("nearly bald" is bald enough).
EVENTS = frozenset(
    "fainting collapse vomiting regurgitation seizure choking loss_of_balance accident elopement aggression"
    " injury self_injury meltdown".split()
)
NEARLY = frozenset({"nearly", "almost"})
BETWEEN = frozenset("he she it they has had have a an the his her to be just have been of like going".split())
VERGES = frozenset({("about", "to"), ("close", "to"), ("verge", "of"), ("point", "of"), ("gonna", "to")})
NEARLY_TR = frozenset({("az", "kalsin"), ("az", "kaldi"), ("az", "daha"), ("ramak", "kaldi")})


def is_near_miss(around: Surroundings, clause: Clause, sign: str | None, first: int, last: int) -> bool:
    """Whether an event only nearly happened ("almost threw up", "about to faint", "bayılacak gibi")."""
    if sign not in EVENTS:
        return False
    tokens = around.tokens
    if around.lexicon.language == "tr":
        words = [t.plain for t in tokens[clause.first : min(clause.last, last + 2)]]
        verb, after = tokens[last - 1].plain, [t.plain for t in tokens[last : last + 1]]
        as_if = after in (["gibi"], ["gibiydi"])
        coming = verb.endswith(("acak", "ecek", "ir", "ur")) and as_if
        return (
            coming
            or any(pair in NEARLY_TR for pair in pairwise(words))
            or "neredeyse" in [t.plain for t in tokens[max(clause.first, first - 1) : first]]
        )
    at = first - 1
    while at > clause.first and tokens[at].plain in BETWEEN and not _is_verge(tokens, at):
        at -= 1
    return at >= clause.first and (tokens[at].plain in NEARLY or _is_verge(tokens, at))


def _is_verge(tokens: Sequence[Token], at: int) -> bool:
    return at > 0 and (tokens[at - 1].plain, tokens[at].plain) in VERGES


def is_imagined(around: Surroundings, clause: Clause, first: int) -> bool:
    """Whether the phrase is a fear or a plan ("in case he vomits"), or the speaker's own ailment."""
    if any(i in around.imagined for i in range(max(clause.first, first - REACH), first)):
        return True
    return around.lexicon.language == "en" and _is_own(around.tokens, clause, first)


# Verbs whose first person tells of the child or animal ("uyutamadık", "yediremedim").
CARED_FOR = frozenset({"uyut", "yedir", "sakinleştir", "uyandır", "bul", "dur", "uyutama", "doldur", "taşı"})
QUOTING = frozenset({"diyor", "diyo", "dedi", "demis", "diye", "soyledi", "soyluyor"})


def is_own_turkish(tokens: Sequence[Token], clause: Clause, core: Sequence[int]) -> bool:
    """Whether the verb is the speaker's own ("çok korktum"), not quoted."""
    mine = [
        s.split(":")[-1]
        for i in core
        for s, form in tokens[i].suffixes.items()
        if form.endswith(("mine", "mine neg")) and s[:2] in ("v:", "V:")
    ]
    if not mine or any(stem in CARED_FOR for stem in mine):
        return False
    return not any(t.plain in QUOTING for t in tokens[clause.first : clause.last + 1])


def _is_own(tokens: Sequence[Token], clause: Clause, first: int) -> bool:
    at = first - 1
    while at >= clause.first and tokens[at].plain in AUXILIARIES:
        at -= 1
    return at >= clause.first and tokens[at].plain in FIRST_PERSON
