"""Turns phrases found into findings: a category, a sign and its value, denied or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from twin.reading.clauses import Clause
from twin.reading.lexicon import Lexicon
from twin.reading.matching import Match, is_negator
from twin.reading.scope import (
    Surroundings,
    is_denied,
    is_imagined,
    is_near_miss,
    is_only_less,
    is_own_turkish,
    is_uncertain,
)
from twin.reading.subjects import Mention
from twin.reading.tokens import Token
from twin.rules.entries import Polarity, SignValue

DENIED_MEMBER: dict[tuple[str, str], str] = {("amount", "usual"): "less"}


@dataclass
class Finding:
    """One thing said of one body system, at one place of the statement."""

    category: str
    sign: str | None
    value: SignValue | None
    clause: int
    first: int
    last: int
    reads: Polarity | None = None
    is_denied: bool = False
    is_uncertain: bool = False
    part: str | None = None
    parts_at: tuple[int, ...] = ()
    asserted: Polarity | None = None
    phrase: str = ""
    is_default: bool = False


def target(name: str) -> tuple[str, str | None, SignValue | None]:
    """Category, sign and value of a name such as "ears.pain", "appetite_intake.amount=none" or "ears"."""
    place, _, value = name.partition("=")
    category, _, sign = place.partition(".")
    if not sign:
        return category, None, None
    if value == "false":
        return category, sign, False
    if value:
        return category, sign, int(value) if value.isdigit() else value
    return category, sign, True


@dataclass(frozen=True)
class Scene:
    """What the finding rules look at: words, clauses, and the phrases by group."""

    tokens: Sequence[Token]
    clauses: Sequence[Clause]
    signs: Sequence[Match]
    properties: Sequence[Match]
    parts: Sequence[Match]
    around: Surroundings
    lexicon: Lexicon
    text: str = ""
    slots: Sequence[Match] = ()
    around_talk: Sequence[Match] = ()
    timed: frozenset[int] = frozenset()
    subjects: Sequence[Mention] = ()
    fact_spots: dict[tuple[int, str], tuple[int, ...]] = field(default_factory=dict)


def find(scene: Scene) -> list[Finding]:
    """Every finding of the statement in the order said."""
    clause_at = {i: n for n, c in enumerate(scene.clauses) for i in range(c.first, c.last)}
    found: list[Finding] = []
    replaced: set[int] = set()
    spots = frozenset(i for p in scene.parts for i in p.core)
    for prop in sorted(scene.properties, key=lambda p: _place_rank(scene, p, clause_at)):
        held = [m for m in scene.signs if set(m.core) & set(prop.core)]
        if any(not _is_loose(m, spots) for m in held) or (
            prop.name in COLOURS and _is_of_a_thing(scene, prop)
        ):
            continue
        covered = any(f.first <= prop.first < f.last for f in found)
        finding = _from_property(scene, prop, clause_at, held, is_covered=covered)
        if finding:
            found.append(finding)
            replaced.update(id(m) for m in held)
    for match in scene.signs:
        if id(match) in replaced or match.core[0] not in clause_at:
            continue
        if match.name.endswith(".redness") and _is_of_a_thing(scene, match):
            continue
        finding = _judged(scene, clause_at[match.core[0]], match, match.name)
        if finding:
            found.append(finding)
    found = [f for f in found if not (f.is_default and _read_otherwise(f, found))]
    found.sort(key=lambda f: (f.first, f.last))
    _none_found(scene, found)
    _inherit_denial(scene, found)
    return _without_doubles(found)


def _place_rank(scene: Scene, prop: Match, clause_at: dict[int, int]) -> int:
    """Properties that belong to a body part come before those that stand alone."""
    number = clause_at.get(prop.core[0], -1)
    located = number >= 0 and (_nearest(scene, number, prop) or _carried(scene, number, prop, is_held=False))
    return 0 if located else 1


LOOSE = frozenset(
    {
        "skin_coat",
        "whole_body",
        "neurological",
        "lower_digestive",
        "respiratory",
        "musculoskeletal",
        "behaviour",
    }
)


def _is_loose(match: Match, spots: frozenset[int]) -> bool:
    """Whether a sign that names no body part gives way to one beside it ("swollen" to "swollen eye")."""
    category, sign, _ = target(match.name)
    if category == "behaviour" and sign not in (None, "vocalising"):
        return False
    return category in LOOSE and not spots & set(match.core)


def _judged(
    scene: Scene, number: int, match: Match, name: str, parts: tuple[Match, ...] = ()
) -> Finding | None:
    clause = scene.clauses[number]
    category, sign, value = target(name)
    first, last = min(match.core), max(match.core) + 1
    if _is_since(scene, clause, first, last):
        return None
    if is_imagined(scene.around, clause, first) or is_own_turkish(scene.tokens, clause, match.core):
        return None
    others = frozenset(i for m in (*scene.signs, *scene.properties) if m is not match for i in m.core)
    denied = False
    if not match.has_not:
        denied = is_denied(scene.around, clause, first, last, is_negative=match.is_negated, others=others)
        denied = denied and not is_only_less(scene.around, clause, first, last)
    worry = sign == "anxiety" and match.pattern.phrase.startswith("worr")
    if denied and worry and _is_speakers(scene, clause, first):
        return None
    if denied and (sign, value) == ("amount", "usual") and _denies_a_noun(scene, clause, first):
        denied = False
    uncertain = is_uncertain(scene.around, clause, first, last) or is_near_miss(
        scene.around, clause, sign, first, last
    )
    finding = Finding(category, sign, value, number, match.first, match.last, None, denied, uncertain)
    finding.part = parts[0].name if parts else None
    finding.parts_at = tuple(p.first for p in parts)
    finding.phrase = match.pattern.phrase
    if value is True and _is_lessened(scene, clause, first):
        finding.sign = finding.value = None
        finding.reads = "normal"
        return finding
    return settle(finding)


def _is_since(scene: Scene, clause: Clause, first: int, last: int) -> bool:
    """ "Limping since he fell off the sofa": the event that dates the finding is none itself."""
    tokens = scene.tokens
    if scene.lexicon.language == "tr":
        return last < clause.last and tokens[last].plain == "beri" and first not in scene.timed
    before = [t.plain for t in tokens[max(clause.first, first - 3) : first]]
    return "since" in before and before[-1] in ("he", "she", "it", "they", "his", "her", "i", "we")


def _is_speakers(scene: Scene, clause: Clause, first: int) -> bool:
    """ "Nothing to worry about": no worry of the subject's."""
    return not {"he", "she", "hes", "shes", "they"} & {t.plain for t in scene.tokens[clause.first : first]}


def _denies_a_noun(scene: Scene, clause: Clause, first: int) -> bool:
    """ "No vomiting no diarrhoea eating as normal": "no" denies the noun after it, not a verb further on."""
    words = [t.plain for t in scene.tokens[clause.first : first] if is_negator(t)]
    return words[-1:] in (["no"], ["without"], ["zero"]) and scene.tokens[first - 1].plain != words[-1]


def _is_lessened(scene: Scene, clause: Clause, first: int) -> bool:
    """ "Less itchy", "not as itchy": still there, and better."""
    words = [t.plain for t in scene.tokens[max(clause.first, first - 2) : first]]
    lesser = is_negator(scene.tokens[first - 2]) if len(words) == 2 else False
    return words[-1:] == ["less"] or (lesser and words[-1] in ("as", "so"))


def settle(finding: Finding) -> Finding | None:
    """The finding with its denial worked into its value; None where the denial leaves nothing said."""
    value, denied = finding.value, finding.is_denied
    if finding.is_uncertain:
        finding.sign = finding.value = None
        finding.reads = None
        return finding
    if finding.sign is None:
        finding.reads = "normal" if denied else "abnormal"
    elif isinstance(value, bool):
        finding.value = value != denied
    elif denied and isinstance(value, str):
        other = DENIED_MEMBER.get((finding.sign, value))
        if other is None:
            if value in ("pale", "white", "blue", "yellow", "red", "hard", "soft", "loose", "watery"):
                finding.sign = finding.value = None
                finding.reads = "normal"
                return finding
            return None
        finding.value = other
    elif denied and isinstance(value, int | float):
        return None
    return finding


def _from_property(
    scene: Scene, prop: Match, clause_at: dict[int, int], held: Sequence[Match], *, is_covered: bool
) -> Finding | None:
    number, is_held = clause_at.get(prop.core[0], -1), bool(held)
    if number < 0:
        return None
    combos = scene.lexicon.combinations
    here = _nearest(scene, number, prop)
    if (
        here
        and is_held
        and any(target(m.name)[0] == target(combos[here[0].name][prop.name])[0] for m in held)
    ):
        return None
    if here:
        return _judged(scene, number, prop, combos[here[0].name][prop.name], here)
    carried = _carried(scene, number, prop, is_held)
    if carried:
        return _judged(scene, number, prop, combos[carried.name][prop.name], (carried,))
    if is_held or is_covered:
        return None
    name = combos["alone"].get(prop.name)
    finding = _judged(scene, number, prop, name) if name else None
    if finding:
        finding.is_default = True
    return finding


def _read_otherwise(finding: Finding, found: Sequence[Finding]) -> bool:
    """Whether the same words, taken for no body part, were read of one elsewhere."""
    return any(f is not finding and f.first <= finding.first < f.last for f in found)


LOOKED = frozenset({"check", "look", "search", "comb", "hunt"})
NOTHING_EN = frozenset({"none", "nothing", "nope", "nowt", "clear"})
NOTHING_TR = frozenset(
    {"cikmadi", "bulamadim", "bulamadik", "goremedim", "gormedim", "rastlamadim", "yoktu", "yok", "temiz"}
)
# Words a clause may begin with before it says that nothing was there ("and there were none").
FINDING_NOTHING = frozenset(
    "and but found find see saw seen i we there was were could couldnt cant can didnt not got but came up"
    " no sign signs trace evidence all not a single thing one any of of them".split()
)
ENDING_NOTHING = NOTHING_EN | {"any", "one", "thing", "them", "sign", "signs", "trace", "anything"}


def _none_found(scene: Scene, found: Sequence[Finding]) -> None:
    """ "Checked for fleas, none found", "pire taraması yaptım çıkmadı": what was looked for is not there."""
    for number, clause in enumerate(scene.clauses):
        words = [t for t in scene.tokens[clause.first : clause.last] if t.is_word]
        mine = [f for f in found if f.clause == number - 1 and f.value is True]
        if any(f.clause == number for f in found):
            if scene.lexicon.language == "tr":
                continue
            mine, words = _found_within(scene, number, found)
        if not words or not mine:
            continue
        before = scene.tokens[scene.clauses[mine[0].clause].first : mine[-1].last]
        if scene.lexicon.language == "tr":
            looked = len(words) <= 2 and words[-1].plain in NOTHING_TR and clause.link == "run_on"
        else:
            looked = _is_search(before) and _says_nothing_found(words)
        if looked:
            for finding in mine:
                finding.value, finding.is_denied = False, True


def _found_within(scene: Scene, number: int, found: Sequence[Finding]) -> tuple[list[Finding], list[Token]]:
    """The signs looked for in this very clause, and the words after the last of them ("found nothing")."""
    mine = [f for f in found if f.clause == number and f.value is True]
    last = max((f.last for f in mine), default=scene.clauses[number].last)
    return mine, [t for t in scene.tokens[last : scene.clauses[number].last] if t.is_word]


def _is_search(words: Sequence[Token]) -> bool:
    """Whether somebody looked for a thing ("checked him for ticks"), not only looked so ("looked itchy")."""
    at = next((n for n, t in enumerate(words) if t.keys & LOOKED), len(words))
    return any(t.plain in ("for", "combed") for t in words[at:])


def _says_nothing_found(words: Sequence[Token]) -> bool:
    """Whether the words say that a search found nothing ("none", "couldn't find any", "no sign of them")."""
    plain = [t.plain for t in words]
    if plain[0] in NOTHING_EN or plain[:2] == ["all", "clear"]:
        return True
    told = 0
    while told < len(plain) and plain[told] in FINDING_NOTHING:
        told += 1
    said = plain[: told + 1]
    denied = any(is_negator(t) for t in words[: told + 1])
    return denied and any(w in ENDING_NOTHING for w in said) and len(plain) <= told + 3


COLOURS = frozenset({"red", "pink", "white", "blue", "yellow", "odd_colour", "pale", "cloudy"})
# What may stand between a thing and its colour ("her new collar is a bright red").
LINKING_COLOUR = frozenset(
    "is its it thats was a an the nice bright lovely dark light and very cok parlak bir".split()
)
BOUGHT_REACH = 5
BOUGHT = frozenset("new got bought yeni aldik aldim".split())


def _is_of_a_thing(scene: Scene, match: Match) -> bool:
    """Whether a colour is a thing's, not the body's ("new collar, it's red", "tasması kırmızı")."""
    things = {i for m in scene.around_talk if m.name == "coloured_thing" for i in m.core}
    clause = next((c for c in scene.clauses if match.core[0] in c), None)
    if not things or clause is None or any(p.first in clause and p.first not in things for p in scene.parts):
        return False
    tokens, after, at = scene.tokens, max(match.core) + 1, min(match.core) - 1
    if after in things or (after + 1 in things and tokens[after].plain == "bir"):
        return True
    while at >= clause.first and tokens[at].plain in LINKING_COLOUR:
        at -= 1
    if at >= clause.first:
        return at in things
    before = range(max(0, clause.first - BOUGHT_REACH), clause.first)
    is_bought = any(tokens[i].plain in BOUGHT for i in before)
    return is_bought and clause.link == "comma" and not things.isdisjoint(before[-3:])


# What says too little to be joined to a body part of another clause.
NOT_CARRIED = frozenset({"odd_colour", "infected", "injury", "pink", "big", "overgrown", "gurgle"})


def _carried(scene: Scene, number: int, prop: Match, is_held: bool) -> Match | None:
    """The body part spoken of in a clause just before, or (joined by "and") just after."""
    combos, clauses = scene.lexicon.combinations, scene.clauses
    here = clauses[number]
    if prop.name in NOT_CARRIED:
        return None
    if is_held and any(p.first in here for p in scene.parts):
        return None
    for back in (1, 2, 3, -1):
        other = number - back
        if not 0 <= other < len(clauses):
            continue
        far = abs(clauses[other].sentence - here.sentence)
        if far > (0 if is_held or back < 0 else 1) or (back < 0 and clauses[other].link != "and"):
            continue
        fitting = [
            p for p in scene.parts if p.first in clauses[other] and prop.name in combos.get(p.name, {})
        ]
        if fitting:
            return fitting[-1]
    return None


def _nearest(scene: Scene, number: int, prop: Match) -> tuple[Match, ...]:
    """The body part the property belongs to, with those joined to it by "and"."""
    clause, combos = scene.clauses[number], scene.lexicon.combinations
    fitting = [
        p
        for p in scene.parts
        if p.first in clause and prop.name in combos.get(p.name, {}) and not set(p.core) & set(prop.core)
    ]
    if not fitting:
        return ()
    best = min(
        fitting, key=lambda p: (min(abs(p.first - (prop.last - 1)), abs(prop.first - (p.last - 1))), p.first)
    )
    return (best,)


def _inherit_denial(scene: Scene, found: list[Finding]) -> None:
    """ "No sneezing, coughing or runny nose": a bare next member of a denied list is denied too."""
    by_clause: dict[int, list[Finding]] = {}
    for finding in found:
        by_clause.setdefault(finding.clause, []).append(finding)
    if scene.lexicon.language == "tr":
        return
    for number, clause in enumerate(scene.clauses):
        before, here = by_clause.get(number - 1), by_clause.get(number)
        if not before or not here or clause.link not in ("and", "comma") or not before[-1].is_denied:
            continue
        words = [t.plain for t in scene.tokens[clause.first : clause.last] if not t.is_mark]
        starts = here[0].first <= clause.first + 1
        is_list = "or" in words or "nor" in words or (clause.link == "and" and clause.is_bare)
        if clause.link == "comma" and not is_list and number + 1 < len(scene.clauses):
            following = scene.clauses[number + 1]
            tail = [t.plain for t in scene.tokens[following.first : following.last]]
            is_list = (
                len(words) <= 3 and following.link in ("comma", "and") and ("or" in tail or "nor" in tail)
            )
        if starts and is_list and len(words) <= 7:
            for finding in here:
                if not finding.is_denied and finding.value is True:
                    finding.value, finding.is_denied = False, True


def _without_doubles(found: list[Finding]) -> list[Finding]:
    """The same sign said by the same words counts once."""
    kept: dict[tuple[str, str | None, int, int], Finding] = {}
    for finding in found:
        kept.setdefault((finding.category, finding.sign, finding.clause, finding.first), finding)
    return list(kept.values())
