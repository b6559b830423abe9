"""Whether a clause with no time words speaks of today: tense, whose account it is, and undated events."""

from __future__ import annotations

import re

from twin.reading.clauses import Clause
from twin.reading.findings import Finding, Scene
from twin.rules.entries import Today

PRESENT = frozenset(
    "is are am isnt arent has have hasnt havent cant cannot wont keeps keep looks seems feels"
    " hes shes its theyre theres doesnt dont still seem look feel sounds does im ive".split()
)
NO_VERBS = frozenset(
    {
        "something",
        "nothing",
        "anything",
        "everything",
        "morning",
        "evening",
        "during",
        "thing",
        "wedding",
        "spring",
    }
    | {
        "string",
        "ring",
        "king",
        "ceiling",
        "building",
        "clothing",
        "swimming",
        "training",
        "meeting",
        "being",
        "bring",
    }
)
PAST = frozenset("was were had did wasnt werent didnt hadnt couldnt wouldnt been got went".split())


def is_fragment(scene: Scene, clause: Clause) -> bool:
    """Whether the clause has no finite verb of its own and so shares the tense before it."""
    if scene.lexicon.language == "tr":
        return not _turkish_present(scene, clause)
    words = [t.plain for t in scene.tokens[clause.first : clause.last] if t.is_word]
    return not any(w in PRESENT for w in words)


def _turkish_present(scene: Scene, clause: Clause) -> bool:
    for token in scene.tokens[clause.first : clause.last]:
        if any("pres" in s for s in token.suffixes.values()) or token.plain.endswith(
            ("iyor", "uyor", "iyo", "uyo", "makta", "mekte")
        ):
            return True
        if token.plain in ("yok", "var", "degil", "iyi", "normal"):
            return True
    return False


def is_present(scene: Scene, clause: Clause, finding: Finding | None) -> bool:
    """Whether the clause speaks in the present."""
    if scene.lexicon.language == "tr":
        return _turkish_present(scene, clause)
    words = [t.plain for t in scene.tokens[clause.first : clause.last] if t.is_word]
    raw = {t.plain for t in scene.tokens[clause.first : clause.last]}
    if (
        raw & PAST
        and not raw & {"is", "are", "cant", "keeps", "still"}
        and not ({"has", "have", "hes", "shes", "hasnt", "havent", "its"} & raw and "been" in raw)
    ):
        return False
    if any(w in PRESENT for w in words):
        return True
    return any(w.endswith("ing") and w not in NO_VERBS for w in words)


def today_of(scene: Scene, number: int, finding: Finding | None) -> Today:
    """Today, by tense and account, for a clause without time words."""
    clause = scene.clauses[number]
    if _used_to(scene, clause) or _habit(scene, clause):
        return "no"
    if unknown_day(scene, number):
        return "unknown"
    if is_present(scene, clause, finding):
        return "yes"
    if _others_account(scene, number) or _undated_event(scene, clause) or _at_event(scene, number):
        return "unknown"
    return "yes"


def _talk(scene: Scene, name: str, clause: Clause) -> bool:
    return any(m.name == name and m.first in clause for m in scene.around_talk)


def _used_to(scene: Scene, clause: Clause) -> bool:
    """ "Used to", unless it is what the present is compared with ("more than she used to")."""
    return any(
        m.name == "used_to"
        and m.first in clause
        and not any(
            t.plain in ("than", "as", "never", "didnt")
            for t in scene.tokens[max(clause.first, m.first - 3) : m.first]
        )
        for m in scene.around_talk
    )


def _habit(scene: Scene, clause: Clause) -> bool:
    """Turkish "-irdi": used to."""
    return any(
        all("habit" in s for s in t.suffixes.values())
        for t in scene.tokens[clause.first : clause.last]
        if t.suffixes
    )


def unknown_day(scene: Scene, number: int) -> bool:
    """Whether the speaker says in the same breath that the day is not known."""
    sentence = scene.clauses[number].sentence
    near = [c for c in scene.clauses if 0 <= c.sentence - sentence <= 1]
    return any(c.is_doubt or _talk(scene, "unknown_day", c) for c in near)


def _others_account(scene: Scene, number: int) -> bool:
    """Whether somebody else told it: named up to this clause of the sentence (Turkish: anywhere in it)."""
    sentence = scene.clauses[number].sentence
    for n, other in enumerate(scene.clauses):
        if other.sentence != sentence:
            continue
        if (n <= number or scene.lexicon.language == "tr" or n == number + 1) and _talk(
            scene, "others_account", other
        ):
            return True
    return False


def _at_event(scene: Scene, number: int) -> bool:
    """Whether an undated event opens the sentence and covers its list ("tatilde yüzü şişti, kustu")."""
    sentence = scene.clauses[number].sentence
    first = next(n for n, c in enumerate(scene.clauses) if c.sentence == sentence)
    opening = scene.clauses[first]
    events = [m for m in scene.around_talk if m.name == "undated_events" and m.first in opening]
    return (
        first < number
        and any(m.first - opening.first <= 2 for m in events)
        and _undated_event(scene, opening)
    )


EVENT_CASE = re.compile(r"(?:d[ae]|t[ae]|k[ae]n)$")


def _is_when(scene: Scene, clause: Clause, after: int) -> bool:
    """Whether a Turkish event says when: "tatilde", "ameliyattan sonra", not "havai fişekten korktu"."""
    following = {t.plain for t in scene.tokens[after : min(clause.last, after + 3)]}
    if following & {"sonra", "sonrasi", "sirasinda", "boyunca", "esnasinda", "sonrasinda"}:
        return True
    return EVENT_CASE.search(scene.tokens[after - 1].plain) is not None


def _undated_event(scene: Scene, clause: Clause) -> bool:
    events = [m for m in scene.around_talk if m.name == "undated_events" and m.first in clause]
    if not events:
        return False
    if scene.lexicon.language == "tr":
        return any(_is_when(scene, clause, m.last) for m in events)
    links = [m for m in scene.around_talk if m.name == "event_links" and m.first in clause]
    return any(0 <= e.first - m.last <= 3 for e in events for m in links)
