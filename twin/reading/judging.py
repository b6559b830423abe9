"""The speaker's own judgement ("looked fine", "I'm worried"), what was not looked at, and what is over."""

from __future__ import annotations

from collections.abc import Sequence

from twin.reading.clauses import Clause
from twin.reading.findings import Finding, Scene
from twin.reading.matching import Match, is_negator
from twin.rules.entries import Polarity

GENERAL = "whole_body"
TOPIC_CATEGORY = {
    "eat": "appetite_intake",
    "drink": "thirst_hydration",
    "stool": "lower_digestive",
    "urine": "urinary",
    "sleep": "sleep",
    "weigh": "metabolic_weight",
    "temperature": "whole_body",
    "score": "metabolic_weight",
}
JUDGED_BY_MANNER = frozenset({"appetite_intake", "thirst_hydration", "sleep"})
# Where a sign that is seen may still be the usual thing ("flapping, totally normal for him").
MAY_BE_USUAL = frozenset({"behaviour", "reproductive", "respiratory"})
USUAL = frozenset("usual always ever zamanki".split())


def find(scene: Scene, found: list[Finding]) -> list[Finding]:
    """Judgements as findings without a sign; those that belong to a finding are set on it instead."""
    added: list[Finding] = []
    for number, clause in enumerate(scene.clauses):
        if clause.is_question or _greets(scene, clause):
            continue
        mine = [f for f in found if f.clause == number]
        _worry(scene, number, clause, found, added)
        if mine:
            _manner(scene, clause, mine)
            continue
        row = _row(scene, number, clause)
        if row:
            added += row
            continue
        judgement = _judgement(scene, number, clause, [*found, *added])
        if judgement and _is_told_otherwise(scene, number, clause, found):
            continue
        if judgement and judgement.category == GENERAL and _is_mood_of(scene, number, found):
            continue
        if judgement:
            added.append(judgement)
    return added


def _is_told_otherwise(scene: Scene, number: int, clause: Clause, found: Sequence[Finding]) -> bool:
    """ "İyileşti", "ellerini sıkmak iyi geldi": the end of a sign or what calmed, no judgement of its own."""
    if any(m.name.startswith("calmed") and m.first in clause for m in scene.slots):
        return any(f.category == "behaviour" for f in found)
    over = any(m.name == "resolved" and m.first in clause for m in scene.around_talk)
    return (
        over and any(f.value is True and f.clause < number for f in found) and not _judged_part(scene, clause)
    )


def _row(scene: Scene, number: int, clause: Clause) -> list[Finding]:
    """ "Ears fine eyes fine teeth fine": each part with the judgement that follows it."""
    category_of = scene.lexicon.combinations["category_of"]
    parts = [p for p in scene.parts if p.first in clause and p.name in category_of]
    verdicts = _in(scene, clause, "good", "bad")
    rows = []
    for at, part in enumerate(parts):
        end = parts[at + 1].first if at + 1 < len(parts) else clause.last
        mine = [v for v in verdicts if part.last <= v.first < end]
        if not mine:
            return []
        best = max(mine, key=lambda m: (m.pattern.weight, -m.first))
        rows.append(
            _assert(
                scene, number, category_of[part.name], best, _sense(scene, clause, best), parts=(part.first,)
            )
        )
    return rows if len({r.category for r in rows}) > 1 else []


def _greets(scene: Scene, clause: Clause) -> bool:
    return any(
        m.name == "greeting" and m.first == clause.first and m.first not in scene.timed
        for m in scene.around_talk
    )


def _in(scene: Scene, clause: Clause, *names: str) -> list[Match]:
    return [
        m
        for m in scene.around_talk
        if m.pattern.group == "judgement" and m.name in names and m.first in clause
    ]


def _sense(scene: Scene, clause: Clause, match: Match) -> Polarity:
    """Good or bad, turned round by a negation just before it (or, in Turkish, after it)."""
    good = match.name in ("good", "general_good", "calmly")
    window = scene.tokens[max(clause.first, match.first - 3) : match.first]
    turned = not match.has_not and any(is_negator(t) for t in window)
    if scene.lexicon.language == "tr":
        after = scene.tokens[match.last : min(clause.last, match.last + 2)]
        turned = match.is_negated or any(t.plain.startswith("degil") for t in after)
    return "normal" if good != turned else "abnormal"


def _manner(scene: Scene, clause: Clause, mine: Sequence[Finding]) -> None:
    """ "Eating fine", "sleep is bad": how a thing goes is the speaker's judgement of it."""
    for match in _in(scene, clause, "good", "bad"):
        for finding in mine:
            inside = finding.first <= match.first < finding.last
            if inside and finding.category in JUDGED_BY_MANNER and not finding.is_denied:
                words = {t.plain for t in scene.tokens[finding.first : finding.last]}
                if not words & USUAL:
                    finding.asserted = _sense(scene, clause, match)
    for match in _in(scene, clause, "calmly"):
        for finding in mine:
            inside = finding.first <= match.first < finding.last
            if inside or finding.reads is not None or finding.is_uncertain:
                continue
            if finding.value is not True or finding.category in MAY_BE_USUAL:
                finding.asserted = finding.asserted or _sense(scene, clause, match)


def _worry(
    scene: Scene, number: int, clause: Clause, found: Sequence[Finding], added: Sequence[Finding]
) -> None:
    """Worry belongs to the observation it stands with: the same sentence, the one before, else the next."""
    matches = [m for m in _in(scene, clause, "worry") if _sense(scene, clause, m) == "abnormal"]
    if not matches:
        return
    everything = sorted([*found, *added], key=lambda f: f.clause)
    before = [f for f in everything if f.clause <= number]
    target = before[-1].clause if before else next((f.clause for f in everything if f.clause > number), None)
    for finding in everything:
        if finding.clause == target:
            finding.asserted = "abnormal"


def _judgement(scene: Scene, number: int, clause: Clause, found: Sequence[Finding]) -> Finding | None:
    general = _in(scene, clause, "general_good", "general_bad")
    matches = _in(scene, clause, "good", "bad")
    if not general and not matches:
        return None
    if any(m.name == "not_looked" and m.first in clause for m in scene.around_talk):
        return None
    part = _judged_part(scene, clause)
    if part and any(set(part[1]) <= set(range(m.first, m.last)) for m in general):
        part = None
    if part and matches:
        best = max(matches, key=lambda m: (m.pattern.weight, -m.first))
        return _assert(scene, number, part[0], best, _sense(scene, clause, best), parts=part[1])
    if part and general:
        return _assert(scene, number, part[0], general[0], _sense(scene, clause, general[0]), parts=part[1])
    if not part:
        topic = next((TOPIC_CATEGORY[t] for t in sorted(clause.facts) if t in TOPIC_CATEGORY), None)
        if topic and matches and topic not in ("whole_body",):
            return _assert(scene, number, topic, matches[0], _sense(scene, clause, matches[0]))
    if general and not (matches and _is_look(scene, clause) and _topic_before(scene, number)):
        best = max(general, key=lambda m: m.pattern.weight)
        if _is_only_verdict(scene, clause, best) or not found:
            return _assert(scene, number, GENERAL, best, _sense(scene, clause, best))
    if not matches:
        return None
    best = max(matches, key=lambda m: (m.pattern.weight, -m.first))
    earlier = [f for f in found if f.clause < number]
    if not _is_short(scene, clause):
        return None
    spoken_of = _topic_before(scene, number)
    if spoken_of and (not earlier or earlier[-1].clause < spoken_of[0]):
        return _assert(scene, spoken_of[0], spoken_of[1], best, _sense(scene, clause, best))
    if earlier:
        last = earlier[-1]
        if _other_subject(scene, number, last.clause):
            return _assert(scene, number, GENERAL, best, _sense(scene, clause, best))
        return _assert(scene, number, last.category, best, _sense(scene, clause, best))
    if _about_subject(scene, clause):
        return _assert(scene, number, GENERAL, best, _sense(scene, clause, best))
    return None


def _other_subject(scene: Scene, number: int, earlier: int) -> bool:
    """Whether this clause names somebody else than the finding's clause spoke of."""
    here = [m.label for m in scene.subjects if m.first in scene.clauses[number]]
    before = [m.label for m in scene.subjects if m.first < scene.clauses[earlier].last]
    return bool(here) and here[0] not in before[-1:]


MOODS = frozenset({"happy", "cheerful", "content", "mutlu", "neşeli"})


def _is_mood_of(scene: Scene, number: int, found: Sequence[Finding]) -> bool:
    """ "Rocking and humming, seems happy": the mood calls the stimming beside it normal."""
    clause = scene.clauses[number]
    tokens = scene.tokens[clause.first : clause.last]
    if not any(t.proper in MOODS or t.plain.startswith(("nese", "keyf", "keyif", "mutlu")) for t in tokens):
        return False
    mine = [f for f in found if f.sign == "stimming" and scene.clauses[f.clause].sentence == clause.sentence]
    for finding in mine:
        finding.asserted = "normal"
    return bool(mine)


def _topic_before(scene: Scene, number: int) -> tuple[int, str] | None:
    """What the clause before was about though nothing was found in it ("pooped! looked normal")."""
    if not number:
        return None
    facts = scene.clauses[number - 1].facts
    topic = next(
        (
            TOPIC_CATEGORY[t]
            for t in ("stool", "urine", "vomit", "drink", "eat")
            if t in facts and t in TOPIC_CATEGORY
        ),
        None,
    )
    part = _judged_part(scene, scene.clauses[number - 1])
    category = topic or (part[0] if part else None)
    return (number - 1, category) if category else None


def _is_look(scene: Scene, clause: Clause) -> bool:
    return any(t.keys & {"look", "v:görün", "V:görün"} for t in scene.tokens[clause.first : clause.last])


def _assert(
    scene: Scene, number: int, category: str, match: Match, sense: Polarity, *, parts: tuple[int, ...] = ()
) -> Finding:
    finding = Finding(category, None, None, number, match.first, match.last, sense)
    finding.asserted = sense
    finding.parts_at = parts
    return finding


def _judged_part(scene: Scene, clause: Clause) -> tuple[str, tuple[int, ...]] | None:
    category_of = scene.lexicon.combinations["category_of"]
    for part in scene.parts:
        if part.first in clause and part.name in category_of:
            return category_of[part.name], (part.first,)
    return None


VERDICT_LIMIT = 9
FEW, TURKISH_FEW = 4, 6
PRONOUNS = frozenset(
    "he she it they hes shes its theyre him her himself herself is was seems looks doing feeling".split()
)


def _is_only_verdict(scene: Scene, clause: Clause, match: Match) -> bool:
    return clause.last - clause.first <= VERDICT_LIMIT


def _is_short(scene: Scene, clause: Clause) -> bool:
    words = [t for t in scene.tokens[clause.first : clause.last] if t.is_word]
    return len(words) <= VERDICT_LIMIT


def _about_subject(scene: Scene, clause: Clause) -> bool:
    words = {t.plain for t in scene.tokens[clause.first : clause.last]}
    few = TURKISH_FEW if scene.lexicon.language == "tr" else FEW
    return bool(words & PRONOUNS) or any(m.first in clause for m in scene.subjects) or len(words) <= few


def not_looked(scene: Scene, found: Sequence[Finding]) -> list[Finding]:
    """ "Didn't check how much she drank": the sign that says nobody looked."""
    added: list[Finding] = []
    signs = scene.lexicon.combinations["not_observed"]
    for match in scene.around_talk:
        if match.name != "not_looked":
            continue
        number = next((n for n, c in enumerate(scene.clauses) if match.first in c), -1)
        if number < 0:
            continue
        clause = scene.clauses[number]
        if any(f.clause == number and f.value is not None for f in found):
            continue
        category = _unseen_category(scene, clause)
        if category in signs and not any(f.category == category and f.clause == number for f in added):
            added.append(Finding(category, signs[category], "not_observed", number, match.first, match.last))
    return added


def _unseen_category(scene: Scene, clause: Clause) -> str:
    number = scene.clauses.index(clause)
    part = _judged_part(scene, clause)
    if not part and not clause.facts and clause.link == "run_on" and number:
        return _unseen_category(scene, scene.clauses[number - 1])
    if part:
        return part[0]
    return next((TOPIC_CATEGORY[t] for t in ("drink", "eat", "stool", "urine") if t in clause.facts), "")


def resolve(scene: Scene, found: list[Finding]) -> None:
    """ "All gone now", "none today": what was found before is denied for the time of this clause."""
    for number, clause in enumerate(scene.clauses):
        if clause.is_question or any(f.clause == number for f in found):
            continue
        match = next((m for m in scene.around_talk if m.name == "resolved" and m.first in clause), None)
        if (
            match is None
            or not _is_short(scene, clause)
            or any(p.first in clause and p.name not in ("back",) for p in scene.parts)
        ):
            continue
        earlier = [f for f in found if f.clause < number and f.value is True]
        if not earlier or _is_unresolved(scene, clause, match) or _ends_itself(scene, clause):
            continue
        last = earlier[-1]
        for finding in [f for f in earlier if f.category == last.category and f.clause == last.clause]:
            found.append(
                Finding(finding.category, finding.sign, False, number, match.first, match.last, None, True)
            )


def _ends_itself(scene: Scene, clause: Clause) -> bool:
    """ "Stopped after 10 minutes": how long it took, no later look."""
    return any(m.name == "self_limited" and m.first in clause for m in scene.around_talk)


def _is_unresolved(scene: Scene, clause: Clause, match: Match) -> bool:
    around = scene.around
    return any(i in around.nearly or i in around.pseudo for i in range(clause.first, match.last))
