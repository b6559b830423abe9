"""The speaker's own words for where, which side, what set it off and what calmed it."""

from __future__ import annotations

from collections.abc import Sequence

from twin.reading import measures, turkish_words
from twin.reading.clauses import Clause
from twin.reading.findings import Finding, Scene
from twin.reading.matching import Match
from twin.reading.measures import Quantity
from twin.reading.tokens import Token
from twin.rules.entries import SignValue

DETERMINERS = frozenset(
    "the a an his her their its my our your some this that those these him it them really very so new".split()
)
KEPT_DETERMINERS = DETERMINERS - {"new"}
PHRASE_STOPS = frozenset(
    "and but so when because while then after before at in on for with he she they we i to was"
    " is were it again today yesterday now though tho if or until till as by from during".split()
)
LIMB_PARTS = frozenset({"limb", "joint", "extremity"})
SITE_PARTS = frozenset(
    {
        "limb",
        "joint",
        "extremity",
        "belly",
        "back",
        "neck",
        "head",
        "site",
        "ear",
        "nose",
        "mouth",
        "genital",
        "breathing",
    }
)
NOT_BACK = frozenset("in to again on from at up down when then home and for off".split())
MAX_WORDS = 4
CORNER_WORDS = 3
ADVERBS = frozenset({"up", "down", "out", "off", "in", "away", "on", "home", "back", "over"})
ENDS = frozenset({"front", "back", "hind", "rear", "fore", "on", "arka"})
SIDES = frozenset({"left", "right", "sol", "sag"})
TREATED = frozenset(
    "told asked left touched picked woken shouted brushed held given made forced refused called"
    " approached startled rushed stroked petted handled groomed lifted moved stopped ignored"
    " corrected interrupted teased pushed grabbed cuddled".split()
)


def side(scene: Scene, clause: Clause) -> str | None:
    """Left, right or both, where the clause says so."""
    return _sides(scene, clause)


def _sides(scene: Scene, clause: Clause) -> str | None:
    names = [m.name for m in scene.slots if m.first in clause and m.name in ("left", "right", "both")]
    names = [
        n
        for m, n in zip(
            (m for m in scene.slots if m.first in clause and m.name in ("left", "right", "both")),
            names,
            strict=True,
        )
        if not _is_verb_left(scene.tokens, m)
    ]
    if "both" in names or {"left", "right"} <= set(names):
        return "both"
    return names[0] if names else None


def _is_verb_left(tokens: Sequence[Token], match: Match) -> bool:
    """ "left the rest", "left half", "right after", "right now": no side."""
    word = tokens[match.first].plain
    after = tokens[match.last].plain if match.last < len(tokens) else ""
    before = tokens[match.first - 1].plain if match.first else ""
    if word == "left":
        return after in (
            "the",
            "half",
            "most",
            "some",
            "her",
            "his",
            "him",
            "it",
            "alone",
            "us",
            "for",
            "over",
            "food",
            "a",
            "all",
        )
    if word == "right":
        return after in (
            "after",
            "now",
            "away",
            "before",
            "back",
            "through",
            "as",
            "at",
            "up",
            "out",
            "when",
            "in",
            "on",
            "next",
            "off",
        ) or before in ("not", "all", "just", "isnt", "wasnt")
    return False


def limb(scene: Scene, clause: Clause, near: int, without: frozenset[int] = frozenset()) -> str | None:
    """The limb spoken of, with its side: "front left leg"."""
    parts = [m for m in scene.parts if m.first in clause and m.name in LIMB_PARTS and m.first not in without]
    if not parts:
        quarter = _quarter(scene, clause)
        if quarter:
            return quarter
        number = scene.clauses.index(clause)
        joined = number and clause.link == "and" and clause.is_bare
        return limb(scene, scene.clauses[number - 1], near, without) if joined else None
    best = min(parts, key=lambda m: abs(m.first - near))
    first = best.first
    words = scene.lexicon.slot_words("limb_words")
    while first > clause.first and scene.tokens[first - 1].plain in words:
        first -= 1
    return spoken(scene, first, best)


def _quarter(scene: Scene, clause: Clause) -> str | None:
    """ "Limping on his back right": the limb by its corner alone."""
    number = scene.clauses.index(clause)
    after = scene.clauses[number + 1] if number + 1 < len(scene.clauses) else clause
    last = after.last if after.last - after.first <= CORNER_WORDS else clause.last
    for i in range(clause.first, last - 1):
        pair = {scene.tokens[i].plain, scene.tokens[i + 1].plain}
        if pair & ENDS and pair & SIDES:
            return scene.text[scene.tokens[i].start : scene.tokens[i + 1].end]
    return None


def site(scene: Scene, clause: Clause, near: int) -> str | None:
    """The place on the body spoken of."""
    parts = [
        m
        for m in scene.parts
        if m.first in clause and m.name in SITE_PARTS and not _is_other_back(scene.tokens, m)
    ]
    if not parts:
        return None
    best = min(parts, key=lambda m: (abs(m.first - near), m.first))
    first = best.first
    if best.name in LIMB_PARTS:
        words = scene.lexicon.slot_words("limb_words")
        while first > clause.first and scene.tokens[first - 1].plain in words:
            first -= 1
    return spoken(scene, first, best)


def _is_other_back(tokens: Sequence[Token], match: Match) -> bool:
    if match.name != "back" or tokens[match.first].plain != "back":
        return False
    after = tokens[match.last].plain if match.last < len(tokens) else ""
    before = tokens[match.first - 1].plain if match.first else ""
    return after in NOT_BACK or before in (
        "while",
        "came",
        "come",
        "is",
        "are",
        "was",
        "weeks",
        "way",
        "again",
        "bring",
        "brought",
    )


def spoken(scene: Scene, first: int, part: Match) -> str:
    """The words from `first` to the end of a body part; in Turkish the part without its endings."""
    tokens = scene.tokens
    if scene.lexicon.language == "tr":
        before = [t.raw for t in tokens[first : part.first]]
        return " ".join([*before, turkish_words.lemma(part.pattern.phrase)])
    return scene.text[tokens[first].start : tokens[part.last - 1].end]


def noun_phrase_after(scene: Scene, at: int, clause_last: int) -> str | None:
    """Up to four words from `at` on, without articles, until the phrase ends."""
    tokens = scene.tokens
    while at < clause_last and tokens[at].plain in KEPT_DETERMINERS:
        at += 1
    end = at
    while (
        end < clause_last
        and end - at < MAX_WORDS
        and tokens[end].is_word
        and tokens[end].plain not in PHRASE_STOPS
    ):
        end += 1
    while end > at and end - 1 in scene.timed:
        end -= 1
    return scene.text[tokens[at].start : tokens[end - 1].end] if end > at else None


def noun_phrase_before(scene: Scene, at: int, clause_first: int) -> str | None:
    """Up to four words before `at`, without articles."""
    tokens = scene.tokens
    first = at
    while (
        first > clause_first
        and at - first < MAX_WORDS
        and tokens[first - 1].is_word
        and tokens[first - 1].plain not in PHRASE_STOPS
    ):
        first -= 1
    while first < at and (
        tokens[first].plain in KEPT_DETERMINERS or tokens[first].plain in ("only", "just", "i", "think")
    ):
        first += 1
    last = at
    while last > first and (
        tokens[last - 1].plain
        in (
            "eventually",
            "finally",
            "always",
            "just",
            "really",
            "that",
            "which",
            "is",
            "what",
            "seemed",
            "did",
            "also",
            "it",
            "him",
            "her",
            "probably",
            "usually",
            "has",
            "have",
        )
        or last - 1 in scene.timed
    ):
        last -= 1
    return scene.text[tokens[first].start : tokens[last - 1].end] if last > first else None


def place(scene: Scene, clause: Clause) -> str | None:
    """Where it happened: a known place after "in", "at", "under" and the like, with the nouns before it."""
    links = scene.lexicon.slot_words("place_links")
    options = [m for m in scene.slots if m.name == "places" and m.first in clause]
    for match in sorted(options, key=lambda m: -(m.last - m.first)):
        first = match.first
        is_whole = scene.tokens[first].plain in ("under", "behind")
        at = first - 1
        while (
            not is_whole
            and at >= clause.first
            and first - at <= MAX_WORDS
            and _is_noun_before(scene, at, links)
        ):
            at -= 1
        linked = at >= clause.first and scene.tokens[at].plain in links
        if linked and not is_whole:
            first = at + 1
            while first < match.first and scene.tokens[first].plain in KEPT_DETERMINERS:
                first += 1
            first = at if scene.tokens[at].plain in ("under", "behind") else first
        if linked or is_whole:
            return scene.text[scene.tokens[first].start : scene.tokens[match.last - 1].end]
    return None


def _is_noun_before(scene: Scene, at: int, links: frozenset[str]) -> bool:
    """Whether the word may stand between "at the" and the place's own word ("trampoline" before "park")."""
    token = scene.tokens[at]
    return (
        token.is_word
        and token.plain not in links
        and (token.plain in KEPT_DETERMINERS or token.plain not in PHRASE_STOPS)
    )


def attach(scene: Scene, found: Sequence[Finding]) -> dict[int, dict[str, str]]:
    """For each behaviour clause, its place, trigger and what calmed it, from it and its neighbours."""
    if scene.lexicon.language == "tr":
        return turkish_words.attach(scene, found)
    clauses = scene.clauses
    home = {n: _home(n, found, clauses) for n in range(len(clauses))}
    slots: dict[int, dict[str, str]] = {}
    for n, clause in enumerate(clauses):
        owner = home[n]
        if owner is None or clause.is_question:
            continue
        for name, value in _english(scene, clause, n, found).items():
            if value:
                slots.setdefault(owner, {}).setdefault(name, value)
    for mine in slots.values():
        if "place" in mine and mine["place"] in mine.get("trigger", ""):
            del mine["place"]
    for owner in {f.clause for f in found if f.category == "behaviour"}:
        shared = _shared_place(scene, owner, found)
        if shared:
            slots.setdefault(owner, {}).setdefault("place", shared)
    return slots


def _shared_place(scene: Scene, n: int, found: Sequence[Finding]) -> str | None:
    """ "Had toothache at nursery and bit another kid": the place of the clause this one is joined to."""
    clause = scene.clauses[n]
    return place(scene, scene.clauses[n - 1]) if n and clause.link == "and" and clause.is_bare else None


def _home(n: int, found: Sequence[Finding], clauses: Sequence[Clause]) -> int | None:
    """The clause of the behaviour that words in clause `n` belong to: itself, the one before, the next."""
    owners = sorted({f.clause for f in found if f.category == "behaviour"})
    if n in owners:
        return n
    busy = {f.clause for f in found}
    for other in reversed([o for o in owners if o < n]):
        if n - other <= 3 and n not in busy:
            return other
    following = [o for o in owners if o > n]
    if following and following[0] - n <= 1 and n not in busy:
        return following[0]
    return None


def _english(scene: Scene, clause: Clause, n: int, found: Sequence[Finding]) -> dict[str, str | None]:
    slots: dict[str, str | None] = {"place": place(scene, clause)}
    for match in scene.slots:
        if match.first not in clause:
            continue
        if match.name == "trigger_after" and not _leads_to_place(scene, match):
            slots.setdefault("trigger", noun_phrase_after(scene, match.last, clause.last))
        elif match.name == "trigger_before":
            slots.setdefault("trigger", noun_phrase_before(scene, match.first, clause.first))
        elif match.name == "calmed_before":
            slots.setdefault("calmed_by", noun_phrase_before(scene, match.first, clause.first))
        elif match.name == "calmed_after":
            slots.setdefault("calmed_by", noun_phrase_after(scene, match.last, clause.last))
    if not slots.get("trigger"):
        slots["trigger"] = _when_trigger(scene, clause)
    return slots


def _leads_to_place(scene: Scene, match: Match) -> bool:
    """ "Meltdown at the supermarket": where it happened, no trigger."""
    at = match.last
    if "meltdown" not in match.pattern.phrase or scene.tokens[at - 1].plain != "at":
        return False
    while at < len(scene.tokens) and scene.tokens[at].plain in KEPT_DETERMINERS:
        at += 1
    return any(m.name == "places" and m.first == at for m in scene.slots)


def _when_trigger(scene: Scene, clause: Clause) -> str | None:
    """ "when the bell went": what did something just then."""
    words, verbs = scene.lexicon.slot_words("when_trigger"), scene.lexicon.slot_keys("when_verbs")
    tokens = scene.tokens
    for i in range(clause.first, clause.last):
        if tokens[i].plain not in words:
            continue
        at = i + 1
        while at < clause.last and tokens[at].plain in KEPT_DETERMINERS - {"it", "him", "them"}:
            at += 1
        end = at
        while (
            end < clause.last
            and end - at < MAX_WORDS
            and not tokens[end].keys & verbs
            and tokens[end].is_word
        ):
            end += 1
        subject = tokens[at].plain if at < clause.last else ""
        if (
            end < clause.last
            and end > at
            and subject not in ("i", "we", "he", "she", "it", "they", "you", "someone")
        ):
            return scene.text[tokens[at].start : tokens[end - 1].end]
        if subject in TREATED:
            return scene.text[tokens[at].start : tokens[min(at + MAX_WORDS, clause.last) - 1].end]
        if subject in ("i", "we", "you") and at + 2 < clause.last:
            after = noun_phrase_after(scene, at + 2, clause.last)
            if after not in ADVERBS:
                return after
            return scene.text[tokens[at + 1].start : tokens[min(at + MAX_WORDS, clause.last) - 1].end]
    return None


def minutes(scene: Scene, number: int) -> SignValue | None:
    """How long it went on, where this clause or the next bare one gives minutes or hours."""
    quantities = measures.find(scene.tokens, scene.lexicon.numbers)
    for n in (number, number + 1, number + 2):
        if n >= len(scene.clauses) or scene.clauses[n].sentence > scene.clauses[number].sentence + 1:
            break
        clause = scene.clauses[n]
        for q in quantities:
            if q.first in clause and q.unit in ("minutes", "hours") and not _is_ago(scene, q, clause):
                value = q.value * (60 if q.unit == "hours" else 1)
                return int(value) if value == int(value) else round(value, 1)
    return None


def _is_ago(scene: Scene, quantity: Quantity, clause: Clause) -> bool:
    after = {t.plain for t in scene.tokens[quantity.last : min(clause.last, quantity.last + 2)]}
    before = {t.plain for t in scene.tokens[max(clause.first, quantity.first - 2) : quantity.first]}
    return bool(
        after & {"ago", "before", "later", "once", "sonra"} or before & {"every", "each", "her", "past"}
    )
